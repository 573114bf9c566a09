"""The exact set of states of one word: the table holds the states themselves, so that one look is enough.

A slot holds a state plus one, and 0 where it is free. States are not numbered in the table, which is why
searches that keep edges use ``solver.visited``.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from solver.packing import Column, Indices, Words
from solver.visited import MOST_STATES

_MIX = np.uint64(0x9E3779B97F4A7C15)
_ONE = np.uint64(1)
_FIRST_SLOTS = 1 << 12
_FAST_GROWTH = 1 << 24
_CHUNK = 1 << 16


class VisitedWords:
    """A growing set of one-word states below 2**64 - 1, kept in the order they were first inserted."""

    def __init__(self, budget: int | None = None):
        self.count, self.budget = 0, budget
        self._states = np.empty(_FIRST_SLOTS, np.uint64)
        self._table = np.zeros(_FIRST_SLOTS, np.uint64)

    def states(self, start: int, stop: int) -> Words:
        """A copy of the states start <= i < stop, shape (1, stop - start)."""
        return self._states[None, start:stop].copy()

    def columns(self, count: int) -> list[Column]:
        """The first ``count`` states as one array; a view that is valid until the next insertion."""
        return [self._states[:count]]

    def release(self, count: int) -> Words:
        """The first ``count`` states, shape (1, count); the set is empty afterwards."""
        states = self._states[None, :count].copy()
        self.count, self._states, self._table = 0, self._states[:0].copy(), self._table[:_FIRST_SLOTS].copy()
        return states

    def fill(self, columns: Sequence[Column]) -> bool:
        """Put states into an empty set, numbered as they come; whether they are distinct."""
        self._states = columns[0].copy()
        self.count = self._states.size
        self._make_room(0)
        self._rehash(self._table.size)
        return int(np.unique(self._states[: self.count]).size) == self.count

    def add(self, candidates: Words) -> None:
        """Insert states of shape (1, n), repeats allowed."""
        for start in range(0, candidates.shape[1], _CHUNK):
            chunk = candidates[0, start : start + _CHUNK]
            self._make_room(chunk.size)
            self._add(chunk + _ONE, self._slots(chunk))

    def _add(self, entries: Column, slots: Indices) -> None:
        """One look a turn, until every state was met in its slot; who took a slot looks once more."""
        mask = self._table.size - 1
        while True:
            there = self._table.take(slots)
            left = np.flatnonzero(there != entries)
            if left.size == 0:
                return
            there, slots, entries = there.take(left), slots.take(left), entries.take(left)
            taken = there != 0
            free = np.flatnonzero(~taken)
            if free.size:
                self._claim(slots.take(free), entries.take(free))
            slots += taken
            slots &= mask

    def _claim(self, slots: Indices, entries: Column) -> None:
        """States that met a free slot take it, one each; who is beaten looks again."""
        marks = np.arange(1, slots.size + 1, dtype=np.uint64)
        self._table[slots] = marks
        won = np.flatnonzero(self._table.take(slots) == marks)
        entries = entries.take(won)
        self._table[slots.take(won)] = entries
        np.subtract(entries, _ONE, out=self._states[self.count : self.count + won.size])
        self.count += won.size

    def _slots(self, states: Column) -> Indices:
        """The slot where a state is looked for first."""
        value = states >> np.uint64(32)
        value ^= states
        value *= _MIX
        value >>= np.uint64(65 - self._table.size.bit_length())
        return value.view(np.int64)

    def _make_room(self, extra: int) -> None:
        """Keep the table at most 60 % full and the states' array long enough."""
        wanted = self.count + extra
        if wanted > MOST_STATES:
            raise MemoryError(f"more than {MOST_STATES} states")
        slots = self._table.size
        while wanted * 10 > slots * 6:
            slots *= 4 if slots < _FAST_GROWTH else 2
        if self.budget is not None and 8 * (slots + 3 * wanted) > self.budget:
            raise MemoryError(f"{wanted} states need more than {self.budget} bytes")
        if wanted > self._states.size:
            longer = np.empty(wanted * 3 // 2, np.uint64)
            longer[: self.count] = self._states[: self.count]
            self._states = longer
        if slots > self._table.size:
            self._rehash(slots)

    def _rehash(self, slots: int) -> None:
        """A larger table for the same states, which are distinct and only need free slots."""
        self._table = np.zeros(slots, np.uint64)
        mask = slots - 1
        for start in range(0, self.count, _CHUNK):
            states = self._states[start : min(start + _CHUNK, self.count)]
            at, entries = self._slots(states), states + _ONE
            while entries.size:
                free = self._table.take(at) == 0
                self._table[at[free]] = entries[free]
                left = np.flatnonzero(self._table.take(at) != entries)
                entries, at = entries.take(left), (at.take(left) + 1) & mask
