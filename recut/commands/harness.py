"""``recut harness``: the two interruption reports, as runs of the model and the table."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from model.policy import Policy
from properties.verdict import Outcome
from recut.failure import Status, ending
from recut.inputs import policy_with
from recut.output import WIDTH, emit, ready
from solver.harness import Harness, Told, harness_report
from solver.harness import harness as both_reports
from solver.published import Entry


class Format(StrEnum):
    """How the reports are written."""

    TEXT = "text"
    JSON = "json"


class FailOn(StrEnum):
    """What makes the command exit 1."""

    FAILS = "fails"


@ending
def harness(
    format: Annotated[Format, typer.Option(help="How the reports are written.")] = Format.TEXT,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")] = None,
    table: Annotated[str | None, typer.Option(metavar="NAME|FILE", help="A table instead of the policy's.")] = None,
    fail_on: Annotated[FailOn | None, typer.Option(help="Exit 1 if a report is not the published one.")] = None,
) -> int:
    """Run the two published interruption reports on the model and the decision table.

    Four cases of an interrupted workflow, and a matrix of crash points. The verdict says whether both come out as
    they were published.
    """
    ready(output)
    policies: dict[str, Policy] = {} if table is None else {"recovery": policy_with("recovery", table)}
    found = both_reports(policies)
    emit(as_json(found) if format is Format.JSON else as_text(found), output)
    return Status.FAILS if fail_on is FailOn.FAILS and found.outcome is Outcome.FAILS else Status.HOLDS


def as_json(found: Harness) -> str:
    """Both reports as JSON with sorted keys."""
    return json.dumps(harness_report(found), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def as_text(found: Harness) -> str:
    """Both reports as lines of at most 80 columns."""
    lines = ["Four interrupted cases", *(line for told in found.cases for line in _case(told))]
    lines += ["", "Crash points", *_matrix(found), ""]
    lines += [line for told in found.rows for line in _story(told)]
    same = "the published reports" if found.outcome is Outcome.HOLDS else "not the published reports"
    return "\n".join([*lines, "", f"{found.outcome}: these are {same}"]) + "\n"


def _case(told: Told) -> Iterator[str]:
    yield ""
    yield f"{told.story.name}: {told.outcome}"
    for key, value in told.entry.items():
        differs = value != told.published[key]
        yield f"  {key} {_plain(value)}" + (f" (published: {_plain(told.published[key])})" if differs else "")
    yield from _story(told, titled=False)


def _story(told: Told, titled: bool = True) -> Iterator[str]:
    """What was played, what of it could not be, and the rows of the table that decided."""
    turns = "; ".join(turn.says for turn in told.story.turns)
    yield from _wrapped(f"{told.story.name}: {turns}." if titled else f"{turns}.")
    rows = (f"{r.rule or 'no row'} (worker {r.worker}: {r.decision})" for r in told.run.rulings)
    yield from _wrapped(f"Decided by: {', '.join(rows)}")
    if told.run.missed:
        yield from _wrapped("Could not happen: " + "; ".join(told.run.missed))


COLUMNS = {
    "crash_point": "crash point",
    "provider_idempotent": "dedup",
    "provider_readable": "readable",
    "authority_revoked": "revoked",
    "decision": "decision",
    "commits": "commits",
    "effect": "effect",
}
"""What the matrix is called column by column, in the data and for people."""


def _matrix(found: Harness) -> Iterator[str]:
    """The rows in columns, and below a row that is not the published one what was published."""
    titles = tuple(COLUMNS.values())
    rows = [titles, *(_cells(told.entry) for told in found.rows)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def line(cells: tuple[str, ...]) -> str:
        return "  ".join(cell.ljust(width) for cell, width in zip(cells, widths, strict=True)).rstrip()

    yield line(titles)
    for told in found.rows:
        yield line(_cells(told.entry))
        if told.outcome is Outcome.FAILS:
            yield f"  published: {', '.join(_cells(told.published)[-3:])}"


def _cells(entry: Entry) -> tuple[str, ...]:
    return tuple(_plain(entry[column]) for column in COLUMNS)


def _plain(value: bool | int | str | None) -> str:
    """A value as people write it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "-" if value is None else str(value)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="    ")
