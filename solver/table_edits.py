"""Every small edit of a table: another decision in one row, or one label more or less in one cell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from model.decision_table import Region, Rule, Table, intersection
from model.table_inputs import DECISIONS, INPUT_NAMES, VALUES

GAP = "quarantine"
"""What the model does on a cut without a rule."""


@dataclass(frozen=True)
class Changed:
    """Cuts that an edit decides otherwise; ``gap`` says that they lost their rule."""

    region: Region
    decision: str
    gap: bool = False


@dataclass(frozen=True)
class TableEdit:
    """An edit of one row. Rows are looked up in order, so a row that grows takes nothing from the rows before it."""

    name: str
    row: str
    table: Table
    changes: tuple[Changed, ...]
    overlaps: bool = False

    @property
    def shape(self) -> str | None:
        """What makes the edited table no unique and total table, if anything does."""
        if self.overlaps:
            return "table_is_unique"
        return "table_is_total" if any(change.gap for change in self.changes) else None

    def decide(self, cut: dict[str, str]) -> str:
        """What the edited table decides on a cut."""
        rule = self.table.lookup(cut)
        return GAP if rule is None else rule.decision


def decision_edit(rule: str, decision: str) -> str:
    """What the edit is called by which a row decides otherwise."""
    return f"{rule}: decision = {decision}"


def edits(table: Table) -> Iterator[TableEdit]:
    """Every single-decision and every single-cell edit of a table that is total and unique."""
    for at, rule in enumerate(table.rules):
        yield from _decisions(table, at, rule)
        yield from _cells(table, at, rule)


def _decisions(table: Table, at: int, rule: Rule) -> Iterator[TableEdit]:
    for decision in DECISIONS:
        if decision != rule.decision:
            made = _with(table, at, replace(rule, decision=decision))
            change = Changed(dict(rule.cells), decision)
            yield TableEdit(decision_edit(rule.name, decision), rule.name, made, (change,))


def _cells(table: Table, at: int, rule: Rule) -> Iterator[TableEdit]:
    for name in INPUT_NAMES:
        for value in VALUES[name]:
            there = value in rule.cells[name]
            cell = rule.cells[name] ^ {value}
            if cell:
                made = _with(table, at, replace(rule, cells={**rule.cells, name: cell}))
                slab = {**rule.cells, name: frozenset({value})}
                text = f"{rule.name}: {name} {'without' if there else 'with'} {value}"
                yield _lost(text, rule, made, slab) if there else _taken(text, table, at, made, slab)


def _lost(text: str, rule: Rule, made: Table, slab: Region) -> TableEdit:
    return TableEdit(text, rule.name, made, (Changed(slab, GAP, gap=True),))


def _taken(text: str, table: Table, at: int, made: Table, slab: Region) -> TableEdit:
    """A row that takes cuts from the rows after it, where they decide otherwise."""
    rule = table.rules[at]
    later = [(r, intersection(r.cells, slab)) for r in table.rules[at + 1 :] if r.decision != rule.decision]
    changes = tuple(Changed(part, rule.decision) for _, part in later if all(part.values()))
    return TableEdit(text, rule.name, made, changes, overlaps=True)


def _with(table: Table, at: int, rule: Rule) -> Table:
    return replace(table, rules=(*table.rules[:at], rule, *table.rules[at + 1 :]))
