"""Interruptions: read off the graph as a walk in plain Python finds them, and the classes that follow."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Mapping
from functools import cache

import pytest
from z3 import Or

from model.contract import EXAMPLES, Contract, ContractError, load_contract
from model.contract_rules import Value
from model.kernel import System
from model.labels import Kind, Move
from model.policy import load_policy
from model.promises import CLAUSES
from model.system import Model
from properties import endings
from solver.assessment import RUN, STALE, Assessment, Assessor, setting_of
from solver.completions import NO_KEY, UNSEEN, VALUES, completions, covers_all, definite_of, worst_case
from solver.contract_class import RecoveryClass, classify, weakest
from solver.definite import OF_LOOKS, OF_REPEATS, UNTOUCHED, Definite, bare
from solver.interruptions import MOMENTS, moment_of
from solver.plain_step import PlainModel

RECOVERY = load_policy("recovery")
ASSESSOR = Assessor(RECOVERY.table)
BOUNDED: Mapping[str, Value] = {
    "delivery.max_delay": "30s", "delivery.deadline": "none", "idempotency.on_concurrent": "conflict",
    "recovery.longest_resume": "1h",
}  # fmt: skip


@cache
def assessed(definite: Definite) -> Assessment:
    """Both searches, made once for all tests of this file."""
    return ASSESSOR.assess(bare(definite))


def definite(name: str, **changes: Value) -> Definite:
    """A shipped contract, the undefined at worst, with other clauses (``section__key``)."""
    contract = worst_case(load_contract(name), RECOVERY.practices).contract
    return definite_of(
        contract.with_clauses({k.replace("__", "."): v for k, v in changes.items()}), RECOVERY.practices
    )


def walked(model: Model, system: System) -> dict[tuple[str, int, int], tuple[int, int]]:
    """For each kind of crash the states after it, and how many end alone, by a walk over all states in plain Python."""
    plain = PlainModel(system)
    fair, crashes = endings.fair(system), {a.name for a in system.actions if a.name.startswith("crash")}
    start = {v.name: v.starts[0] for v in system.variables}
    steps: dict[tuple[int, ...], list[tuple[str, tuple[int, ...]]]] = {}
    left = [tuple(start.values())]
    while left:
        state = left.pop()
        if state in steps:
            continue
        steps[state] = []
        values = dict(zip(start, state, strict=True))
        for action in plain.enabled(values):
            after = tuple(plain.step(values, action).values())
            steps[state].append((action, after))
            left.append(after)

    def all_with(term: object) -> set[tuple[int, ...]]:
        return {s for s in steps if plain.value(term, dict(zip(start, s, strict=True)))}

    asks, closed = all_with(endings.asks_a_person(model)), all_with(endings.closed(model))
    good = closed - asks
    grown = True
    while grown:
        calm = {s: [t for a, t in steps[s] if a in fair and t != s] for s in steps}
        more = {s for s in steps if s not in good | asks and calm[s] and all(t in good for t in calm[s])}
        grown = bool(more)
        good |= more
    flying = all_with(Or(*[n.kind == Kind.execute for n in model.network.slots]))
    kinds: dict[tuple[str, int, int], set[tuple[int, ...]]] = {}
    for state in steps.keys() - asks - closed:
        values = dict(zip(start, state, strict=True))
        for action, after in steps[state]:
            if action in crashes:
                move = Move.labels[values[f"worker[{action[6]}].move"]]
                kind = moment_of(move), plain.value(model.gateways[0].world, values), int(state in flying)
                kinds.setdefault(kind, set()).add(after)
    return {kind: (len(states), len(states & good)) for kind, states in kinds.items()}


def test_the_points_are_what_a_walk_finds() -> None:
    """Under a contract without time or cycles every fair run is a finite one, and counting is all there is to it."""
    small = bare(definite("smtp"))
    model = Model(setting_of(RUN, small.ticks), small.profile, RECOVERY.table, name=RUN)
    points = assessed(small).crash.points
    found = walked(model, model.system())
    assert sorted(found.values()) == sorted((p.states, p.alone) for p in points)
    by_moment = Counter((kind[0], *counts) for kind, counts in found.items())
    assert by_moment == Counter((p.moment, p.states, p.alone) for p in points)


def test_without_key_fence_and_look_up_a_person_is_needed_from_the_release_on() -> None:
    points = assessed(definite("smtp")).crash.points
    before = [p for p in points if "no effect" in p.name and p.moment.startswith("after it chose")]
    assert [p.ends for p in before] == ["alone"]
    waiting = [p for p in points if p.moment == "while it waited for the answer"]
    assert len(waiting) == 3 and all(p.ends == "person" and p.alone == 0 for p in waiting)
    assert {d for p in waiting for d, _ in p.rules} == {"quarantine"}


def test_the_classes_of_well_known_contracts() -> None:
    def kind(d: Definite) -> RecoveryClass:
        return classify(d, lambda other: assessed(other).summary).kind

    assert kind(definite("smtp")) is RecoveryClass.PERSON
    assert kind(definite("sqs_fifo", idempotency__retention="forever", idempotency__on_concurrent="conflict")) is (
        RecoveryClass.REPEAT
    )


def test_a_kept_error_is_never_answered_with_another_try() -> None:
    """A provider that keeps a 500 under the key: look, and do not send under a new key while nothing is known."""
    kept = assessed(definite("stripe_v1")).crash.points
    met = {rule: decision for p in kept for decision, rule in p.rules}
    spent = {r.name for r in RECOVERY.table.rules if r.cells["dedup"] == {"spent"}} & set(met)
    assert spent and {met[rule] for rule in spent} <= {"quarantine", "abandon"}
    given_up = [RECOVERY.table.rule(rule) for rule in spent if met[rule] == "abandon"]
    assert not any("unknown" in rule.cells["effect"] for rule in given_up)
    assert "verify" in met.values() and "reauthorise" not in met.values()


def test_every_move_has_its_moment() -> None:
    moves = {m for some in MOMENTS.values() for m in some}
    assert moves | {"idle"} == set(Move.labels)


def test_a_weaker_contract_breaks_nothing_under_the_policy_to_use() -> None:
    for name in ("smtp", "sqs_fifo"):
        found = assessed(definite(name)).summary
        assert not found.broken and not found.late and found.interruptions > 0
        points = assessed(definite(name)).crash.points
        worst = weakest(points)
        assert (worst is None) == found.automatic == (found.alone == found.interruptions)


def flipped(base: Definite, name: str) -> list[Definite]:
    """The same with every other value of a clause."""
    clause = CLAUSES[name]
    values = (False, True) if clause.labels is None else clause.labels.labels
    return [base.with_values({name: v}) for v in values if v != base.value(name)]


def test_what_is_left_out_makes_no_difference() -> None:
    base = bare(definite("smtp"))
    other = base
    for name in UNTOUCHED:
        other = flipped(other, name)[-1]
    assert other != base and bare(other) == base
    for run in (RUN, STALE):
        mine, theirs = ASSESSOR.search(base, run), ASSESSOR.search(other, run)
        assert (mine.states, mine.points, set(mine.broken)) == (theirs.states, theirs.points, set(theirs.broken))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_what_is_left_out_makes_no_difference_elsewhere(name: str) -> None:
    base = bare(definite(name))
    repeats = () if base.value("recognises") else OF_REPEATS
    looks = () if base.value("readable") else OF_LOOKS
    for clause in (*UNTOUCHED, *repeats, *looks):
        for other in flipped(base, clause):
            assert told(ASSESSOR.assess(other), clause in looks) == told(assessed(base), clause in looks), clause


def told(assessment: Assessment, unread: bool) -> tuple[object, ...]:
    """What a report says; where nothing is read, a record that lags makes two states of one, which only counts."""
    found = assessment.summary
    ends = {(p.moment, p.effect, p.ends, p.rules) for p in assessment.crash.points}
    return found.broken, found.automatic, ends, () if unread else (found.alone, found.interruptions)


def test_undefined_clauses_are_turned_both_ways() -> None:
    contract = load_contract("sqs_fifo")
    cases = completions(contract, RECOVERY.practices)
    assert {c.varied for c in cases} >= {"idempotency.on_concurrent", "delivery.max_delay"}
    assert len({c.definite for c in cases}) == len(cases) and not any(c.contract.undefined() for c in cases)
    whole = load_contract("example-refund")
    assert [c.contract for c in completions(whole, RECOVERY.practices)] == [whole]


OPEN: Mapping[str, Value] = {
    "idempotency.mechanism": "undefined", "idempotency.retention": "undefined", "delivery.max_delay": "undefined",
    "readback.by": "undefined", "readback.lag": "undefined", "undo.grade": "undefined",
}  # fmt: skip


def test_the_worst_case_is_the_worst_that_the_rest_allows() -> None:
    """A mechanism cannot turn out to be none where the contract says how it answers a repeat."""
    base = load_contract("example-refund")
    said = worst_case(base.with_clauses(OPEN), RECOVERY.practices).contract.clauses()
    assert said["idempotency.mechanism"] == "transactional" and said["idempotency.retention"] == "0s"
    assert (said["readback.by"], said["delivery.max_delay"]) == ("none", "unbounded")
    more = dict.fromkeys(NO_KEY, "undefined")
    alone = worst_case(base.with_clauses({**OPEN, **more}), RECOVERY.practices)
    assert not alone.definite.value("recognises") and not alone.definite.value("readable")
    seen = base.with_clauses({"readback.by": "postcondition", "readback.postcondition": "undefined"})
    assert worst_case(seen, RECOVERY.practices).contract.readback.postcondition == "same-system"


def test_whatever_the_provider_does_means_every_combination() -> None:
    assert covers_all(load_contract("smtp"), RECOVERY.practices)
    assert covers_all(load_contract("sqs_fifo"), RECOVERY.practices)
    assert not covers_all(load_contract("kafka_transaction"), RECOVERY.practices)
    everything = load_contract("example-refund").with_clauses(dict.fromkeys(VALUES, "undefined"))
    assert not covers_all(everything, RECOVERY.practices)


def test_what_is_unseen_makes_no_difference() -> None:
    base = load_contract("example-refund")
    for clause in UNSEEN:
        others = [_turned(base, {clause: value}) for value in VALUES[clause]]
        assert {bare(definite_of(c, RECOVERY.practices)) for c in others if c is not None} == {
            bare(definite_of(base, RECOVERY.practices))
        }, clause


def _turned(base: Contract, changes: Mapping[str, Value]) -> Contract | None:
    with contextlib.suppress(ContractError):
        return base.with_clauses(changes)
    return None
