"""Members that can change places are searched once; where something tells them apart, that is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import permutations
from pathlib import Path

import pytest
import z3

from model.kernel import Action, Labels, System, Term, Vocabulary, sets
from solver import symmetry as symmetry_module
from solver.checkpoint import CheckpointMismatch
from solver.engine import Engine
from solver.explore import Exploration, Limits, explore
from solver.plain_step import PlainModel
from solver.symmetry import NotSymmetric, families_of
from tests.kernel.engines import EVERY_ENGINE
from tests.kernel.systems import die_hard

Place = Labels("PlaceOfSymmetryTest", "out waiting inside")
Twist = Callable[[Term, list[Term], list[Term]], list[Action]]


def crowd(n: int, twist: Twist | None = None, seats: int = 2) -> System:
    """Guests of a house with some seats; each counts its visits. ``twist`` adds actions."""
    v = Vocabulary()
    taken = v.count("house.taken", seats, "house")
    places = [v.enum(f"guest[{i}].place", Place, f"guest[{i}]", "out") for i in range(n)]
    visits = [v.count(f"guest[{i}].visits", 2, f"guest[{i}]") for i in range(n)]
    actions: list[Action] = []
    for i, (place, seen) in enumerate(zip(places, visits, strict=True)):
        first = z3.And(*[z3.Or(p != Place.inside, q > 0) for p, q in zip(places, visits, strict=True)])
        enters = z3.And(place == Place.waiting, taken < seats, first)
        actions += [
            Action(f"knock[{i}]", f"guest[{i}]", z3.And(place == Place.out, seen < 2), (sets(place, Place.waiting),)),
            Action(f"enter[{i}]", "house", enters, (sets(place, Place.inside), sets(taken, taken + 1))),
            Action(
                f"leave[{i}]",
                f"guest[{i}]",
                place == Place.inside,
                (sets(place, Place.out), sets(taken, taken - 1), sets(seen, seen + 1)),
            ),
        ]
    inside = z3.Sum([z3.If(p == Place.inside, z3.IntVal(1), z3.IntVal(0)) for p in places])
    actions += twist(taken, places, visits) if twist else []
    full = {"full": inside == seats, "done": z3.And(*[q == 2 for q in visits]), "first": visits[0] == 2}
    return System("crowd", tuple(v.variables), tuple(actions), full)


def orbits(found: Exploration, n: int) -> int:
    """How many states there are up to the order of the guests."""
    names = [v.name for v in found.system.variables]
    values = {n: found.layout.field(found.words, n).tolist() for n in names}
    guests = [[(values[f"guest[{i}].place"][s], values[f"guest[{i}].visits"][s]) for i in range(n)]
              for s in range(found.states)]  # fmt: skip
    return len({(values["house.taken"][s], tuple(sorted(guests[s]))) for s in range(found.states)})


def asked(system: System) -> dict[str, Term]:
    return {name: system.definitions[name] for name in ("full", "done")}


@EVERY_ENGINE
@pytest.mark.parametrize("n", [2, 3, 4])
def test_one_state_stands_for_all_that_differ_in_who_is_who(engine: Engine, n: int) -> None:
    system = crowd(n)
    whole = explore(system, asked(system))
    found = explore(system, asked(system), engine=engine, symmetry=["guest"])
    assert found.states == orbits(whole, n) == orbits(found, n) < whole.states
    assert (found.depth, len(found.levels)) == (whole.depth, len(whole.levels))
    for name in ("full", "done"):
        there, here = whole.first[name], found.first[name]
        assert there is not None
        assert here is not None
        assert whole.level_of(there) == found.level_of(here)


@EVERY_ENGINE
def test_traces_are_walked_by_real_members(engine: Engine) -> None:
    system = crowd(3)
    found = explore(system, asked(system), engine=engine, symmetry=["guest"])
    model = PlainModel(system)
    assert found.first["done"] is not None
    trace = found.trace(found.first["done"])
    assert trace[0][1] in model.initial_states()
    state = trace[0][1]
    for action, after in trace[1:]:
        assert action is not None
        state = model.step(state, action)
        assert state == after
    assert model.value("done", state)
    assert len(trace) == found.level_of(found.first["done"]) + 1


def test_every_arrangement_is_found_under_its_representative() -> None:
    found = explore(crowd(3), symmetry=["guest"])
    state = found.valuation(found.states // 2)
    parts = [(state[f"guest[{i}].place"], state[f"guest[{i}].visits"]) for i in range(3)]
    for order in permutations(parts):
        other = dict(state)
        for i, (place, visits) in enumerate(order):
            other |= {f"guest[{i}].place": place, f"guest[{i}].visits": visits}
        assert found.index_of(other) == found.states // 2


def only_the_first(taken: Term, places: list[Term], visits: list[Term]) -> list[Action]:
    return [Action("reserve", "house", z3.And(visits[0] > visits[1], taken == 0), (sets(taken, 1),))]


def in_order(taken: Term, places: list[Term], visits: list[Term]) -> list[Action]:
    pairs = list(zip(visits, visits[1:], strict=False))
    fits = [z3.And(a > b, taken == 0) for a, b in pairs]
    return [Action(f"reserve[{i}]", "house", fit, (sets(taken, 1),)) for i, fit in enumerate(fits)]


def doubled(taken: Term, places: list[Term], visits: list[Term]) -> list[Action]:
    free = z3.And(places[0] == Place.out, visits[0] < 2)
    return [Action("knock again", "guest[0]", free, (sets(places[0], Place.waiting),))]


@pytest.mark.parametrize("twist", [only_the_first, in_order, doubled])
def test_an_action_that_tells_members_apart_is_refused(
    twist: Twist, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = crowd(3, twist)
    with pytest.raises(NotSymmetric, match="tells its members apart"):
        explore(system, symmetry=["guest"])
    whole = explore(system)
    monkeypatch.setattr(symmetry_module, "_require_exchange", lambda *_: None)
    blind = explore(system, symmetry=["guest"])
    assert twist is doubled or blind.states < orbits(whole, 3), "the gate is needed: without it states are lost"


def test_a_predicate_that_tells_members_apart_is_refused() -> None:
    system = crowd(3)
    with pytest.raises(NotSymmetric, match="the predicate 'first' tells its members apart"):
        explore(system, {"first": system.definitions["first"]}, symmetry=["guest"])


def test_questions_about_steps_are_refused() -> None:
    with pytest.raises(NotSymmetric, match="need all states"):
        explore(crowd(2), keep_edges=True, symmetry=["guest"])
    with pytest.raises(NotSymmetric, match="need all states"):
        explore(crowd(2), {}, {"enters": (z3.BoolVal(True), "enter[0]")}, symmetry=["guest"])


def test_unlike_members_and_unknown_families_are_refused() -> None:
    v = Vocabulary()
    v.count("guest[0].visits", 2, "guest[0]")
    v.count("guest[1].visits", 3, "guest[1]")
    with pytest.raises(NotSymmetric, match="different variables, ranges or starts"):
        explore(System("uneven", tuple(v.variables), ()), symmetry=["guest"])
    with pytest.raises(NotSymmetric, match="die_hard has no family 'guest' of two members or more: none"):
        explore(die_hard(), symmetry=["guest"])


def test_members_too_wide_to_be_compared_are_refused() -> None:
    v = Vocabulary()
    for i in range(2):
        for part in range(10):
            v.count(f"guest[{i}].part{part}", 100, f"guest[{i}]")
    with pytest.raises(NotSymmetric, match="a member takes 70 bits, more than the 64"):
        explore(System("wide", tuple(v.variables), ()), symmetry=["guest"])


def test_families_are_read_off_the_names() -> None:
    v = Vocabulary()
    for i in range(2):
        v.flag(f"net.full[{i}]", "net")
        v.flag(f"net.late[{i}]", "net")
    v.flag("alone[0].x", "alone")
    found = families_of(System("names", tuple(v.variables), ()))
    assert {n: f.members for n, f in found.items()} == {"net": (("net.full[0]", "net.late[0]"), ("net.full[1]", "net.late[1]"))}  # fmt: skip # noqa: E501


def test_a_checkpoint_belongs_to_its_symmetry(tmp_path: Path) -> None:
    path = tmp_path / "search"
    explore(crowd(3), limits=Limits(max_states=20), checkpoint_path=path, symmetry=["guest"])
    with pytest.raises(CheckpointMismatch):
        explore(crowd(3), checkpoint_path=path)
    found = explore(crowd(3), checkpoint_path=path, symmetry=["guest"])
    assert found.states == explore(crowd(3), symmetry=["guest"]).states
