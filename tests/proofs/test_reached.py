"""The stored cuts are of today's model, can be walked, and answer for edits what a search answers."""

from __future__ import annotations

import functools
import random
from dataclasses import replace

import pytest

from model.decision_table import Table
from properties.verdict import Outcome
from solver.check import Subject, calm, one_crash
from solver.explore import Limits
from solver.reached import Reached, as_data, from_data, owner_of, stored_for
from solver.reached_search import CutsOfRun, shipped_subject
from solver.row_runs import ROW_RUNS, UNREACHED
from solver.sources import sources_digest
from solver.witness import StoredWitnesses, search_run, searched
from tests.proofs.edits import RECOVERY, deciding

SUBJECT = shipped_subject()


@functools.cache
def stored() -> Reached:
    found = stored_for(SUBJECT)
    assert found is not None, "the stored cuts are of another model: run make reached"
    return found


def under(table: Table) -> Subject:
    return replace(SUBJECT, policy=replace(SUBJECT.policy, table=table))


def test_they_are_of_this_model_and_of_the_shipped_table() -> None:
    assert stored().owner == owner_of(SUBJECT) and stored().table.digest == RECOVERY.digest
    assert stored().runs == len(SUBJECT.cases())
    assert from_data(as_data(stored())) == stored()


def test_another_contract_or_model_is_not_answered_by_them() -> None:
    other = replace(SUBJECT, policy=replace(SUBJECT.policy, practices=replace(SUBJECT.policy.practices, reads=False)))
    assert stored_for(other) is None
    assert sources_digest("model.system") != sources_digest("model.labels")


@pytest.mark.parametrize("case", [calm(SUBJECT.base), one_crash(SUBJECT.base)], ids=str)
def test_every_cut_of_a_small_run_is_stored_with_no_longer_way(case: object) -> None:
    run = CutsOfRun(SUBJECT.model(case))  # type: ignore[arg-type]
    lengths = {r.cut: len(r.actions) for r in stored().cuts if not r.elsewhere}
    found = list(run.ways(lambda cut, depth: True))
    assert found
    for cut, actions, _ in found:
        assert lengths[cut] <= len(actions)


def test_a_sample_of_the_ways_is_walked() -> None:
    """Every kind of run, within the suite and elsewhere: ``of`` walks a way again and refuses one that fails."""
    witnesses = StoredWitnesses(SUBJECT, stored())
    sample = random.Random(4).sample(range(len(stored().cuts)), 12)
    assert {stored().cuts[at].elsewhere for at in sample} == {False, True}
    for at in sample:
        reached = stored().cuts[at]
        region = {name: frozenset({value}) for name, value in stored().named[at].items()}
        found = witnesses.of(region)
        assert found.outcome is (Outcome.FAILS if reached.elsewhere else Outcome.HOLDS)
        assert found.trace is not None and found.trace.actions == reached.actions
        assert found.only_if == (reached.only_if if reached.elsewhere else ())


def test_rows_that_nothing_reaches_are_proved_impossible() -> None:
    witnesses = StoredWitnesses(SUBJECT, stored())
    for name in UNREACHED:
        found = witnesses.of(dict(RECOVERY.rule(name).cells))
        assert found.outcome is Outcome.FAILS and found.impossible and found.trace is None
    for name in ("unknown-unwanted", "absent-open-unrecognised"):
        assert not witnesses.of(dict(RECOVERY.rule(name).cells)).impossible


@pytest.mark.parametrize("row", ["absent-permitted", "committed-confirmed", "committed-unobserved", "absent-closable"])
def test_an_edit_is_reached_as_a_search_under_it_says(row: str) -> None:
    subject, region = under(deciding(row, "quarantine")), dict(RECOVERY.rule(row).cells)
    answer = StoredWitnesses(subject, stored()).of(region)
    run = search_run(subject, one_crash(SUBJECT.base), {0: region})
    live = searched([run], 0)
    assert run.cut_off_by is None and answer.outcome is Outcome.HOLDS
    if live.trace is not None:
        assert answer.trace is not None and len(answer.trace.actions) <= len(live.trace.actions)


def test_what_lies_behind_another_change_is_not_known_without_a_search() -> None:
    """Nobody adopts where nobody executes: the effect is never there."""
    edited = deciding("committed-confirmed", "quarantine", deciding("absent-permitted", "quarantine"))
    subject, region = under(edited), dict(RECOVERY.rule("committed-confirmed").cells)
    assert StoredWitnesses(subject, stored()).of(region).outcome is Outcome.UNKNOWN
    assert searched([search_run(subject, one_crash(SUBJECT.base), {0: region})], 0).outcome is Outcome.FAILS


def test_a_search_that_was_cut_off_does_not_say_no() -> None:
    region = dict(RECOVERY.rule("unknown-unwanted").cells)
    run = search_run(SUBJECT, one_crash(SUBJECT.base), {0: region}, Limits(max_states=50))
    assert run.cut_off_by == "max_states" and searched([run], 0).outcome is Outcome.UNKNOWN
    assert searched([], 0).outcome is Outcome.UNKNOWN


def test_runs_elsewhere_are_not_runs_of_the_suite() -> None:
    assert not {case.name for case in SUBJECT.cases()} & set(ROW_RUNS)
