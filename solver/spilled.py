"""The set of states on disk, for searches that are larger than the memory they may take.

Complete levels are kept sorted in one file. What a level leads to is collected, sorted and written in
runs; at the end of the level the runs are merged range by range, and what an earlier level has is left
out. Nothing is hashed away: keys that are equal are told apart by all words.
"""

from __future__ import annotations

import mmap
import os
import tempfile
from collections.abc import Iterator, Sequence
from typing import IO

import numpy as np
import numpy.typing as npt

from solver.edges import Edges
from solver.lowering import Lowering
from solver.packing import Column, Indices, Words
from solver.visited import canonical_order, hashes

_SAMPLE = 1 << 10
_LEAST = 1 << 12


class SortedFile:
    """Rows of states, appended in sorted segments; each row begins with the key it is sorted by.

    The file has no name and is gone with the process, however that ends.
    """

    def __init__(self, width: int):
        self.width = width
        self.columns = width + (width > 1)
        self.file = _nameless()
        self.segments: list[tuple[int, int]] = []
        self.samples: list[Column] = []
        self.rows = 0
        self.map: mmap.mmap | None = None

    def append(self, states: Words) -> None:
        """Add sorted states of shape (width, n) as rows at the end."""
        rows = np.ascontiguousarray((states if self.width == 1 else np.vstack((hashes(states), states))).T)
        try:
            self.file.seek(self.rows * self.columns * 8)
            self.file.write(rows.data)
            self.file.flush()
        except OSError as problem:
            raise MemoryError(f"no room on disk for states: {problem.strerror}") from problem
        self.rows += len(rows)

    def close_segment(self, start: int) -> None:
        """The rows from ``start`` to the end are one sorted segment."""
        if self.rows > start:
            self.segments.append((start, self.rows))
            self.samples.append(np.array(self.all_rows()[start :: _SAMPLE, 0]))

    def all_rows(self) -> npt.NDArray[np.uint64]:
        """Every row, mapped and not read."""
        if self.rows == 0:
            return np.empty((0, self.columns), np.uint64)
        self.map = mmap.mmap(self.file.fileno(), self.rows * self.columns * 8, prot=mmap.PROT_READ)
        return np.frombuffer(self.map, np.uint64).reshape(self.rows, self.columns)

    def let_go(self) -> None:
        """Give the memory back that holds what was last looked at; it is read again when it is wanted."""
        if self.map is not None and hasattr(mmap, "MADV_DONTNEED"):
            self.map.madvise(mmap.MADV_DONTNEED)

    def read(self, start: int, stop: int) -> Words:
        """Some states, shape (width, stop - start)."""
        size = self.columns * 8
        found = os.pread(self.file.fileno(), (stop - start) * size, start * size)
        return np.frombuffer(found, np.uint64).reshape(-1, self.columns).T[-self.width :]

    def within(self, low: int, high: int | None) -> Iterator[Words]:
        """From each segment the states with low <= key < high (no limit above if it is None)."""
        rows = self.all_rows()
        for start, stop in self.segments:
            keys = rows[start:stop, 0]
            first = int(np.searchsorted(keys, np.uint64(low)))
            last = stop - start if high is None else int(np.searchsorted(keys, np.uint64(high)))
            if last > first:
                yield self.read(start + first, start + last)

    def ranges(self, most: int) -> list[tuple[int, int | None]]:
        """Ranges of keys that hold about ``most`` rows each."""
        samples = np.sort(np.concatenate(self.samples)) if self.samples else np.empty(0, np.uint64)
        bounds = np.unique(samples[:: max(1, most // _SAMPLE)][1:]).tolist()
        return list(zip([0, *bounds], [*bounds, None], strict=True))

    def clear(self) -> None:
        """Drop all rows."""
        self.file.truncate(0)
        self.segments, self.samples, self.rows = [], [], 0


def _nameless() -> IO[bytes]:
    try:
        return tempfile.TemporaryFile()
    except OSError as problem:
        raise MemoryError(f"no place on disk for states: {problem.strerror}") from problem


class SpilledStates:
    """See ``StateSet``; ``count`` grows when a level ends. Steps are not kept."""

    block = 1 << 13

    def __init__(self, lowering: Lowering, columns: Sequence[Column], levels: Sequence[int], budget: int):
        """Write the states of complete levels, one array a word; MemoryError where the disk has no room."""
        self.lowering = lowering
        self.width = len(columns)
        self.most = max(_LEAST, budget // (64 * (self.width + 1)))
        self.known, self.met = SortedFile(self.width), SortedFile(self.width)
        self.waiting: list[Words] = []
        start = 0
        for size in levels:
            level = np.stack([column[start : start + size] for column in columns])
            self._keep(iter([level[:, canonical_order(level)]]))
            start += size

    @property
    def count(self) -> int:
        """How many states there are in the levels that have ended."""
        return self.known.rows

    def begin(self, states: Words) -> None:
        """Insert the start states."""
        self.waiting.append(states)
        self.end_level()

    def expand(self, start: int, stop: int, fired: Indices) -> Edges | None:
        """Collect the successors of some states; see ``StateSet``."""
        steps = self.lowering.successors(self.states(start, stop))
        fired += np.bincount(steps.action, minlength=fired.size)
        self.waiting.append(distinct(steps.words))
        if sum(words.shape[1] for words in self.waiting) > self.most:
            self._write_run()
        return None

    def end_level(self) -> None:
        """Merge what was collected; the new states follow the known ones, in order."""
        self._write_run()
        self._keep(self._new())
        self.met.clear()

    def states(self, start: int, stop: int) -> Words:
        """A copy of some states."""
        return np.ascontiguousarray(self.known.read(start, stop))

    def columns(self, count: int) -> Sequence[Column]:
        """The first states, one array a word, mapped and not read."""
        return list(self.release(count))

    def release(self, count: int) -> Words:
        """The first states, mapped and not read."""
        return self.known.all_rows()[:count].T[-self.width :]

    def _write_run(self) -> None:
        if self.waiting:
            states = np.concatenate(self.waiting, axis=1)
            self.waiting = []
            start = self.met.rows
            self.met.append(distinct(states))
            self.met.close_segment(start)

    def _new(self) -> Iterator[Words]:
        """What was met and is not known, range by range in the order of the keys."""
        for low, high in self.met.ranges(self.most):
            parts = list(self.met.within(low, high))
            if parts:
                found = distinct(np.concatenate(parts, axis=1))
                for known in self.known.within(low, high):
                    found = found[:, ~_seen(found, known)]
                yield found

    def _keep(self, parts: Iterator[Words]) -> None:
        start = self.known.rows
        for part in parts:
            self.known.append(part)
        self.known.close_segment(start)


def distinct(states: Words) -> Words:
    """The distinct states in canonical order."""
    ordered = states[:, canonical_order(states)] if len(states) > 1 else np.sort(states)
    new = np.ones(ordered.shape[1], np.bool_)
    new[1:] = (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)
    return ordered[:, new]


def _seen(states: Words, known: Words) -> npt.NDArray[np.bool_]:
    """Which of the states are known; both are sorted by key."""
    keys, there = (hashes(s) if len(s) > 1 else s[0] for s in (states, known))
    first, last = np.searchsorted(there, keys), np.searchsorted(there, keys, side="right")
    seen = np.zeros(keys.size, np.bool_)
    for more in range(int((last - first).max(initial=0))):
        at = np.flatnonzero(first + more < last)
        seen[at] |= (known[:, first[at] + more] == states[:, at]).all(axis=0)
    return seen
