"""The exact set of states seen so far, as vectorised open addressing.

A slot holds 32 bits of the hash and the index of a state, and a match of the 32 bits is always
confirmed on all words of the state: nothing is ever taken for seen that was not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from solver.packing import Column, Indices, Words

_LOW = np.uint64(2**32 - 1)
_HIGH = np.uint64((2**32 - 1) << 32)
MIX = np.uint64(0xD6E8FEB86659FD93)
_FIRST_SLOTS = 1 << 12
_CHUNK = 1 << 17
MOST_STATES = 2**32 - 2


def hashes(words: Words) -> Column:
    """A 64-bit hash of every state, one to one for states of one word. Shape (width, n) to (n,)."""
    value = _mixed(words[0].copy())
    for word in words[1:]:
        value ^= word
        _mixed(value)
    return value


def _mixed(value: Column) -> Column:
    """Mix in place; a bijection of 64-bit numbers."""
    high = value >> np.uint64(32)
    for shift in (29, 32):
        value ^= high
        value *= MIX
        np.right_shift(value, np.uint64(shift), out=high)
    value ^= high
    return value


def canonical_order(words: Words) -> Indices:
    """The permutation that sorts states by a rule that depends on nothing but the states."""
    keys = hashes(words) if len(words) > 1 else words[0]
    order: Indices = np.argsort(keys)
    ordered = keys[order]
    if np.any(ordered[1:] == ordered[:-1]):
        order = np.lexsort((*words, keys))
    return order


class Visited:
    """A growing set of states. ``count`` states are kept, in the order they were first inserted."""

    def __init__(self, width: int, budget: int | None = None):
        self.count, self.budget = 0, budget
        self._columns = [np.empty(_FIRST_SLOTS, np.uint64) for _ in range(width)]
        self._table = np.zeros(_FIRST_SLOTS, np.uint64)

    def states(self, start: int, stop: int) -> Words:
        """A copy of the states with index start <= i < stop, shape (width, stop - start)."""
        return np.stack([column[start:stop] for column in self._columns])

    def columns(self, count: int) -> list[Column]:
        """The first ``count`` states, one array a word; views that are valid until the next insertion."""
        return [column[:count] for column in self._columns]

    def release(self, count: int) -> Words:
        """The first ``count`` states, shape (width, count); the set is empty afterwards."""
        self._table = np.zeros(_FIRST_SLOTS, np.uint64)
        states = np.empty((len(self._columns), count), np.uint64)
        for w, column in enumerate(self._columns):
            states[w] = column[:count]
            self._columns[w] = np.empty(_FIRST_SLOTS, np.uint64)
        self.count = 0
        return states

    def fill(self, columns: Sequence[Column]) -> bool:
        """Put states, one array a word, into an empty set, numbered as they come; whether they are distinct."""
        self._columns = [column.copy() for column in columns]
        self.count = self._columns[0].size
        self._make_room(0)
        self._rehash(self._table.size)
        numbers = np.arange(self.count)
        return bool((self.insert(self.states(0, self.count)) == numbers).all())

    def insert(self, candidates: Words) -> Indices:
        """Insert states of shape (width, n), repeats allowed; the index of each, shape (n,)."""
        found = np.empty(candidates.shape[1], np.int64)
        for start in range(0, found.size, _CHUNK):
            chunk = candidates[:, start : start + _CHUNK]
            self._insert_chunk(chunk, found[start : start + _CHUNK])
        return found

    def _insert_chunk(self, states: Words, found: Indices) -> None:
        """One probe round a turn; ``left`` are the candidates that have no index yet."""
        self._make_room(found.size)
        tags = hashes(states)
        slots = self._slots(tags)
        tags &= _HIGH
        left = np.arange(found.size)
        while left.size:
            entries = self._table.take(slots)
            seen = self._confirm(entries, states, tags, left, found)
            free = np.flatnonzero(entries == 0)
            losers = self._claim(free, slots, states, tags, left, found)
            seen[free] = True
            seen[losers] = False
            stay = np.flatnonzero(~seen)
            moved = entries.take(stay) != 0
            slots = (slots.take(stay) + moved) & (self._table.size - 1)
            left, tags = left.take(stay), tags.take(stay)

    def _confirm(
        self, entries: Column, states: Words, tags: Column, left: Indices, found: Indices
    ) -> npt.NDArray[np.bool_]:
        """Which candidates are the state in their slot; their index goes to ``found``."""
        seen = (entries ^ tags) <= _LOW
        seen &= entries != 0
        at = np.flatnonzero(seen)
        indices = (entries.take(at) & _LOW).view(np.int64) - 1
        who = left.take(at)
        same = np.ones(at.size, np.bool_)
        for column, word in zip(self._columns, states, strict=True):
            same &= column.take(indices) == word.take(who)
        seen[at] = same
        found[who[same]] = indices[same]
        return seen

    def _claim(
        self, free: Indices, slots: Indices, states: Words, tags: Column, left: Indices, found: Indices
    ) -> Indices:
        """Candidates that met a free slot take it, one each; returns those that another one beat."""
        if free.size == 0:
            return free
        wanted = slots.take(free)
        marks = np.arange(1, free.size + 1, dtype=np.uint64)
        self._table[wanted] = marks
        won = self._table.take(wanted) == marks
        winners = free[won]
        indices = np.arange(self.count, self.count + winners.size)
        self._append(states, left.take(winners))
        self._table[wanted[won]] = tags.take(winners) | (indices + 1).view(np.uint64)
        found[left.take(winners)] = indices
        losers: Indices = free[~won]
        return losers

    def _append(self, states: Words, which: Indices) -> None:
        for column, word in zip(self._columns, states, strict=True):
            column[self.count : self.count + which.size] = word.take(which)
        self.count += which.size

    def _slots(self, keys: Column) -> Indices:
        return (keys & np.uint64(self._table.size - 1)).view(np.int64)

    def _make_room(self, extra: int) -> None:
        """Keep the table at most 60 % full and the columns long enough."""
        if self.count + extra > MOST_STATES:
            raise MemoryError(f"more than {MOST_STATES} states")
        self._afford(self.count + extra)
        for w, column in enumerate(self._columns):
            if self.count + extra > column.size:
                longer = np.empty((self.count + extra) * 3 // 2, np.uint64)
                longer[: self.count] = column[: self.count]
                self._columns[w] = longer
        size = self._table.size
        while (self.count + extra) * 10 > size * 6:
            size *= 2
        if size > self._table.size:
            self._rehash(size)

    def _afford(self, states: int) -> None:
        """MemoryError if so many states need more than the budget, with what growing takes for a while."""
        slots = self._table.size
        while states * 10 > slots * 6:
            slots *= 2
        if self.budget is not None and 8 * (slots + 4 * states * len(self._columns)) > self.budget:
            raise MemoryError(f"{states} states need more than {self.budget} bytes")

    def _rehash(self, size: int) -> None:
        """A larger table; the states are distinct, so they only need free slots."""
        self._table = np.zeros(size, np.uint64)
        for start in range(0, self.count, _CHUNK):
            stop = min(start + _CHUNK, self.count)
            keys = hashes(self.states(start, stop))
            entries = (keys & _HIGH) | np.arange(start + 1, stop + 1, dtype=np.uint64)
            self._place(self._slots(keys), entries)

    def _place(self, slots: Indices, entries: Column) -> None:
        while entries.size:
            free = self._table.take(slots) == 0
            self._table[slots[free]] = entries[free]
            left = np.flatnonzero(self._table.take(slots) != entries)
            entries = entries.take(left)
            slots = (slots.take(left) + 1) & (self._table.size - 1)
