"""Sets of cuts as few regions: joined where they differ in one input, grown as far as the set goes.

Inside, a region is a row of bits: one byte an input, one bit a label (no input has more than eight).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from model.decision_table import Region
from model.table_inputs import INPUT_NAMES, VALUES

Masks = npt.NDArray[np.uint8]
"""Regions as bits, shape (regions, inputs)."""

_FULL = np.array([(1 << len(VALUES[name])) - 1 for name in INPUT_NAMES], np.uint8)


def masks_of(regions: Sequence[Mapping[str, frozenset[str]]]) -> Masks:
    """Regions as rows of bits."""
    rows = [[_bits(name, region[name]) for name in INPUT_NAMES] for region in regions]
    return np.array(rows, np.uint8).reshape(-1, len(INPUT_NAMES))


def region_of_mask(mask: Masks) -> Region:
    """The region of one row of bits."""
    cells = zip(INPUT_NAMES, mask, strict=True)
    return {name: frozenset(v for at, v in enumerate(VALUES[name]) if int(bits) >> at & 1) for name, bits in cells}


def sizes(masks: Masks) -> npt.NDArray[np.int64]:
    """How many cuts each region has."""
    counted: npt.NDArray[np.int64] = np.bitwise_count(masks).astype(np.int64).prod(axis=-1)
    return counted


def few_regions(disjoint: Masks) -> Masks:
    """The cuts of disjoint regions as few regions, which may overlap and of which none can be larger."""
    parts = joined(disjoint)
    if len(parts) == 0:
        return parts
    grown = np.unique([_grown(part, parts) for part in parts], axis=0)
    inside = np.array([((parts & region) == parts).all(axis=1) for region in grown])
    return grown[_cover(inside)]


def joined(disjoint: Masks) -> Masks:
    """Disjoint regions joined for as long as two of them differ in a single input; still disjoint."""
    rows, before = disjoint, -1
    while len(rows) != before:
        before = len(rows)
        for at in range(len(INPUT_NAMES)):
            rows = _joined_in(rows, at)
    return rows


def _joined_in(rows: Masks, at: int) -> Masks:
    """Regions that are the same but for one input become one."""
    others = rows.copy()
    others[:, at] = 0
    distinct, group = np.unique(others, axis=0, return_inverse=True)
    np.bitwise_or.at(distinct[:, at], group.reshape(-1), rows[:, at])
    return distinct


def _grown(part: Masks, parts: Masks) -> Masks:
    """A region with every label that can be added to it without leaving the set of the disjoint parts."""
    grown = part.copy()
    for at in range(len(INPUT_NAMES)):
        rest = parts & grown
        rest[:, at] = parts[:, at]
        near = rest[(rest != 0).all(axis=1)]
        for label in range(8):
            bit = np.uint8(1 << label)
            if _FULL[at] & bit and not grown[at] & bit and _covered(grown, at, bit, near):
                grown[at] |= bit
    return grown


def _covered(region: Masks, at: int, bit: np.uint8, near: Masks) -> bool:
    """Whether the region, with this one label at this input, lies in the set."""
    slab = region.copy()
    slab[at] = bit
    inside = near & slab
    return bool(sizes(inside).sum() == sizes(slab))


def _cover(inside: npt.NDArray[np.bool_]) -> list[int]:
    """Few regions that have every part inside one of them: always the one with most of what is left."""
    left = np.ones(inside.shape[1], np.bool_)
    chosen: list[int] = []
    while left.any():
        best = int((inside & left).sum(axis=1).argmax())
        chosen.append(best)
        left &= ~inside[best]
    return sorted(chosen)


def _bits(name: str, cell: frozenset[str]) -> int:
    return sum(1 << at for at, value in enumerate(VALUES[name]) if value in cell)
