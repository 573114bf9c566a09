"""Actions that are left out because contract, table and sizes make no room for them never happen anyway."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, fields

import pytest

from model.contract import EXAMPLES, load_contract
from model.contract_profile import profile_of, ticks_of
from model.kernel import Term
from model.policy import load_policy
from model.promises import CLAUSES, Profile, good_profile
from model.setting import FAULTS, Setting, Ticks
from model.system import Model, Parts
from model.table_file import load_table
from solver.exploration import Exploration
from tests.model.searches import met, searched, states

PARTS = [part.default for part in fields(Parts)]
POLICIES = ("recovery", "saga", "read-then-act")
SMALL = Setting(workers=1, messages=1, faults=frozenset(("crash", "delay", "withdraw")))
PAIR = Setting(messages=1, crashes=1, faults=frozenset(("crash", "outage")))


class Roomy(Model):
    """Leaves nothing out but what the guard does not say again: no key is forgotten where none ever ages."""

    def makes_room_for(self, what: str) -> bool:
        return what != "retention" or super().makes_room_for(what)


def left_out(model: Model) -> dict[str, Term]:
    """The guards of the actions that the model leaves out."""
    kept = {action.name for action in model.system().actions}
    roomy = Roomy(model.setting, model.profile, model.table)
    return {action.name: action.guard for action in roomy.system().actions if action.name not in kept}


def could_fire(model: Model, max_states: int | None = None) -> tuple[frozenset[str], Exploration]:
    """Actions that were left out and possible in a state that the model reaches.

    If there are none, then leaving them out changes no state: the first step of such an action would start
    in a state that the model reaches without it.
    """
    found = searched(model, left_out(model), max_states=max_states)
    return met(found), found


def shipped(contract: str, policy: str, setting: Setting, kind: type[Model] = Model) -> Model:
    """A contract under a policy, timed as it says."""
    terms, practices = load_contract(contract), load_policy(policy)
    sized = Setting(**{**vars(setting), "ticks": ticks_of(terms)})
    return kind(sized, profile_of(terms, practices.practices), practices.table)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("contract", EXAMPLES)
def test_what_is_left_out_is_never_possible(contract: str, policy: str) -> None:
    possible, found = could_fire(shipped(contract, policy, SMALL))
    assert found.complete
    assert not possible


@pytest.mark.parametrize("policy", POLICIES[:2])
def test_the_states_are_the_same_with_everything_in(policy: str) -> None:
    model, roomy = (shipped("example-refund", policy, SMALL, kind) for kind in (Model, Roomy))
    assert len(model.system().actions) < len(roomy.system().actions)
    assert states(searched(model)) == states(searched(roomy))


@dataclass(frozen=True)
class Need:
    """Where something that needs room happens: an action of it, faults, clauses, durations and the table."""

    action: str
    faults: tuple[str, ...]
    clauses: Profile = field(default_factory=dict)
    ticks: Ticks = field(default_factory=Ticks)
    table: str = "recovery"


REGENERATES: Profile = {"regenerates": (True,), "reads": (False,)}
NEEDS = {
    "compensation": Need("choose_compensate", ("crash", "withdraw")),
    "repeats": Need("withhold", ("crash", "delay", "pause"), {"enforces_fence": (False,)}, Ticks(2, 1, 1, 0)),
    "lag": Need("catch_up", (), {"lag": ("finite",)}),
    "settles_late": Need("accept", (), {"settles_late": (True,)}),
    "regenerates": Need("repeat_with_other_payload", ("crash",), REGENERATES, table="blind-retry"),
    "by_search": Need("find_a_lookalike", ("lookalike",), {"by_search": (True,)}),
    "prunes": Need("prune_record", ("prune",), {"prunes": (True,)}),
    "copies": Need("copy_request", ("copy",), {"copies": (True,)}),
    "store_down": Need("take_writes_again", ("store_down",)),
    "resubmit": Need("take_second_submission", ("resubmit",)),
    "generations": Need("next_generation", ("edit",)),
    "retention": Need("forget_key", ("forget",), {"enforces_fence": (False,)}, Ticks(2, 1, 1, 0)),
}
"""By what the model is asked to make room for."""


@pytest.mark.parametrize("what", NEEDS)
def test_leaving_out_too_much_is_noticed(what: str) -> None:
    need = NEEDS[what]
    generations = 2 if what == "generations" else 1
    setting = Setting(workers=1, generations=generations, faults=frozenset(need.faults), ticks=need.ticks)

    class Cramped(Model):
        """Makes no room for this."""

        def makes_room_for(self, other: str) -> bool:
            return other != what and super().makes_room_for(other)

    possible, _ = could_fire(Cramped(setting, {**good_profile(), **need.clauses}, load_table(need.table)))
    assert need.action in {name.partition("[")[0] for name in possible}


def test_every_need_is_named() -> None:
    """Whatever makes room for something in the model is tried above."""
    marks = [member.mark for part in PARTS for member in vars(part).values() if hasattr(member, "mark")]
    assert {mark.needs for mark in marks} - {None} == set(NEEDS)


@pytest.mark.parametrize("ends", [True, False], ids=["ends", "for ever"])
def test_a_key_is_forgotten_only_where_retention_ends(ends: bool) -> None:
    setting = Setting(faults=frozenset(("forget",)), ticks=Ticks(retention=1 if ends else None))
    actions = Model(setting, good_profile(), load_table("recovery")).system().actions
    assert any(action.name.startswith("forget_key") for action in actions) is ends


def at_random(seed: int) -> Model:
    """Any profile under any table, with a few faults; the seed decides."""
    pick = random.Random(seed)
    profile: dict[str, tuple[str, ...] | tuple[bool, ...]] = dict(good_profile())
    for name, clause in CLAUSES.items():
        if pick.random() < 0.35:
            labels = clause.labels
            profile[name] = (pick.random() < 0.5,) if labels is None else (pick.choice(labels.labels),)
    setting = Setting(
        workers=pick.choice((1, 2)),
        generations=pick.choice((1, 1, 2)),
        messages=pick.choice((1, 2)),
        crashes=1,
        faults=frozenset({"crash", *pick.sample(sorted(FAULTS), 4)}),
        ticks=pick.choice((Ticks(), Ticks(2, 1, 1, 0), Ticks(4, 1, 1, 1), Ticks(2, None, None, 0))),
    )
    return Model(setting, profile, load_table(pick.choice(("recovery", *POLICIES, "key-only", "at-most-once"))))


@pytest.mark.parametrize("seed", range(4))
def test_random_profiles_leave_out_nothing_possible(seed: int) -> None:
    assert not could_fire(at_random(seed), max_states=10_000)[0]


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("contract", EXAMPLES)
def test_two_workers_leave_out_nothing_possible(contract: str, policy: str) -> None:
    assert not could_fire(shipped(contract, policy, PAIR), max_states=300_000)[0]


@pytest.mark.slow
def test_many_random_profiles_leave_out_nothing_possible() -> None:
    assert not {seed: found for seed in range(4, 200) if (found := could_fire(at_random(seed), 40_000)[0])}
