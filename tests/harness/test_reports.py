"""The two interruption reports come out as published, and only because the table decides as it does."""

from __future__ import annotations

import pytest

from model.system import Parts
from properties.verdict import Outcome
from solver.harness import Harness, Told
from solver.replayed import replay
from solver.scenario import MOVES, TARGET
from tests.harness.edits import DECIDING, DECIDING_ROW, told

REPORT = {
    "checkpoint_only_negative": {"external_effects": 2, "workflow_phase": "COMPLETE"},
    "consume_once_claim": {"accepted_resumers": 1, "rejected_resumers": 1},
    "effect_readback_positive": {
        "approval_consumed": True,
        "external_effects": 1,
        "resumed_after_expiry": True,
        "workflow_phase": "COMPLETE",
    },
    "expired_authority_boundary": {
        "external_effects": 0,
        "reason": "approval has expired",
        "workflow_phase": "NEEDS_REAUTHORISATION",
    },
}
INPUTS = ("crash_point", "provider_idempotent", "provider_readable", "authority_revoked")
MATRIX = [
    (("after authority", True, True, False), ("execute", 0, "not started")),
    (("after remote commit", True, True, False), ("adopt", 1, "committed")),
    (("after remote commit", False, False, False), ("quarantine", 1, "unknown")),
    (("after send", False, False, True), ("reauthorise", 0, "unknown")),
]
EDITS = {
    "not-recorded": "abandon",
    "recorded-done": "quarantine",
    "absent-permitted": "quarantine",
    "claim-lost": "execute",
    "committed-unobserved": "quarantine",
    "committed-confirmed": "abandon",
    "absent-not-permitted": "quarantine",
    "absent-admitted": "adopt",
    "committed-unobservable": "execute",
    "unknown-unrecognised": "execute",
    "unknown-revoked": "quarantine",
}
"""Another decision for each deciding row."""


def all_runs(found: Harness) -> list[Told]:
    """Every scenario of both reports."""
    return [*found.cases, *found.rows]


def test_the_four_cases_come_out_as_published(found: Harness) -> None:
    assert found.report == REPORT


def test_the_matrix_comes_out_as_published(found: Harness) -> None:
    rows = [
        (tuple(entry[i] for i in INPUTS), (entry["decision"], entry["commits"], entry["effect"]))
        for entry in found.matrix
    ]
    assert rows == MATRIX
    assert found.outcome is Outcome.HOLDS


def test_every_turn_could_be_taken(found: Harness) -> None:
    assert {t.story.name: t.run.missed for t in all_runs(found) if t.run.missed} == {}


def test_every_run_replays(found: Harness) -> None:
    for one in all_runs(found):
        assert replay(one.run.plain, one.run.states[0], one.run.actions) == one.run.states


def test_every_decision_was_made_by_a_row_that_says_so(found: Harness) -> None:
    for one in all_runs(found):
        table = one.run.model.table
        assert one.run.rulings
        for ruling in one.run.rulings:
            assert ruling.rule is not None
            assert table.rule(ruling.rule).decision == ruling.decision
            assert table.lookup(ruling.cut) == table.rule(ruling.rule)


def test_the_deciding_rows_decided(found: Harness) -> None:
    rules = {t.story.name: {r.rule for r in t.run.rulings} for t in found.cases}
    assert {case: rules[case] >= set(named) for case, named in DECIDING.items()} == dict.fromkeys(rules, True)
    assert tuple(t.run.rulings[-1].rule for t in found.rows) == DECIDING_ROW


@pytest.mark.parametrize(("case", "rule"), [(case, rule) for case, rules in DECIDING.items() for rule in rules])
def test_another_decision_in_a_deciding_row_changes_the_case(case: str, rule: str) -> None:
    other = told(case, rule, EDITS[rule])
    assert other.entry != REPORT[case]
    assert other.outcome is Outcome.FAILS
    assert set(other.entry) == set(REPORT[case])


@pytest.mark.parametrize(("row", "rule"), list(enumerate(DECIDING_ROW)))
def test_another_decision_in_a_deciding_row_changes_the_matrix(row: int, rule: str) -> None:
    other = told(row, rule, EDITS[rule])
    assert other.entry["decision"] == EDITS[rule]
    assert other.outcome is Outcome.FAILS


def test_a_row_that_decides_nothing_here_changes_nothing() -> None:
    assert told("effect_readback_positive", "unknown-expired", "quarantine").outcome is Outcome.HOLDS


def test_what_an_edit_does_is_read_from_the_world() -> None:
    """A resumer that acts on an expired approval is refused by the authority, and nothing happens."""
    entry = told("expired_authority_boundary", "absent-not-permitted", "execute").entry
    assert entry == {"external_effects": 0, "reason": "approval has expired", "workflow_phase": "NOT_ADMITTED"}


def test_a_resumer_that_never_came_has_decided_nothing() -> None:
    """Worker 0 hands the case over before it sends, so there is nothing to crash out of and nothing to resume."""
    other = told(0, "absent-permitted", "quarantine")
    assert (other.entry["decision"], other.entry["commits"], other.entry["effect"]) == (None, 0, None)
    assert "worker 0 crashes" in other.run.missed


def test_a_walk_leaves_no_step_of_a_worker_out() -> None:
    """Every step of one worker that is no fault is in the list that a walk chooses from."""
    steps = {
        name
        for part in vars(Parts()).values()
        for name, member in vars(part).items()
        if hasattr(member, "mark") and member.mark.fault is None and _first_parameter(member) == "w"
    }
    assert steps == set(MOVES)
    assert not steps & set(TARGET)


def _first_parameter(method: object) -> str:
    code = method.__code__  # type: ignore[attr-defined]
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
    return names[1] if len(names) > 1 else ""
