"""What was proved of tables, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from model.table_inputs import INPUT_NAMES
from properties.verdict import Outcome, Verdict
from recut import report_table_diff
from recut.proof_verdicts import sentence
from recut.report_check_text import COLOUR, heading, verdict_table
from recut.report_table_diff import lines
from recut.table_checked import Checked, fault_text
from recut.table_faults import Faults
from recut.told import WIDTH, plain
from solver.table_explained import Explained
from solver.table_proof_obligations import ProofResult

MOST_SHOWN = 3
MOST_FAULTS = 20
LABEL = 10


def text(found: Sequence[Checked], outcome: Outcome) -> Iterator[RenderableType]:
    """For each table its verdicts, for each failure a cut on which it fails, and what else was asked about it."""
    for checked in found:
        proved = checked.proved
        yield heading(proved.path)
        yield verdict_table(proved.verdicts, states=False)
        for verdict in proved.verdicts:
            yield from _failures(verdict, [r for r in proved.results if sentence(r) == verdict.name])
        yield from _faults(checked.faults)
        for row in checked.explained:
            yield from _explained(row)
        if checked.difference is not None:
            yield from report_table_diff.text(checked.difference, checked.forbid)
    yield Text(f"\n{outcome}", style=COLOUR[outcome])


def _faults(faults: Faults) -> Iterator[RenderableType]:
    """The form of the table: where it has no rule or two, and whether the system gets there."""
    for fault in faults.listed[:MOST_FAULTS]:
        yield heading(fault_text(fault))
        yield from lines("reached", report_table_diff.reached(fault.reached))
        if fault.suggestion is not None:
            yield from lines("add", f"{fault.row}")
            yield from lines("or", ", ".join(fault.instead) or "nothing else is proved there")
    if len(faults.listed) > MOST_FAULTS:
        yield Text(f"\nand {len(faults.listed) - MOST_FAULTS} more; --format json lists them")
    if faults.more_undecided:
        yield Text(f"\nand {faults.more_undecided:,} cuts without a rule that are in no listed gap")
    if faults.more_overlaps:
        yield Text(f"\nand {faults.more_overlaps:,} pairs of rules that overlap and are not listed")


def _explained(row: Explained) -> Iterator[RenderableType]:
    """Why a row decides so."""
    yield heading(f"{row.rule.name} decides {row.rule.decision}: {row.rule.because}")
    for decision, broken in row.breaks.items():
        yield from lines(decision, f"would break {', '.join(broken)}" if broken else "would be proved as well")
        if decision in row.shown:
            seen = row.shown[decision]
            way = ", ".join(seen.actions) or "the start"
            yield from lines("", f"seen in run {seen.run}: {', '.join(seen.breaks)}, after {way}")
    for name, facts in row.grounds.items():
        yield from lines("rests on", f"{name}: {', '.join(facts)}")
    if row.spared:
        yield from lines("finding", f"{row.rule.decision} is not needed here, as far as the proof goes: see above")


def _failures(verdict: Verdict, results: Sequence[ProofResult]) -> Iterator[RenderableType]:
    failed = [r for r in results if r.verdict != "holds"]
    if not failed:
        return
    rules = f", rules {', '.join(verdict.rules)}" if verdict.rules else ""
    yield heading(f"{verdict.name}: {verdict.outcome}{rules}")
    for result in failed[:MOST_SHOWN]:
        yield Text(f"{result.name}: {result.verdict}")
        yield from _counterexample(result)
    if len(failed) > MOST_SHOWN:
        yield Text(f"and {len(failed) - MOST_SHOWN} more obligations")


def _counterexample(result: ProofResult) -> Iterator[RenderableType]:
    found = result.counterexample
    cut = [f"{name} = {plain(found[name])}" for name in found if name in INPUT_NAMES]
    world = [f"{n} = {plain(found[n])}" for n in found if n not in INPUT_NAMES and n != "decision"]
    decision = [plain(found["decision"])] if "decision" in found else []
    for part, cells in (("cut", cut), ("decision", decision), ("world", world)):
        yield from map(Text, aligned(f"{part}:", cells))


def aligned(label: str, cells: Sequence[str]) -> Iterator[str]:
    """Cells below each other in columns as wide as the widest cell, with a label before the first line."""
    if not cells:
        return
    width = max(map(len, cells)) + 2
    beside = max(1, (WIDTH - LABEL + 2) // width)
    for at in range(0, len(cells), beside):
        line = "".join(cell.ljust(width) for cell in cells[at : at + beside])
        yield f"{label if at == 0 else '':{LABEL}}{line}".rstrip()
