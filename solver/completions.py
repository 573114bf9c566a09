"""Undefined clauses both ways: a contract with every clause said, as good and as bad as it may turn out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from model.contract import Contract, ContractError
from model.contract_profile import profile_of, ticks_of
from model.contract_rules import Value
from model.kernel import ModelError
from model.policy import Practices
from model.promises import CLAUSES
from solver.definite import Definite

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


def worst_case(contract: Contract, practices: Practices) -> Completion:
    """Every undefined clause at its worst, or as near to that as the rest of the contract allows."""
    chosen = {clause: VALUES[clause][-1] for clause in contract.undefined()}
    said = _said(contract, chosen)
    if said is not None:
        return Completion(said, definite_of(said, practices), "worst")
    return completions(contract, practices)[-1]


def _choices(contract: Contract) -> Iterator[tuple[str, str, Value, dict[str, Value]]]:
    open_clauses = contract.undefined()
    for base, at in (("best", 0), ("worst", -1)):
        chosen = {clause: VALUES[clause][at] for clause in open_clauses}
        yield base, "", "", chosen
        for clause in open_clauses:
            for value in VALUES[clause]:
                if value != chosen[clause]:
                    yield base, clause, value, {**chosen, clause: value}


def _said(contract: Contract, changes: Mapping[str, Value]) -> Contract | None:
    """The contract with these values, and what follows from them; None where they contradict what it says."""
    fits = dict(changes)
    clauses = {**contract.clauses(), **fits}
    open_clauses = set(changes)
    for cause, follows in (("idempotency.mechanism", NO_KEY), ("readback.by", NO_READBACK)):
        if clauses[cause] == "none":
            fits |= {clause: value for clause, value in follows.items() if clause in open_clauses}
    if clauses["undo.grade"] == "irreversible" and "undo.keyed" in open_clauses:
        fits["undo.keyed"] = False
    if clauses["delivery.max_delay"] == "unbounded" and "delivery.deadline" in open_clauses:
        fits["delivery.deadline"] = "none"
    try:
        return contract.with_clauses(fits)
    except ContractError:
        return None
