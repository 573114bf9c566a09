"""Partial-order reduction keeps every predicate that holds somewhere, and loses none of them by haste."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import z3
from hypothesis import given, settings

from model.kernel import Action, System, Term, Vocabulary, sets
from solver import partial_order
from solver.explore import explore
from solver.partial_order import reduced
from solver.plain_step import PlainModel
from tests.kernel.strategies import random_systems
from tests.kernel.systems import EXAMPLES

Patch = pytest.MonkeyPatch


def clerks(n: int, *, nosy: bool = False, round_about: bool = False) -> System:
    """Clerks who prepare a paper in three private steps and then stamp it on a common pad.

    With ``nosy`` the pad is only used while the first clerk is at its first step; with ``round_about``
    a clerk can start again without stamping.
    """
    v = Vocabulary()
    stamps = v.count("pad.stamps", n, "pad")
    steps = [v.count(f"clerk[{i}].step", 4, f"clerk[{i}]") for i in range(n)]
    marks = [v.flag(f"clerk[{i}].mark", f"clerk[{i}]") for i in range(n)]
    actions: list[Action] = []
    for i, (step, mark) in enumerate(zip(steps, marks, strict=True)):
        owner = f"clerk[{i}]"
        for at in range(3):
            actions.append(Action(f"work[{i}][{at}]", owner, step == at, (sets(step, at + 1),)))
        actions.append(Action(f"blot[{i}]", owner, step == 1, (sets(step, 2), sets(mark, True))))
        if round_about:
            actions.append(Action(f"again[{i}]", owner, step == 2, (sets(step, 0),)))
        stamps_it = z3.And(step == 3, steps[0] == 0) if nosy and i else step == 3
        actions.append(Action(f"stamp[{i}]", owner, stamps_it, (sets(step, 4), sets(stamps, stamps + 1))))
    facts = {
        "all": stamps == n,
        "one early": z3.And(stamps == 1, steps[0] < 3),
        "clean": z3.And(stamps == n, z3.Not(marks[0])),
        "blotted": z3.And(stamps == n, *marks),
        "too many": z3.And(stamps == n, steps[0] == 0),
    }
    return System("clerks", tuple(v.variables), tuple(actions), facts)


def spinning() -> System:
    """One party goes round for ever; the other takes a step that is asked about."""
    v = Vocabulary()
    place, done = v.count("wheel.place", 1, "wheel"), v.flag("worker.done", "worker")
    actions = (
        Action("there", "wheel", place == 0, (sets(place, 1),)),
        Action("back", "wheel", place == 1, (sets(place, 0),)),
        Action("work", "worker", z3.Not(done), (sets(done, True),)),
    )
    return System("spinning", tuple(v.variables), actions, {"done": done})


def agree(system: System, predicates: dict[str, Term]) -> bool:
    """Whether the reduced search meets the same predicates, on traces of the whole system."""
    smaller = reduced(system, predicates.values())
    whole, found = explore(system, predicates), explore(smaller.system, predicates)
    model = PlainModel(system)
    for index in found.first.values():
        if index is not None:
            state = found.trace(index)[0][1]
            for action, after in found.trace(index)[1:]:
                state = model.step(state, action or "")
                assert state == after
    return {n for n, i in whole.first.items() if i is not None} == {n for n, i in found.first.items() if i is not None}


def subsets(predicates: dict[str, Term]) -> Iterator[dict[str, Term]]:
    yield predicates
    for name, term in predicates.items():
        yield {name: term}


@pytest.mark.parametrize("round_about", [False, True])
@pytest.mark.parametrize("nosy", [False, True])
def test_the_same_predicates_are_met(nosy: bool, round_about: bool) -> None:
    system = clerks(3, nosy=nosy, round_about=round_about)
    for predicates in subsets(dict(system.definitions)):
        assert agree(system, predicates), list(predicates)


def test_private_steps_are_taken_in_one_order() -> None:
    system = clerks(4)
    smaller = reduced(system, [system.definitions["all"]])
    assert [(p.party, p.variable, p.places) for p in smaller.private] == [
        (f"clerk[{i}]", f"clerk[{i}].step", (0, 1, 2)) for i in range(4)
    ]
    whole, found = explore(system), explore(smaller.system)
    one_after_the_other, stamping = 4 * (1 + 2 + 4 + 8), 4**4
    assert (whole.states, found.states) == (8**4, one_after_the_other + stamping)


def test_what_a_predicate_or_another_party_reads_is_not_private() -> None:
    system = clerks(3)
    assert {p.places for p in reduced(system, [system.definitions["blotted"]]).private} == {(0, 2)}
    early = reduced(system, [system.definitions["one early"]]).private
    assert [p.party for p in early] == ["clerk[1]", "clerk[2]"]
    nosy = reduced(clerks(3, nosy=True), [clerks(3, nosy=True).definitions["all"]]).private
    assert [p.party for p in nosy] == ["clerk[1]", "clerk[2]"]


def test_places_that_can_be_gone_round_are_left_out() -> None:
    system = clerks(2, round_about=True)
    assert reduced(system, [system.definitions["all"]]).private == ()


@given(random_systems())
@settings(max_examples=40)
def test_random_systems(system: System) -> None:
    guards = {a.name: a.guard for a in system.actions}
    for predicates in subsets(guards):
        assert agree(system, predicates)


@pytest.mark.parametrize("system", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_examples(system: System) -> None:
    predicates = {n: t for n, t in system.definitions.items() if z3.is_bool(t)}
    assert agree(system, predicates)


def test_without_its_conditions_it_would_lose_something(monkeypatch: Patch) -> None:
    """Each condition is needed: dropped, some predicate is no longer met."""
    blind = clerks(3)
    with monkeypatch.context() as patch:
        patch.setattr(partial_order, "free_variables", lambda term: frozenset())
        assert not agree(blind, {"one early": blind.definitions["one early"]})
    assert agree(spinning(), dict(spinning().definitions))
    with monkeypatch.context() as patch:
        patch.setattr(partial_order, "_cycles", lambda *_: False)
        assert not agree(spinning(), dict(spinning().definitions))
