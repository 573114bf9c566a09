"""The sets of states of a search that expands with numpy, block by block."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from solver.edges import Edges
from solver.lowering import Successors
from solver.packing import WORD, Indices, Layout, Words
from solver.visited import Visited
from solver.visited_words import VisitedWords

BLOCK = 1 << 14
"""States whose arrays stay in the cache together."""

SHARE = 3 << 16
"""States of one thread's part of a block: threads wait for each other between arrays, so arrays are long."""


def one_word(layout: Layout) -> bool:
    """Whether a state is one word, and no state has all bits set."""
    return layout.width == 1 and layout.used[0] < WORD


class NumpyStates(Visited):
    """States of any width, numbered in the table, so that steps can be kept."""

    block = BLOCK

    def __init__(self, width: int, successors: Successors, keep_edges: bool, budget: int | None):
        super().__init__(width, budget)
        self.width = width
        self.successors, self.keep_edges = successors, keep_edges

    def begin(self, states: Words) -> None:
        """Insert the start states."""
        self.insert(states)

    def expand(self, start: int, stop: int, fired: Indices) -> Edges | None:
        """Insert the successors of the states start <= i < stop; see ``StateSet``."""
        found = self.successors(self.states(start, stop))
        found.count(fired)
        if not self.keep_edges:
            self.insert(found.words(self.width))
            return None
        steps = found.transitions(self.width)
        targets = self.insert(steps.words)
        return Edges((steps.source + start).astype(np.uint32), targets.astype(np.uint32), steps.action)

    def end_level(self) -> None:
        """Nothing to do: states are numbered without gaps."""


class NumpyWords(VisitedWords):
    """States of one word, of which no steps are kept; threads share a block."""

    def __init__(self, successors: Successors, budget: int | None, threads: int):
        super().__init__(budget, threads)
        self.successors = successors
        self.block = 2 * BLOCK if self.threads == 1 else self.threads * SHARE
        self.workers = ThreadPoolExecutor(self.threads)

    def begin(self, states: Words) -> None:
        """Insert the start states."""
        self.add(states[0])
        self.settle()

    def expand(self, start: int, stop: int, fired: Indices) -> Edges | None:
        """Insert the successors of the states start <= i < stop; see ``StateSet``."""
        parts = np.array_split(self.states(start, stop), self.threads, axis=1)
        for found in self.workers.map(self.successors, parts):
            found.count(fired)
            for piece in found.after:
                self.add(piece[0])
        return None

    def end_level(self) -> None:
        """Number what was collected."""
        self.settle()
