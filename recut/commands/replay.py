"""``recut replay``: play a trace file step by step on the model that it names."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from properties.verdict import Outcome
from recut.failure import Status, ending
from recut.files import read_json
from recut.itf import REMEDY, from_itf
from recut.output import as_json, as_text, emit, ready
from recut.replaying import Replayed, replayed
from recut.report_check_text import COLOUR
from recut.told import changed, meaning, paragraph


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"


class FailOn(StrEnum):
    """What makes the exit status 1 although the trace replays."""

    FAILS = "fails"


@ending
def replay(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="A trace file that recut wrote.")],
    fail_on: Annotated[FailOn | None, typer.Option(help="Exit with 1 if the trace shows a violation.")] = None,
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.TEXT,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")] = None,
) -> int:
    """Take every step of a trace again and show what it changed."""
    found = replayed(from_itf(read_json(trace, REMEDY), str(trace)), str(trace))
    ready(output)
    emit(as_json(document(found)) if format is Format.JSON else as_text(text(found), output), output)
    if found.differs is not None:
        return Status.FAILS
    return Status.FAILS if fail_on is not None and found.outcome is Outcome.FAILS else Status.HOLDS


def document(found: Replayed) -> dict[str, Any]:
    """The JSON document."""
    origin = found.file.origin
    return {
        "schema": "recut/replay/1",
        "verdict": str(found.outcome),
        "replays": found.differs is None,
        "differs": found.differs,
        "contract": origin.contract.name,
        "policy": origin.policy.name,
        "run": origin.run,
        "shows": found.file.shows,
        "results": [
            {
                "name": origin.about,
                "verdict": str(found.outcome),
                "how": found.how,
                "bounds": origin.run,
                "seconds": round(found.seconds, 2),
                "states": len(found.steps) + 1,
            }
        ],
        "steps": [
            {
                "number": number,
                "action": action,
                "says": meaning(action),
                "changed": {name: [a, b] for name, (a, b) in changed(before, after).items()},
            }
            for number, (action, before, after) in enumerate(found.steps, 1)
        ],
    }


def text(found: Replayed) -> list[RenderableType]:
    """Numbered sentences, then what the end shows."""
    origin = found.file.origin
    parts: list[RenderableType] = [
        Text(f"contract {origin.contract.name}, policy {origin.policy.name}, run {origin.run}: {found.file.shows}")
    ]
    for number, (action, before, after) in enumerate(found.steps, 1):
        parts.append(Text(paragraph(number, action, before, after)))
    if found.differs is not None:
        parts.append(Text(f"the trace does not replay: {found.differs}", style=COLOUR[Outcome.FAILS]))
    parts.append(Text(f"{origin.about}: {found.outcome} ({found.how})", style=COLOUR[found.outcome]))
    return parts
