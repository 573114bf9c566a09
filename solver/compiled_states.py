"""The set of states of a compiled search: rows and table in memory that grows, filled by several threads."""

from __future__ import annotations

import mmap
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from solver import compiled_kernels as kernels
from solver.edges import Edges
from solver.numpy_states import one_word
from solver.packing import Column, Indices, Words
from solver.visited import MOST_STATES

if TYPE_CHECKING:
    from solver.compiled_lowering import CompiledLowering

_FIRST_ROWS = 1 << 20
_FIRST_SLOTS = 1 << 22
_FAST_GROWTH = 1 << 24
_EDGES = 1 << 18
_WORTH_A_THREAD = 1 << 11
_HUGE = 1 << 22


class Memory:
    """Zeroed 64-bit words that can grow in place; nothing is taken of the machine before it is written."""

    def __init__(self, words: int):
        self._map = _mapped(max(1, words))
        self.words: npt.NDArray[np.uint64] = np.frombuffer(self._map, np.uint64)

    def grow(self, words: int) -> None:
        """Make it longer; what is there stays. Arrays that were given out must be gone."""
        self.words = np.empty(0, np.uint64)
        try:
            self._map.resize(words * 8)
        except SystemError:  # a system that cannot move pages
            self._map = _copied(self._map, words)
        except OSError as error:
            raise MemoryError(f"no room for {words * 8} bytes") from error
        finally:
            self.words = np.frombuffer(self._map, np.uint64)
        _with_large_pages(self._map)


def _copied(area: mmap.mmap, words: int) -> mmap.mmap:
    """A longer area with the same beginning."""
    longer = _mapped(words)
    longer[: len(area)] = area[:]
    return longer


