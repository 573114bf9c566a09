"""The exact set of states of one word: what a level leads to is collected, sorted, and looked up in order.

A state is mixed one to one into its key, and a key's highest bits say where it is looked for first. So sorted
keys walk through the table from its beginning to its end, which memory serves many times faster than looks
at random, and repeats are neighbours. A slot holds a key, and 0 where it is free. States are not numbered in
the table, which is why searches that keep edges use ``solver.visited``.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from threading import Lock

import numpy as np
import numpy.typing as npt

from solver.packing import Column, Indices, Words
from solver.visited import MOST_STATES

_MIX = 0x9E3779B97F4A7C15
_UNMIX = pow(_MIX, -1, 1 << 64)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_FIRST_SLOTS = 1 << 12
_FAST_GROWTH = 1 << 24
_CHUNK = 1 << 15
_INSERTED = 1 << 18
_LOOKS = 3
_WORTH_THREADS = 1 << 18
_MOST_WAITING = 1 << 23

Flags = npt.NDArray[np.bool_]


class VisitedWords:
    """A growing set of one-word states below 2**64 - 1; ``count`` grows when what was collected is settled."""

    def __init__(self, budget: int | None = None, threads: int = 1):
        """``threads`` is rounded down to a power of two."""
        self.budget = budget
        self.threads = 1 << (threads.bit_length() - 1)
        self._numbering = Lock()
        self._clear()

    def _clear(self) -> None:
        self.count = self._waits = 0
        self._states = np.empty(_FIRST_SLOTS, np.uint64)
        self._table = np.zeros(_FIRST_SLOTS, np.uint64)
        self._waiting = np.empty(_FIRST_SLOTS, np.uint64)

    def states(self, start: int, stop: int) -> Words:
        """A copy of the states start <= i < stop, shape (1, stop - start)."""
        return self._states[None, start:stop].copy()

    def columns(self, count: int) -> list[Column]:
        """The first ``count`` states as one array; a view that is valid until the next insertion."""
        return [self._states[:count]]

    def release(self, count: int) -> Words:
        """The first ``count`` states, shape (1, count); the set is empty afterwards."""
        states = self._states[None, :count].copy()
        self._clear()
        return states

    def fill(self, columns: Sequence[Column]) -> bool:
        """Put states into an empty set, numbered as they come; whether they are distinct."""
        self._states = columns[0].copy()
        self.count = self._states.size
        keys = self._states.copy()
        distinct = bool(_sorted_keys(keys).all())
        self._make_room(0)
        _place(self._table, keys)
        return distinct

    def add(self, states: Column) -> None:
        """Collect states, repeats allowed."""
        if self._waits + states.size > self._waiting.size:
            self._wait_for(states.size)
        end = self._waits + states.size
        self._waiting[self._waits : end] = states
        self._waits = end

    def settle(self) -> None:
        """Insert what was collected, on several threads if it is much."""
        states, self._waits = self._waiting[: self._waits], 0
        threads = self.threads if states.size >= _WORTH_THREADS else 1
        with ThreadPoolExecutor(threads) as pool:
            runs = np.array_split(states, threads)
            for run, new in zip(runs, list(pool.map(_sorted_keys, runs)), strict=True):
                self._insert_run(run, new, threads, pool)

    def _insert_run(self, keys: Column, new: Flags, threads: int, pool: Executor) -> None:
        """Insert sorted keys where they are ``new``, chunk by chunk, each thread in its own part of the table."""
        bounds = [keys.searchsorted(np.uint64((i << 64) // threads)) for i in range(threads)] + [keys.size]
        ranges = list(zip(bounds, bounds[1:], strict=False))
        for at in range(0, max(stop - start for start, stop in ranges), _INSERTED):
            pieces = [slice(start + at, min(stop, start + at + _INSERTED)) for start, stop in ranges]
            chunks = list(pool.map(lambda piece: keys[piece].take(np.flatnonzero(new[piece])), pieces))
            self._make_room(sum(chunk.size for chunk in chunks))
            ends = [self._table.size // threads * (i + 1) for i in range(threads)]
            late = list(pool.map(self._insert, chunks, ends))
            self._insert_late(np.concatenate([k for k, _ in late]), np.concatenate([s for _, s in late]))

    def _wait_for(self, more: int) -> None:
        """Make room for more states that wait, longer or empty again."""
        most = min(_MOST_WAITING, max(self._table.size, _FIRST_SLOTS))
        if self.budget is not None:
            most = min(most, self.budget // 64)
        if self._waits + more > most:
            self.settle()
        wanted = self._waits + more
        if wanted > self._waiting.size:
            longer = np.empty(max(wanted, min(2 * wanted, most)), np.uint64)
            longer[: self._waits] = self._waiting[: self._waits]
            self._waiting = longer

    def _insert(self, keys: Column, end: int) -> tuple[Column, Indices]:
        """Insert distinct keys in the slots before ``end``; the keys that must look further on, and where."""
        slots = _homes(keys, self._table.size)
        late: list[tuple[Column, Indices]] = []
        for _ in range(_LOOKS):
            left = self._looked(keys, slots)
            keys, slots = keys.take(left), slots.take(left) + 1
            if keys.size and int(slots.max()) == end:
                out = slots == end
                late.append((keys[out], slots[out]))
                keys, slots = keys[~out], slots[~out]
        late.append((keys, slots))
        return np.concatenate([k for k, _ in late]), np.concatenate([s for _, s in late])

    def _insert_late(self, keys: Column, slots: Indices) -> None:
        """Insert distinct keys from these slots on, and from the first slot after the last."""
        mask = self._table.size - 1
        while keys.size:
            slots &= mask
            left = self._looked(keys, slots)
            keys, slots = keys.take(left), slots.take(left) + 1

    def _looked(self, keys: Column, slots: Indices) -> Indices:
        """Look for each key in its slot, where it stays if that is free; which keys must look further on."""
        there = self._table.take(slots)
        taken = there != 0
        left = np.flatnonzero((there != keys) & taken)
        free = np.flatnonzero(~taken)
        if free.size == 0:
            return left
        won = self._claim(slots.take(free), keys.take(free))
        return left if won.all() else np.concatenate((left, free.take(np.flatnonzero(~won))))

    def _claim(self, slots: Indices, keys: Column) -> Flags:
        """Keys that met a free slot take it, one each; which of them did."""
        self._table[slots] = keys
        won: Flags = self._table.take(slots) == keys
        self._append(keys.take(np.flatnonzero(won)))
        return won

    def _append(self, keys: Column) -> None:
        """Number the states with these keys."""
        with self._numbering:
            start, self.count = self.count, self.count + keys.size
        self._states[start : start + keys.size] = states_of(keys)

    def _make_room(self, extra: int) -> None:
        """Keep the table at most 60 % full and the states' array long enough."""
        wanted = self.count + extra
        if wanted > MOST_STATES:
            raise MemoryError(f"more than {MOST_STATES} states")
        slots = self._table.size
        while wanted * 10 > slots * 6:
            slots *= 4 if slots < _FAST_GROWTH else 2
        tables = slots + (self._table.size if slots > self._table.size else 0)
        if self.budget is not None and 8 * (tables + 3 * wanted + 2 * self._waiting.size) > self.budget:
            raise MemoryError(f"{wanted} states need more than {self.budget} bytes")
        if wanted > self._states.size:
            longer = np.empty(wanted * 3 // 2, np.uint64)
            longer[: self.count] = self._states[: self.count]
            self._states = longer
        if slots > self._table.size:
            larger = np.zeros(slots, np.uint64)
            _place(larger, self._table)
            self._table = larger


def _sorted_keys(keys: Column) -> Flags:
    """Replace states by their keys in order; which of the keys are not the same as the one before."""
    to_keys(keys)
    keys.sort()
    new = np.ones(keys.size, np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return new


def to_keys(states: Column) -> None:
    """Replace states by their keys, none of them 0; one to one for states that have not all bits set."""
    for start in range(0, states.size, _CHUNK):
        key = states[start : start + _CHUNK]
        key += _ONE
        key ^= key >> _HALF
        key *= np.uint64(_MIX)


def states_of(keys: Column) -> Column:
    """The states that have these keys."""
    states = keys * np.uint64(_UNMIX)
    states ^= states >> _HALF
    states -= _ONE
    return states


def _homes(keys: Column, slots: int) -> Indices:
    """Where a key is looked for first in a table of so many slots."""
    return (keys >> np.uint64(65 - slots.bit_length())).view(np.int64)


def _place(table: Column, keys: Column) -> None:
    """Enter keys into a table, each once; 0 is left out."""
    mask = table.size - 1
    for start in range(0, keys.size, _INSERTED):
        chunk = keys[start : start + _INSERTED]
        left = chunk.take(np.flatnonzero(chunk))
        slots = _homes(left, table.size)
        while left.size:
            free = np.flatnonzero(table.take(slots) == 0)
            table[slots.take(free)] = left.take(free)
            at = np.flatnonzero(table.take(slots) != left)
            left, slots = left.take(at), (slots.take(at) + 1) & mask
