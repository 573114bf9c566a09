"""The sorted set of one-word states against Python's own set, with keys that crowd where its parts meet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver import visited_words as module
from solver.visited_words import VisitedWords, states_of

MOST = 2**64 - 2


def edges(parts: int) -> st.SearchStrategy[int]:
    """Keys around the beginning and the end of the parts of a table."""
    places = [(i << 64) // parts for i in range(parts + 1)]
    near = st.builds(lambda place, off: (place + off) % 2**64, st.sampled_from(places), st.integers(-40, 40))
    return near.filter(bool)


def column(values: Sequence[int]) -> np.ndarray:
    return np.array(values, np.uint64)


@pytest.fixture(autouse=True, scope="module")
def small_pieces() -> object:
    """Threads and chunks for a handful of states already."""
    with pytest.MonkeyPatch.context() as patched:
        for name, value in (("_WORTH_THREADS", 3), ("_INSERTED", 5), ("_FIRST_SLOTS", 16), ("_CHUNK", 7)):
            patched.setattr(module, name, value)
        yield


batches = st.lists(st.lists(st.one_of(edges(4), edges(16), st.integers(1, 2**64 - 1)), max_size=60), max_size=6)


@given(batches, st.sampled_from((1, 2, 3, 4, 8)), st.sampled_from((0, 1, 3)))
def test_it_holds_what_was_added_once_and_in_the_order_of_the_batches(
    batches: list[list[int]], threads: int, looks: int
) -> None:
    visited, seen = VisitedWords(threads=threads), set[int]()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "_LOOKS", looks)
        for batch in batches:
            states = states_of(column(batch)).tolist()
            before = visited.count
            for at in range(0, len(states), 11):
                visited.add(column(states[at : at + 11]))
            visited.settle()
            new = visited.states(before, visited.count)[0].tolist()
            assert sorted(new) == sorted(set(states) - seen)
            seen |= set(new)
    assert visited.count == len(seen) == len(set(visited.columns(visited.count)[0].tolist()))


@given(st.lists(st.integers(0, MOST), max_size=80), st.sampled_from((1, 2, 4)))
def test_it_goes_on_from_states_that_are_known(states: list[int], threads: int) -> None:
    known = list(dict.fromkeys(states))[: len(states) // 2]
    visited = VisitedWords(threads=threads)
    assert visited.fill([column(known)])
    visited.add(column(states))
    visited.settle()
    kept = visited.states(0, visited.count)[0].tolist()
    assert kept[: len(known)] == known
    assert sorted(kept) == sorted(set(states))
    assert visited.release(len(known))[0].tolist() == known


def test_states_that_are_there_twice_are_noticed() -> None:
    assert not VisitedWords().fill([column([3, 5, 3])])


@given(st.lists(st.integers(0, MOST)))
def test_keys_are_one_to_one_and_never_zero(states: list[int]) -> None:
    keys = column(states)
    module.to_keys(keys)
    assert (keys != 0).all()
    assert states_of(keys).tolist() == states


@pytest.mark.parametrize("threads", [1, 4])
def test_it_takes_no_more_than_its_budget(threads: int) -> None:
    visited = VisitedWords(1 << 14, threads)
    with pytest.raises(MemoryError, match="need more than 16384 bytes"):
        for start in range(0, 4000, 100):
            visited.add(np.arange(start, start + 100, dtype=np.uint64))
            visited.settle()
    kept = visited.states(0, visited.count)[0]
    assert 100 < visited.count == np.unique(kept).size < 700


@given(st.lists(st.integers((1 << 63) - 40, (1 << 63) - 1), unique=True, min_size=1, max_size=14))
def test_a_thread_leaves_the_slots_of_the_next_alone(keys: list[int]) -> None:
    visited = VisitedWords()
    late, slots = visited._insert(column(sorted(keys)), 8)
    table = visited._table.tolist()
    assert table[8:] == [0] * 8
    assert sorted([key for key in table if key] + late.tolist()) == sorted(keys)
    assert all(8 >= slot > 7 or table[slot - 1] for slot in slots.tolist())


def test_what_waits_is_bounded_by_the_budget() -> None:
    visited = VisitedWords(1 << 20)
    for start in range(0, 9_000, 100):
        visited.add(np.arange(start, start + 100, dtype=np.uint64))
    assert visited.count > 1_000
