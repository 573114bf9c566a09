"""What an edited action adds to the states of a run, grown from the states that are there without it.

A run is searched once. An edit that only adds steps is then searched from the old states: their new
successors, and everything that follows from these. The result is the same as that of a new search
(tests/mutants), at a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from model.folding import Simplifier, simplifier
from model.kernel import Action, System, Term, Update
from model.terms import op_name
from solver.edges import Edges
from solver.exploration import Exploration
from solver.explore import Limits, explore
from solver.lowering import Predicates, Successors
from solver.numpy_lowering import compile_predicates, compile_successors
from solver.numpy_states import BLOCK
from solver.packing import Words
from solver.visited import Visited


class TooManyStates(RuntimeError):
    """A search that was given up: what it would have found is not known."""


@dataclass(frozen=True)
class Regrown:
    """What an edit adds: how many states, which predicates hold in one of them, and the graph of all states.

    Without ``complete`` the growth was stopped, by the limit or by what it found, and the graph is of no use.
    """

    added: int
    met: frozenset[str]
    complete: bool
    graph: Exploration


class Ground:
    """A complete search of a system of which only the promises are fixed, so that an edit changes no variable."""

    def __init__(self, system: System, predicates: Mapping[str, Term], most_states: int):
        constants = {v.name: v.value(v.starts[0]) for v in system.variables if v.rigid and len(v.starts) == 1}
        self.simplify: Simplifier = simplifier(constants)
        self.most_states = most_states
        kept = tuple(v for v in system.variables if v.name not in constants)
        actions = (self.folded(a) for a in system.actions)
        self.system = System(system.name, kept, tuple(a for a in actions if op_name(a.guard) != "false"))
        self.predicates = {name: self.simplify(term) for name, term in predicates.items()}
        self.found = explore(self.system, self.predicates, limits=Limits(max_states=most_states), keep_edges=True)
        if not self.found.complete:
            raise TooManyStates(f"{system.name} has more than {most_states} states; make the run smaller")
        self.old = compile_successors(self.system, self.found.layout)
        self.looks: Predicates = compile_predicates(self.system, self.found.layout, self.predicates)

    @property
    def met(self) -> frozenset[str]:
        """The predicates that hold somewhere without any edit."""
        return frozenset(name for name, index in self.found.first.items() if index is not None)

    def folded(self, action: Action) -> Action:
        """The action with the promises put in."""
        updates = tuple(Update(u.target, self.simplify(u.value)) for u in action.updates)
        return replace(action, guard=self.simplify(action.guard), updates=updates)

    def possible(self, guards: Mapping[str, Term]) -> frozenset[str]:
        """The names of the guards that hold in some state."""
        _, count = self.found.first_and_count({name: self.simplify(term) for name, term in guards.items()})
        return frozenset(name for name, number in count.items() if number)

    def regrow(self, steps: Sequence[Action], stop_at: frozenset[str]) -> Regrown:
        """Add steps (no state may have two steps of one name) until nothing is new or a predicate is met.

        Raises ModelError for an update that leaves a declared range.
        """
        return _Growth(self, [self.folded(a) for a in steps], stop_at).run()


class _Growth:
    """One growth, level by level."""

    def __init__(self, ground: Ground, steps: Sequence[Action], stop_at: frozenset[str]):
        self.ground, self.stop_at = ground, stop_at
        actions = [*ground.system.actions, *(a for a in steps if a.name not in _names(ground.system))]
        self.system = ground.system.with_actions(actions)
        at = {a.name: i for i, a in enumerate(actions)}
        self.number = [at[a.name] for a in steps]
        self.extra = compile_successors(ground.system.with_actions(steps), ground.found.layout)
        self.visited = Visited(ground.found.layout.width)
        self.visited.fill(list(ground.found.words))
        self.parts = [ground.found.edges or _edges([], [], [])]
        self.met: frozenset[str] = frozenset()

    def run(self) -> Regrown:
        """The old states under the new steps, then the new states under all."""
        old = self.visited.count
        self._expand(0, old, (self.extra,))
        start = old
        while start < self.visited.count:
            stop = self.visited.count
            self._look(start, stop)
            if self.met & self.stop_at or stop > self.ground.most_states:
                return self._result(old, complete=False)
            self._expand(start, stop, (self.ground.old, self.extra))
            start = stop
        return self._result(old, complete=True)

    def _look(self, start: int, stop: int) -> None:
        for at in range(start, stop, BLOCK):
            values = self.ground.looks(self.visited.states(at, min(at + BLOCK, stop)))
            self.met |= {name for name, holds in values.items() if holds.any()}

    def _expand(self, start: int, stop: int, kernels: Sequence[Successors]) -> None:
        for at in range(start, stop, BLOCK):
            block = self.visited.states(at, min(at + BLOCK, stop))
            for kernel in kernels:
                self._insert(at, block, kernel)

    def _insert(self, start: int, block: Words, kernel: Successors) -> None:
        steps = kernel(block).transitions(self.ground.found.layout.width)
        number = self.number if kernel is self.extra else range(len(self.system.actions))
        targets = self.visited.insert(steps.words)
        self.parts.append(_edges(steps.source + start, targets, np.array(number, np.uint16)[steps.action]))

    def _result(self, old: int, complete: bool) -> Regrown:
        count = self.visited.count
        edges = Edges(*(np.concatenate([getattr(e, f) for e in self.parts]) for f in ("source", "target", "action")))
        words = self.visited.release(count)
        layout = self.ground.found.layout
        graph = Exploration(self.system, layout, words, [count], {}, None if complete else "growth", edges)
        return Regrown(count - old, self.met, complete, graph)


def _names(system: System) -> frozenset[str]:
    return frozenset(a.name for a in system.actions)


def _edges(source: npt.ArrayLike, target: npt.ArrayLike, action: npt.ArrayLike) -> Edges:
    return Edges(np.asarray(source, np.uint32), np.asarray(target, np.uint32), np.asarray(action, np.uint16))
