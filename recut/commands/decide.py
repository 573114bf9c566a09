"""``recut decide``: look one cut up in a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from model.decision_table import Region, Rule, Table, cell_text
from model.table_file import load_table
from model.table_inputs import INPUT_NAMES
from model.table_regions import require_unique, size
from recut.cut_file import read_cut, region_of, require_complete
from recut.decide_lines import answers
from recut.failure import Refused, Status, ending
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
        return _many(rules, cut, unknown_as_any or format is Format.TEXT, output)
    given = read_cut(cut)
    if not unknown_as_any:
        require_complete(given, cut)
    ready(output)
    answer = answer_of(rules, region_of(given))
    emit(as_json(answer) if format is Format.JSON else _text(answer), output)
    return Status.HOLDS if answer["decision"] is not None else Status.UNKNOWN


def _many(table: Table, source: str, other: bool, output: Path | None) -> int:
    """Answer a line at a time, each block as soon as it was read."""
    if other:
        raise Refused("--lines: answers complete cuts as JSON; leave out --unknown-as-any and --format text")
    if output is not None:
        write(output, "")
    for block in answers(table, source):
        if output is not None:
            append(output, block)
        elif not emit(block, None):
            break
    return Status.HOLDS


def answer_of(table: Table, region: Region) -> dict[str, Any]:
    """The decision of a region of cuts with its rules; without one the completions, by rule.

    Refused where the table has no rule for a cut of the region.
    """
    parts = table.touching(region)
    if sum(size(part) for _, part in parts) < size(region):
        raise Refused(f"{table.path}: has no rule for this cut; run recut table check {table.path}")
    decisions = {rule.decision for rule, _ in parts}
    rules = [rule for rule, _ in parts]
    if len(decisions) > 1:
        because = f"the completions of the missing inputs disagree: {', '.join(sorted(decisions))}"
        completions = [_completion(rule, part, region) for rule, part in parts]
        return {"decision": None, "rule": None, "because": because, "completions": completions}
    return {
        "decision": rules[0].decision,
        "rule": ", ".join(rule.name for rule in rules),
        "because": " ".join(dict.fromkeys(rule.because for rule in rules)),
    }


def _completion(rule: Rule, part: Region, region: Region) -> dict[str, Any]:
    """A rule with the values of the missing inputs under which it decides."""
    open_inputs = [name for name in INPUT_NAMES if len(region[name]) > 1 and part[name] != region[name]]
    inputs = {name: cell_text(name, part[name]) for name in open_inputs}
    return {"decision": rule.decision, "rule": rule.name, "because": rule.because, "inputs": inputs}


def _text(answer: Mapping[str, Any]) -> str:
    if answer["decision"] is not None:
        return f"{answer['decision']} ({answer['rule']}): {answer['because']}\n"
    return "".join([f"undecided: {answer['because']}\n", *map(_line, answer["completions"])])


def _line(completion: Mapping[str, Any]) -> str:
    inputs: Sequence[str] = [f"{name} = {cell}" for name, cell in completion["inputs"].items()]
    return f"  {completion['decision']} ({completion['rule']}) if {' and '.join(inputs) or 'nothing else'}\n"
