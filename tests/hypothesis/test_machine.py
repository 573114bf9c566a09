"""Hypothesis alone finds and shrinks mutants, and finds nothing where there is nothing."""

from __future__ import annotations

import pytest

from model.specialise import specialise
from model.system import Model
from properties.mutants.catalogue import mutant_named
from properties.safety import PROPERTIES, property_named
from solver.kill_matrix import matrix_of
from solver.machine import Violation, Walk, find_violation, machine_of
from solver.plain_step import PlainModel
from solver.replayed import replay
from tests.mutants.regenerate import GOLDEN

WALKS, STEPS, SLACK = 3_000, 60, 2
FOUND = (
    "abandons_the_first",
    "moved_ground_holds",
    "executes_on_moved_ground",
    "records_under_any_phase",
    "records_without_admission",
    "error_is_commitment",
    "error_starts_afresh",
    "asks_nobody",
    "abandons_the_unpermitted",
    "adopts_a_contradicted_effect",
)
"""Table and model mutants whose runs have few faults, so that a walk at random meets the defect."""


def machine(model: Model) -> tuple[type[Walk], PlainModel]:
    """A walk over a model that checks every property, and the model it walks."""
    special = specialise(model.system())
    terms = {p.name: special.term(p.holds(model)) for p in PROPERTIES}
    return machine_of(special.system, terms), PlainModel(special.system)


LONG = ("error_is_commitment", "error_starts_afresh", "adopts_a_contradicted_effect")
"""Those for which it takes the most walks."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in LONG else []) for name in FOUND]
)
def test_a_mutant_is_found_and_shrunk(name: str) -> None:
    model = mutant_named(name).model()
    walk, plain = machine(model)
    found = find_violation(walk, WALKS, STEPS)
    assert found is not None
    shortest = matrix_of(GOLDEN.read_text("utf-8"))[name][found.name]
    assert len(found.actions) <= shortest + SLACK
    assert breaks(model, plain, found)


def breaks(model: Model, plain: PlainModel, found: Violation) -> bool:
    """Whether the walk replays and its last state, and none before, breaks the property it names."""
    special = specialise(model.system())
    term = special.term(property_named(found.name).holds(model))
    verdicts = [plain.value(term, state) for state in replay(plain, found.start, found.actions)]
    return not verdicts[-1] and all(verdicts[:-1])


def test_nothing_is_found_where_nothing_is_wrong() -> None:
    walk, _ = machine(mutant_named("moved_ground_holds").original())
    assert find_violation(walk, 100, STEPS) is None


def test_it_finds_the_same_every_time() -> None:
    walk, _ = machine(mutant_named("abandons_the_first").model())
    first, second = find_violation(walk, WALKS, STEPS), find_violation(walk, WALKS, STEPS)
    assert first is not None and second is not None
    assert first.actions == second.actions
