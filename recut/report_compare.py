"""A comparison of policies: one matrix, and below it what breaks where and how soon."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from model.setting import Setting
from properties.verdict import Outcome, Trace, Verdict, worst
from recut.itf import Origin
from recut.report_check_text import COLOUR, heading
from solver.compare import Cell, cell_cases

Files = Mapping[tuple[str, str, str], Path]
"""Trace files by policy, contract and property."""


def document(cells: Sequence[Cell], files: Files) -> dict[str, Any]:
    """The JSON document."""
    return {
        "schema": "recut/compare/1",
        "verdict": str(worst(cell.outcome for cell in cells)),
        "policies": names(cells, policy=True),
        "contracts": names(cells, policy=False),
        "matrix": [
            {
                "policy": cell.policy.name,
                "contract": cell.contract.name,
                "verdict": str(cell.outcome),
                "broken": [v.name for v in cell.broken],
                "runs": [_run(cell, run.name) for run in cell.runs],
            }
            for cell in cells
        ],
        "results": [_result(cell, v, files) for cell in cells for v in cell.verdicts],
    }


def names(cells: Sequence[Cell], policy: bool) -> list[str]:
    """The policies, or the contracts, in the order of the matrix."""
    return list(dict.fromkeys(cell.policy.name if policy else cell.contract.name for cell in cells))


def origin_of(cell: Cell, verdict: Verdict, trace: Trace) -> Origin:
    """Where a trace of a cell is from."""
    run = next(r for r in cell.runs if trace in (*r.violations.values(), r.stuck))
    kind = "property" if verdict.name in run.violations else "ending"
    return Origin(cell.contract, cell.policy, settings(cell)[run.name], run.name, verdict.name, kind)


def settings(cell: Cell) -> dict[str, Setting]:
    """The bounds of each run of a cell."""
    return {case.name: case.setting for case in cell_cases(cell.policy, cell.contract)}


def _run(cell: Cell, name: str) -> dict[str, Any]:
    run = next(r for r in cell.runs if r.name == name)
    return {
        "name": name,
        "bounds": run.bounds,
        "states": run.states,
        "depth": run.depth,
        "complete": run.complete,
        "cut_off_by": run.cut_off_by,
        "seconds": round(run.seconds, 2),
    }


def _result(cell: Cell, verdict: Verdict, files: Files) -> dict[str, Any]:
    result: dict[str, Any] = {
        "policy": cell.policy.name,
        "contract": cell.contract.name,
        "name": verdict.name,
        "verdict": str(verdict.outcome),
        "how": verdict.how,
        "bounds": verdict.bounds,
        "seconds": round(verdict.seconds, 2),
        "states": verdict.states,
    }
    if verdict.reason:
        result["reason"] = verdict.reason
    if verdict.trace is not None:
        result |= {"depth": len(verdict.trace.actions), "actions": list(verdict.trace.actions)}
    file = files.get((cell.policy.name, cell.contract.name, verdict.name))
    return result if file is None else {**result, "trace_file": str(file)}


def text(cells: Sequence[Cell], files: Files) -> Iterator[RenderableType]:
    """The matrix, then each red cell with its shortest traces, then what is not known or does not apply."""
    contracts = names(cells, policy=False)
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="dim")
    table.add_column("policy", no_wrap=True)
    for contract in contracts:
        table.add_column(contract, overflow="fold")
    by_place = {(cell.policy.name, cell.contract.name): cell for cell in cells}
    for policy in names(cells, policy=True):
        table.add_row(policy, *(_shown(by_place[policy, contract]) for contract in contracts))
    yield table
    for cell in cells:
        yield from _cell(cell, files)


def _shown(cell: Cell) -> Text:
    word = f"fails {len(cell.broken)}" if cell.broken else str(cell.outcome)
    return Text(word, style=COLOUR[cell.outcome])


def _cell(cell: Cell, files: Files) -> Iterator[RenderableType]:
    yield heading(f"{cell.policy.name} under {cell.contract.name}: {cell.outcome}")
    for at, verdict in enumerate(cell.broken):
        actions = verdict.trace.actions if verdict.trace else ()
        yield Text(f"  {verdict.name} fails after {len(actions)} steps", style=COLOUR[Outcome.FAILS])
        if at == 0:
            yield Padding(Text(", ".join(actions)), (0, 0, 0, 4))
        file = files.get((cell.policy.name, cell.contract.name, verdict.name))
        if file is not None:
            yield Padding(Text(f"recut replay {file}", style="dim", overflow="fold"), (0, 0, 0, 4))
    if not cell.broken:
        for verdict in cell.verdicts:
            if verdict.outcome in (Outcome.UNKNOWN, Outcome.NOT_APPLICABLE):
                said = f"{verdict.name}: {verdict.outcome}: {verdict.reason}"
                yield Padding(Text(said, style="dim"), (0, 0, 0, 2))


def markdown(cells: Sequence[Cell]) -> str:
    """The matrix, each red cell with the properties that break and after how many steps."""
    contracts = names(cells, policy=False)
    by_place = {(cell.policy.name, cell.contract.name): cell for cell in cells}
    lines = [["policy", *contracts], ["---"] * (len(contracts) + 1)]
    for policy in names(cells, policy=True):
        lines.append([policy, *(_marked(by_place[policy, contract]) for contract in contracts)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _marked(cell: Cell) -> str:
    broken = (f"{v.name} ({len(v.trace.actions)})" for v in cell.broken if v.trace)
    return "<br>".join(broken) or str(cell.outcome)
