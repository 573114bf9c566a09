"""Which rows of a table the reached cuts exercise, and why the others are out of reach."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from model.decision_table import Rule, Table, cell_text
from model.table_inputs import INPUT_NAMES, VALUES

CutValues = tuple[str, ...]
"""The labels of one cut, in the order of the table's inputs."""


@dataclass(frozen=True)
class Coverage:
    """How often each row decides a reached cut, and for a row that decides none the reason."""

    exercised: Mapping[str, int]
    unreached: Mapping[str, str]
    undecided: tuple[CutValues, ...]


def coverage(table: Table, cuts: Iterable[CutValues]) -> Coverage:
    """Match every reached cut with its row. ``undecided`` are reached cuts without a row."""
    known = list(cuts)
    named = [dict(zip(INPUT_NAMES, cut, strict=True)) for cut in known]
    counts = {rule.name: 0 for rule in table.rules}
    gaps: list[CutValues] = []
    for values, cut in zip(named, known, strict=True):
        rule = table.lookup(values)
        if rule is None:
            gaps.append(cut)
        else:
            counts[rule.name] += 1
    unreached = {r.name: why_unreached(r, named) for r in table.rules if not counts[r.name]}
    return Coverage({n: c for n, c in counts.items() if c}, unreached, tuple(sorted(gaps)))


def why_unreached(rule: Rule, cuts: list[dict[str, str]]) -> str:
    """The fewest cells of the row that no reached cut has together."""
    cells = {name: cell for name, cell in rule.cells.items() if len(cell) < len(VALUES[name])}
    for size in range(1, len(cells) + 1):
        for names in itertools.combinations(cells, size):
            if not any(all(cut[n] in cells[n] for n in names) for cut in cuts):
                return "never " + " and ".join(f"{n} = {cell_text(n, cells[n])}" for n in names)
    return "no cut was reached at all"