def _mapped(words: int) -> mmap.mmap:
    try:
        area = mmap.mmap(-1, words * 8, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    except OSError as error:
        raise MemoryError(f"no room for {words * 8} bytes") from error
    _with_large_pages(area)
    return area


def _with_large_pages(area: mmap.mmap) -> None:
    """Fewer, larger pages where the system has them: a look at random is then one miss and not two."""
    if len(area) >= _HUGE and hasattr(mmap, "MADV_HUGEPAGE"):
        area.madvise(mmap.MADV_HUGEPAGE)


class _Thread:
    """What one thread works with: its counters and buffers."""

    def __init__(self, width: int, actions: int, keep_edges: bool):
        batch = kernels.BATCH * max(1, actions)
        self.own = _apart(3)
        self.fired = _apart(actions)
        self.keys = np.empty(batch, np.uint64)
        self.after = np.empty(batch * width, np.uint64)
        self.action = np.empty(batch, np.uint16)
        self.edges = np.empty((_EDGES + batch if keep_edges else 0, 3), np.uint32)

    def taken(self) -> npt.NDArray[np.uint32]:
        """The steps since this was last asked."""
        count, self.own[kernels.STEPS] = int(self.own[kernels.STEPS]), 0
        return self.edges[:count].copy()


def _apart(size: int) -> Indices:
    """Zeros that share no cache line with what another thread writes."""
    return np.zeros(size + 64, np.int64)[32 : 32 + size]


class CompiledStates:
    """See ``StateSet``. While a level is expanded on several threads, its numbers have gaps."""

    block = 1 << 16

    def __init__(self, lowering: CompiledLowering, keep_edges: bool, budget: int | None = None):
        self.lowering, self.keep_edges, self.budget = lowering, keep_edges, budget
        self.width = lowering.layout.width
        actions = len(lowering.system.actions)
        self.batch = kernels.BATCH * max(1, actions)
        self.direct = not keep_edges and one_word(lowering.layout)
        self.rows = Memory(_FIRST_ROWS * self.width)
        self.table = Memory(_FIRST_SLOTS)
        self.shared = np.zeros(1, np.int64)
        self.threads = [_Thread(self.width, actions, keep_edges) for _ in range(lowering.threads)]
        self.pool = ThreadPoolExecutor(lowering.threads)

    @property
    def count(self) -> int:
        """How many states there are."""
        free = sum(int(t.own[kernels.LAST] - t.own[kernels.NEXT]) for t in self.threads)
        return int(self.shared[0]) - free

    def begin(self, states: Words) -> None:
        """Insert the start states."""
        numbers = np.empty(states.shape[1], np.int64)
        words = np.ascontiguousarray(states.T).reshape(-1)
        self._make_room(numbers.size + kernels.CHUNK)
        own = self.threads[0].own
        kernels.insert(self.direct, self.table.words, self.rows.words, self.width, words, numbers, self.shared, own)
        self.end_level()

    def expand(self, start: int, stop: int, fired: Indices) -> Edges | None:
        """Insert the successors of some states; see ``StateSet``."""
        few = self.keep_edges or stop - start < _WORTH_A_THREAD
        threads = self.threads[:1] if few else self.threads
        cursor, astray = np.array([start], np.int64), np.zeros(1, np.uint64)
        steps: list[npt.NDArray[np.uint32]] = []
        while cursor[0] < stop:
            room = self._make_room(len(threads) * (self.batch + 2 * kernels.CHUNK))
            self._together(threads, partial(self._expand, cursor, stop, room, astray))
            if astray[0]:
                self.lowering.refuse(self.states(start, stop))
            steps += [t.taken() for t in threads]
        for t in threads:
            fired += t.fired
            t.fired[:] = 0
        return _edges(steps) if self.keep_edges else None

    def _together(self, threads: Sequence[_Thread], work: Callable[[_Thread], None]) -> None:
        if len(threads) == 1:
            work(threads[0])
        else:
            list(self.pool.map(work, threads))

    def _expand(self, cursor: Indices, stop: int, room: int, astray: Column, t: _Thread) -> None:
        kernels.expand(
            self.lowering.address, self.direct, self.table.words, self.rows.words, self.width, cursor, stop, room,
            self.batch, self.shared, t.own, t.fired, t.edges, t.keys, t.after, t.action, astray,
        )  # fmt: skip

    def end_level(self) -> None:
        """Close the gaps: the states with the highest numbers move there."""
        count, last = self.count, int(self.shared[0])
        free = {i for t in self.threads for i in range(int(t.own[kernels.NEXT]), int(t.own[kernels.LAST]))}
        for gap in sorted(i for i in free if i < count):
            last = next(i for i in range(last - 1, count - 1, -1) if i not in free)
            kernels.renumber(self.direct, self.table.words, self.rows.words, self.width, last, gap)
        self.shared[0] = count
        for t in self.threads:
            t.own[kernels.NEXT] = t.own[kernels.LAST] = 0

    def states(self, start: int, stop: int) -> Words:
        """A copy of some states."""
        return np.ascontiguousarray(self._words(stop)[:, start:])

    def columns(self, count: int) -> Sequence[Column]:
        """The first states, one array a word."""
        return list(self._words(count))

    def release(self, count: int) -> Words:
        """The first states; the set is not used afterwards."""
        self.pool.shutdown()
        self.table = Memory(_FIRST_SLOTS)
        return self._words(count)

    def fill(self, columns: Sequence[Column]) -> bool:
        """Put states into an empty set, numbered as they come; whether they are distinct."""
        count = columns[0].size
        self._make_room(count)
        for w, column in enumerate(columns):
            self.rows.words[w : count * self.width : self.width] = column
        self.shared[0] = count
        return self._rebuild(self.table.words.size) == 0

    def _words(self, count: int) -> Words:
        return self.rows.words[: count * self.width].reshape(count, self.width).T

    def _make_room(self, slack: int) -> int:
        """Have room for more than ``slack`` states; the number of states up to which there is room for slack."""
        wanted = int(self.shared[0]) + slack + kernels.CHUNK
        if wanted > MOST_STATES:
            raise MemoryError(f"more than {MOST_STATES} states")
        rows, slots = self.rows.words.size // self.width, self.table.words.size
        while wanted * 10 > slots * 7:
            slots *= 4 if slots < _FAST_GROWTH else 2
        if self.budget is not None and 8 * (slots + wanted * self.width) > self.budget:
            raise MemoryError(f"{wanted} states need more than {self.budget} bytes")
        if wanted > rows:
            self.rows.grow(max(2 * rows, wanted) * self.width)
        if slots > self.table.words.size:
            self.end_level()
            self._rebuild(slots)
        return min(self.rows.words.size // self.width, slots * 7 // 10) - slack

    def _rebuild(self, slots: int) -> int:
        """Another table for the same states, made by all threads; how many of them are there twice."""
        self.table = Memory(0)
        self.table = Memory(slots)
        count = int(self.shared[0])
        bounds = np.linspace(0, count, len(self.threads) + 1).astype(int).tolist()
        parts = list(zip(bounds, bounds[1:], strict=False))
        return sum(self.pool.map(lambda part: self._enter(*part), parts))

    def _enter(self, start: int, stop: int) -> int:
        return int(kernels.enter(self.direct, self.table.words, self.rows.words, self.width, start, stop))


def _edges(steps: Sequence[npt.NDArray[np.uint32]]) -> Edges:
    every = np.concatenate(steps)
    return Edges(every[:, 0].copy(), every[:, 1].copy(), every[:, 2].astype(np.uint16))
