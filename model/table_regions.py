"""Whether a table is total and unique, decided exactly over the finite product of its inputs."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from model.decision_table import EVERYTHING, Region, Rule, Table, TableError, intersection
from model.table_inputs import INPUT_NAMES, VALUES
from model.text_file import place, shown

Node = tuple[tuple[frozenset[str], "Node"], ...] | None
"""Undecided cuts below an input: None when there are none, else label sets with what is left below each."""


@dataclass(frozen=True)
class Overlap:
    """Two rules that decide the same cuts: a table with hit policy *unique* has none."""

    first: Rule
    second: Rule

    @property
    def region(self) -> Region:
        """The cuts that both rules decide."""
        return intersection(self.first.cells, self.second.cells)

    @property
    def conflicting(self) -> bool:
        """Whether the two rules decide differently."""
        return self.first.decision != self.second.decision


def size(region: Mapping[str, frozenset[str]]) -> int:
    """How many cuts a region has."""
    return math.prod(len(cell) for cell in region.values())


def overlaps(table: Table) -> tuple[Overlap, ...]:
    """Every pair of rules that decides a common cut, in file order."""
    masks = [[_bits(name, rule.cells[name]) for name in INPUT_NAMES] for rule in table.rules]
    return tuple(
        Overlap(table.rules[i], table.rules[j])
        for i, first in enumerate(masks)
        for j in range(i + 1, len(masks))
        if all(map(operator.and_, first, masks[j]))
    )


def gaps(table: Table, most: int | None = None) -> tuple[Region, ...]:
    """The cuts that no rule decides, as disjoint regions; empty exactly when the table is total.

    ``most`` bounds how many regions are written out, for tables with very many holes.
    """
    return tuple(itertools.islice(_regions(_Undecided(table).below(), {}), most))


def undecided(table: Table) -> int:
    """How many cuts no rule decides."""
    return _count(_Undecided(table).below(), 0, {})


def require_unique(table: Table) -> Table:
    """The table itself; TableError names the first two rows that overlap and a cut they share."""
    for pair in overlaps(table):
        cut = ", ".join(f"{name} {min(cell)}" for name, cell in pair.region.items() if cell != EVERYTHING[name])
        first, second = (f"{shown(r.name)} (line {r.line})" for r in (pair.first, pair.second))
        raise TableError(
            f"{place(table.path)}: line {pair.second.line}: the rules {first} and {second} overlap"
            f" at {cut or 'every cut'}; narrow one of them so that every cut has one rule"
        )
    return table


class _Undecided:
    """The cuts that no rule decides, as a decision diagram over the inputs in order.

    A set of rules is an int with one bit a rule. What is undecided below an input depends only on the
    rules that no label has excluded so far, so each such set is looked at once; and a rule that asks
    nothing of the inputs still to come decides everything below.
    """

    def __init__(self, table: Table) -> None:
        self.keeps = [{value: _rules_with(table, name, value) for value in VALUES[name]} for name in INPUT_NAMES]
        self.all = (1 << len(table.rules)) - 1
        backwards = [functools.reduce(operator.and_, keep.values()) for keep in reversed(self.keeps)]
        self.closed = list(itertools.accumulate(backwards, operator.and_, initial=self.all))[::-1]
        self.known: dict[tuple[int, int], Node] = {}
        self.interned: dict[tuple[tuple[frozenset[str], int], ...], Node] = {}

    def below(self, at: int = 0, live: int | None = None) -> Node:
        """What is undecided from the input ``at`` on, when the rules ``live`` are not excluded."""
        live = self.all if live is None else live
        if live & self.closed[at]:
            return None
        if at == len(INPUT_NAMES):
            return ()
        if (at, live) not in self.known:
            self.known[at, live] = self._node(at, live)
        return self.known[at, live]

    def _node(self, at: int, live: int) -> Node:
        nodes: dict[int, Node] = {}
        values: dict[int, list[str]] = {}
        for value, keep in self.keeps[at].items():
            node = self.below(at + 1, live & keep)
            if node is not None:
                nodes[id(node)] = node
                values.setdefault(id(node), []).append(value)
        if not nodes:
            return None
        key = tuple((frozenset(some), one) for one, some in values.items())
        return self.interned.setdefault(key, tuple((cell, nodes[one]) for cell, one in key))


def _rules_with(table: Table, name: str, value: str) -> int:
    return sum(1 << at for at, rule in enumerate(table.rules) if value in rule.cells[name])


def _regions(node: Node, above: Region) -> Iterator[Region]:
    if node is None:
        return
    if len(above) == len(INPUT_NAMES):
        yield above
    for cell, child in node:
        yield from _regions(child, {**above, INPUT_NAMES[len(above)]: cell})


def _count(node: Node, at: int, known: dict[int, int]) -> int:
    if node is None or at == len(INPUT_NAMES):
        return int(node is not None)
    if id(node) not in known:
        known[id(node)] = sum(len(cell) * _count(child, at + 1, known) for cell, child in node)
    return known[id(node)]


def _bits(name: str, cell: frozenset[str]) -> int:
    return sum(1 << at for at, value in enumerate(VALUES[name]) if value in cell)
