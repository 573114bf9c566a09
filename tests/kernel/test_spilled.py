"""A search with its states on disk finds what one in memory finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from model.kernel import System
from solver import compiled_states, exploration, spilled
from solver import explore as explore_module
from solver.engine import Engine
from solver.explore import Exploration, Limits, explore
from solver.spilled import SpilledStates, distinct
from tests.kernel.strategies import random_systems
from tests.kernel.systems import counters, promising, two_phase_commit, wide
from tests.kernel.test_explore import same

SYSTEMS = [two_phase_commit(5), counters(4, 9), wide(3), promising("low middle high").system]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many runs, ranges and samples on few states."""
    monkeypatch.setattr(spilled, "_LEAST", 64)
    monkeypatch.setattr(spilled, "_SAMPLE", 4)
    monkeypatch.setattr(SpilledStates, "block", 100)


def on_disk(system: System, after: int, engine: Engine | None = None, **more: object) -> Exploration:
    """A search that moves to disk when it would need more than ``after`` bytes."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explore_module, "left_of", lambda memory: memory)
        limits = Limits(max_states=more.pop("max_states", None), memory=after)  # type: ignore[arg-type]
        return explore(system, limits=limits, engine=engine, **more)  # type: ignore[arg-type]


def predicates(system: System) -> dict[str, z3.ExprRef]:
    return {name: term for name, term in system.definitions.items() if z3.is_bool(term)}


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda s: s.name)
@pytest.mark.parametrize("engine", [Engine("numpy"), Engine("compiled", 2)], ids=["numpy", "compiled"])
@pytest.mark.parametrize("after", [1, 600_000])
def test_what_is_found_does_not_depend_on_where_the_states_are(system: System, engine: Engine, after: int) -> None:
    expected = explore(system, predicates(system))
    found = on_disk(system, after, engine, predicates=predicates(system))
    assert same(found, expected)
    assert found.trace(found.states - 1) == expected.trace(found.states - 1)


@given(random_systems())
@settings(max_examples=20)
def test_random_systems(system: System) -> None:
    assert same(on_disk(system, 1), explore(system))


def test_the_states_are_on_disk() -> None:
    found = on_disk(counters(3, 4), 1)
    assert found.sorted and not found.found.flags.writeable
    assert not on_disk(counters(3, 4), 1 << 30).sorted


def test_memory_is_given_back_while_states_on_disk_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exploration, "_HELD", exploration.BLOCK)
    found, given_back = on_disk(counters(4, 9), 1), []
    assert found.let_go is not None
    found.let_go = lambda let_go=found.let_go: given_back.append(let_go())
    total = found.system.definitions["sum"]
    assert np.bincount(found.evaluate({"sum": total})["sum"]).tolist() == found.levels
    assert given_back


def test_a_limit_holds_on_disk() -> None:
    limited = on_disk(counters(4, 9), 1, max_states=3_000)
    assert same(limited, explore(counters(4, 9), limits=Limits(max_states=3_000)))
    assert limited.cut_off_by == "max_states"


def test_a_search_that_keeps_edges_gives_up() -> None:
    found = on_disk(two_phase_commit(5), 400_000, keep_edges=True)
    assert (found.complete, found.cut_off_by) == (False, "memory")
    assert found.levels == explore(two_phase_commit(5)).levels[: found.depth + 1]


def test_a_search_on_disk_is_resumed(tmp_path: Path) -> None:
    system, path = two_phase_commit(5), tmp_path / "search"
    first = on_disk(system, 1, max_states=4_000, checkpoint_path=path)
    assert not first.complete
    again = on_disk(system, 1, checkpoint_path=path)
    assert same(again, explore(system))
    assert again.sorted, "a search that goes on has the same limit of memory"


@pytest.mark.parametrize("engine", [Engine("numpy"), Engine("compiled", 2)], ids=["numpy", "compiled"])
def test_an_interrupt_on_the_way_to_the_disk_loses_nothing(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system, path = two_phase_commit(5), tmp_path / "search"

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(spilled.SortedFile, "append", interrupt)
        patch.setattr(compiled_states, "_FIRST_SLOTS", 1 << 10)
        with pytest.raises(KeyboardInterrupt):
            on_disk(system, 200_000, engine, checkpoint_path=path, save_every=1e9)
    known = explore(system, limits=Limits(max_states=1, timeout=0.0), checkpoint_path=path)
    assert known.states > 100
    assert same(explore(system, checkpoint_path=path), explore(system))


def test_a_full_disk_leaves_the_complete_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    system = two_phase_commit(5)
    original, left = spilled.SortedFile.append, [12]

    def append(self: spilled.SortedFile, states: np.ndarray) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise MemoryError("no room on disk for states")
        original(self, states)

    monkeypatch.setattr(spilled.SortedFile, "append", append)
    found = on_disk(system, 1)
    assert found.cut_off_by == "memory" and found.depth > 2
    assert found.levels == explore(system).levels[: found.depth + 1]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), max_size=60))
def test_distinct_states_are_sorted_and_all_there(rows: list[tuple[int, int]]) -> None:
    states = np.array(rows, np.uint64).reshape(-1, 2).T
    found = distinct(states)
    assert sorted(map(tuple, found.T.tolist())) == sorted(set(rows))
    assert distinct(found).tolist() == found.tolist()


def test_states_with_equal_keys_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every state has the same hash here."""
    for module in ("solver.spilled", "solver.visited"):
        monkeypatch.setattr(f"{module}.hashes", lambda words: np.zeros(words.shape[1], np.uint64))
    system = wide(3)
    assert on_disk(system, 1, Engine("numpy")).states == 12**3
