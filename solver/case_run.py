"""One exhaustive run of a model: what it violates, what it meets, which cuts it reaches."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from z3 import And, Not, Or

from model.kernel import Term
from model.labels import Move
from model.specialise import Specialised, specialise
from model.system import Model
from model.table_inputs import INPUT_NAMES, LABELS
from properties import endings
from properties.deadlines import deadlines
from properties.reachables import Reachable
from properties.safety import Property
from properties.verdict import Trace
from solver.coverage import CutValues
from solver.exploration import Exploration
from solver.explore import Limits, Progress, explore
from solver.graph import can_reach, restricted, trapped
from solver.plain_step import PlainModel
from solver.replayed import replayed_trace


@dataclass(frozen=True)
class CaseRun:
    """What one run showed. Without ``complete`` the absence of anything in it proves nothing.

    ``violations`` and ``reached`` hold replayed traces by name; ``met`` says which premises occurred;
    ``impossible`` are actions whose guard is false under this contract; ``cuts`` are the distinct cuts on
    which a worker decided; ``stuck`` is a trace to a state from which no end is reached, and ``ends`` says
    whether that was looked at; ``asked`` is a trace to a state that needs a person.
    """

    name: str
    bounds: str
    states: int
    transitions: int
    depth: int
    complete: bool
    cut_off_by: str | None
    seconds: float
    fired: Mapping[str, int]
    impossible: tuple[str, ...]
    violations: Mapping[str, Trace]
    met: frozenset[str]
    reached: Mapping[str, Trace | None]
    cuts: frozenset[CutValues]
    binding: Mapping[str, bool]
    ends: bool
    stuck: Trace | None
    asked: Trace | None


@dataclass(frozen=True)
class Questions:
    """What a run is asked: properties, situations to look for, and whether ends are judged."""

    properties: Sequence[Property]
    situations: Sequence[Reachable] = ()
    ends: bool = True
    stop_early: bool = False
    consistency: Callable[[Model], Mapping[str, Term]] | None = None


def run_case(
    name: str,
    bounds: str,
    model: Model,
    questions: Questions,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    checkpoint: Path | None = None,
) -> CaseRun:
    """Explore a model exhaustively (as far as the limits allow) and answer the questions.

    Raises EnginesDisagree where a trace does not replay, CheckpointError for an unusable checkpoint.
    """
    began = time.monotonic()
    special = specialise(model.system())
    terms = _terms(model, questions)
    predicates = {n: special.term(t) for n, t in terms.items()}
    stops = [f"not {p.name}" for p in questions.properties] if questions.stop_early else []
    found = explore(
        special.system,
        predicates,
        limits=limits,
        progress=progress,
        keep_edges=questions.ends,
        checkpoint_path=checkpoint,
        stop_when=stops,
    )
    return _Reading(model, special, found, terms, questions, name, bounds, began).result()


def _terms(model: Model, questions: Questions) -> dict[str, Term]:
    """Everything that is looked for in every state, by name."""
    terms: dict[str, Term] = {f"not {p.name}": Not(p.holds(model)) for p in questions.properties}
    terms |= {f"premise {p.name}": p.premise(model) for p in questions.properties}
    terms |= {f"reach {r.name}": r.where(model) for r in questions.situations}
    terms |= {f"deadline {d.name}": d.reached for d in deadlines(model) if d.reached is not None}
    terms["asked"] = endings.asks_a_person(model)
    if questions.consistency is not None:
        terms |= {f"claim {n}": Not(t) for n, t in questions.consistency(model).items()}
    return terms


@dataclass(frozen=True)
class _Reading:
    """Reads the answers off an exploration."""

    model: Model
    special: Specialised
    found: Exploration
    terms: Mapping[str, Term]
    questions: Questions
    name: str
    bounds: str
    began: float

    def result(self) -> CaseRun:
        """All answers."""
        e, q = self.found, self.questions
        stuck = self._stuck() if q.ends and e.complete else None
        return CaseRun(
            name=self.name,
            bounds=self.bounds,
            states=e.states,
            transitions=e.transitions,
            depth=e.depth,
            complete=e.complete,
            cut_off_by=e.cut_off_by,
            fired=dict(e.fired),
            impossible=self.special.removed_actions,
            violations=self._violations(),
            met=frozenset(p.name for p in q.properties if e.first[f"premise {p.name}"] is not None),
            reached={r.name: self._trace(f"reach {r.name}", r.says) for r in q.situations},
            cuts=reached_cuts(self.model, self.special, e),
            binding=self._binding(),
            ends=q.ends and e.complete,
            stuck=stuck,
            asked=self._trace("asked", "a person is asked"),
            seconds=time.monotonic() - self.began,
        )

    @cached_property
    def plain(self) -> PlainModel:
        """The whole system in plain Python, for replay."""
        return PlainModel(self.special.original)

    def _trace(self, term: str, shows: str) -> Trace | None:
        index = self.found.first[term]
        if index is None:
            return None
        return replayed_trace(self.special, self.plain, self.found, index, shows, self.terms[term])

    def _violations(self) -> dict[str, Trace]:
        names = [p.name for p in self.questions.properties]
        traces = {n: self._trace(f"not {n}", f"{n} is broken") for n in names}
        claims = [t for t in self.terms if t.startswith("claim ")]
        traces |= {t: self._trace(t, f"{t} is broken") for t in claims}
        return {n: t for n, t in traces.items() if t is not None}

    def _binding(self) -> dict[str, bool]:
        e = self.found
        return {
            d.name: e.first[f"deadline {d.name}"] is not None
            if d.reached is not None
            else any(count for action, count in e.fired.items() if action.split("[")[0] == d.action)
            for d in deadlines(self.model)
        }

    def _stuck(self) -> Trace | None:
        """A state from which no resting phase is reached without further faults, or a fair run that avoids one."""
        e, system = self.found, self.special.system
        rest = self.special.term(endings.at_rest(self.model))
        goal = e.evaluate({"goal": rest})["goal"]
        calm = restricted(e, endings.fair(system))
        bad = ~can_reach(calm, goal) | trapped(calm, goal, endings.fair(system))
        if not bad.any():
            return None
        index = int(np.argmax(bad))
        return replayed_trace(
            self.special, self.plain, e, index, "no resting phase is reached", Not(endings.at_rest(self.model))
        )


def decides_on(model: Model, special: Specialised) -> Term:
    """A formula that mentions all that ``reached_cuts`` reads, worker by worker in the same way.

    A reduction that keeps it keeps the cuts. Nothing is folded in the whole, so that all is mentioned.
    """
    parts: list[Term] = []
    for w in model.indices("w"):
        inputs = [special.term(term) == LABELS[n].terms[0] for n, term in model.inputs[w].items()]
        parts.append(And(special.term(model.workers[w].move == Move.informed), *inputs))
    found: Term = Or(*parts)
    return found


def reached_cuts(model: Model, special: Specialised, found: Exploration) -> frozenset[CutValues]:
    """The distinct cuts on which some worker decided, read off every reached state."""
    return frozenset(first_cuts(model, special, found))


def first_cuts(model: Model, special: Specialised, found: Exploration) -> dict[CutValues, tuple[int, int]]:
    """Each distinct cut on which some worker decides, with such a worker and the first state in which it does."""
    first: dict[CutValues, tuple[int, int]] = {}
    for w in model.indices("w"):
        terms = {n: special.term(t) for n, t in model.inputs[w].items()}
        terms["deciding"] = special.term(model.workers[w].move == Move.informed)
        values = found.evaluate(terms)
        rows = np.flatnonzero(values["deciding"])
        codes = np.stack([values[n][rows] for n in INPUT_NAMES], axis=1)
        for row, at in zip(*np.unique(codes, axis=0, return_index=True), strict=True):
            cut = tuple(LABELS[n].labels[int(c)] for n, c in zip(INPUT_NAMES, row, strict=True))
            if cut not in first or rows[at] < first[cut][1]:
                first[cut] = w, int(rows[at])
    return first
