"""What changes between two tables: the cuts that are decided otherwise, and in which direction.

Names, order and wording of rows play no part: two tables are the same if they decide every cut alike.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from model.decision_table import Region, Table, said_cells
from model.region_cover import Masks, few_regions, masks_of, region_of_mask, sizes
from model.table_inputs import ACTING, CAPABILITY
from model.table_regions import gaps, require_unique

NO_RULE = "no rule"


@dataclass(frozen=True)
class Change:
    """Cuts that the old table decides in one way and the new one in another.

    ``old`` and ``new`` are decisions, None where the table has no rule. Regions of one pair of decisions may
    overlap; each is as large as it can be.
    """

    region: Region
    old: str | None
    new: str | None
    old_rules: tuple[str, ...]
    new_rules: tuple[str, ...]

    @property
    def gained(self) -> str | None:
        """What the new decision may do that the old could not."""
        mine, theirs = _capability(self.new), _capability(self.old)
        return mine if mine != theirs else None

    @property
    def lost(self) -> str | None:
        """What the old decision could do and the new may not."""
        mine, theirs = _capability(self.old), _capability(self.new)
        return mine if mine != theirs else None

    @property
    def more_permissive(self) -> bool:
        """Whether the new decision may initiate, reverse or close where the old one could not."""
        return self.gained in ACTING

    @property
    def direction(self) -> str:
        """The direction in words."""
        parts = [f"now {self.gained}"] if self.gained else []
        parts += [f"no longer {self.lost}"] if self.lost else []
        return ", ".join(parts) or f"{_capability(self.new) or 'does nothing'} as before, otherwise"

    @property
    def cells(self) -> dict[str, str]:
        """The cells of the region that say something, as a table file writes them."""
        return said_cells(self.region)

    @property
    def cuts(self) -> int:
        """How many cuts the region has."""
        return int(sizes(masks_of([self.region]))[0])


def differences(old: Table, new: Table) -> tuple[Change, ...]:
    """The cuts that are decided otherwise as few maximal regions, for each pair of decisions.

    Empty exactly when both tables decide every cut alike. Raises TableError for a table whose rows overlap.
    """
    found: dict[tuple[str | None, str | None], list[Masks]] = {}
    theirs = list(_pieces(require_unique(new)))
    masks = masks_of([region for _, region in theirs])
    for before, region in _pieces(require_unique(old)):
        both = masks & masks_of([region])
        for at in np.flatnonzero((both != 0).all(axis=1)):
            if theirs[at][0] != before:
                found.setdefault((before, theirs[at][0]), []).append(both[at])
    return tuple(_change(old, new, pair, mask) for pair in sorted(found, key=str) for mask in _few(found[pair]))


def _few(parts: list[Masks]) -> Masks:
    return few_regions(np.array(parts, np.uint8))


def _pieces(table: Table) -> Iterator[tuple[str | None, Region]]:
    """Every cut once: the rules with their decisions, and the gaps."""
    for rule in table.rules:
        yield rule.decision, dict(rule.cells)
    for gap in gaps(table):
        yield None, gap


def _change(old: Table, new: Table, pair: tuple[str | None, str | None], mask: Masks) -> Change:
    region = region_of_mask(mask)
    rules = [tuple(rule.name for rule, _ in table.touching(region)) for table in (old, new)]
    return Change(region, *pair, *rules)


def _capability(decision: str | None) -> str | None:
    return None if decision is None else CAPABILITY[decision]
