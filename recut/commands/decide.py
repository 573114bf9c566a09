"""``recut decide``: look one cut up in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from model.table_file import load_table
from model.table_regions import require_unique
from recut.answering import answer_of
from recut.cut_file import named, read_cut, region_of, require_complete
from recut.decide_lines import Answers, opened, require_apart
from recut.failure import Interrupted, Refused, Status, ending
from recut.output import append, as_json, emit, ready, write


class Format(StrEnum):
    """How the answer is written."""

    JSON = "json"
    TEXT = "text"


@ending
def decide(
    cut: Annotated[str, typer.Argument(metavar="CUT", help="A TOML, JSON or JSONL file with inputs, or - for stdin.")],
    table: Annotated[str, typer.Option(metavar="NAME|FILE", help="The table to look in.")] = "recovery",
    lines: Annotated[
        bool, typer.Option("--lines", help="Many cuts, one in each line as JSON, and an answer a line.")
    ] = False,
    unknown_as_any: Annotated[
        bool, typer.Option("--unknown-as-any", help="A missing input has any value; all must agree.")
    ] = False,
    format: Annotated[Format, typer.Option(help="How the answer is written.")] = Format.JSON,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")] = None,
) -> int:
    """Look cuts up: what to do, by which rule and why."""
    rules = require_unique(load_table(table))
    if lines or cut.endswith(".jsonl"):
        if format is Format.TEXT:
            raise Refused("--lines: answers as JSON; leave out --format text")
        return _many(Answers(rules, cut, unknown_as_any), cut, output)
    given = read_cut(cut)
    if not unknown_as_any:
        require_complete(given, named(cut))
    ready(output)
    answer = answer_of(rules, region_of(given))
    emit(as_json(answer) if format is Format.JSON else _text(answer), output)
    return Status.HOLDS if answer["decision"] is not None else Status.UNKNOWN


def _many(answers: Answers, source: str, output: Path | None) -> int:
    """Answer a line at a time, each block as soon as it was read."""
    try:
        with opened(source) as file:
            if output is not None:
                require_apart(file, output)
                write(output, "")
            for block in answers.blocks(file):
                if not _written(block, output):
                    break
    except KeyboardInterrupt:
        raise Interrupted("interrupted: the answers end before the cuts do") from None
    return Status.UNKNOWN if answers.undecided else Status.HOLDS


def _written(block: str, output: Path | None) -> bool:
    """Add answers to where they go; whether anybody still reads."""
    if output is None:
        return emit(block, None)
    append(output, block)
    return True


def _text(answer: Mapping[str, Any]) -> str:
    if answer["decision"] is not None:
        return f"{answer['decision']} ({answer['rule']}): {answer['because']}\n"
    return "".join([f"undecided: {answer['because']}\n", *map(_line, answer["completions"])])


def _line(completion: Mapping[str, Any]) -> str:
    inputs: Sequence[str] = [f"{name} = {cell}" for name, cell in completion["inputs"].items()]
    return f"  {completion['decision']} ({completion['rule']}) if {' and '.join(inputs) or 'nothing else'}\n"
