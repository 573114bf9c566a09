"""The benchmark's model is the one whose counts are known."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import z3

from benchmarks.race import race
from benchmarks.sizes import SIZES, nearest
from model.kernel import System, check_system
from solver.exploration import Exploration
from solver.explore import explore
from solver.packing import Layout


@cache
def system(name: str) -> System:
    return SIZES[name].system()


@cache
def explored(name: str) -> Exploration:
    return explore(system(name), {"twice": z3.Not(system(name).definitions["once"])})


@pytest.mark.parametrize("name", ["tiny", "s5", "n2bug", "slim"])
def test_counts_are_the_known_ones(name: str) -> None:
    found, size = explored(name), SIZES[name]
    assert (found.states, found.transitions, found.depth) == (size.states, size.transitions, size.depth)
    assert found.holds_count["twice"] == size.violating


def test_the_broken_gateway_commits_twice() -> None:
    found = explored("n2bug")
    first = found.first["twice"]
    assert first is not None
    steps = [action for action, _ in found.trace(first)]
    assert sum(action == "commit[0]" for action in steps) == 2


def test_every_action_is_taken() -> None:
    assert not [name for name, count in explored("s5").fired.items() if count == 0]


def test_a_race_means_what_it_says() -> None:
    check_system(race(2, 2, 1, 1, 1, 1, 1))


@pytest.mark.parametrize("name", SIZES)
def test_states_take_the_words_that_are_told(name: str) -> None:
    assert Layout.of(system(name)).width == SIZES[name].words


def test_a_number_of_states_means_the_nearest_sound_size() -> None:
    wanted = ("1e4", "1e5", "1e6", "1e7", "2e7", "5e7", "wide")
    assert [nearest(name).name for name in wanted] == ["tiny", "s5", "n2k2a", "n3b", "n3k2a", "s8b", "wide"]


def test_orbits_are_the_states_up_to_an_exchange_of_workers() -> None:
    found = explored("tiny")
    names = ("step", "epoch", "seen")
    workers = [np.stack([found.layout.field(found.words, f"worker[{w}].{name}") for name in names]) for w in (0, 1)]
    shared = [found.layout.field(found.words, n) for n in found.layout.fields if not n.startswith("worker")]
    codes = [w[0].astype(int) * 64 + w[1] * 8 + w[2] for w in workers]
    orbits = np.stack([*shared, np.minimum(*codes), np.maximum(*codes)])
    assert SIZES["tiny"].orbits is not None
    assert np.unique(orbits, axis=1).shape[1] == SIZES["tiny"].orbits[0]
