"""Contradictions between clauses of one contract: each key may say this, but not both together.

Every rule has one form: while one clause has a certain value, another may only have a value that does
not promise what the first one rules out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.contract_sections import is_undefined, provider_clauses
from model.durations import is_finite, parse_duration

Value = str | bool | int | tuple[str, ...]


@dataclass(frozen=True)
class Rule:
    """While ``cause`` is ``cause_value``, ``clause`` is one of ``allowed`` (or undefined, if a provider's)."""

    cause: str
    cause_value: str
    clause: str
    allowed: tuple[str | bool, ...]


RULES = (
    Rule("idempotency.mechanism", "none", "idempotency.retention", ("0s",)),
    Rule("idempotency.mechanism", "none", "idempotency.on_repeat", ("executes",)),
    Rule("idempotency.mechanism", "none", "idempotency.on_other_payload", ("executes",)),
    Rule("idempotency.mechanism", "none", "idempotency.remembers_errors", (False,)),
    Rule("idempotency.mechanism", "none", "idempotency.scope", ("none",)),
    Rule("readback.by", "none", "readback.reports", ("committed",)),
    Rule("readback.by", "none", "readback.lag", ("0s", "unbounded")),
    Rule("readback.by", "none", "readback.retention", ("forever", "0s")),
    Rule("readback.by", "postcondition", "readback.postcondition", ("independent", "same-system")),
    Rule("delivery.max_delay", "unbounded", "delivery.deadline", ("none",)),
    Rule("undo.grade", "irreversible", "undo.keyed", (False,)),
    Rule("identity.source", "server", "identity.durable", ("after-reply", "never")),
)


def contradictions(clauses: Mapping[str, Value]) -> list[str]:
    """Every contradiction among clauses by ``section.key``, each as a sentence with its remedy."""
    return [
        _sentence(rule, clauses[rule.clause])
        for rule in RULES
        if clauses[rule.cause] == rule.cause_value and not _keeps(rule, clauses[rule.clause])
    ]


def _keeps(rule: Rule, value: Value) -> bool:
    if is_undefined(value):
        return True
    return any(_plain(value) == allowed and type(value) is type(allowed) for allowed in rule.allowed)


def _plain(value: Value) -> Value:
    """No time is no time, in whatever unit it is written."""
    if isinstance(value, str) and is_finite(value) and parse_duration(value) == 0:
        return "0s"
    return value


def _sentence(rule: Rule, value: Value) -> str:
    choices = [_shown(a) for a in rule.allowed]
    if rule.clause in provider_clauses():
        choices.append('"undefined"')
    return (
        f'{rule.clause} is {_shown(value)} while {rule.cause} is "{rule.cause_value}"; '
        f"give {' or '.join(choices)}, or another {rule.cause}"
    )


def _shown(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else f'"{value}"'
