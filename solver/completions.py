"""Undefined clauses both ways: a contract with every clause said, as good and as bad as it may turn out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from model.contract import Contract, ContractError
from model.contract_profile import profile_of, ticks_of
from model.contract_rules import RULES, Value
from model.kernel import ModelError
from model.policy import Practices
from model.promises import CLAUSES
from solver.definite import Definite, bare

NO_KEY: Mapping[str, Value] = {
    "idempotency.scope": "none",
    "idempotency.on_repeat": "executes",
    "idempotency.on_other_payload": "executes",
    "idempotency.remembers_errors": False,
    "idempotency.retention": "0s",
}
NO_READBACK: Mapping[str, Value] = {
    "readback.reports": "committed", "readback.lag": "0s", "readback.retention": "forever",
}  # fmt: skip

VALUES: Mapping[str, tuple[Value, ...]] = {
    "idempotency.mechanism": ("key", "natural", "conditional", "transactional", "none"),
    "idempotency.scope": ("provider", "application", "none"),
    "idempotency.on_repeat": (
        "frozen", "current", "drives-forward", "success-dropped", "error-proves", "executes",
    ),
    "idempotency.on_other_payload": ("refused", "first-result", "dropped", "executes"),
    "idempotency.remembers_errors": (False, True),
    "idempotency.on_concurrent": ("conflict", "serialised", "races"),
    "idempotency.retention": ("forever", "0s"),
    "idempotency.retention_from": ("use", "completion", "close"),
    "readback.by": ("operation", "resource", "postcondition", "search", "none"),
    "readback.reports": ("committed", "accepted"),
    "readback.lag": ("0s", "1h", "unbounded"),
    "readback.retention": ("forever", "0s"),
    "readback.postcondition": ("independent", "same-system", "none"),
    "settlement.mode": ("immediate", "pending"),
    "settlement.limit": ("0s", "unbounded"),
    "delivery.max_delay": ("0s", "unbounded"),
    "delivery.deadline": ("enforced", "none"),
    "delivery.copies": (False, True),
    "fencing.at": (("checkpoint", "gateway"), ("checkpoint",), ("gateway",), ()),
    "reservation.mode": ("none", "try-confirm"),
    "reservation.expiry": ("forever", "0s"),
    "undo.grade": ("automatic", "reviewed", "best_effort", "irreversible"),
    "undo.keyed": (True, False),
}  # fmt: skip
"""What an undefined clause may turn out to be, the best first and the worst last."""
CAUSES = tuple(dict.fromkeys(rule.cause for rule in RULES if rule.cause in VALUES))
"""The clauses of which a value may contradict what others say."""
UNSEEN = (
    "idempotency.scope", "idempotency.retention_from", "settlement.limit", "reservation.mode", "reservation.expiry",
    "undo.grade", "undo.keyed",
)  # fmt: skip
"""Clauses that make no difference to recovery from an interruption; whatever they say, the cases are the same."""
MOST_COMBINED = 1000


@dataclass(frozen=True)
class Completion:
    """A contract with every clause said. ``varied`` is the clause that differs from the best or the worst case."""

    contract: Contract
    definite: Definite
    base: str
    varied: str = ""
    value: Value = ""


def definite_of(contract: Contract, practices: Practices) -> Definite:
    """A contract without undefined clauses under some practices; ModelError where a clause is left open."""
    profile = profile_of(contract, practices)
    left = [name for name, values in profile.items() if len(values) != 1]
    if left:
        raise ModelError(f"{contract.name}: {left[0]} is left open")
    return Definite(tuple(profile[name][0] for name in CLAUSES), ticks_of(contract))


def completions(contract: Contract, practices: Practices) -> tuple[Completion, ...]:
    """The best case, the worst case, and each undefined clause turned otherwise in both; equal ones once.

    For a contract without undefined clauses that is the contract itself.
    """
    found: dict[Definite, Completion] = {}
    for base, varied, value, changes in _choices(contract):
        said = _said(contract, changes)
        if said is not None:
            definite = definite_of(said, practices)
            found.setdefault(definite, Completion(said, definite, base, varied, value))
    return tuple(found.values())


def covers_all(contract: Contract, practices: Practices) -> bool:
    """Whether every combination of values of the undefined clauses is, for recovery, one of ``completions``.

    False where that was not found out, since there are more than MOST_COMBINED combinations.
    """
    open_clauses = [clause for clause in contract.undefined() if clause not in UNSEEN]
    if math.prod(len(VALUES[clause]) for clause in open_clauses) > MOST_COMBINED:
        return False
    rest = {clause: VALUES[clause][0] for clause in contract.undefined() if clause in UNSEEN}
    looked_at = {bare(case.definite) for case in completions(contract, practices)}
    for values in itertools.product(*(VALUES[clause] for clause in open_clauses)):
        said = _said(contract, {**rest, **dict(zip(open_clauses, values, strict=True))})
        if said is not None and bare(definite_of(said, practices)) not in looked_at:
            return False
    return True


def worst_case(contract: Contract, practices: Practices) -> Completion:
    """Every undefined clause at its worst, or as near to that as the rest of the contract allows."""
    said = _said(contract, _base(contract, worst=True))
    assert said is not None
    return Completion(said, definite_of(said, practices), "worst")


def _choices(contract: Contract) -> Iterator[tuple[str, str, Value, dict[str, Value]]]:
    open_clauses = contract.undefined()
    for base, worst in (("best", False), ("worst", True)):
        chosen = _base(contract, worst=worst)
        yield base, "", "", chosen
        for clause in open_clauses:
            for value in VALUES[clause]:
                if value != chosen[clause]:
                    yield base, clause, value, {**chosen, clause: value}


def _base(contract: Contract, *, worst: bool) -> dict[str, Value]:
    """Every undefined clause at its best or worst; those that others contradict as near to it as they can be."""
    order = {clause: VALUES[clause][::-1] if worst else VALUES[clause] for clause in contract.undefined()}
    causes = [clause for clause in order if clause in CAUSES]
    for values in itertools.product(*(order[clause] for clause in causes)):
        chosen = {clause: some[0] for clause, some in order.items()} | dict(zip(causes, values, strict=True))
        if _said(contract, chosen) is not None:
            return chosen
    raise ModelError(f"{contract.name}: no value of {', '.join(causes)} fits what it says")


def _said(contract: Contract, changes: Mapping[str, Value]) -> Contract | None:
    """The contract with these values, and what follows from them; None where they contradict what it says."""
    fits = dict(changes)
    clauses = {**contract.clauses(), **fits}
    open_clauses = set(changes)
    for cause, follows in (("idempotency.mechanism", NO_KEY), ("readback.by", NO_READBACK)):
        if clauses[cause] == "none":
            fits |= {clause: value for clause, value in follows.items() if clause in open_clauses}
    if clauses["readback.by"] == "postcondition" and changes.get("readback.postcondition") == "none":
        fits["readback.postcondition"] = "same-system"
    if clauses["undo.grade"] == "irreversible" and "undo.keyed" in open_clauses:
        fits["undo.keyed"] = False
    if clauses["delivery.max_delay"] == "unbounded" and "delivery.deadline" in open_clauses:
        fits["delivery.deadline"] = "none"
    try:
        return contract.with_clauses(fits)
    except ContractError:
        return None
