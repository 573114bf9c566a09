"""The suite of a check has every pair of faults together, and fault-free runs end without a person."""

from __future__ import annotations

from dataclasses import replace

import pytest

from model.contract import EXAMPLES, load_contract
from model.contract_profile import ticks_of
from model.policy import load_policy
from model.setting import FAULTS, Setting, Ticks
from properties import endings
from solver.check import Subject, calm, one_crash
from solver.suite import Case, default_suite, uncovered_pairs
from tests.model.searches import met, searched

SUITE = default_suite(Setting())
FOR_SIZES = {"generations": "a second generation", "unreduced": "no reduction", "records": "whole records"}
"""Runs that have no pair of their own: they are there for what they are."""
PAIRED = [c for c in SUITE if c.name not in FOR_SIZES]


def with_run(changed: Case) -> list[Case]:
    """The suite with one run changed."""
    return [changed if c.name == changed.name else c for c in SUITE]


def test_every_pair_of_faults_occurs_together() -> None:
    assert uncovered_pairs(SUITE) == []


def test_runs_have_names_of_their_own() -> None:
    assert len({c.name for c in SUITE}) == len(SUITE)


@pytest.mark.parametrize("case", PAIRED, ids=lambda c: c.name)
def test_no_fault_of_a_paired_run_can_be_dropped(case: Case) -> None:
    for fault in case.setting.faults:
        pairs = uncovered_pairs(with_run(replace(case, setting=case.setting.without(fault))))
        assert pairs and all(fault in pair for pair in pairs)


def test_a_suite_without_a_fault_lacks_all_its_pairs() -> None:
    for fault in FAULTS:
        gone = [replace(c, setting=c.setting.without(fault)) for c in SUITE]
        assert len(uncovered_pairs(gone)) == len(FAULTS) - 1


def test_the_other_runs_are_there_for_what_they_are() -> None:
    by_name = {c.name: c.setting for c in SUITE}
    assert [name for name, s in by_name.items() if s.generations > 1] == ["generations"]
    assert [name for name, s in by_name.items() if not s.collapse] == ["unreduced"]
    assert [name for name, s in by_name.items() if s.records] == ["records"]
    assert {"generations", "unreduced", "records"} == set(FOR_SIZES)
    assert "edit" in by_name["generations"].faults
    assert {"pause", "expire"} <= by_name["unreduced"].faults


@pytest.mark.parametrize("case", [*SUITE, calm(Setting()), one_crash(Setting())], ids=lambda c: c.name)
def test_bounds_name_sizes_faults_and_reduction(case: Case) -> None:
    sizes, _, faults = case.bounds.partition("faults: ")
    named = faults.removesuffix("; unreduced").removesuffix("; with records")
    assert named == (", ".join(f for f in FAULTS if f in case.setting.faults) or "none")
    assert faults.endswith("; unreduced") is not case.setting.collapse
    assert faults.endswith("; with records") is case.setting.records
    assert f"workers {case.setting.workers}, " in sizes
    assert f"generations {case.setting.generations}, " in sizes


def test_bounds_name_crashes_and_time() -> None:
    crash = one_crash(Setting(ticks=Ticks(3, 2, 1, 1)))
    assert "crashes 1; retention 3, delay 2, resume 1, skew 1; faults: crash" in crash.bounds
    assert "any crashes; nothing is timed; faults: all" in Case("everything", Setting()).bounds


def test_durations_reach_every_run_but_those_where_time_stands_still() -> None:
    timed = default_suite(Setting(ticks=Ticks(3, 2, 1, 1)))
    assert [c.name for c in timed if c.setting.ticks == Ticks()] == ["records", "unreduced"]


MUST_FINISH = {
    "example-refund": (True, True),
    "s3_put_if_none_match": (True, True),
    "smtp": (True, False),
    "sqs_fifo": (True, False),
    "stripe_v1": (True, False),
}
"""Whether a contract must finish without a person where nothing goes wrong, and after one crash."""


@pytest.mark.parametrize("contract", EXAMPLES)
@pytest.mark.parametrize("crash", [False, True], ids=["no faults", "one crash"])
def test_what_must_finish_alone_does(contract: str, crash: bool) -> None:
    terms = load_contract(contract)
    subject = Subject(terms, load_policy("recovery"), Setting())
    base = replace(subject.base, ticks=ticks_of(terms))
    model = subject.model(one_crash(base) if crash else calm(base))
    must = endings.must_survive_a_crash_alone(model) if crash else endings.must_finish_alone(model)
    assert must is MUST_FINISH[contract][crash]
    found = searched(model, {"asks": endings.asks_a_person(model), "closes": endings.closed(model)})
    assert found.complete
    assert "closes" in met(found)
    assert not must or "asks" not in met(found)


def test_a_policy_that_asks_a_person_is_noticed() -> None:
    """A crash under the contract that promises least needs somebody, so the search does see it."""
    terms = load_contract("smtp")
    model = Subject(terms, load_policy("recovery"), Setting()).model(one_crash(Setting()))
    assert met(searched(model, {"asks": endings.asks_a_person(model)})) == {"asks"}
