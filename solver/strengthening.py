"""The least changes of a contract, of the provider's or of the caller's side, with which recovery needs no person."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from model.contract import Contract, ContractError
from model.contract_rules import Value
from model.durations import duration_text, parse_duration

PROVIDER, CALLER = "provider", "caller"
MOST_SETS = 40
PLACES = ("checkpoint", "gateway", "compensation")
BOUND = "15m"
KEY: Mapping[str, Value] = {
    "idempotency.mechanism": "key",
    "idempotency.scope": "provider",
    "idempotency.on_repeat": "frozen",
    "idempotency.on_other_payload": "refused",
    "idempotency.remembers_errors": False,
    "idempotency.on_concurrent": "conflict",
}
LOOK: Mapping[str, Value] = {
    "readback.by": "operation",
    "readback.reports": "committed",
    "readback.lag": "0s",
    "readback.retention": "forever",
}


@dataclass(frozen=True)
class Step:
    """One change of a contract, and whose it is."""

    side: str
    says: str
    changes: tuple[tuple[str, Value], ...]


def steps_of(contract: Contract) -> tuple[Step, ...]:
    """Every change that could strengthen a contract without open clauses, and that is one."""
    c = contract.clauses()
    return tuple(step for step in _steps(c) if any(c[name] != value for name, value in step.changes))


def changed(contract: Contract, steps: Sequence[Step]) -> Contract | None:
    """The contract after some changes, places of fences added up; None where they contradict what it says.

    Of two changes of another clause the later in ``steps_of`` counts, which is the stronger.
    """
    together: dict[str, Value] = {}
    for name, value in (change for step in steps for change in step.changes):
        before = together.get(name, ())
        together[name] = _both(before, value) if isinstance(before, tuple) and isinstance(value, tuple) else value
    try:
        return contract.with_clauses(together)
    except ContractError:
        return None


def _both(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """The places of both lists, in the order of the format."""
    return tuple(place for place in PLACES if place in one or place in other)


def least_sets(steps: Sequence[Step], enough: Callable[[frozenset[Step]], bool]) -> tuple[frozenset[Step], ...]:
    """All minimal sets of steps that are enough, at most MOST_SETS, the smallest first.

    ``enough`` has to be monotone: more steps never do harm. From one minimal set the others are found without each
    of its steps in turn, so none is missed.
    """
    found: list[frozenset[Step]] = []
    left, seen = [frozenset[Step]()], set[frozenset[Step]]()
    while left and len(found) < MOST_SETS:
        excluded = left.pop(0)
        if excluded in seen:
            continue
        seen.add(excluded)
        known = next((some for some in found if not some & excluded), None)
        if known is None:
            known = _shrunk([s for s in steps if s not in excluded], enough)
            if known is None:
                continue
            found.append(known)
        left += [excluded | {step} for step in sorted(known, key=steps.index)]
    return tuple(sorted(found, key=lambda some: (len(some), sorted(map(steps.index, some)))))


def _shrunk(steps: Sequence[Step], enough: Callable[[frozenset[Step]], bool]) -> frozenset[Step] | None:
    """One minimal set among these steps; None where all of them are not enough."""
    chosen = frozenset(steps)
    if not enough(chosen):
        return None
    for step in steps:
        if enough(chosen - {step}):
            chosen -= {step}
    return chosen


def _steps(c: Mapping[str, Value]) -> Iterator[Step]:
    yield from _keys(c)
    yield from _answers(c)
    yield from _looks(c)
    yield from _target(c)
    yield from _own(c)


def _keys(c: Mapping[str, Value]) -> Iterator[Step]:
    """A repeat is recognised, and for long enough."""
    new = c["idempotency.mechanism"] == "none"
    key = tuple(KEY.items()) if new else ()
    verb = "recognise a repeat by a key and keep it" if new else "keep the identity"
    span = _needed(c)
    if span is not None:
        says = f"{verb} for at least {duration_text(span)}, which outlives the latest arrival"
        yield Step(PROVIDER, says, (*key, ("idempotency.retention", duration_text(span))))
    yield Step(PROVIDER, f"{verb} for ever", (*key, ("idempotency.retention", "forever")))


def _answers(c: Mapping[str, Value]) -> Iterator[Step]:
    if c["idempotency.mechanism"] == "none":
        return
    for key, value, says in (
        ("idempotency.on_repeat", "frozen", "answer a repeat as the first time, and never execute it again"),
        ("idempotency.remembers_errors", False, "do not keep an error as the answer of a key"),
        ("idempotency.on_concurrent", "conflict", "refuse a repeat while the first is unfinished"),
        ("idempotency.on_other_payload", "refused", "refuse another payload under a known key"),
    ):
        yield Step(PROVIDER, says, ((key, value),))


def _looks(c: Mapping[str, Value]) -> Iterator[Step]:
    if c["readback.by"] == "none":
        yield Step(PROVIDER, "let the effect be looked up by operation, at once and for ever", tuple(LOOK.items()))
    else:
        if c["readback.by"] == "search":
            yield Step(PROVIDER, "let the effect be looked up by operation", (("readback.by", "operation"),))
        yield Step(PROVIDER, "report in a look-up what was really committed", (("readback.reports", "committed"),))
        if c["readback.lag"] == "unbounded":
            yield Step(PROVIDER, "bound the lag of look-ups", (("readback.lag", "1h"),))
        yield Step(PROVIDER, "answer look-ups without lag", (("readback.lag", "0s"),))
        yield Step(PROVIDER, "keep records readable for ever", (("readback.retention", "forever"),))
    if c["readback.postcondition"] == "none":
        says = "let the business result be seen on a path of its own"
        yield Step(PROVIDER, says, (("readback.postcondition", "independent"),))


def _target(c: Mapping[str, Value]) -> Iterator[Step]:
    immediate = (("settlement.mode", "immediate"), ("settlement.limit", "0s"))
    yield Step(PROVIDER, "settle at once", immediate)
    if c["delivery.max_delay"] == "unbounded":
        yield Step(PROVIDER, f"bound the delay of requests (here: {BOUND})", (("delivery.max_delay", BOUND),))
    yield Step(PROVIDER, "deliver a request at most once", (("delivery.copies", False),))
    places = c["fencing.at"]
    assert isinstance(places, tuple)
    yield Step(PROVIDER, "refuse requests under an older epoch", (("fencing.at", _both(places, ("gateway",))),))
    yield Step(CALLER, "fence the checkpoint store", (("fencing.at", _both(places, ("checkpoint",))),))


def _own(c: Mapping[str, Value]) -> Iterator[Step]:
    """What the caller can do."""
    kept = (("identity.source", "case-state"), ("identity.durable", "before-release"))
    yield Step(CALLER, "keep a stable identity with the case before anything is sent", kept)
    recorded = (("recovery.attempt_recorded", "before-release"),)
    yield Step(CALLER, "record every attempt before it is released", recorded)
    yield Step(CALLER, "tell the target of a new epoch before reading", (("recovery.fence_told", "before-read"),))
    kept_for, late = _span(c, "idempotency.retention"), _span(c, "delivery.max_delay")
    skew = _span(c, "recovery.clock_skew") or 0
    if kept_for and late is not None and kept_for > late + skew:
        within = duration_text(kept_for - late - skew)
        yield Step(CALLER, f"resume within {within} or not at all", (("recovery.longest_resume", within),))


def _needed(c: Mapping[str, Value]) -> int | None:
    """The shortest retention that outlives the latest arrival, in ms, with a delay that is not bounded taken as
    BOUND; None where the resumption is not bounded."""
    resume, delay = _span(c, "recovery.longest_resume"), _span(c, "delivery.max_delay")
    if resume is None:
        return None
    late = parse_duration(BOUND) if delay is None else delay
    return resume + (late or 0) + (_span(c, "recovery.clock_skew") or 0)


def _span(c: Mapping[str, Value], clause: str) -> int | None:
    return parse_duration(str(c[clause]))
