"""Named situations are met, each by a replayed trace; the state that shows a fault is met only with the fault."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest
from z3 import Not

from model.setting import FAULTS
from model.system import Model
from properties.fault_states import FAULT_STATES
from properties.reachables import SEAMS, SITUATIONS, Reachable
from properties.variants import VARIANTS, variant_model
from solver.exploration import Exploration
from tests.model.searches import met, searched, states, trace_to

by_name = pytest.mark.parametrize("wanted", [*SEAMS, *SITUATIONS], ids=lambda r: r.name)
by_fault = pytest.mark.parametrize("shown", FAULT_STATES, ids=lambda r: str(r.fault))


@functools.cache
def looked_for(variant: str) -> tuple[Model, Exploration]:
    """A variant, searched until all its situations are met."""
    model = variant_model(variant)
    terms = {r.name: r.where(model) for r in (*SEAMS, *SITUATIONS) if r.variant == variant}
    return model, searched(model, terms, stop_when=terms, max_states=1_000_000)


@by_name
def test_a_situation_is_met(wanted: Reachable) -> None:
    model, found = looked_for(wanted.variant)
    assert trace_to(found, wanted.name, wanted.where(model)).shows == wanted.name


def test_the_default_contract_meets_every_seam_without_help() -> None:
    """All seams but the one that the reduction removes belong to the default variant."""
    assert {r.name for r in SEAMS if r.variant != "default"} == {"seam_authority_expired_retry_in_flight"}


def test_every_variant_is_used() -> None:
    assert {r.variant for r in (*SEAMS, *SITUATIONS, *FAULT_STATES)} == set(VARIANTS)


def alone(variant: str, *faults: str) -> Model:
    """The smallest run of a variant: one worker, room for one request (two for copies), and these faults."""
    model = variant_model(variant)
    messages = 2 if variant == "copying" else 1
    setting = replace(model.setting, workers=1, messages=messages, generations=1, faults=frozenset(faults))
    return Model(setting, model.profile, model.table, name=variant)


@functools.cache
def without_faults(variant: str) -> Exploration:
    """Everything that happens in a variant where nothing goes wrong."""
    model = alone(variant)
    return searched(model, {r.name: r.where(model) for r in FAULT_STATES if r.variant == variant})


@by_fault
def test_a_fault_alone_leads_to_its_state_and_to_more_states(shown: Reachable) -> None:
    """Without the fault the state is out of reach, and everything else that happens still happens with it."""
    model = alone(shown.variant, str(shown.fault))
    quiet, faulty = without_faults(shown.variant), searched(model, {shown.name: shown.where(model)})
    assert quiet.complete and faulty.complete
    assert shown.name not in met(quiet)
    assert states(quiet) < states(faulty)
    assert trace_to(faulty, shown.name, shown.where(model)).actions


def test_every_fault_has_a_state() -> None:
    assert sorted(str(r.fault) for r in FAULT_STATES) == sorted(FAULTS)


def test_what_holds_everywhere_is_reported_without_a_fault() -> None:
    """A fault state that needs no fault would be noticed."""
    model = alone("default")
    term = Not(FAULT_STATES[0].where(model))
    assert met(searched(model, {"always": term})) == {"always"}


@pytest.mark.slow
@by_fault
def test_other_faults_do_not_lead_to_the_state(shown: Reachable) -> None:
    """Beside crashes, pauses, losses and delays as the variant has them, still only the fault itself does."""
    fault = str(shown.fault)
    model = variant_model(shown.variant)
    model = Model(model.setting.without(fault), model.profile, model.table, name=shown.variant)
    found = searched(model, {shown.name: shown.where(model)})
    assert found.complete
    assert not met(found)
