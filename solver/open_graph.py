"""The graph of an open model: the states that one table reaches, and what it breaks there, without another search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
from z3 import Not

from model.kernel import Term
from model.labels import Move
from model.specialise import Specialised, specialise
from model.table_inputs import INPUT_NAMES, LABELS, Decision
from properties import endings
from properties.safety import PROPERTIES, Property
from solver.coverage import CutValues
from solver.edges import Edges
from solver.exploration import Exploration
from solver.explore import Limits, explore
from solver.graph import can_reach, restricted, trapped
from solver.open_model import OpenModel, marked
from solver.plain_step import PlainModel
from solver.replayed import EnginesDisagree, replay

Decide = Callable[[CutValues], str]
"""What a table decides on a cut; a cut without a rule is handed over, as in the model."""

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Reach:
    """The states that a table reaches, nearest first, with the edge by which each was reached (-1 for a start).

    ``steps`` are the numbers of all edges that the table takes, ``cuts`` those of the cuts it decides on.
    """

    states: Indices
    edges: Indices
    steps: Indices
    cuts: frozenset[int]


class OpenGraph:
    """Every state and step of an open model, within limits; MemoryError if they do not suffice.

    ``cuts`` are the distinct cuts that any table decides on, numbered; a *choice* is an array that gives for each
    the number of a decision.
    """

    def __init__(self, model: OpenModel, limits: Limits, properties: Sequence[Property] = PROPERTIES) -> None:
        self.model = model
        self.special: Specialised = specialise(model.system())
        self.found: Exploration = explore(self.special.system, limits=limits, keep_edges=True)
        if not self.found.complete:
            raise MemoryError(f"{model.name}: cut off by {self.found.cut_off_by} at {self.found.states:,} states")
        self._violations = {p.name: Not(p.holds(model)) for p in properties}
        self._read_edges()
        self._read_cuts()

    def _read_edges(self) -> None:
        edges = self._edges()
        self.first = np.searchsorted(edges.source, np.arange(self.found.states + 1))
        names = [marked(a.name) for a in self.special.system.actions]
        self.decision = np.array([-1 if d is None else Decision.labels.index(d) for _, d in names], np.int8)
        self.worker = np.array([-1 if d is None else _first_index(n) for n, d in names], np.int8)

    def _edges(self) -> Edges:
        assert self.found.edges is not None
        return self.found.edges

    def _read_cuts(self) -> None:
        """For each state and worker the number of the cut it decides on, -1 if it decides on none."""
        columns = []
        for w in self.model.indices("w"):
            terms = {n: self.special.term(t) for n, t in self.model.inputs[w].items()}
            values = self.found.evaluate(terms | {"deciding": self.special.term(self._deciding(w))})
            codes = np.stack([values[n] for n in INPUT_NAMES], axis=1).astype(np.uint8)
            codes[~values["deciding"]] = 255
            columns.append(codes)
        distinct, number = np.unique(np.concatenate(columns), axis=0, return_inverse=True)
        number = number.reshape(-1)
        if len(distinct) and distinct[-1, 0] == 255:
            number = np.where(number == len(distinct) - 1, -1, number)
            distinct = distinct[:-1]
        self.cut_of = number.reshape(len(columns), -1).T.astype(np.int32)
        self.cuts: list[CutValues] = [
            tuple(LABELS[n].labels[int(c)] for n, c in zip(INPUT_NAMES, row, strict=True)) for row in distinct
        ]

    def _deciding(self, w: int) -> Term:
        return self.model.workers[w].move == Move.informed

    def choice(self, decide: Decide) -> npt.NDArray[np.int8]:
        """What a table decides, as the number of a decision for each cut."""
        return np.array([Decision.labels.index(decide(cut)) for cut in self.cuts], np.int8)

    def reach(self, choices: Sequence[npt.NDArray[np.int8]]) -> Reach:
        """The states that are reached where worker w decides by ``choices[w]``, or all by the only one."""
        table = np.array([choices[w % len(choices)] for w in self.model.indices("w")])
        seen = np.zeros(self.found.states, np.bool_)
        frontier = np.arange(self.found.levels[0])
        seen[frontier] = True
        states, edges, steps = [frontier], [np.full(frontier.size, -1)], [np.empty(0, np.int64)]
        decided: set[int] = set()
        while frontier.size:
            out = self._out(frontier)
            out = out[self._allowed(out, table, decided)]
            steps.append(out)
            target = self._edges().target[out].astype(np.int64)
            new = np.flatnonzero(~seen[target])
            frontier, at = np.unique(target[new], return_index=True)
            seen[frontier] = True
            states.append(frontier)
            edges.append(out[new[at]])
        return Reach(np.concatenate(states), np.concatenate(edges), np.concatenate(steps), frozenset(decided))

    def _out(self, states: Indices) -> Indices:
        """The numbers of the edges out of some states, in order."""
        counts = self.first[states + 1] - self.first[states]
        starts = np.repeat(self.first[states] - np.concatenate(([0], np.cumsum(counts)[:-1])), counts)
        out: Indices = starts + np.arange(counts.sum())
        return out

    def _allowed(self, out: Indices, table: npt.NDArray[np.int8], decided: set[int]) -> npt.NDArray[np.bool_]:
        """Which edges a table agrees with; collects the cuts that are decided on."""
        action = self._edges().action[out]
        worker, decision = self.worker[action], self.decision[action]
        cut = self.cut_of[self._edges().source[out], np.maximum(worker, 0)]
        asked = (worker >= 0) & (cut >= 0)
        decided.update(np.unique(cut[asked]).tolist())
        agrees: npt.NDArray[np.bool_] = ~asked | (table[np.maximum(worker, 0), np.maximum(cut, 0)] == decision)
        return agrees

    @cached_property
    def _broken(self) -> Mapping[str, npt.NDArray[np.bool_]]:
        return self.found.evaluate({name: self.special.term(t) for name, t in self._violations.items()})

    def broken(self, reach: Reach, ends: bool = True) -> dict[str, int]:
        """For each property that some reached state breaks the position of the nearest in ``reach.states``."""
        found: dict[str, int] = {}
        for name, bad in self._broken.items():
            here = bad[reach.states]
            if here.any():
                found[name] = int(here.argmax())
        stuck = self._stuck(reach) if ends else None
        return found if stuck is None else {**found, endings.NAME: stuck}

    def _stuck(self, reach: Reach) -> int | None:
        """The position of the nearest state from which no resting phase is reached without faults, or fairly."""
        order = np.argsort(reach.states)
        part = self._part(reach, reach.states[order])
        goal, fair = self._rest[reach.states[order]], endings.fair(self.special.system)
        calm = restricted(part, fair)
        bad = np.flatnonzero(~can_reach(calm, goal) | trapped(calm, goal, fair))
        return int(order[bad].min()) if bad.size else None

    def _part(self, reach: Reach, states: Indices) -> Exploration:
        """The graph of one table: its states in order of their numbers, and its steps."""
        edges = self._edges()
        source, target = (np.searchsorted(states, end[reach.steps]) for end in (edges.source, edges.target))
        kept = Edges(source.astype(np.uint32), target.astype(np.uint32), edges.action[reach.steps])
        return replace(self.found, found=self.found.found[:, states], levels=[states.size], edges=kept)

    @cached_property
    def _rest(self) -> npt.NDArray[np.bool_]:
        term = self.special.term(endings.at_rest(self.model))
        values: npt.NDArray[np.bool_] = self.found.evaluate({"rest": term})["rest"]
        return values

    def way(self, reach: Reach, position: int) -> tuple[str, ...]:
        """The actions of the open system on a shortest way to a reached state."""
        at = {int(state): i for i, state in enumerate(reach.states)}
        names: list[str] = []
        while (edge := int(reach.edges[position])) >= 0:
            names.append(self.special.system.actions[self._edges().action[edge]].name)
            position = at[int(self._edges().source[edge])]
        return tuple(reversed(names))

    def replayed(self, way: Sequence[str], decides: Sequence[Decide], broken: str) -> tuple[str, ...]:
        """The way in the model's own actions, walked again in plain Python, each decision looked up again.

        ``decides[w]`` is what worker w decides, or the only one is for all. Raises EnginesDisagree where a decision
        is another one or, for a property of safety, the last state does not break it.
        """
        start = self.special.valuation(self.found.valuation(0))
        states = replay(self.plain, start, way)
        for state, name in zip(states, way, strict=False):
            action, decision = marked(name)
            w = _first_index(action) if decision is not None else -1
            if decision is None or not self.plain.value(self._deciding(w), state):
                continue
            cut = tuple(LABELS[n].labels[self.plain.value(t, state)] for n, t in self.model.inputs[w].items())
            if decides[w % len(decides)](cut) != decision:
                raise EnginesDisagree(f"{self.model.name}: {name} is not what the table decides on {cut}")
        if broken != endings.NAME and not self.plain.value(self._violations[broken], states[-1]):
            raise EnginesDisagree(f"{self.model.name}: {broken} is not broken after {', '.join(way)}")
        return tuple(marked(name)[0] for name in way)

    @cached_property
    def plain(self) -> PlainModel:
        """The open system in plain Python."""
        return PlainModel(self.special.original)


def _first_index(action: str) -> int:
    """The worker of an action that is marked with a decision: its first index."""
    return int(action.partition("[")[2].partition("]")[0])
