"""The points at which a run can be interrupted, and whether recovery from there ends without a person.

A worker crashes once, at any of its steps; requests and answers may be lost or late before. From then on no fault
happens any more, and a resumer begins no later than the contract's longest resumption after the first release; what
it then waits for a lagging look-up comes on top. The question is what every fair run then does: close the case alone,
or wait for a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import csgraph
from z3 import And, Not, Or

from model.decision_table import Table
from model.kernel import Term
from model.labels import Kind, Move, World
from model.specialise import Specialised
from model.system import Model
from model.table_inputs import INPUT_NAMES, LABELS
from properties import endings
from solver.edges import Edges
from solver.exploration import Exploration
from solver.graph import Mask, can_reach, restricted, trapped

FAULTS = ("crash", "loss", "delay", "errors", "forget", "prune", "lookalike", "copy")
MOMENTS: Mapping[str, tuple[str, ...]] = {
    "before it decided": (
        "misread", "claimed", "telling", "waiting", "ready", "asked", "reading", "observed", "informed", "confirming",
        "renewing",
    ),
    "after it chose to act, before the attempt was recorded": ("admitting", "admitted"),
    "after the attempt was recorded, before the request was released": ("recorded",),
    "while it waited for the answer": ("awaiting",),
    "after the answer, before it was recorded": ("replied",),
    "while it undid the effect": ("undo_admitted", "undo_recorded", "undo_awaiting"),
}  # fmt: skip
"""Where a worker crashes, in words, by its moves."""
EFFECTS: Mapping[str, str] = {
    "absent": "no effect", "pending": "effect under way", "committed": "effect there", "refused": "refused for good",
    "failed": "effect failed", "reversed": "effect undone",
}  # fmt: skip
FLYING = "request on its way"
ALONE, SOMETIMES, PERSON, STUCK = "alone", "sometimes", "person", "stuck"
"""Every fair run closes the case; some do and some wait for a person; every one waits; one does neither."""


@dataclass(frozen=True, order=True)
class Point:
    """A kind of interruption: when, with which effect in the world, and how recovery ends from there.

    ``states`` are the states of this kind, from ``alone`` of which every fair run closes the case without a person.
    ``ends`` is ALONE, SOMETIMES, PERSON or STUCK over all of them; ``rules`` are the rules by which a resumer first
    decides from there, each as decision and name.
    """

    moment: str
    effect: str
    ends: str
    states: int
    alone: int
    rules: tuple[tuple[str, str], ...]

    @property
    def name(self) -> str:
        """The point in words."""
        return f"{self.moment}, {self.effect}"


def watched(model: Model) -> dict[str, Term]:
    """What the reading of points needs to know of every state, by name."""
    terms: dict[str, Term] = {
        "asks": endings.asks_a_person(model),
        "closed": endings.closed(model),
        "flying": Or(*[n.kind == Kind.execute for n in model.network.slots]),
        "world": model.gateways[0].world,
    }
    resume = model.setting.ticks.resume
    counted = resume is not None and resume <= model.setting.oldest
    waits = Or(*[w.move == Move.waiting for w in model.workers])
    terms["late"] = And(model.clock.age[0] >= resume, Not(waits)) if counted else Or()
    terms["over"] = model.clock.age[0] > resume if counted else Or()
    for w in model.indices("w"):
        terms[f"move[{w}]"] = model.workers[w].move
        terms |= {f"{name}[{w}]": term for name, term in model.inputs[w].items()}
    return terms


def points_of(model: Model, special: Specialised, found: Exploration, table: Table) -> tuple[Point, ...]:
    """Every kind of interruption in a complete search with its edges, sorted."""
    return tuple(sorted(_Points(model, special, found, table).points()))


class _Points:
    """The points of one search."""

    def __init__(self, model: Model, special: Specialised, found: Exploration, table: Table) -> None:
        self.model, self.special, self.found, self.table = model, special, found, table
        self.values = found.evaluate({name: special.term(term) for name, term in watched(model).items()})
        self.asks, self.closed = self.values["asks"].astype(np.bool_), self.values["closed"].astype(np.bool_)
        self.fair = endings.fair(special.system)
        late = self.values["late"].astype(np.bool_)
        self.in_time = ~self.values["over"].astype(np.bool_)
        self.calm = _without(restricted(found, self.fair), late, "tick")

    def points(self) -> Iterator[Point]:
        """Each kind of interruption once."""
        kinds: dict[tuple[str, str], list[npt.NDArray[np.int64]]] = {}
        for kind, states in self._crashes():
            kinds.setdefault(kind, []).append(states)
        for (moment, effect), parts in kinds.items():
            states = np.unique(np.concatenate(parts))
            alone = int((~self.may_ask[states] & ~self.gets_stuck[states]).sum())
            yield Point(moment, effect, self._ends(states), states.size, alone, tuple(self._rules(states)))

    def _crashes(self) -> Iterator[tuple[tuple[str, str], npt.NDArray[np.int64]]]:
        """The states after a crash by when it happened; of cases that were open and asked nobody before."""
        names, edges = [a.name for a in self.special.system.actions], self.found.edges
        assert edges is not None
        for w in self.model.indices("w"):
            if f"crash[{w}]" not in names:
                continue
            rows = np.flatnonzero(edges.action == names.index(f"crash[{w}]"))
            rows = rows[(self.in_time & ~self.asks & ~self.closed)[edges.source[rows]]]
            before, after = edges.source[rows], edges.target[rows]
            codes = np.stack([self.values[f"move[{w}]"][before], self._effect(before)], axis=1)
            for move, effect in np.unique(codes, axis=0):
                here = (codes == (move, effect)).all(axis=1)
                yield (moment_of(Move.labels[move]), _effect_name(effect)), after[here].astype(np.int64)

    def _effect(self, states: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
        world = self.values["world"][states].astype(np.int64)
        flying = self.values["flying"][states].astype(np.int64)
        return 2 * world + flying

    def _ends(self, states: npt.NDArray[np.int64]) -> str:
        if self.gets_stuck[states].any():
            return STUCK
        if not self.may_ask[states].any():
            return ALONE
        return SOMETIMES if self.may_close[states].any() else PERSON

    @cached_property
    def may_ask(self) -> Mask:
        """Some fair run from here waits for a person."""
        return can_reach(self.calm, self.asks)

    @cached_property
    def may_close(self) -> Mask:
        """Some run from here closes the case, with nobody asked on the way."""
        return can_reach(_without(self.calm, self.asks), self.closed & ~self.asks)

    @cached_property
    def gets_stuck(self) -> Mask:
        """Some fair run from here neither closes the case nor asks anybody."""
        ends = self.asks | self.closed
        bad = ~can_reach(self.calm, ends) | trapped(self.calm, ends, self.fair)
        return can_reach(self.calm, bad) if bad.any() else bad

    @cached_property
    def first(self) -> Exploration:
        """The calm steps up to the first decision."""
        deciding = np.zeros(self.found.states, np.bool_)
        for w in self.model.indices("w"):
            deciding |= self._deciding(w)
        return _without(self.calm, deciding)

    def _deciding(self, w: int) -> Mask:
        mask: Mask = self.values[f"move[{w}]"] == Move.labels.index("informed")
        return mask

    def _rules(self, states: npt.NDArray[np.int64]) -> list[tuple[str, str]]:
        """The rules by which a worker decides first, after the crash."""
        reach = _reached_from(self.first, states)
        found: set[tuple[str, str]] = set()
        for w in self.model.indices("w"):
            at = np.flatnonzero(reach & self._deciding(w))
            codes = np.stack([self.values[f"{name}[{w}]"][at] for name in INPUT_NAMES], axis=1)
            for row in np.unique(codes, axis=0):
                cut = {n: LABELS[n].labels[int(c)] for n, c in zip(INPUT_NAMES, row, strict=True)}
                rule = self.table.lookup(cut)
                found.add(("quarantine", "no rule") if rule is None else (rule.decision, rule.name))
        return sorted(found)


def broken_late(
    model: Model, special: Specialised, found: Exploration, broken: Mapping[str, Term]
) -> frozenset[str]:
    """Of terms that some state fulfils, those that none does while every request is released in time."""
    resume = model.setting.ticks.resume
    if not broken or resume is None or resume > model.setting.oldest:
        return frozenset()
    over = found.evaluate({"over": special.term(model.clock.age[0] > resume)})["over"].astype(np.bool_)
    releases = [a.name for a in special.system.actions if a.name.startswith("release")]
    timely = _without(found, over, *releases)
    reach = _reached_from(timely, np.arange(found.levels[0], dtype=np.int64))
    values = found.evaluate(broken)
    return frozenset(name for name in broken if not (values[name].astype(np.bool_) & reach).any())


def moment_of(move: str) -> str:
    """When a worker at this move is interrupted, in words."""
    return next((moment for moment, moves in MOMENTS.items() if move in moves), "before it claimed the case")


def _effect_name(code: int) -> str:
    world = EFFECTS[World.labels[code // 2]]
    return f"{FLYING}, {world}" if code % 2 else world


def _reached_from(exploration: Exploration, states: npt.NDArray[np.int64]) -> Mask:
    """The states that some run from these reaches, these included."""
    edges, root = exploration.edges, exploration.states
    assert edges is not None
    source = np.concatenate((edges.source, np.full(states.size, root)))
    target = np.concatenate((edges.target, states))
    steps = sparse.csr_array((np.ones(source.size, np.bool_), (source, target)), shape=(root + 1, root + 1))
    mask = np.zeros(root + 1, np.bool_)
    mask[csgraph.breadth_first_order(steps, root, return_predecessors=False)] = True
    return mask[:-1]


def _without(exploration: Exploration, left: Mask, *actions: str) -> Exploration:
    """The same states without the steps (of these actions, if any is named) that leave some of them."""
    edges = exploration.edges
    assert edges is not None
    kept = ~left[edges.source]
    if actions:
        names = np.array([a.name for a in exploration.system.actions])
        kept |= ~np.isin(names[edges.action], actions)
    return replace(exploration, edges=Edges(edges.source[kept], edges.target[kept], edges.action[kept]))
