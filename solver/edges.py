"""Transitions of an exploration as arrays, and how they are put together and numbered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solver.packing import Words
from solver.visited import canonical_order


@dataclass(frozen=True)
class Edges:
    """Transitions, one row each: source and target index of the states and index of the action."""

    source: npt.NDArray[np.uint32]
    target: npt.NDArray[np.uint32]
    action: npt.NDArray[np.uint16]


NO_EDGES = Edges(np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint16))


def put_in_order(words: Words, levels: Sequence[int]) -> npt.NDArray[np.uint32]:
    """Put the states of each level in order; the new number of each."""
    rank = np.empty(words.shape[1], np.uint32)
    start = 0
    for size in levels:
        order = canonical_order(words[:, start : start + size])
        words[:, start : start + size] = words[:, start + order]
        rank[start + order] = np.arange(start, start + size)
        start += size
    return rank


def joined(edges: Sequence[Edges]) -> Edges:
    """All edges, one after the other."""
    every = [NO_EDGES, *edges]
    return Edges(
        np.concatenate([e.source for e in every]),
        np.concatenate([e.target for e in every]),
        np.concatenate([e.action for e in every]),
    )


def renumbered(edges: Edges, rank: npt.NDArray[np.uint32], actions: int) -> Edges:
    """Edges between final indices, ordered by source and then action."""
    source, target = rank[edges.source], rank[edges.target]
    order = np.argsort(source.astype(np.int64) * actions + edges.action)
    return Edges(source[order], target[order], edges.action[order])
