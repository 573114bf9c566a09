"""Edits of a table: one rule decides differently, or one region is taken out of the others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from model.decision_table import EVERYTHING, Region, Rule, Table
from model.table_file import load_table

RECOVERY = load_table("recovery")


def deciding(rule: str, decision: str, table: Table = RECOVERY) -> Table:
    """The table with another decision in one rule."""
    table.rule(rule)
    return replace(table, rules=tuple(replace(r, decision=decision) if r.name == rule else r for r in table.rules))


def overriding(name: str, decision: str, table: Table = RECOVERY, **labels: str) -> Table:
    """The table with a new rule for the cuts with these labels, which the other rules no longer decide."""
    region: Region = {**EVERYTHING, **{k: frozenset({v}) for k, v in labels.items()}}
    rest = [part for rule in table.rules for part in _without(rule, region)]
    return Table((Rule(name, region, decision, "An edit."), *rest), table.path)


def _without(rule: Rule, region: Region) -> Iterator[Rule]:
    """What is left of a rule outside a region, as rules of one region each."""
    cells = dict(rule.cells)
    if not all(cells[n] & region[n] for n in cells):
        yield rule
        return
    for name in cells:
        outside = cells[name] - region[name]
        if outside:
            yield replace(rule, name=f"{rule.name}/{name}", cells={**cells, name: outside})
        cells[name] = cells[name] & region[name]
