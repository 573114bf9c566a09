"""Contracts for people, one by one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from recut.contract_report import STYLE, ContractReport, bound, history, side
from recut.report_check_text import columns, heading
from recut.report_table_diff import lines
from recut.told_lanes import told
from solver.contract_habits import Broken
from solver.strengthening import MOST_SETS as MOST_FOUND

MOST_SETS = 8


def text(found: Sequence[ContractReport]) -> Iterator[RenderableType]:
    """Each contract in detail, then all of them in a table if there are several."""
    for one in found:
        yield from _one(one)
    if len(found) > 1:
        yield heading("All contracts")
        shown = columns("contract", "class", "alone")
        for one in found:
            says = Text(one.judged.cases.says, style=STYLE.get(one.kind, "green"))
            shown.add_row(one.contract.name, says, _alone(one))
        yield shown


def _one(found: ContractReport) -> Iterator[RenderableType]:
    judged = found.judged
    yield heading(f"{found.contract.name}: {found.contract.contract.effect}")
    yield from lines("class", judged.cases.says)
    yield from lines("alone", f"{_alone(found)} interruptions end without a person, at worst")
    if judged.weakest is not None:
        yield from lines("weakest", judged.weakest.name)
    yield from _points(found)
    yield from _habit("Blind retry", found.habit)
    if found.believing is not None:
        yield from _habit("Completing on what the target accepted", found.believing)
    yield from _changes(found)
    for question, some in found.thresholds.items():
        if some:
            yield heading(f"Thresholds: {question}")
            for threshold in some:
                yield from lines("", bound(threshold))
    yield heading("Durations")
    yield from map(Text, found.durations)
    if found.not_checked:
        yield heading("Not checked")
        for clause, says in found.not_checked:
            yield from lines("", f"{clause}: {says}")


def _alone(found: ContractReport) -> str:
    alone, states = found.alone
    return f"{alone} of {states}"


def _points(found: ContractReport) -> Iterator[RenderableType]:
    yield heading("Interruptions, at worst")
    shown = columns("a worker crashes", "ends", "first decision", "alone", numbers=1)
    for point in found.judged.points:
        decisions = ", ".join(dict.fromkeys(decision for decision, _ in point.rules))
        shown.add_row(point.name, point.ends, decisions, f"{point.alone} of {point.states}")
    yield shown


def _habit(who: str, broken: Sequence[Broken]) -> Iterator[RenderableType]:
    if not broken:
        yield heading(f"{who} breaks nothing in these runs")
        return
    first = broken[0]
    turns = history(first)
    steps = f"{len(turns)} turns, {len(first.trace.actions)} steps"
    yield heading(f"{who} breaks {first.name} ({steps})")
    yield from map(Text, told(turns))
    rest = [f"{b.name} ({len(history(b))} turns)" for b in broken[1:]]
    if rest:
        yield from lines("also breaks", ", ".join(rest))


def _changes(found: ContractReport) -> Iterator[RenderableType]:
    if found.kind.automatic:
        return
    yield heading("Least changes with which recovery needs no person")
    if not found.strengthenings:
        yield Text("none of those that are tried is enough, nor all of them together")
    for number, steps in enumerate(found.strengthenings[:MOST_SETS], 1):
        yield from lines(f"{number}.", f"{side(steps)}: {'; and '.join(step.says for step in steps)}")
    left = len(found.strengthenings) - MOST_SETS
    if left > 0:
        rest = "; there may be others" if len(found.strengthenings) == MOST_FOUND else ""
        yield Text(f"and {left} more in --format json{rest}")
