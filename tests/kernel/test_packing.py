"""Packed states are exact, and so is the set that holds them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.kernel import ModelError, System, Variable, Vocabulary
from solver import visited as visited_module
from solver.packing import Layout
from solver.plain_step import PlainModel
from solver.visited import Visited, canonical_order, hashes
from tests.kernel.oracle import packed
from tests.kernel.systems import EXAMPLES


def counts(highs: list[int]) -> tuple[Variable, ...]:
    v = Vocabulary()
    for i, high in enumerate(highs):
        v.count(f"n{i}", high, "world")
    return tuple(v.variables)


@given(st.lists(st.tuples(st.integers(0, 100), st.floats(0, 1)), min_size=1, max_size=60))
def test_unpacking_undoes_packing(drawn: list[tuple[int, float]]) -> None:
    variables = counts([high for high, _ in drawn])
    layout = Layout(variables)
    state = {v.name: round(share * v.high) for v, (_, share) in zip(variables, drawn, strict=True)}
    words = layout.pack(state)
    assert layout.unpack(words) == state
    column = np.array([words, words], np.uint64).T
    assert {v.name: layout.field(column, v.name).tolist() for v in variables} == {n: [c, c] for n, c in state.items()}


@given(st.lists(st.integers(0, 100), max_size=60))
def test_fields_do_not_overlap_or_straddle(highs: list[int]) -> None:
    layout = Layout(counts(highs))
    taken = [(f.word, f.shift + bit) for f in layout.fields.values() for bit in range(f.bits)]
    assert len(set(taken)) == len(taken) == layout.bits
    assert all(0 <= bit < layout.used[word] <= 64 for word, bit in taken)
    assert layout.bits <= 64 * layout.width < layout.bits + 64 + 6 * layout.width


def test_large_fields_are_placed_first_so_that_small_ones_fill_the_gaps() -> None:
    assert Layout(counts([1, 15] + [63] * 10 + [100] * 9)).used == (64, 64)


def test_a_state_of_no_bits_still_has_a_word() -> None:
    layout = Layout(counts([0, 0]))
    assert (layout.width, layout.bits, layout.pack({"n0": 0, "n1": 0})) == (1, 0, (0,))


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"n0": 1}, "differs in n1"),
        ({"n0": 1, "n1": 0, "n2": 0}, "differs in n2"),
        ({"n0": 4, "n1": 0}, "n0 ranges over 0..3, not 4"),
        ({"n0": -1, "n1": 0}, "n0 ranges over 0..3, not -1"),
    ],
)
def test_what_is_no_state_is_not_packed(state: dict[str, int], message: str) -> None:
    with pytest.raises(ModelError, match=message):
        Layout(counts([3, 3])).pack(state)


@pytest.mark.parametrize("system", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_initial_words_are_the_initial_states(system: System) -> None:
    layout = Layout.of(system)
    expected = packed(layout, PlainModel(system).initial_states())
    assert layout.initial_words(system.variables).tolist() == expected.tolist()


WORDS = st.integers(1, 3).flatmap(
    lambda width: st.lists(st.tuples(*[st.integers(0, 3) | st.integers(0, 2**64 - 1)] * width), max_size=300)
)


@given(st.lists(WORDS.filter(bool), min_size=1, max_size=5))
def test_the_set_is_a_set(batches: list[list[tuple[int, ...]]]) -> None:
    width = len(batches[0][0])
    seen: dict[tuple[int, ...], int] = {}
    visited = Visited(width)
    for batch in batches:
        states = [(s * 3)[:width] for s in batch]
        found = visited.insert(np.array(states, np.uint64).T.copy())
        for state, index in zip(states, found.tolist(), strict=True):
            assert seen.setdefault(state, index) == index
    assert sorted(seen.values()) == list(range(visited.count))
    kept = visited.states(0, visited.count).T.tolist()
    assert all(tuple(kept[index]) == state for state, index in seen.items())


def test_the_set_survives_growth_and_crowded_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a hash of three values everything collides; still no state is lost or invented."""
    monkeypatch.setattr(visited_module, "hashes", lambda words: words[0] % np.uint64(3) << np.uint64(32))
    random = np.random.default_rng(3)
    visited, seen = Visited(2), set()
    for _ in range(6):
        batch = random.integers(0, 40, (2, 900)).astype(np.uint64)
        visited.insert(batch)
        seen |= set(map(tuple, batch.T.tolist()))
    assert set(map(tuple, visited.states(0, visited.count).T.tolist())) == seen
    assert visited.count == len(seen)


def test_a_large_set_is_exact() -> None:
    values = np.random.default_rng(5).integers(0, 200_000, 400_000).astype(np.uint64)
    visited = Visited(1)
    found = visited.insert(values[None, :])
    assert visited.count == np.unique(values).size
    assert (visited.states(0, visited.count)[0][found] == values).all()


def test_hashes_of_one_word_are_one_to_one() -> None:
    words = np.arange(1 << 16, dtype=np.uint64)[None, :] << np.uint64(48)
    assert np.unique(hashes(words)).size == 1 << 16


def test_the_canonical_order_depends_on_the_states_only(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(11)
    words = np.unique(random.integers(0, 9, (2, 60)).astype(np.uint64), axis=1)
    for hashed in (hashes, lambda w: w[0] % np.uint64(2)):
        monkeypatch.setattr(visited_module, "hashes", hashed)
        shuffled = words[:, random.permutation(words.shape[1])]
        assert (words[:, canonical_order(words)] == shuffled[:, canonical_order(shuffled)]).all()
