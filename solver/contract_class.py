"""The recovery class of a definite contract, computed: what recovery cannot do without."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from solver.assessment import Summary
from solver.definite import Definite, Value
from solver.interruptions import ALONE, PERSON, SOMETIMES, STUCK, Point

Assess = Callable[[Definite], Summary]


class RecoveryClass(StrEnum):
    """What recovery from any interruption rests on; the better ones first."""

    REPEAT_OR_READBACK = "automatic by idempotent repeat or by readback"
    REPEAT = "automatic by idempotent repeat"
    READBACK = "automatic by readback"
    BOTH = "automatic by repeat and readback together"
    PERSON = "person only"
    NONE = "none"

    @property
    def automatic(self) -> bool:
        """Whether no interruption needs a person."""
        return self not in (RecoveryClass.PERSON, RecoveryClass.NONE)

    @property
    def rank(self) -> int:
        """Its place among the classes, 0 for the best."""
        return list(RecoveryClass).index(self)


WITHOUT: Mapping[str, Mapping[str, Value]] = {
    "repeat": {"recognises": False},
    "readback": {"readable": False},
}
"""Each means of recovery, and the contract without it."""


@dataclass(frozen=True)
class Classified:
    """A definite contract with its class, what was searched, and the means that it cannot do without."""

    definite: Definite
    kind: RecoveryClass
    summary: Summary
    needs: tuple[str, ...] = ()


def classify(definite: Definite, assess: Assess) -> Classified:
    """The class: none where a property breaks, a person's where an interruption needs one.

    Otherwise each means is taken away, and the class names those without which some interruption would need a person.
    """
    found = assess(definite)
    if found.broken:
        return Classified(definite, RecoveryClass.NONE, found)
    if not found.automatic:
        return Classified(definite, RecoveryClass.PERSON, found)
    needs = tuple(name for name, changes in WITHOUT.items() if not assess(definite.with_values(changes)).automatic)
    return Classified(definite, _of_needs(needs), found, needs)


def _of_needs(needs: tuple[str, ...]) -> RecoveryClass:
    if needs == ("repeat",):
        return RecoveryClass.REPEAT
    if needs == ("readback",):
        return RecoveryClass.READBACK
    return RecoveryClass.BOTH if needs else RecoveryClass.REPEAT_OR_READBACK


def weakest(points: Sequence[Point]) -> Point | None:
    """The kind of interruption that is worst to recover from; None where all end alone."""
    rest = [point for point in points if point.ends != ALONE]
    order = (STUCK, PERSON, SOMETIMES)
    return min(rest, key=lambda p: (order.index(p.ends), p.alone / p.states, p.name)) if rest else None
