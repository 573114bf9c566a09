"""Tables whose rows overlap, read in order: the first row that covers a cut decides it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from model.decision_table import Region, Rule, Table
from model.table_inputs import INPUT_NAMES


def first_hit(table: Table) -> Table:
    """The unique table that decides every cut by the first row that covers it.

    A row that earlier rows cut into becomes several, named after it (``name/1``); one that they hide is gone.
    """
    return Table(tuple(made for rule, left in parts_by_order(table) for made in _named(rule, left)), table.path)


def parts_by_order(table: Table) -> list[tuple[Rule, list[Region]]]:
    """Each rule with the disjoint regions that no earlier rule covers; a rule that others hide has none."""
    found = []
    for at, rule in enumerate(table.rules):
        earlier = [r for r in table.rules[:at] if all(r.cells[n] & rule.cells[n] for n in INPUT_NAMES)]
        found.append((rule, _left(dict(rule.cells), earlier)))
    return found


def without(region: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> Iterator[Region]:
    """The cuts of a region that are not in another, as disjoint regions."""
    if not all(region[n] & other[n] for n in INPUT_NAMES):
        yield dict(region)
        return
    left = dict(region)
    for name in INPUT_NAMES:
        outside = left[name] - other[name]
        if outside:
            yield {**left, name: outside}
            left[name] = left[name] & other[name]


def _left(region: Region, earlier: list[Rule]) -> list[Region]:
    parts = [region]
    for rule in earlier:
        parts = [piece for part in parts for piece in without(part, rule.cells)]
    return parts


def _named(rule: Rule, parts: list[Region]) -> list[Rule]:
    if len(parts) == 1:
        return [replace(rule, cells=parts[0])]
    return [replace(rule, name=f"{rule.name}/{i}", cells=part) for i, part in enumerate(parts, 1)]
