"""Every shipped contract under every shipped policy: compiled code finds what numpy finds, up to the traces."""

from __future__ import annotations

from dataclasses import replace

import pytest
import z3

from model.contract import EXAMPLES, load_contract
from model.contract_profile import ticks_of
from model.policy import load_policy
from model.setting import Setting
from model.specialise import Specialised, specialise
from model.system import Model
from properties.safety import PROPERTIES
from properties.variants import BASIC
from solver.check import Subject
from solver.engine import Engine
from solver.explore import Exploration, explore
from solver.partial_order import reduced
from solver.suite import Case
from solver.symmetry import NotSymmetric

POLICIES = ("at-most-once", "blind-retry", "checkpoint-only", "key-only", "read-then-act", "recovery", "saga")
FEW = {("example-refund", "recovery"), ("smtp", "blind-retry")}
PAIRS = [
    pytest.param(contract, policy, marks=[] if (contract, policy) in FEW else [pytest.mark.slow])
    for contract in EXAMPLES
    for policy in POLICIES
]


def model_of(contract: str, policy: str) -> Model:
    """Two workers of which one may crash once, and requests that get lost or come late."""
    read = load_contract(contract)
    setting = Setting(workers=2, faults=frozenset(BASIC), crashes=1, ticks=ticks_of(read))
    return Subject(read, load_policy(policy), setting).model(Case("agreement", setting))


def asked(model: Model, special: Specialised) -> dict[str, z3.ExprRef]:
    """Every property, broken, and every premise."""
    broken = {f"not {p.name}": special.term(z3.Not(p.holds(model))) for p in PROPERTIES}
    return broken | {f"premise {p.name}": special.term(p.premise(model)) for p in PROPERTIES}


def traces(found: Exploration) -> dict[str, object]:
    """A shortest trace to the first state where each predicate holds."""
    return {name: found.trace(index) for name, index in found.first.items() if index is not None}


@pytest.mark.parametrize(("contract", "policy"), PAIRS)
def test_the_same_states_counts_and_counterexamples(contract: str, policy: str) -> None:
    model = model_of(contract, policy)
    special = specialise(model.system())
    predicates = asked(model, special)
    expected = explore(special.system, predicates, engine=Engine("numpy"))
    assert expected.complete and expected.states > 300
    for engine in (Engine("compiled", 2), Engine("auto", 2, large=1_000)):
        found = explore(special.system, predicates, engine=engine)
        assert (found.levels, found.fired, found.holds_count) == (
            expected.levels, expected.fired, expected.holds_count)  # fmt: skip
        assert (found.words == expected.words).all()
        assert found.first == expected.first
        assert traces(found) == traces(expected)


@pytest.mark.parametrize(("contract", "policy"), PAIRS)
def test_reductions_meet_the_same_predicates(contract: str, policy: str) -> None:
    model = model_of(contract, policy)
    special = specialise(model.system())
    predicates = asked(model, special)
    whole = explore(special.system, predicates)
    met = {name for name, index in whole.first.items() if index is not None}
    ordered = explore(reduced(special.system, predicates.values()).system, predicates)
    assert {name for name, index in ordered.first.items() if index is not None} == met
    folded = explore(special.system, predicates, symmetry=["worker"])
    assert {name for name, index in folded.first.items() if index is not None} == met
    assert whole.states / 2 <= folded.states < whole.states
    assert folded.depth == whole.depth


def test_a_property_of_one_worker_is_refused_with_symmetry() -> None:
    model = model_of("stripe_v1", "recovery")
    special = specialise(model.system())
    first = special.term(model.workers[0].lost)
    with pytest.raises(NotSymmetric, match="'first is lost' tells its members apart"):
        explore(special.system, {"first is lost": first}, symmetry=["worker"])


def test_one_worker_is_no_family() -> None:
    read = load_contract("stripe_v1")
    setting = replace(Setting(workers=1, ticks=ticks_of(read)), faults=frozenset(BASIC))
    model = Subject(read, load_policy("recovery"), setting).model(Case("alone", setting))
    with pytest.raises(NotSymmetric, match="no family 'worker' of two members or more"):
        explore(specialise(model.system()).system, symmetry=["worker"])
