"""Exhaustive breadth-first exploration of a system, vectorised, exact, interruptible and resumable."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import z3

from model.kernel import System, Term
from solver.checkpoint import CheckpointError, Saved, digest, load, save
from solver.edges import NO_EDGES, Edges, joined, put_in_order, renumbered
from solver.engine import Engine
from solver.exploration import EdgeHit, Exploration
from solver.lowering import MemorySet, StateSet
from solver.memory import left_of
from solver.packing import Layout
from solver.spilled import SpilledStates
from solver.symmetry import NotSymmetric, symmetric_families


@dataclass(frozen=True)
class Limits:
    """Where a search gives up: more states than ``max_states``, or ``timeout`` seconds. None is no limit.

    ``memory`` is how many bytes the process may have. A search that needs more goes on with its states on
    disk (in the folder for temporary files), unless it keeps edges, and then gives up.
    """

    max_states: int | None = None
    timeout: float | None = None
    memory: int | None = None


@dataclass(frozen=True)
class Progress:
    """How far a search is: the depth being expanded, the states found and the states of this depth done."""

    depth: int
    states: int
    done: int
    frontier: int


def explore(
    system: System,
    predicates: Mapping[str, Term] | None = None,
    edge_predicates: Mapping[str, tuple[Term, str]] | None = None,
    *,
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
    keep_edges: bool = False,
    checkpoint_path: Path | None = None,
    save_every: float = 5.0,
    block: int | None = None,
    stop_when: Collection[str] = (),
    engine: Engine | None = None,
    symmetry: Sequence[str] = (),
) -> Exploration:
    """Find every reachable state of a system.

    ``predicates`` are formulas over a state; ``edge_predicates`` are formulas over the state before a
    step, with the name of the action that is taken. The result says for each where it holds first, in
    breadth-first order, so that traces are shortest. A search that reaches a limit keeps the complete
    levels. With a checkpoint path, a search starts from what is there, and complete levels are written
    there every ``save_every`` seconds (less often where that takes long), at the end and on an interrupt.
    With ``stop_when``, the search ends after the level in which the last of these predicates was first met,
    and is then cut off by "found". ``engine`` says how the system is run, which changes nothing that is
    found; ``block`` is how many states are expanded at once. ``symmetry`` names families of variables whose
    members can change places (``solver.symmetry``); one state then stands for all that differ in who is who.

    Raises NotSymmetric where something tells the members apart or steps are asked for, CheckpointMismatch or
    CheckpointError for a file that is not of this search, and ModelError for an update that leaves a declared
    range.
    """
    if symmetry and (keep_edges or edge_predicates):
        raise NotSymmetric("questions about steps and about ends need all states; ask them without symmetry")
    families = symmetric_families(system, symmetry, predicates or {})
    layout = Layout.of(system, [family.members for family in families])
    search = _Search(system, layout, limits or Limits(), progress, keep_edges, block, engine or Engine())
    search.wanted = {name: (predicates or {})[name] for name in stop_when}
    found = search.run(checkpoint_path, save_every)
    found.first, found.holds_count = found.first_and_count(predicates or {})
    steps = edge_predicates or {}
    guarded = {name: z3.And(system.action(action).guard, term) for name, (term, action) in steps.items()}
    first, found.edge_holds_count = found.first_and_count(guarded)
    found.first_edge = {n: None if i is None else EdgeHit(i, steps[n][1]) for n, i in first.items()}
    return found


@dataclass(frozen=True)
class _Known:
    """What is known after the last complete level: replaced as a whole, so an interrupt finds it sound."""

    levels: tuple[int, ...]
    fired: npt.NDArray[np.int64]
    edges: tuple[Edges, ...] = ()
    complete: bool = False


class _Search:
    """One search, level by level."""

    def __init__(
        self,
        system: System,
        layout: Layout,
        limits: Limits,
        progress: Callable[[Progress], None] | None,
        keep_edges: bool,
        block: int | None,
        engine: Engine,
    ):
        self.system, self.limits, self.progress = system, limits, progress
        self.keep_edges, self.engine = keep_edges, engine
        self.layout = layout
        self.lowering = engine.first(system, self.layout)
        self.budget = left_of(limits.memory)
        self.visited: StateSet = self._empty()
        self.block = block or self.visited.block
        self.began = time.monotonic()
        self.wanted: dict[str, Term] = {}
        self.looked_at = 0
        self.known = _Known((), np.zeros(len(system.actions), np.int64))

    def run(self, path: Path | None, save_every: float) -> Exploration:
        """Level by level until there is nothing new or a limit is reached."""
        store = _Store(path, digest(self.system, self.layout, self.keep_edges), save_every) if path else None
        self._start(store)
        cut: str | None = None
        try:
            stops = bool(self.wanted)
            while not self.known.complete and cut is None:
                cut = self._next_level() or self._all_found(stops)
                if store:
                    store.save_if_due(self)
        except KeyboardInterrupt:
            if store:
                store.save(self)
            raise
        if store:
            store.save(self)
        return self._finished(cut)

    def _start(self, store: _Store | None) -> None:
        """The start states, or what the checkpoint holds."""
        saved = store.load(self) if store else None
        if saved:
            self.known = saved
            return
        starts = self.layout.canonical(self.layout.initial_words(self.system.variables))
        try:
            self.visited.begin(starts)
        except MemoryError:
            self._spill()
            self.visited.begin(starts)
        self.known = replace(self.known, levels=(self.visited.count,))
        if store:
            store.save(self)

    def _all_found(self, stops: bool) -> str | None:
        """Look for the wanted predicates in what is new; "found" once every one was met."""
        if self.wanted:
            end = sum(self.known.levels)
            kernel = self.lowering.predicates(self.wanted)
            for at in range(self.looked_at, end, self.block):
                values = kernel(self.visited.states(at, min(at + self.block, end)))
                self.wanted = {name: term for name, term in self.wanted.items() if not values[name].any()}
            self.looked_at = end
        return "found" if stops and not self.wanted and not self.known.complete else None

    def _next_level(self) -> str | None:
        """Expand the last level; None, or the limit that stopped it, and then nothing of it is kept."""
        try:
            return self._expand_level()
        except MemoryError:
            if self.budget is None or self.keep_edges or isinstance(self.visited, SpilledStates):
                return "memory"
        try:
            self._spill()
        except MemoryError:
            return "memory"
        return self._next_level()

    def _empty(self) -> MemorySet:
        return self.lowering.state_set(self.keep_edges, self.budget)

    def _spill(self) -> None:
        """Go on with the complete levels on disk; what is in memory stays until they are there."""
        levels = self.known.levels
        self.visited = SpilledStates(self.lowering, self.visited.columns(sum(levels)), levels, self.budget or 0)
        self.block = self.visited.block

    def _expand_level(self) -> str | None:
        known = self.known
        stop = sum(known.levels)
        start = stop - known.levels[-1]
        self._change_engine(stop)
        fired = known.fired.copy()
        edges = [NO_EDGES]
        for at in range(start, stop, self.block):
            end = min(at + self.block, stop)
            cut = self._expand_block(at, end, fired, edges)
            if cut:
                return cut
            if self.progress:
                self.progress(Progress(len(known.levels) - 1, self.visited.count, end - start, stop - start))
        self.visited.end_level()
        if self._too_many():
            return "max_states"
        new = self.visited.count - stop
        levels = known.levels + (new,) * (new > 0)
        self.known = _Known(levels, fired, (*known.edges, joined(edges)), complete=new == 0)
        return None

    def _change_engine(self, states: int) -> None:
        """Go on with another lowering, if the engine has one for so many states."""
        other = self.engine.next(self.lowering, self.system, self.layout, states)
        if other is not None:
            columns = self.visited.columns(states)
            self.lowering, self.budget = other, left_of(self.limits.memory)
            filled = self._empty()
            filled.fill(columns)
            self.visited, self.block = filled, filled.block

    def _expand_block(self, start: int, stop: int, fired: npt.NDArray[np.int64], edges: list[Edges]) -> str | None:
        """Insert the successors of some states; the limit that this reaches, or None."""
        if self.limits.timeout is not None and time.monotonic() - self.began >= self.limits.timeout:
            return "timeout"
        steps = self.visited.expand(start, stop, fired)
        if steps is not None:
            edges.append(steps)
        return "max_states" if self._too_many() else None

    def _too_many(self) -> bool:
        return self.limits.max_states is not None and self.visited.count > self.limits.max_states

    def _finished(self, cut: str | None) -> Exploration:
        """What is known, as the result; with edges, the states are numbered by the rule of ``Exploration``."""
        known = self.known
        words = self.visited.release(sum(known.levels))
        edges = None
        if self.keep_edges:
            rank = put_in_order(words, known.levels)
            edges = renumbered(joined(known.edges), rank, len(self.system.actions))
        fired = {a.name: int(n) for a, n in zip(self.system.actions, known.fired, strict=True)}
        found = Exploration(self.system, self.layout, words, list(known.levels), fired, cut, edges)
        found.lowering = self.lowering
        if isinstance(self.visited, SpilledStates):
            found.sorted, found.let_go = True, self.visited.known.let_go
        return found


class _Store:
    """The checkpoint file of a search."""

    def __init__(self, path: Path, owner: str, save_every: float):
        self.path, self.owner, self.save_every = path, owner, save_every
        self.saved_at = time.monotonic()
        self.took = 0.0

    def load(self, search: _Search) -> _Known | None:
        """What the file knows, its states inserted; None if there is no file."""
        saved = load(self.path, self.owner, search.layout, len(search.system.actions), search.keep_edges)
        if saved is None:
            return None
        filled = search.lowering.state_set(search.keep_edges)
        search.visited = filled
        if not filled.fill(saved.columns):
            raise CheckpointError(f"{self.path}: the checkpoint is damaged (a state is there twice); delete it")
        filled.budget = search.budget
        return _Known(tuple(saved.levels.tolist()), saved.fired, (saved.edges,), saved.complete)

    def save_if_due(self, search: _Search) -> None:
        """Save after a while; the longer saving takes, the longer the while."""
        if time.monotonic() - self.saved_at >= self.save_every * max(1.0, self.took):
            self.save(search)

    def save(self, search: _Search) -> None:
        """Write what is known."""
        began = time.monotonic()
        known = search.known
        columns = search.visited.columns(sum(known.levels))
        levels = np.array(known.levels, np.int64)
        save(self.path, self.owner, Saved(columns, levels, known.fired, joined(known.edges), known.complete))
        self.saved_at = time.monotonic()
        self.took = self.saved_at - began
