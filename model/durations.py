"""Durations as contract files write them, and the fewest ticks that keep their order.

The model counts in ticks. What a duration is in seconds never matters to it, only which of two spans
ends first: does the key outlive the latest arrival, does the read lag behind the resumer? So the real
durations are mapped to the smallest whole numbers under which every such comparison comes out the same.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import TYPE_CHECKING

import z3

if TYPE_CHECKING:
    from model.contract import Contract

UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}
FINITE = "[0-9]{1,9}(?:ms|s|m|h|d)"
INFINITE = ("forever", "unbounded")
UNDEFINED = "undefined"

# The contract clause behind each field of Ticks, in the order of the fields.
CLAUSES = {
    "retention": "idempotency.retention",
    "delay": "delivery.max_delay",
    "resume": "recovery.longest_resume",
    "skew": "recovery.clock_skew",
    "lag": "readback.lag",
    "record_retention": "readback.retention",
}

# What an undefined duration may turn out to be: the worst and the best for safety.
EXTREMES = {
    "retention": ("0s", "forever"),
    "delay": ("unbounded", "0s"),
    "lag": ("unbounded", "0s"),
    "record_retention": ("0s", "forever"),
}

Form = tuple[str, ...]
"""Fields of which the sum is meant; () is zero."""

_ARRIVAL = ("resume", "delay", "skew")
# Sums of fields whose order within a group must be the same in ticks as in real time; () is zero.
GROUPS: tuple[tuple[Form, ...], ...] = (
    (
        ("retention",), _ARRIVAL, ("resume", "delay"), ("resume", "skew"), ("delay", "skew"), ("resume",), ("delay",),
        ("skew",), (),
    ),
    (("record_retention",), _ARRIVAL, ("lag",), ()),
)  # fmt: skip


def is_finite(text: str) -> bool:
    """Whether this is a duration that ends, such as 15m."""
    return re.fullmatch(FINITE, text) is not None


def parse_duration(text: str) -> int | None:
    """The duration in milliseconds, None for "forever" and "unbounded"; ValueError for anything else."""
    if text in INFINITE:
        return None
    if not is_finite(text):
        raise ValueError(f'{text!r} is no duration; give one such as 500ms, 1s, 15m, 72h or 30d, or "forever"')
    digits = text.rstrip("".join(UNITS))
    return int(digits) * UNITS[text[len(digits) :]]


def duration_text(span: int) -> str:
    """Milliseconds as a contract file writes them, in the largest unit that divides them."""
    unit = next((u for u, size in reversed(UNITS.items()) if span and span % size == 0), "ms")
    return f"{span // UNITS[unit]}{unit}"


@dataclass(frozen=True)
class Ticks:
    """A contract's durations in ticks, None where the duration never ends (a skew always does).

    ``real`` holds the durations as the contract writes them, in the order of the fields; it takes no
    part in comparisons, since two contracts with the same ticks behave alike in the model.
    """

    retention: int | None
    delay: int | None
    resume: int | None
    skew: int
    lag: int | None
    record_retention: int | None
    real: tuple[str, ...] = field(default=(), compare=False)

    def text(self) -> str:
        """The mapping from real durations to ticks, one clause a line, for reports."""
        return "\n".join(self._line(name, real) for name, real in zip(CLAUSES, self.real, strict=True))

    def _line(self, name: str, real: str) -> str:
        value: int | None = getattr(self, name)
        taken = ""
        if real == UNDEFINED:
            worst, best = EXTREMES[name]
            taken = f", taken as {worst if parse_duration(worst) == value else best}"
        ticks = "without end" if value is None else f"{value} tick{'' if value == 1 else 's'}"
        return f"{CLAUSES[name]}: {real}{taken}, is {ticks}"


def compile_ticks(contract: Contract) -> Ticks:
    """The fewest ticks for a contract, with every undefined duration at its worst for safety.

    Kept is the order of retention, longest resume + delay + skew, every two of these three, each of them alone
    and zero, and of record retention, longest resume + delay + skew, lag and zero. The largest tick is
    minimal, then the sum; what is left is settled in the order of the fields, so the answer is unique.
    """
    return next(_alternatives(contract))


def tick_alternatives(contract: Contract) -> tuple[Ticks, ...]:
    """What an undefined duration may be, both ways: each at its worst or best, the worst case first.

    One entry when every duration is defined, otherwise two to the number of undefined durations. The
    extremes stand for all values between them as far as a property only gets easier to keep when a
    retention grows and a delay or lag shrinks.
    """
    return tuple(_alternatives(contract))


def _alternatives(contract: Contract) -> Iterator[Ticks]:
    clauses = contract.clauses()
    real = {name: str(clauses[clause]) for name, clause in CLAUSES.items()}
    choices = [EXTREMES[name] if text == UNDEFINED else (text,) for name, text in real.items()]
    for chosen in product(*choices):
        spans = {name: parse_duration(text) for name, text in zip(real, chosen, strict=True)}
        finite = fewest_ticks({name: span for name, span in spans.items() if span is not None})
        yield Ticks(
            finite.get("retention"),
            finite.get("delay"),
            finite.get("resume"),
            finite["skew"],
            finite.get("lag"),
            finite.get("record_retention"),
            tuple(real.values()),
        )


def fewest_ticks(spans: Mapping[str, int]) -> dict[str, int]:
    """The fewest ticks for finite spans in milliseconds, by field of Ticks; absent fields never end."""
    orders = tuple((one, two, _sign(spans, one, two)) for one, two in _compared(spans))
    return dict(_fewest(tuple(name for name in CLAUSES if name in spans), orders))


@functools.cache
def _fewest(names: tuple[str, ...], orders: tuple[tuple[Form, Form, int], ...]) -> Mapping[str, int]:
    """The fewest ticks under which sums compare so; nothing else about the spans matters."""
    optimizer = z3.Optimize()
    ticks = {name: z3.Int(name) for name in names}
    largest = z3.Int("largest")
    optimizer.add([z3.And(tick >= 0, tick <= largest) for tick in ticks.values()])
    optimizer.add([_ordered(ticks, *order) for order in orders])
    for goal in (largest, z3.Sum(list(ticks.values())), *ticks.values()):
        optimizer.minimize(goal)
    if optimizer.check() != z3.sat:
        raise RuntimeError(f"no ticks were found for {orders}, although the spans themselves would do")
    model = optimizer.model()
    return {name: model.eval(tick, model_completion=True).as_long() for name, tick in ticks.items()}


def _compared(spans: Mapping[str, int]) -> Iterator[tuple[Form, Form]]:
    """The pairs of sums to keep in order: an endless one is larger whatever the ticks are."""
    for group in GROUPS:
        yield from combinations([form for form in group if all(name in spans for name in form)], 2)


def _sign(spans: Mapping[str, int], one: Form, two: Form) -> int:
    """1 where the first sum is longer, -1 where it is shorter, else 0."""
    difference = sum(spans[name] for name in one) - sum(spans[name] for name in two)
    return (difference > 0) - (difference < 0)


def _ordered(ticks: Mapping[str, z3.ArithRef], one: Form, two: Form, sign: int) -> z3.BoolRef:
    left = z3.Sum([ticks[name] for name in one])
    right = z3.Sum([ticks[name] for name in two])
    if sign == 0:
        return left == right
    return left > right if sign > 0 else left < right
