"""Does the abstract world of the table proof cover what the model reaches?"""

from __future__ import annotations

import functools
from collections.abc import Sequence

import pytest
from z3 import And, If, Not

from model.contract import load_contract
from model.contract_profile import profile_of, ticks_of
from model.cut import Cut
from model.kernel import Term
from model.labels import Seen
from model.policy import load_policy
from model.promises import Profile, good_profile
from model.setting import Setting, Ticks
from model.specialise import specialise
from model.system import Model, Parts
from model.table_file import load_table
from model.table_inputs import AttemptState, Effect
from solver.abstract_state import CasePhase, Stage
from solver.abstraction import Abstraction, coverage_terms, premises
from solver.exploration import Exploration
from solver.explore import Limits, explore

BASE = ("crash", "pause", "loss", "delay", "outage")
CONTRACTS = {
    "example-refund": (*BASE, "errors", "refusals"),
    "s3_put_if_none_match": (*BASE, "errors", "move"),
    "smtp": (*BASE, "errors", "refusals", "withdraw", "expire", "void"),
    "sqs_fifo": (*BASE, "errors", "forget", "copy", "skew"),
    "stripe_v1": (*BASE, "forget", "refusals"),
}


def built(profile: Profile, faults: Sequence[str], ticks: Ticks, parts: Parts | None = None, **bounds: int) -> Model:
    """A model under the shipped table."""
    return Model(Setting(faults=frozenset(faults), ticks=ticks, **bounds), profile, load_table("recovery"), parts)


def of_contract(name: str, faults: Sequence[str]) -> Model:
    """The model of a shipped contract under the shipped policy."""
    contract = load_contract(name)
    return built(profile_of(contract, load_policy("recovery").practices), faults, ticks_of(contract))


def explored(model: Model, terms: dict[str, Term], most: int = 200_000) -> Exploration:
    """Where each term holds in the reachable states."""
    whole = specialise(model.system())
    return explore(whole.system, {n: whole.term(t) for n, t in terms.items()}, limits=Limits(max_states=most))


def uncovered(model: Model) -> set[str]:
    """The coverage terms that are false in some reachable state."""
    found = explored(model, {n: Not(t) for n, t in coverage_terms(model).items()})
    assert found.complete
    return {name for name, at in found.first.items() if at is not None}


@pytest.mark.parametrize("name", CONTRACTS)
def test_the_proof_covers_what_a_contract_reaches(name: str) -> None:
    model = of_contract(name, CONTRACTS[name])
    assert uncovered(model) == set()


@functools.cache
def good() -> Model:
    """A target that keeps every promise, with the faults that bring out most of the abstract world."""
    profile = good_profile() | {"settles_late": (True,)}
    return built(profile, ("crash", "loss", "withdraw", "refusals", "void"), Ticks())


def test_the_proof_covers_late_settlement_and_withdrawal() -> None:
    assert uncovered(good()) == set()


def test_the_abstract_world_is_not_trivial() -> None:
    model = good()
    world = Abstraction(model, 0).world()
    flags = ("pending", "covered", "admitted", "hopeless", "undone", "undo_out", "asked_admitted", "asked_valid")
    terms = {n: getattr(world, n) for n in flags} | {"landable": world.landable > 0, "commits": world.commits > 0}
    terms |= {f"phase {x}": world.phase == getattr(CasePhase, x) for x in CasePhase.labels}
    terms |= {f"stage {x}": world.stage == getattr(Stage, x) for x in Stage.labels}
    found = explored(model, terms)
    assert [n for n, at in found.first.items() if at is None] == []
    assert [n for n, count in found.holds_count.items() if n != "covered" and count == found.states] == []


class Hopeful(Cut):
    """Takes every attempt for closed."""

    def attempt(self, w: int) -> Term:
        return AttemptState.closed


class Credulous(Cut):
    """Takes an outage for absence."""

    def effect(self, w: int) -> Term:
        worker = self.model.workers[w]
        closed = self.attempt(w) == AttemptState.closed
        return If(And(worker.seen == Seen.outage, closed), Effect.absent, super().effect(w))


@pytest.mark.parametrize(("mutant", "clause"), [(Hopeful, "shut_attempts_cannot_land"), (Credulous, "stable_absence")])
def test_a_cut_that_claims_too_much_is_seen(mutant: type[Cut], clause: str) -> None:
    model = built(good_profile(), ("crash", "loss", "delay", "outage", "pause"), Ticks(), Parts(mutant))
    assert any(name.endswith(clause) for name in uncovered(model))


def test_a_premise_that_does_not_hold_silences_the_terms() -> None:
    model = built(good_profile() | {"checks_claim": (False,)}, ("pause",), Ticks(), messages=1)
    assert uncovered(model) == set()
    given = explored(model, {n: Not(t) for n, t in premises(model.promises, model.setting).items()})
    assert [n for n, at in given.first.items() if at is not None] == ["claims are checked"]


def test_a_duplicate_is_seen_by_the_invariant() -> None:
    profile = good_profile() | {"recognises": (False,), "enforces_fence": (False,)}
    model = built(profile, ("crash", "delay", "pause"), Ticks(), Parts(Hopeful), messages=1)
    assert "invariant[0]: at_most_one_effect" in uncovered(model)
    found = explored(model, {"twice": model.history.net(0) > 1})
    assert found.first["twice"] is not None


def test_nothing_is_said_of_a_table_that_does_not_keep_the_invariant() -> None:
    setting = Setting(faults=frozenset({"crash"}), messages=1)
    assert coverage_terms(Model(setting, good_profile(), load_table("blind-retry"))) == {}
    assert coverage_terms(Model(setting, good_profile(), load_table("recovery"))) != {}
