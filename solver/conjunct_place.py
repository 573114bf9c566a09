"""One small run in which conjuncts are deleted: what each deletion adds to it, and what notices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from z3 import And, Not, Or

from model.kernel import Action, ModelError, Term, check_system
from model.terms import conjunction
from properties import endings
from properties.safety import PROPERTIES
from solver.conjunct_runs import SmallRun
from solver.conjunct_text import GuardText
from solver.exploration import Exploration
from solver.graph import can_reach, restricted, trapped
from solver.regrowth import Ground, Regrown

MOST_STATES = 150_000
ASKED = "asked"


@dataclass(frozen=True, order=True)
class Conjunct:
    """One top-level conjunct of an action's guard; all instances of the action read alike (solver/conjunct_text.py)."""

    action: str
    text: str


@dataclass(frozen=True)
class Effect:
    """What a deletion does in one run: whether it forbade anything there, what it adds and what it breaks.

    ``unbuilt`` says why the model cannot be built without the conjunct.
    """

    forbids: bool
    added: int = 0
    broken: tuple[str, ...] = ()
    complete: bool = True
    unbuilt: str = ""


def action_name(instance: str) -> str:
    """An action's name without its indices."""
    return instance.partition("[")[0]


class Place:
    """A small run, searched only when a deletion needs it."""

    def __init__(self, name: str, run: SmallRun):
        self.name, self.run = name, run
        self.model = run.model(name)
        self.system = self.model.system()
        text = GuardText(self.system)
        self.freed: dict[Conjunct, list[Action]] = {}
        for action in self.system.actions:
            parts = text.conjuncts(action)
            for deleted in dict.fromkeys(written for written, _ in parts):
                step = _freed(action, deleted, parts)
                self.freed.setdefault(Conjunct(action_name(action.name), deleted), []).append(step)

    def effect(self, conjunct: Conjunct) -> Effect:
        """Delete a conjunct from every instance of its action; KeyError for one that the run does not have."""
        steps = self.freed[conjunct]
        try:
            check_system(self.system.with_actions(steps))
            if conjunct not in self.forbidding:
                return Effect(forbids=False)
            grown = self.ground.regrow(steps, self.kept & {p.name for p in PROPERTIES})
        except ModelError as problem:
            return Effect(forbids=True, unbuilt=str(problem))
        return Effect(True, grown.added, tuple(self._broken(grown)), grown.complete)

    @cached_property
    def ground(self) -> Ground:
        """The search without any deletion."""
        terms = {p.name: Not(p.holds(self.model)) for p in PROPERTIES}
        return Ground(self.system, terms | {ASKED: endings.asks_a_person(self.model)}, MOST_STATES)

    @cached_property
    def forbidding(self) -> frozenset[Conjunct]:
        """The conjuncts that alone forbid a step in some state that is reached."""
        order = list(self.freed)
        guards = {str(i): Or(*[step.guard for step in self.freed[c]]) for i, c in enumerate(order)}
        return frozenset(order[int(i)] for i in self.ground.possible(guards))

    @cached_property
    def kept(self) -> frozenset[str]:
        """What holds here without any deletion."""
        safe = {p.name for p in PROPERTIES} - self.ground.met
        ends = set() if self._stuck(self.ground.found) else {endings.NAME}
        alone = {endings.UNATTENDED} if self._needs_nobody() and ASKED not in self.ground.met else set()
        return frozenset(safe | ends | alone)

    def _needs_nobody(self) -> bool:
        """The run has to end without a person: nothing goes wrong, or one worker dies once."""
        if self.run.faults == ():
            return endings.must_finish_alone(self.model)
        once = self.run.faults == ("crash",) and self.run.crashes == 1
        return once and endings.must_survive_a_crash_alone(self.model)

    def _broken(self, grown: Regrown) -> list[str]:
        """The properties that hold here and no longer, safety first."""
        found = [p.name for p in PROPERTIES if p.name in grown.met & self.kept]
        if not found and grown.complete and endings.NAME in self.kept and self._stuck(grown.graph):
            found.append(endings.NAME)
        if endings.UNATTENDED in self.kept and ASKED in grown.met:
            found.append(endings.UNATTENDED)
        return found

    def _stuck(self, graph: Exploration) -> bool:
        """Some state never comes to rest, or a fair run from it does not."""
        goal = graph.evaluate({"rest": self.ground.simplify(endings.at_rest(self.model))})["rest"]
        fair = endings.fair(graph.system)
        return bool((~can_reach(calm := restricted(graph, fair), goal) | trapped(calm, goal, fair)).any())


def _freed(action: Action, deleted: str, parts: Sequence[tuple[str, Term]]) -> Action:
    """The steps that the action could take without a conjunct, and only those."""
    rest = [part for written, part in parts if written != deleted]
    gone = [part for written, part in parts if written == deleted]
    return replace(action, guard=And(*rest, Not(conjunction(gone))))
