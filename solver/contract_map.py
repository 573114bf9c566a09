"""The map of contracts: every combination of the promises and practices that decide whether recovery needs a person.

A step up the lattice is a stronger promise. That no step up ever harms is checked over all of them, so the contracts
that are enough are those above the minimal ones.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from model.promises import CLAUSES
from model.setting import Ticks
from solver.assessment import Summary
from solver.definite import Definite, Value, bare

SHORT = Ticks(2, 1, 3, 1)
"""A retention that ends before the latest arrival."""

Level = tuple[str, Mapping[str, Value]]


@dataclass(frozen=True)
class Dimension:
    """What is varied, and its levels from the weakest to the strongest, each with the clauses that it sets."""

    name: str
    levels: tuple[Level, ...]


NO_KEY: Mapping[str, Value] = {"recognises": False}
DIMENSIONS: tuple[Dimension, ...] = (
    Dimension("identity", (("changes", {"stable_identity": False}), ("stable", {"stable_identity": True}))),
    Dimension("repeat", (("executes again", NO_KEY), ("forgotten too early", {}), ("kept for ever", {}))),
    Dimension("errors", (("remembered", {"remembers_errors": True}), ("not kept", {"remembers_errors": False}))),
    Dimension("at once", (("race", {"races": True}), ("one at a time", {"races": False}))),
    Dimension(
        "fence",
        (
            ("none", {"enforces_fence": False, "fence_told": "never"}),
            ("told with the request", {"enforces_fence": True, "fence_told": "with_request"}),
            ("told before reading", {"enforces_fence": True, "fence_told": "before_read"}),
        ),
    ),
    Dimension(
        "look-up",
        (
            ("none", {"readable": False}),
            ("lag without bound", {"lag": "unbounded"}),
            ("lag bounded", {"lag": "finite"}),
            ("at once", {"lag": "zero"}),
        ),
    ),
    Dimension("found by", (("search", {"by_search": True}), ("operation", {"by_search": False}))),
    Dimension("records", (("disappear", {"prunes": True}), ("stay", {"prunes": False}))),
    Dimension("reports", (("acceptance", {"reports_governed": False}), ("the effect", {"reports_governed": True}))),
)
TICKS: Mapping[str, Ticks] = {
    "executes again": Ticks(), "forgotten too early": SHORT, "kept for ever": Ticks(),
}  # fmt: skip
Place = tuple[int, ...]
"""A level in each dimension, from 0."""


@dataclass(frozen=True)
class Map:
    """Every place with the contract there and what is known of it."""

    definite: Mapping[Place, Definite]
    summary: Mapping[Place, Summary]

    def automatic(self, place: Place) -> bool:
        """Whether recovery needs no person there."""
        return self.summary[place].automatic

    @property
    def minimal(self) -> tuple[Place, ...]:
        """The automatic places of which no weaker neighbour is automatic."""
        return tuple(p for p in self.summary if self.automatic(p) and not any(map(self.automatic, weaker(p))))

    @property
    def harmful(self) -> tuple[tuple[Place, Place], ...]:
        """The steps up that do harm: from an automatic place to one that is not, or where more breaks."""
        found = []
        for place in self.summary:
            for below in weaker(place):
                worse = self.automatic(below) and not self.automatic(place)
                if worse or set(self.summary[place].broken) - set(self.summary[below].broken):
                    found.append((below, place))
        return tuple(found)


def places() -> Iterator[Place]:
    """Every combination of levels, the weakest first."""
    yield from itertools.product(*[range(len(d.levels)) for d in DIMENSIONS])


def weaker(place: Place) -> Iterator[Place]:
    """The places one step down."""
    for at, level in enumerate(place):
        if level:
            yield (*place[:at], level - 1, *place[at + 1 :])


def definite_at(place: Place) -> Definite:
    """The contract at a place: every clause that is no dimension is good, but nobody else sees the business result."""
    values: dict[str, Value] = {name: clause.good for name, clause in CLAUSES.items()} | {"witness": "none"}
    names = {}
    for dimension, level in zip(DIMENSIONS, place, strict=True):
        name, changes = dimension.levels[level]
        names[dimension.name] = name
        values |= changes
    return bare(Definite(tuple(values[name] for name in CLAUSES), TICKS[names["repeat"]]))


def level_names(place: Place) -> dict[str, str]:
    """The levels of a place in words, by dimension."""
    return {d.name: d.levels[level][0] for d, level in zip(DIMENSIONS, place, strict=True)}


def map_of(known: Mapping[str, Summary]) -> Map:
    """The whole map; KeyError where a contract of it was not searched."""
    definite = {place: definite_at(place) for place in places()}
    return Map(definite, {place: known[d.key] for place, d in definite.items()})


def said(minimal: Sequence[Place]) -> list[dict[str, str]]:
    """Minimal places as what each demands beyond the weakest level."""
    return [
        {d.name: d.levels[level][0] for d, level in zip(DIMENSIONS, place, strict=True) if level} for place in minimal
    ]
