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
from recut.failure import Refused, Status, ending
from recut.output import as_json, emit, ready


class Format(StrEnum):
    """How the answer is written."""

    JSON = "json"
    TEXT = "text"


@ending
def decide(
    cut: Annotated[str, typer.Argument(metavar="CUT", help="A TOML or JSON file with the inputs, or - for stdin.")],
    table: Annotated[str, typer.Option(metavar="NAME|FILE", help="The table to look in.")] = "recovery",
    unknown_as_any: Annotated[
        bool, typer.Option("--unknown-as-any", help="A missing input has any value; all must agree.")
    ] = False,
    format: Annotated[Format, typer.Option(help="How the answer is written.")] = Format.JSON,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")] = None,
) -> int:
    """Look one cut up: what to do, by which rule and why."""
    rules = require_unique(load_table(table))
    given = read_cut(cut)
    if not unknown_as_any:
        require_complete(given, cut)
    ready(output)
    answer = answer_of(rules, region_of(given))
    emit(as_json(answer) if format is Format.JSON else _text(answer), output)
    return Status.HOLDS if answer["decision"] is not None else Status.UNKNOWN


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
