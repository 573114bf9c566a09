"""``recut table diff``: which cuts an edit decides otherwise, in which direction, and whether they are reached."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from model.contract import DEFAULT_CONTRACT
from model.table_file import load_table
from recut.baseline import baseline_of
from recut.commands.check import default_jobs
from recut.commands.table_options import (
    ContractOption,
    ForbidOption,
    JobsOption,
    OutputOption,
    PolicyOption,
    SearchOption,
    TogetherOption,
)
from recut.failure import STATUS, ending
from recut.inputs import subject_of
from recut.output import as_json, as_text, emit, ready
from recut.report_table_diff import document, text
from recut.running import search_regions
from recut.table_change import Difference, Forbid, Proved, Search, difference, proved
from recut.together import together
from solver.check import Subject


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"


def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A table file, a shipped name, or git:REV.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="A table file, or the name of a shipped table.")],
    forbid: ForbidOption = Forbid.UNSAFE,
    contract: ContractOption = DEFAULT_CONTRACT,
    policy: PolicyOption = "recovery",
    search: SearchOption = False,
    mixed: TogetherOption = False,
    jobs: JobsOption = None,
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.TEXT,
    output: OutputOption = None,
) -> int:
    """Which cuts are decided otherwise, in which direction, and does the system get there?"""
    before, after = baseline_of(old, new), load_table(new)
    subject = subject_of(contract, policy, None, None, 1, None)
    ready(output)
    first = proved(old, before)
    found = compared(first, proved(new, after, like=first), subject, search, mixed, jobs)
    emit(written(found, forbid, format, output), output)
    return STATUS[found.outcome(forbid)]


def compared(old: Proved, new: Proved, subject: Subject, search: bool, mix: bool, jobs: int | None) -> Difference:
    """Two proved tables compared; with ``search`` and ``mix`` searched for what proofs leave open."""
    found = difference(old, new, subject, searcher(search, jobs))
    if not found.changes:
        return found
    processes = jobs or default_jobs()
    return replace(found, together=tuple(together(old, new, subject, processes if mix else None)))


def searcher(wanted: bool, jobs: int | None) -> Search | None:
    """What searches for regions, if that is wanted."""
    return partial(search_regions, processes=jobs or default_jobs()) if wanted else None


def written(found: Difference, forbid: Forbid, format: Format, output: Path | None) -> str:
    """The report in a format."""
    if format is Format.JSON:
        return as_json(document(found, forbid))
    return as_text(text(found, forbid), output)


def register(app: typer.Typer) -> None:
    """Make this a command of the application."""
    app.command("diff")(ending(diff))
