"""Where a contract's durations decide: the exact value at which a verdict flips, found over the order types.

A verdict depends on a duration only through its order among sums of the others. So the values to ask at are these sums,
just below and just above each. The two neighbours with different verdicts are found by halving, since a longer duration
only ever helps or only ever harms (tests/contracts asks at all of them), and both are confirmed by a search.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from model.contract import Contract, ContractError
from model.durations import CLAUSES, GROUPS, parse_duration

Judge = Callable[[Contract], bool]
LONGEST = 999_999_999
"""The longest duration that a contract file can say in ms; longer ones are in whole seconds."""
Sum = tuple[tuple[str, ...], tuple[str, ...]]
"""The durations that are added, and those that are subtracted, by their names in Ticks."""
LATEST = ("resume", "delay", "skew")


@dataclass(frozen=True)
class Threshold:
    """A duration at which a verdict flips: it holds ``at_least`` (or at most) this many ms of ``clause``.

    ``sum_of`` are the clauses of the contract whose durations add up to it, those after ``less`` subtracted. ``value``
    is the nearest duration at which the verdict holds, and ``beyond`` the nearest at which it does not; where the
    inequality is ``strict`` the sum itself is ``beyond``.
    """

    clause: str
    at_least: bool
    sum_of: tuple[str, ...]
    less: tuple[str, ...]
    value: int
    beyond: int
    strict: bool

    @property
    def says(self) -> str:
        """The inequality in words."""
        bound = " + ".join(self.sum_of) or "0s"
        bound = " - ".join([bound, *self.less])
        order = ("more than" if self.at_least else "less than") if self.strict else self._or_equal
        return f"{self.clause} must be {order} {bound}"

    @property
    def _or_equal(self) -> str:
        return "at least" if self.at_least else "at most"


@dataclass(frozen=True)
class Endless:
    """No finite value of a duration is enough, and one without end is. ``why`` is in words."""

    clause: str
    why: str


@dataclass(frozen=True)
class Wait:
    """An absence that is only stable once a lag has passed: from how many interruptions recovery ends alone.

    ``early`` is for a resumer that reads at once, ``waited`` for one that lets ``span`` of ``clause`` pass before; both
    as (alone, interruptions).
    """

    clause: str
    span: str
    early: tuple[int, int]
    waited: tuple[int, int]


def thresholds(contract: Contract, holds: Judge) -> tuple[Threshold | Endless, ...]:
    """The thresholds of each duration of a contract without open clauses, the other durations as they are."""
    return tuple(t for name in CLAUSES if name != "lag" for t in _of(contract, name, holds))


def _of(contract: Contract, name: str, holds: Judge) -> Iterator[Threshold | Endless]:
    spans = {n: parse_duration(str(contract.clauses()[clause])) for n, clause in CLAUSES.items()}
    borders = dict(_borders(name, spans))
    samples = sorted({0, *(v for border in borders for v in _near(border))})
    samples += [samples[-1] // 1000 * 2000 + 1000]
    first, last = (_judged(contract, name, v, holds) for v in (samples[0], samples[-1]))
    if first is None or last is None:
        return
    if first == last:
        if not first:
            yield from _endless(contract, name, spans, holds)
        return
    low, high = 0, len(samples) - 1
    while high - low > 1:
        middle = (low + high) // 2
        verdict = _judged(contract, name, samples[middle], holds)
        if verdict is None:
            return
        low, high = (middle, high) if verdict == first else (low, middle)
    yield _threshold(CLAUSES[name], borders, samples[low], samples[high], rising=last)


def _threshold(clause: str, borders: Mapping[int, Sum], low: int, high: int, *, rising: bool) -> Threshold:
    """The threshold between two neighbours; where several sums lie between what a file can say, the safest of them."""
    value, beyond = (high, low) if rising else (low, high)
    between = [b for b in borders if low <= b <= high and b != beyond]
    strict = not between
    border = beyond if strict else max(between) if rising else min(between)
    plus, less = borders[border]
    return Threshold(clause, rising, _clauses(plus), _clauses(less), value, beyond, strict)


def _near(border: int) -> Iterator[int]:
    """What a contract file can say at a border and next to it, in ms: long durations only in whole seconds."""
    step = 1 if border < LONGEST else 1000
    nearest = border // step * step
    yield from (v for v in (nearest - step, nearest, nearest + step, nearest + 2 * step) if v >= 0)


def _borders(name: str, spans: Mapping[str, int | None]) -> Iterator[tuple[int, Sum]]:
    """Every value of a duration at which its order among the others changes, with the sum that it then equals."""
    for group in GROUPS:
        for one, other in itertools.permutations(group, 2):
            if name not in one or name in other:
                continue
            rest = tuple(n for n in one if n != name)
            if all(spans[n] is not None for n in (*rest, *other)):
                value = sum(spans[n] or 0 for n in other) - sum(spans[n] or 0 for n in rest)
                if value >= 0:
                    yield value, (other, rest)


def _judged(contract: Contract, name: str, span: int, holds: Judge) -> bool | None:
    """The verdict with this duration in ms; None where the contract then contradicts itself."""
    text = f"{span}ms" if span <= LONGEST else f"{span // 1000}s"
    try:
        return holds(contract.with_clauses({CLAUSES[name]: text}))
    except ContractError:
        return None


def _endless(contract: Contract, name: str, spans: Mapping[str, int | None], holds: Judge) -> Iterator[Endless]:
    """What is said of a duration of which no finite value is enough."""
    if name not in ("retention", "record_retention"):
        return
    unbounded = [CLAUSES[n] for n in LATEST if spans[n] is None]
    try:
        enough = holds(contract.with_clauses({CLAUSES[name]: "forever"}))
    except ContractError:
        return
    if enough and unbounded:
        yield Endless(CLAUSES[name], f"while {' and '.join(unbounded)} is unbounded")


def _clauses(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(CLAUSES[n] for n in names)

