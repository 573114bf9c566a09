"""Least changes and thresholds: minimal sets as trying everything finds them, boundaries confirmed on both sides."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.contract import Contract, load_contract
from model.contract_rules import Value
from model.durations import parse_duration
from model.policy import load_policy
from solver.assessments import stored_assessments
from solver.completions import definite_of, worst_case
from solver.contract_habits import DUPLICATE
from solver.contract_judged import RECOVERY as RECOVERED
from solver.contract_judged import all_thresholds, strengthenings
from solver.strengthening import CALLER, PROVIDER, Step, changed, least_sets, steps_of
from solver.thresholds import Endless, Threshold, Wait, thresholds

RECOVERY, KEY_ONLY = load_policy("recovery"), load_policy("key-only")
KNOWN, REPEATING = stored_assessments(RECOVERY), stored_assessments(KEY_ONLY)
QUEUE: Mapping[str, Value] = {
    "delivery.max_delay": "30s", "delivery.deadline": "none", "idempotency.on_concurrent": "conflict",
    "recovery.longest_resume": "1h",
}  # fmt: skip
"""A queue that drops repeats for five minutes, and a caller who resumes within the hour."""
STEPS = tuple(Step(PROVIDER, str(n), ()) for n in range(6))


@cache
def queue() -> Contract:
    """The contract of the queue, with nothing left open."""
    return load_contract("sqs_fifo").with_clauses(QUEUE)


def alone(contract: Contract) -> bool:
    """Whether recovery ends without a person."""
    return KNOWN.summary(definite_of(contract, RECOVERY.practices)).automatic


def no_duplicate(contract: Contract) -> bool:
    """Whether a repeat under the same key makes no second effect."""
    return DUPLICATE not in REPEATING.summary(definite_of(contract, KEY_ONLY.practices)).broken


@given(st.sets(st.frozensets(st.sampled_from(STEPS), min_size=1), max_size=6))
def test_least_sets_are_all_minimal_sets(wanted: set[frozenset[Step]]) -> None:
    """For any monotone question, whose minimal sets are those of ``wanted`` that contain no other."""
    minimal = {some for some in wanted if not any(other < some for other in wanted)}
    found = least_sets(STEPS, lambda chosen: any(some <= chosen for some in wanted))
    assert set(found) == minimal and len(found) == len(minimal)
    assert [len(some) for some in found] == sorted(len(some) for some in found)


def test_nothing_is_enough_where_all_together_are_not() -> None:
    assert least_sets(STEPS, lambda chosen: False) == ()


def test_what_a_mail_server_would_have_to_promise() -> None:
    """No dedup, no fence, no look-up, and requests that may be on their way for ever."""
    worst = worst_case(load_contract("smtp"), RECOVERY.practices).contract
    found = [frozenset(step.says for step in some) for some in strengthenings(worst, KNOWN)]
    for_ever = "recognise a repeat by a key and keep it for ever"
    assert frozenset({for_ever}) in found
    finite = [some for some in found if any("outlives the latest arrival" in says for says in some)]
    assert finite and all(any("bound the delay" in says for says in some) for some in finite)
    fenced = [some for some in found if any("looked up" in says for says in some)]
    assert fenced and all({"refuse requests under an older epoch"} < some for some in fenced)
    assert all(any("told" in says or "tell" in says for says in some) for some in fenced)
    for some in strengthenings(worst, KNOWN):
        for left_out in some:
            fewer = changed(worst, [step for step in some if step is not left_out])
            assert fewer is not None and not alone(fewer)


def test_steps_change_something_and_say_whose_they_are() -> None:
    for name in ("smtp", "sqs_fifo", "stripe_v1", "example-refund"):
        worst = worst_case(load_contract(name), RECOVERY.practices).contract
        for step in steps_of(worst):
            better = changed(worst, [step])
            assert step.side in (PROVIDER, CALLER)
            assert better is None or better != worst


@pytest.mark.slow
def test_the_five_minutes_of_a_queue() -> None:
    found = {(t.clause, t.says): t for t in thresholds(queue(), no_duplicate) if isinstance(t, Threshold)}
    says = "idempotency.retention must be at least recovery.longest_resume + delivery.max_delay"
    boundary = found["idempotency.retention", says]
    assert boundary.value == (3600 + 30) * 1000 and boundary.beyond == boundary.value - 1 and not boundary.strict
    assert not no_duplicate(queue())
    assert no_duplicate(queue().with_clauses({"idempotency.retention": "3630s"}))
    assert not no_duplicate(queue().with_clauses({"idempotency.retention": "3629999ms"}))


def test_a_queue_duplicates_below_the_latest_arrival_and_not_from_there_on() -> None:
    assert no_duplicate(queue().with_clauses({"idempotency.retention": "3630s"}))
    assert not no_duplicate(queue().with_clauses({"idempotency.retention": "3629999ms"}))


@pytest.mark.slow
def test_recovery_also_allows_for_the_clock() -> None:
    (boundary,) = [t for t in thresholds(queue(), alone) if t.clause == "idempotency.retention"]
    assert isinstance(boundary, Threshold) and boundary.value == 3631 * 1000
    assert boundary.sum_of == ("recovery.longest_resume", "delivery.max_delay", "recovery.clock_skew")
    assert alone(queue().with_clauses({"idempotency.retention": "3631s"}))
    assert not alone(queue().with_clauses({"idempotency.retention": "3630999ms"}))


@pytest.mark.slow
def test_no_finite_retention_is_enough_without_a_bound_on_delay() -> None:
    endless = queue().with_clauses({"delivery.max_delay": "unbounded"})
    found = [t for t in thresholds(endless, alone) if t.clause == "idempotency.retention"]
    assert found == [Endless("idempotency.retention", "while delivery.max_delay is unbounded")]


@pytest.mark.slow
@pytest.mark.parametrize("clause", ["idempotency.retention", "delivery.max_delay", "recovery.longest_resume"])
def test_halving_finds_the_only_flip(clause: str) -> None:
    """Every value at which the order among the sums changes, asked one by one."""
    for holds in (alone, no_duplicate):
        by_clause = {t.clause: t for t in thresholds(queue(), holds)}
        seconds = (1, 30, 31, 269, 270, 300, 3570, 3599, 3600, 3601, 3630, 3631)
        spans = sorted({s * 1000 + d for s in seconds for d in (-1, 0, 1)})
        verdicts = [holds(queue().with_clauses({clause: f"{span}ms"})) for span in spans]
        flips = [(a, b) for (a, x), (b, y) in itertools.pairwise(zip(spans, verdicts, strict=True)) if x != y]
        expected = by_clause.get(clause)
        known = isinstance(expected, Threshold)
        assert flips == ([tuple(sorted((expected.value, expected.beyond)))] if known else [])  # type: ignore[union-attr]


def test_an_absence_counts_only_after_the_lag() -> None:
    """Without a key all rests on the look-up: read at once it says nothing, after the lag it is stable."""
    says: dict[str, Value] = {
        "readback.lag": "1h", "idempotency.mechanism": "none", "idempotency.scope": "none",
        "idempotency.on_repeat": "executes", "idempotency.on_other_payload": "executes",
        "idempotency.remembers_errors": False, "idempotency.retention": "0s",
    }  # fmt: skip
    lagging = load_contract("example-refund").with_clauses(says)
    found = all_thresholds(lagging, KNOWN, REPEATING)[RECOVERED]
    (wait,) = [t for t in found if isinstance(t, Wait)]
    assert wait.span == "1h" and wait.waited[0] == wait.waited[1] > 0 and wait.early[0] < wait.early[1]


def test_steps_add_up() -> None:
    """Two fences are both there, and of two bounds of a lag the stronger counts: more steps never do harm."""
    nowhere = load_contract("example-refund").with_clauses({"fencing.at": (), "readback.lag": "unbounded"})
    whole = changed(nowhere, steps_of(nowhere))
    assert whole is not None and whole.fencing.at == ("checkpoint", "gateway") and whole.readback.lag == "0s"


def flips_at(border: int, holds_from: bool) -> list[Threshold | Endless]:
    """The thresholds of a verdict on the retention alone, which flips at this many ms."""
    contract = load_contract("example-refund").with_clauses({"recovery.clock_skew": "500ms"})

    def holds(other: Contract) -> bool:
        return ((parse_duration(str(other.idempotency.retention)) or 0) >= border) is holds_from

    return [t for t in thresholds(contract, holds) if t.clause == "idempotency.retention"]


@pytest.mark.parametrize("rising", [True, False])
def test_long_durations_are_asked_about_as_a_file_can_say_them(rising: bool) -> None:
    """Beyond 11 days a file says whole seconds, and a sum with half a second in it lies between two of them."""
    arrival = 30 * 86_400_000 + 900_000 + 500
    contract = load_contract("example-refund").with_clauses(
        {"recovery.clock_skew": "500ms", "recovery.longest_resume": "30d"}
    )
    asked: list[str] = []

    def holds(other: Contract) -> bool:
        asked.append(str(other.idempotency.retention))
        return ((parse_duration(asked[-1]) or 0) >= arrival) is rising

    (found,) = [t for t in thresholds(contract, holds) if t.clause == "idempotency.retention"]
    assert isinstance(found, Threshold) and found.at_least is rising and not found.strict
    assert {found.value, found.beyond} == {arrival - 500, arrival + 500}
    assert {f"{found.value // 1000}s", f"{found.beyond // 1000}s"} <= set(asked)


def test_a_strict_inequality_is_said_so() -> None:
    arrival = 72 * 3_600_000 + 900_000 + 500
    (found,) = flips_at(arrival + 1, True)
    assert isinstance(found, Threshold) and found.strict and (found.value, found.beyond) == (arrival + 1, arrival)
    (found,) = flips_at(arrival, True)
    assert isinstance(found, Threshold) and not found.strict and found.value == arrival
