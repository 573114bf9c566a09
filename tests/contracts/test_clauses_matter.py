"""Every clause of a contract reaches the model, or is said to be descriptive: turning it changes what is reachable."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from model.contract import Contract, load_contract
from model.contract_profile import profile_of, ticks_of
from model.contract_rules import Value
from model.policy import load_policy
from model.setting import Setting
from model.specialise import specialise
from model.system import Model
from properties.safety import PROPERTIES
from solver.completions import NO_KEY, NO_READBACK
from solver.contract_judged import NOT_CHECKED, not_checked
from solver.explore import Limits, explore

RECOVERY = load_policy("recovery")
CORE = ("crash", "loss", "delay", "errors")
FORGETS: Mapping[str, Value] = {"idempotency.retention": "1h", "delivery.max_delay": "15m", "readback.retention": "1h"}
REPEATED: Mapping[str, Value] = {
    "settlement.mode": "pending", "fencing.at": ("checkpoint",), "recovery.fence_told": "never",
}  # fmt: skip
"""Where a repeat may meet an effect under way: with the fence of the example only what is not there is sent again."""
ANEW: Mapping[str, Value] = {"identity.source": "regenerated"}

TURNED: Mapping[str, tuple[Mapping[str, Value], Value, tuple[str, ...]]] = {
    "contract.governed": ({"readback.reports": "accepted"}, "accepted", ()),
    "identity.source": ({}, "regenerated", ()),
    "identity.durable": ({}, "after-reply", ()),
    "idempotency.mechanism": (NO_KEY, "none", ()),
    "idempotency.on_repeat": (REPEATED, "current", ()),
    "idempotency.on_other_payload": (ANEW, "executes", ()),
    "idempotency.remembers_errors": ({}, False, ()),
    "idempotency.on_concurrent": (REPEATED, "races", ()),
    "idempotency.retention": (FORGETS, "forever", ("forget",)),
    "readback.by": ({"readback.postcondition": "none"}, "none", ()),
    "readback.reports": ({}, "accepted", ()),
    "readback.lag": ({}, "1h", ()),
    "readback.retention": (FORGETS, "forever", ("prune",)),
    "readback.postcondition": ({}, "none", ()),
    "settlement.mode": ({}, "pending", ()),
    "delivery.max_delay": (FORGETS, "unbounded", ("forget",)),
    "delivery.copies": ({}, True, ("copy",)),
    "fencing.at": ({}, ("checkpoint",), ("pause",)),
    "undo.grade": ({"undo.keyed": False}, "automatic", ("withdraw",)),
    "undo.keyed": ({"undo.grade": "automatic"}, False, ("withdraw",)),
    "authority.judged_at": ({}, "commit", ("expire",)),
    "authority.survives": ({}, (), ("expire",)),
    "authority.admission": ({}, "none", ()),
    "authority.uses": ({}, 2, ("resubmit",)),
    "recovery.attempt_recorded": ({}, "after-reply", ()),
    "recovery.longest_resume": (FORGETS, "1m", ("forget",)),
    "recovery.fence_told": ({}, "never", ("pause",)),
    "recovery.clock_skew": (FORGETS, "30m", ("forget", "skew")),
    "recovery.workers": ({}, 1, ()),
}
"""For each clause what else the contract says, another value, and the faults beside the usual ones where that shows."""
DESCRIPTIVE = ("contract.name", "contract.effect", *sorted(set(NOT_CHECKED) - set(TURNED)), "reservation.expiry")


def contracts(clause: str) -> tuple[Contract, Contract]:
    """Two contracts that differ in this clause alone."""
    more, value, _ = TURNED[clause]
    base = load_contract("example-refund")
    rest = {k: v for k, v in more.items() if k != clause}
    if clause in ("idempotency.mechanism", "readback.by"):
        follows = {**NO_KEY, **more} if clause == "idempotency.mechanism" else {**NO_READBACK, **more}
        return base, base.with_clauses({**follows, clause: value})
    before = base.with_clauses({**rest, **({clause: more[clause]} if clause in more else {})})
    return before, before.with_clauses({clause: value})


def reached(contract: Contract, faults: tuple[str, ...]) -> tuple[object, ...]:
    """How many states there are at each depth, which actions occur, and what breaks."""
    setting = Setting(
        workers=min(2, contract.recovery.workers),
        crashes=1,
        faults=frozenset((*CORE, *faults)),
        ticks=ticks_of(contract),
    )
    model = Model(setting, profile_of(contract, RECOVERY.practices), RECOVERY.table)
    special = specialise(model.system())
    found = explore(special.system, {p.name: special.term(p.holds(model)) for p in PROPERTIES}, limits=Limits(400_000))
    return found.levels, sorted(found.fired.items()), [found.first[p.name] is None for p in PROPERTIES]


def test_every_clause_is_turned_or_said_to_be_descriptive() -> None:
    clauses = load_contract("example-refund").clauses()
    assert set(TURNED) | set(DESCRIPTIVE) == set(clauses) and not set(TURNED) & set(DESCRIPTIVE)


@pytest.mark.parametrize("clause", TURNED)
def test_a_clause_reaches_the_model(clause: str) -> None:
    """As another promise, practice, duration or size."""
    one, other = contracts(clause)
    differ = {name for name, value in one.clauses().items() if other.clauses()[name] != value}
    assert clause in differ
    sides = [(profile_of(c, RECOVERY.practices), ticks_of(c), c.recovery.workers) for c in (one, other)]
    assert sides[0] != sides[1]


@pytest.mark.slow
@pytest.mark.parametrize("clause", TURNED)
def test_turning_a_clause_changes_what_is_reachable(clause: str) -> None:
    one, other = contracts(clause)
    faults = TURNED[clause][2]
    assert reached(one, faults) != reached(other, faults)


def test_what_is_descriptive_is_listed_as_not_checked() -> None:
    base = load_contract("example-refund").with_clauses({"settlement.limit": "0s"})
    changes: dict[str, Value] = {
        "idempotency.scope": "application", "idempotency.retention_from": "close", "settlement.limit": "3d",
        "delivery.deadline": "enforced", "reservation.mode": "try-confirm", "authority.validity": "2h",
        "fencing.at": ("checkpoint", "compensation"), "idempotency.mechanism": "transactional",
    }  # fmt: skip
    always = {"authority.validity", "authority.survives", "undo.grade"}
    assert {clause for clause, _ in not_checked(base)} == always
    assert {clause for clause, _ in not_checked(base.with_clauses(changes))} == set(changes) | always
    assert "recovery.workers" in dict(not_checked(base.with_clauses({"recovery.workers": 3})))
    for clause in set(changes) - {"fencing.at", "idempotency.mechanism"}:
        turned = base.with_clauses({clause: changes[clause]})
        assert profile_of(turned, RECOVERY.practices) == profile_of(base, RECOVERY.practices)
        assert ticks_of(turned) == ticks_of(base)
