"""A contract and a policy as the model's rigid variables and ticks.

An undefined clause of the provider takes every value it could have, and all are explored. Where
contract and policy both speak of a practice, the weaker of the two is what happens.
"""

from __future__ import annotations

from collections.abc import Sequence

from model.contract import Contract
from model.durations import compile_ticks
from model.labels import OnRepeat, OtherPayload
from model.policy import Practices
from model.promises import Profile, good_profile
from model.setting import Ticks
from model.table_inputs import Undo

Values = tuple[str, ...] | tuple[bool, ...]
EITHER: tuple[bool, ...] = (False, True)
LEVELS = ("accepted", "committed", "settled")


def profile_of(contract: Contract, practices: Practices) -> Profile:
    """Every promise and practice of the model with the values it may have under this contract and policy."""
    profile: dict[str, Values] = dict(good_profile())
    profile |= _idempotency(contract) | _readback(contract) | _target(contract) | _authority(contract)
    return profile | _practices(contract, practices)


def ticks_of(contract: Contract) -> Ticks:
    """The contract's durations in the fewest ticks; undefined ones at their worst, which includes the rest."""
    ticks = compile_ticks(contract)
    if contract.idempotency.mechanism == "none":
        return Ticks(skew=0)
    if ticks.retention is None:
        return Ticks(skew=0)
    return Ticks(ticks.retention, ticks.delay, ticks.resume, ticks.skew)


def _flag(value: object, yes: object) -> tuple[bool, ...]:
    return EITHER if value == "undefined" else (value == yes,)


def _label(value: str, labels: Sequence[str]) -> tuple[str, ...]:
    return tuple(labels) if value == "undefined" else (value.replace("-", "_"),)


def _in(place: str, places: object) -> tuple[bool, ...]:
    return EITHER if places == "undefined" else (place in places,)  # type: ignore[operator]


def _idempotency(contract: Contract) -> dict[str, Values]:
    c = contract.idempotency
    recognises = EITHER if c.mechanism == "undefined" else (c.mechanism != "none",)
    return {
        "recognises": recognises,
        "on_repeat": _label(c.on_repeat, OnRepeat.labels),
        "other_payload": _label(c.on_other_payload, OtherPayload.labels),
        "remembers_errors": _flag(c.remembers_errors, True),
        "races": _flag(c.on_concurrent, "races") if recognises != (False,) else (False,),
        "conditional": _flag(c.mechanism, "conditional"),
    }


def _readback(contract: Contract) -> dict[str, Values]:
    c, governed = contract.readback, contract.contract.governed
    lag = {"0s": "zero", "unbounded": "unbounded"}.get(c.lag, "finite")
    return {
        "readable": EITHER if c.by == "undefined" else (c.by != "none",),
        "reports_governed": EITHER
        if c.reports == "undefined"
        else (LEVELS.index(c.reports) >= LEVELS.index(governed),),
        "lag": ("zero", "finite", "unbounded") if c.lag == "undefined" else (lag,),
        "prunes": _prunes(contract),
        "by_search": _flag(c.by, "search"),
        "witness": _label(c.postcondition, ("independent", "same_system", "none")),
    }


def _prunes(contract: Contract) -> tuple[bool, ...]:
    """Whether a record can disappear before the last resumption: retention against resume, delay and skew."""
    c = contract.readback
    if c.by == "none" or c.retention == "forever":
        return (False,)
    if c.retention == "undefined":
        return EITHER
    t = compile_ticks(contract)
    if t.record_retention is None:
        return (False,)
    if t.resume is None or t.delay is None:
        return (True,)
    return (t.record_retention < t.resume + t.delay + t.skew,)


def _target(contract: Contract) -> dict[str, Values]:
    c = contract
    late = _flag(c.settlement.mode, "pending") if c.contract.governed != "accepted" else (False,)
    return {
        "enforces_fence": _in("gateway", c.fencing.at),
        "checks_claim": _in("checkpoint", c.fencing.at),
        "settles_late": late,
        "copies": _flag(c.delivery.copies, True),
        "grade": _label(c.undo.grade, Undo.labels),
        "keyed_undo": _flag(c.undo.keyed, True),
    }


def _authority(contract: Contract) -> dict[str, Values]:
    c = contract.authority
    return {
        "judged_at_commit": _flag(c.judged_at, "commit"),
        "survives_expiry": ("expiry" in c.survives,),
        "survives_revocation": ("revocation" in c.survives,),
        "survives_policy": ("policy" in c.survives,),
        "durable_admission": (c.admission == "durable",),
        "single_use": (c.uses == 1,),
    }


def _practices(contract: Contract, policy: Practices) -> dict[str, Values]:
    identity, recovery = contract.identity, contract.recovery
    kept = identity.source == "case-state" and identity.durable == "before-release"
    return {
        "reads": (policy.reads,),
        "fence_told": (_weaker(recovery.fence_told, policy.fence_told, ("before-read", "with-request", "never")),),
        "recorded": (
            _weaker(recovery.attempt_recorded, policy.attempt_recorded, ("before-release", "after-reply", "never")),
        ),
        "effect_before_authority": (policy.read_before_authority,),
        "verifies": (policy.verifies_before_completing,),
        "rechecks": (policy.rechecks_when_sending,),
        "sticky_unknown": (policy.sticky_unknown,),
        "stable_identity": (kept and policy.identity == "contract",),
        "regenerates": (identity.source == "regenerated",),
        "per_obligation": (policy.attempts_counted == "per-obligation",),
        "asks_authority": (policy.asks_authority,),
    }


def _weaker(one: str, other: str, order: Sequence[str]) -> str:
    return max(one, other, key=order.index).replace("-", "_")
