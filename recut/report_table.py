"""What was proved of tables, for people."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.text import Text

from model.table_inputs import INPUT_NAMES
from properties.verdict import Outcome, Verdict
from recut.proof_verdicts import sentence
from recut.report_check_text import COLOUR, heading, verdict_table
from recut.told import WIDTH, plain
from solver.table_proof_obligations import ProofResult

MOST_SHOWN = 3
LABEL = 10


def text(
    tables: Sequence[tuple[str, Sequence[Verdict], Sequence[ProofResult]]], outcome: Outcome
) -> Iterator[RenderableType]:
    """For each table its verdicts, and for each failure a cut on which it fails."""
    for path, verdicts, results in tables:
        yield heading(path)
        yield verdict_table(list(verdicts), states=False)
        for verdict in verdicts:
            yield from _failures(verdict, [r for r in results if sentence(r) == verdict.name])
    yield Text(f"\n{outcome}", style=COLOUR[outcome])


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
