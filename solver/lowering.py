"""What a search asks of a lowering, so that there is one explorer and more than one way to run a system.

A lowering turns the terms of a system into something that computes successors and values of packed
states. It also makes the set of states that fits it, since expanding and looking up are fastest together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from model.kernel import Term
from solver.edges import Edges
from solver.packing import Column, Indices, Words

Predicates = Callable[[Words], dict[str, npt.NDArray[Any]]]
"""Bool arrays for formulas, code arrays for other terms, by name; shape (number of states,) each."""


@dataclass(frozen=True)
class Transitions:
    """Steps out of a block of states: the row each starts from, the index of its action, the states after it."""

    source: Indices
    action: npt.NDArray[np.uint16]
    words: Words


@dataclass(frozen=True)
class Steps:
    """Steps out of a block of states, one part an action that happens in it.

    ``actions`` are indices of actions and ``rows`` the rows where each happens; ``after`` are the states after
    all of them in the same order, in pieces of any size that have one array a word.
    """

    actions: Sequence[int]
    rows: Sequence[Indices]
    after: Sequence[Sequence[Column]]

    def count(self, fired: Indices) -> None:
        """Add to the counts of the actions how often each happened."""
        for action, rows in zip(self.actions, self.rows, strict=True):
            fired[action] += rows.size

    def words(self, width: int) -> Words:
        """The states after all steps, shape (width, number of steps)."""
        words = np.empty((width, sum(rows.size for rows in self.rows)), np.uint64)
        for w, row in enumerate(words):
            np.concatenate([row[:0], *(piece[w] for piece in self.after)], out=row)
        return words

    def transitions(self, width: int) -> Transitions:
        """The same, one entry a step."""
        source = np.concatenate([np.empty(0, np.int64), *self.rows])
        action = np.repeat(np.array(self.actions, np.uint16), [rows.size for rows in self.rows])
        return Transitions(source, action, self.words(width))


Successors = Callable[[Words], Steps]
"""Every step out of a block of states."""


class StateSet(Protocol):
    """A growing set of states that are numbered in the order in which they were first met."""

    @property
    def block(self) -> int:
        """How many states it is good to expand at once."""

    @property
    def count(self) -> int:
        """How many states there are."""

    def begin(self, states: Words) -> None:
        """Insert the start states, shape (width, n)."""

    def expand(self, start: int, stop: int, fired: Indices) -> Edges | None:
        """Insert the successors of the states start <= i < stop.

        Adds to ``fired`` how often each action happened. Returns the steps, if the set keeps them.
        ModelError when an update leaves its range, MemoryError when there is no room.
        """

    def end_level(self) -> None:
        """Everything found so far is numbered 0..count-1 without gaps when this returns."""

    def states(self, start: int, stop: int) -> Words:
        """A copy of the states with numbers start <= i < stop, shape (width, stop - start)."""

    def columns(self, count: int) -> Sequence[Column]:
        """The first ``count`` states, one array a word; valid until the next insertion."""

    def release(self, count: int) -> Words:
        """The first ``count`` states, shape (width, count); the set is not used afterwards."""


class MemorySet(StateSet, Protocol):
    """A set of states in memory, which can go on from states that are known.

    It raises MemoryError rather than take more than ``budget`` bytes, if that is not None.
    """

    budget: int | None

    def fill(self, columns: Sequence[Column]) -> bool:
        """Put states, one array a word, into an empty set, numbered as they come; whether they are distinct."""


class Lowering(Protocol):
    """A system that can be run."""

    @property
    def name(self) -> str:
        """What it is called in reports."""

    def successors(self, words: Words) -> Transitions:
        """Every step out of a block of states of shape (width, n), in no promised order."""

    def predicates(self, terms: Mapping[str, Term]) -> Predicates:
        """A function that evaluates named terms in every state of a block."""

    def state_set(self, keep_edges: bool, budget: int | None = None) -> MemorySet:
        """An empty set of states; with ``keep_edges`` one that says which steps it took."""
