"""What a decision table means: rules over the inputs, looked up, written back, or as z3 terms.

A *region* is a product of label sets, one for each input, so a rule is a region with a decision.
"""

from __future__ import annotations

import csv
import hashlib
import io
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import z3

from model.kernel import Term
from model.table_inputs import INPUT_NAMES, LABELS, VALUES, Decision
from model.text_file import nearest, place, shown

Region = dict[str, frozenset[str]]

COLUMNS: tuple[str, ...] = ("rule", *INPUT_NAMES, "decision", "because")
EVERYTHING: Region = {name: frozenset(values) for name, values in VALUES.items()}


class TableError(ValueError):
    """A table that cannot be used; the message is one line: file, place, value and remedy."""


@dataclass(frozen=True)
class Rule:
    """One row: a region of cuts, what is decided there and why. ``line`` is its line in the file."""

    name: str
    cells: Mapping[str, frozenset[str]]
    decision: str
    because: str
    line: int = 0

    def covers(self, cut: Mapping[str, str]) -> bool:
        """Whether the rule decides this cut, which must have a label for every input."""
        return all(cut[name] in cell for name, cell in self.cells.items())


@dataclass(frozen=True)
class Table:
    """The rules of one table file, in file order. Nothing is promised about overlaps and gaps."""

    rules: tuple[Rule, ...]
    path: str

    @cached_property
    def digest(self) -> str:
        """SHA-256 of what the rules say, in hex: rows moved or cells written otherwise change nothing."""
        text = table_text(replace(self, rules=tuple(sorted(self.rules, key=lambda r: r.name))))
        return hashlib.sha256(text.encode()).hexdigest()

    def lookup(self, cut: Mapping[str, str]) -> Rule | None:
        """The first rule that decides this cut, or None in a gap.

        ``cut`` has one label for every input; TableError names the input that is missing or wrong.
        """
        check_cut(cut)
        return next((rule for rule in self.rules if rule.covers(cut)), None)

    def touching(self, region: Mapping[str, frozenset[str]]) -> tuple[tuple[Rule, Region], ...]:
        """The rules that decide a part of the region, each with that part."""
        parts = ((rule, intersection(rule.cells, region)) for rule in self.rules)
        return tuple((rule, part) for rule, part in parts if all(part.values()))

    def rule(self, name: str) -> Rule:
        """The rule with this name; TableError if there is none."""
        for rule in self.rules:
            if rule.name == name:
                return rule
        known = nearest(name, [r.name for r in self.rules])
        raise TableError(f"{place(self.path)}: has no rule {shown(name)}; {known}")


def intersection(one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> Region:
    """The cuts in both regions; where there are none, a cell is empty."""
    return {name: one[name] & other[name] for name in INPUT_NAMES}


def meet(one: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> bool:
    """Whether two regions have a cut in common."""
    return all(one[name] & other[name] for name in INPUT_NAMES)


def check_cut(cut: Mapping[str, str]) -> None:
    """Raise TableError for an input that is missing, unknown or has no such value."""
    for name in cut:
        if name not in VALUES:
            raise TableError(f"the cut has an input {shown(str(name))}; {nearest(str(name), INPUT_NAMES)}")
    for name, values in VALUES.items():
        if name not in cut:
            raise TableError(f"the cut has no {name}; use one of {', '.join(values)}")
        if cut[name] not in values:
            raise TableError(f"the cut's {name} is {shown(str(cut[name]))}; {nearest(str(cut[name]), values)}")


def rule_guard(rule: Rule, cut: Mapping[str, Term]) -> Term:
    """That the rule decides the cut, whose inputs are given as terms of their sorts."""
    return region_guard(rule.cells, cut)


def region_guard(region: Mapping[str, frozenset[str]], cut: Mapping[str, Term]) -> Term:
    """That the cut, whose inputs are given as terms of their sorts, is in the region; an input it lacks is free."""
    tests = [_cell_test(name, region[name], cut[name]) for name in INPUT_NAMES if name in region]
    parts = [test for test in tests if test is not None]
    return z3.And(*parts) if len(parts) > 1 else parts[0] if parts else z3.BoolVal(True)


def decision_term(table: Table, cut: Mapping[str, Term], default: Term) -> Term:
    """What the table decides, a term of sort Decision: the first rule that covers, else ``default``."""
    result = default
    for rule in reversed(table.rules):
        result = z3.If(rule_guard(rule, cut), getattr(Decision, rule.decision), result)
    return result


def cell_text(name: str, cell: frozenset[str]) -> str:
    """A cell as the file writes it, in the shorter of its two forms."""
    values = VALUES[name]
    inside = [v for v in values if v in cell]
    outside = [v for v in values if v not in cell]
    if not outside:
        return "-"
    return ", ".join(inside) if len(inside) <= len(outside) else f"not({', '.join(outside)})"


def said_cells(region: Mapping[str, frozenset[str]]) -> dict[str, str]:
    """The cells of a region that exclude something, as a table file writes them."""
    return {n: cell_text(n, region[n]) for n in INPUT_NAMES if len(region[n]) < len(VALUES[n])}


def region_text(region: Mapping[str, frozenset[str]]) -> str:
    """A region in one line."""
    return ", ".join(f"{name} = {cell}" for name, cell in said_cells(region).items()) or "every cut"


def table_text(table: Table) -> str:
    """The table as a CSV file that reads back as the same rules."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for rule in table.rules:
        cells = [cell_text(name, rule.cells[name]) for name in INPUT_NAMES]
        writer.writerow([rule.name, *cells, rule.decision, rule.because])
    return out.getvalue()


def _cell_test(name: str, cell: frozenset[str], term: Term) -> Term | None:
    values, labels = VALUES[name], LABELS[name]
    outside = [v for v in values if v not in cell]
    if not outside:
        return None
    few = sorted(cell, key=values.index) if len(cell) <= len(outside) else outside
    equal = [term == getattr(labels, v) for v in few]
    either = z3.Or(*equal) if len(equal) > 1 else equal[0] if equal else z3.BoolVal(False)
    return either if few is not outside else z3.Not(either)
