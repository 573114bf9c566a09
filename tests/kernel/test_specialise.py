"""Specialisation removes what never changes and nothing else."""

from __future__ import annotations

import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from model.kernel import Action, System, Vocabulary, check_system, sets
from model.specialise import Specialised, specialise
from model.terms import free_variables
from solver.explore import explore
from tests.kernel.oracle import walk
from tests.kernel.strategies import random_systems
from tests.kernel.systems import promising, two_phase_commit


def restored(specialised: Specialised) -> set[tuple[int, ...]]:
    """The reachable states of the specialised system, with the constants put back."""
    found = explore(specialised.system)
    return {tuple(specialised.valuation(found.valuation(i)).values()) for i in range(found.states)}


def test_constants_guards_and_updates_go() -> None:
    example = promising()
    done = specialise(example.system)
    assert dict(done.constants) == {"keyed": 1, "broken": 0}
    assert done.removed_actions == ("break_more", "unkeyed")
    assert [v.name for v in done.system.variables] == ["grade", "level", "seen"]
    assert [str(u.target) for a in done.system.actions for u in a.updates] == ["level", "seen"]
    assert free_variables(done.system.action("down").guard) == {"grade", "level"}
    assert str(done.system.definitions["low"]) == "level <= 1"
    assert done.term(z3.And(example.keyed, example.seen > 1)).eq(example.seen > 1)
    check_system(done.system)


def test_a_constant_is_found_through_another_constant() -> None:
    """The second flag is only set by an action that the first one forbids; the third copies the second."""
    v = Vocabulary()
    first, second, third, moving = (v.flag(name, "world") for name in ("first", "second", "third", "moving"))
    system = System(
        "chain",
        tuple(v.variables),
        (
            Action("set_second", "world", first, (sets(second, True),)),
            Action("copy", "world", z3.Not(third), (sets(third, second), sets(moving, z3.Not(moving)))),
        ),
    )
    done = specialise(system)
    assert dict(done.constants) == {"first": 0, "second": 0, "third": 0}
    assert done.removed_actions == ("set_second",)
    assert [str(u.target) for u in done.system.action("copy").updates] == ["moving"]
    assert str(done.system.action("copy").guard) == "True"


def test_a_ghost_that_nothing_reads_stays() -> None:
    assert "seen" in [v.name for v in specialise(promising().system).system.variables]


def test_a_promise_with_two_values_stays() -> None:
    assert "grade" not in specialise(promising("low high").system).constants
    assert specialise(promising("high").system).constants["grade"] == 2


def test_a_system_that_only_moves_stays_as_it_is() -> None:
    system = two_phase_commit(3)
    done = specialise(system)
    assert not done.constants and not done.removed_actions
    assert all(a.guard.eq(b.guard) for a, b in zip(system.actions, done.system.actions, strict=True))


@given(random_systems(), st.data())
@settings(max_examples=60)
def test_the_reachable_states_are_the_same(system: System, data: st.DataObject) -> None:
    kept = data.draw(st.sets(st.sampled_from([v.name for v in system.variables])))
    actions = [
        Action(a.name, a.owner, a.guard, tuple(u for u in a.updates if str(u.target) in kept)) for a in system.actions
    ]
    system = system.with_actions(actions)
    done = specialise(system)
    depth, _ = walk(system)
    assert restored(done) == set(depth)
    assert explore(done.system).transitions == explore(system).transitions
