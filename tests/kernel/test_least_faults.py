"""Which faults are needed to get somewhere, against one search for each set of faults."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

from model.kernel import ModelError, Term
from model.setting import Setting
from model.system import Model
from model.table_file import load_table
from properties.mutants.mutant import Run, good_model
from solver.exploration import Exploration
from solver.explore import Limits, explore
from solver.graph import Mask, least_faults

FAULTS = ("crash", "delay", "loss")
SMTP_LIKE = Run(FAULTS, {"recognises": False, "enforces_fence": False, "readable": False}, messages=2, crashes=1)


def blind(faults: frozenset[str]) -> Model:
    """What sends again until there is an answer, at a target that recognises nothing."""
    good = good_model(replace(SMTP_LIKE, faults=tuple(sorted(faults))), "blind")
    setting: Setting = good.setting
    return Model(setting, good.profile, load_table("blind-retry"))


def searched(model: Model, goal: Term) -> tuple[Exploration, Mask]:
    found = explore(model.system(), keep_edges=True)
    return found, found.evaluate({"goal": goal})["goal"].astype(bool)


def twice(model: Model) -> Term:
    return model.history.net(0) > 1


def test_the_least_sets_are_those_that_single_searches_find() -> None:
    found, goal = searched(blind(frozenset(FAULTS)), twice(blind(frozenset(FAULTS))))
    suffices: list[frozenset[str]] = []
    for size in range(len(FAULTS) + 1):
        for chosen in map(frozenset, itertools.combinations(FAULTS, size)):
            model = blind(chosen)
            if searched(model, twice(model))[1].any() and not any(s <= chosen for s in suffices):
                suffices.append(chosen)
    least = least_faults(found, goal)
    assert set(least) == set(suffices) and len(least) == len(suffices)
    assert least and frozenset() not in least
    assert [len(s) for s in least] == sorted(len(s) for s in least)


def test_what_needs_no_fault_needs_only_the_empty_set() -> None:
    model = blind(frozenset({"crash"}))
    assert least_faults(*searched(model, model.history.commits[0] == 1)) == [frozenset()]


def test_what_is_not_reached_has_no_set() -> None:
    model = blind(frozenset({"crash"}))
    assert least_faults(*searched(model, model.history.undos[0] >= 1)) == []


def test_a_part_of_the_graph_answers_nothing() -> None:
    model = blind(frozenset({"crash"}))
    found = explore(model.system(), keep_edges=True, limits=Limits(max_states=5))
    with pytest.raises(ModelError, match="cut off"):
        least_faults(found, found.evaluate({"goal": twice(model)})["goal"].astype(bool))
