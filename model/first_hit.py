"""Tables whose rows overlap, read in order: the first row that covers a cut decides it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from model.decision_table import EVERYTHING, Region, Rule, Table, TableError, meet
from model.table_inputs import INPUT_NAMES
from model.table_regions import overlaps, size, undecided
from model.text_file import place, shown

MOST_PARTS = 10_000
"""How many rows a table that is read in order may become."""


def first_hit(table: Table, most: int = MOST_PARTS) -> Table:
    """The unique table that decides every cut by the first row that covers it.

    A row that earlier rows cut into becomes several, named after it (``name/1``); one that they hide is gone.
    Raises TableError where ``most`` rows are not enough.
    """
    rules = [part for rule, parts in parts_by_order(table, most) for part in _named(rule, parts)]
    return Table(tuple(rules), table.path)


def checked_first_hit(table: Table, most: int) -> Table:
    """The unique table that decides as this one does when it is read in order, in at most ``most`` rows.

    Checked apart from how it is made, without a look at single cuts. Each row lies in the first row of the original
    that it touches and decides as that one; rows are disjoint; and together they have as many cuts as the original
    decides. So none is decided otherwise, none twice and none is lost. Raises TableError where that is not so.
    """
    made = first_hit(table, most)
    sound = all(_lies_in_its_row(table, part) for part in made.rules) and not overlaps(made)
    if not sound or sum(size(part.cells) for part in made.rules) != size(EVERYTHING) - undecided(table):
        raise TableError(f"{place(table.path)}: reading in order is at fault, please report this")
    if len({rule.name for rule in made.rules}) != len(made.rules):
        raise TableError(f"{place(table.path)}: a rule is named as a part of another, such as x/1; rename it")
    return made


def _lies_in_its_row(table: Table, part: Rule) -> bool:
    first = next((r for r in table.rules if meet(part.cells, r.cells)), None)
    inside = first is not None and all(part.cells[n] <= first.cells[n] for n in INPUT_NAMES)
    return first is not None and inside and part.decision == first.decision


def parts_by_order(table: Table, most: int = MOST_PARTS) -> Iterator[tuple[Rule, list[Region]]]:
    """Each rule with the disjoint regions that no earlier rule covers; a rule that others hide has none.

    Raises TableError where these, with those of the last rule on the way, are more than ``most``.
    """
    made = 0
    for at, rule in enumerate(table.rules):
        parts = [dict(rule.cells)]
        for earlier in table.rules[:at]:
            if meet(earlier.cells, rule.cells):
                parts = [piece for part in parts for piece in without(part, earlier.cells)]
            if made + len(parts) > most:
                fault = f"the table read in order is more than {most:,} rows that do not overlap; narrow its rules"
                raise TableError(f"{place(table.path)}: up to the rule {shown(rule.name)}, {fault}")
        made += len(parts)
        yield rule, parts


def without(region: Mapping[str, frozenset[str]], other: Mapping[str, frozenset[str]]) -> Iterator[Region]:
    """The cuts of a region that are not in another, as disjoint regions."""
    if not meet(region, other):
        yield dict(region)
        return
    left = dict(region)
    for name in INPUT_NAMES:
        outside = left[name] - other[name]
        if outside:
            yield {**left, name: outside}
            left[name] = left[name] & other[name]


def _named(rule: Rule, parts: list[Region]) -> list[Rule]:
    if len(parts) == 1:
        return [replace(rule, cells=parts[0])]
    return [replace(rule, name=f"{rule.name}/{i}", cells=part) for i, part in enumerate(parts, 1)]
