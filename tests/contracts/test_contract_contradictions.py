"""Clauses that cannot be true together, and those that can although it looks otherwise."""

from __future__ import annotations

import re

import pytest

from model.contract import ContractError, load_contract, provider_clauses
from model.contract_rules import RULES, Rule

NO_IDENTITY: dict[str, str | bool | tuple[str, ...]] = {
    "idempotency.mechanism": "none",
    "idempotency.scope": "none",
    "idempotency.on_repeat": "executes",
    "idempotency.on_other_payload": "executes",
    "idempotency.remembers_errors": False,
    "idempotency.retention": "0ms",
}

CONTRADICTIONS: dict[str, tuple[dict[str, str | bool | tuple[str, ...]], str, str]] = {
    "retention": ({"idempotency.mechanism": "none"}, 'idempotency.retention is "30d" while', '"0s" or "undefined"'),
    "repeat": (
        {"idempotency.mechanism": "none", "idempotency.retention": "0d"},
        'idempotency.on_repeat is "frozen" while idempotency.mechanism is "none"',
        'give "executes" or "undefined", or another idempotency.mechanism',
    ),
    "other payload": (
        NO_IDENTITY | {"idempotency.on_other_payload": "refused"},
        'idempotency.on_other_payload is "refused" while idempotency.mechanism is "none"',
        'give "executes" or "undefined"',
    ),
    "remembered errors": (
        NO_IDENTITY | {"idempotency.remembers_errors": True},
        'idempotency.remembers_errors is true while idempotency.mechanism is "none"',
        'give false or "undefined"',
    ),
    "scope": (
        NO_IDENTITY | {"idempotency.scope": "provider"},
        'idempotency.scope is "provider" while idempotency.mechanism is "none"',
        'give "none" or "undefined"',
    ),
    "lag": (
        {"readback.by": "none", "readback.lag": "5s"},
        'readback.lag is "5s" while readback.by is "none"',
        'give "0s" or "unbounded" or "undefined"',
    ),
    "record": (
        {"readback.by": "none", "readback.retention": "30d"},
        'readback.retention is "30d" while readback.by is "none"',
        'give "forever" or "0s" or "undefined"',
    ),
    "report": (
        {"readback.by": "none", "readback.reports": "accepted"},
        'readback.reports is "accepted" while readback.by is "none"',
        'give "committed" or "undefined"',
    ),
    "postcondition": (
        {"readback.by": "postcondition", "readback.postcondition": "none"},
        'readback.postcondition is "none" while readback.by is "postcondition"',
        'give "independent" or "same-system" or "undefined"',
    ),
    "deadline": (
        {"delivery.deadline": "enforced", "delivery.max_delay": "unbounded"},
        'delivery.deadline is "enforced" while delivery.max_delay is "unbounded"',
        'give "none" or "undefined", or another delivery.max_delay',
    ),
    "undo": (
        {"undo.grade": "irreversible"},
        'undo.keyed is true while undo.grade is "irreversible"',
        'give false or "undefined"',
    ),
    "server identity": (
        {"identity.source": "server"},
        'identity.durable is "before-release" while identity.source is "server"',
        'give "after-reply" or "never", or another identity.source',
    ),
}


@pytest.mark.parametrize("case", CONTRADICTIONS)
def test_a_contradiction_names_both_clauses(case: str) -> None:
    changes, problem, advice = CONTRADICTIONS[case]
    with pytest.raises(ContractError) as caught:
        load_contract("example-refund").with_clauses(changes)
    message = str(caught.value)
    assert problem in message and advice in message and len(message.splitlines()) == 1


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: f"{rule.cause_value}-{rule.clause}")
def test_every_advised_value_is_accepted_by_its_key(rule: Rule) -> None:
    for advised in rule.allowed:
        load_contract("example-refund").with_clauses({rule.clause: advised})


ACCEPTED = [
    {},
    {"settlement.limit": "0s"},
    {"readback.by": "none"},
    {"readback.by": "none", "readback.lag": "unbounded", "readback.retention": "0s"},
    {"readback.by": "none", "readback.postcondition": "none"},
    {"fencing.at": ()},
    {"fencing.at": "undefined"},
    {"authority.survives": ()},
    {"authority.judged_at": "commit"},
    {"recovery.fence_told": "never"},
    {"recovery.longest_resume": "unbounded"},
    {"delivery.max_delay": "unbounded"},
    {"identity.source": "server", "identity.durable": "after-reply"},
    {"undo.grade": "irreversible", "undo.keyed": False},
    {"idempotency.mechanism": "undefined"},
    NO_IDENTITY,
]


@pytest.mark.parametrize("changes", ACCEPTED, ids=str)
def test_what_does_not_contradict_is_accepted(changes: dict[str, str | bool | tuple[str, ...]]) -> None:
    contract = load_contract("example-refund").with_clauses(changes)
    assert {clause: contract.clauses()[clause] for clause in changes} == changes


def test_every_provider_clause_may_be_undefined() -> None:
    contract = load_contract("example-refund").with_clauses(dict.fromkeys(provider_clauses(), "undefined"))
    assert contract.undefined() == provider_clauses()


def test_no_caller_clause_may_be_undefined() -> None:
    example = load_contract("example-refund")
    for clause in set(example.clauses()) - set(provider_clauses()) - {"contract.name", "contract.effect"}:
        with pytest.raises(ContractError, match=re.escape(f'{clause} is "undefined"; give ')):
            example.with_clauses({clause: "undefined"})
