"""What an exhaustive search found: counts, the states themselves, and shortest traces to them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from model.kernel import ModelError, System, Term
from solver.edges import Edges
from solver.lowering import Lowering
from solver.numpy_lowering import NumpyLowering
from solver.numpy_states import BLOCK
from solver.packing import Layout, Words
from solver.plain_step import PlainModel
from solver.visited import canonical_order

Trace = list[tuple[str | None, dict[str, int]]]
"""Steps: the action (None for the start) and the valuation (name to code) after it."""


_HELD = 64 * BLOCK
"""States on disk that are looked at before their memory is given back."""


@dataclass(frozen=True)
class EdgeHit:
    """A step: the index of the state it starts in and the action's name."""

    index: int
    action: str


@dataclass(eq=False)
class Exploration:
    """The reachable states of a system in breadth-first order, or all of them up to a depth.

    States have indices 0..states-1. States of one level are ordered by a rule that depends on nothing
    but the states, so that results are the same whatever the lowering, the block size and the threads.
    Levels are put in order when somebody looks (``found`` holds them as they were met), unless there are
    edges, which need the order at once. When the search was cut off (``cut_off_by`` says by what),
    exactly the states up to ``depth`` steps are here, the last level is not expanded, and absence of
    anything proves nothing.
    """

    system: System
    layout: Layout
    found: Words
    levels: list[int]
    fired: dict[str, int]
    cut_off_by: str | None
    edges: Edges | None
    sorted: bool = False
    let_go: Callable[[], None] | None = None
    first: dict[str, int | None] = field(default_factory=dict)
    holds_count: dict[str, int] = field(default_factory=dict)
    first_edge: dict[str, EdgeHit | None] = field(default_factory=dict)
    edge_holds_count: dict[str, int] = field(default_factory=dict)

    @property
    def complete(self) -> bool:
        """Whether every reachable state was found and expanded."""
        return self.cut_off_by is None

    @property
    def states(self) -> int:
        """How many states there are."""
        return int(self.found.shape[1])

    @property
    def transitions(self) -> int:
        """How many steps were taken, counting each enabled action of each expanded state."""
        return sum(self.fired.values())

    @property
    def depth(self) -> int:
        """How many steps the farthest state is from a start."""
        return len(self.levels) - 1

    @cached_property
    def level_starts(self) -> npt.NDArray[np.int64]:
        """The index of the first state of each level, and the number of states at the end."""
        return np.concatenate(([0], np.cumsum(self.levels))).astype(np.int64)

    def level_of(self, index: int) -> int:
        """How many steps a state is from a start; IndexError if there is no such state."""
        if not 0 <= index < self.states:
            raise IndexError(f"there is no state {index}: {self.states} were found")
        return int(np.searchsorted(self.level_starts, index, side="right")) - 1

    @property
    def words(self) -> Words:
        """The packed states, shape (words a state, states)."""
        for level in range(len(self.levels)):
            self._in_order(level)
        return self.found

    def valuation(self, index: int) -> dict[str, int]:
        """One state: variable name to code."""
        return self.layout.unpack([int(w) for w in self._state(index)[:, 0]])

    def index_of(self, valuation: Mapping[str, int]) -> int | None:
        """The index of a state, or None if it was not reached."""
        packed = self.layout.pack(self._standing_for(valuation))
        found = np.flatnonzero(_equal(self.words, packed))
        return int(found[0]) if found.size else None

    def evaluate(self, terms: Mapping[str, Term]) -> dict[str, npt.NDArray[Any]]:
        """Each term in every state, shape (states,): bool for formulas, codes for other terms."""
        parts: dict[str, list[npt.NDArray[Any]]] = {name: [] for name in terms}
        for _, values in self._evaluated(terms, self.words):
            for name, array in values.items():
                parts[name].append(array)
        return {name: np.concatenate(arrays) for name, arrays in parts.items()}

    def first_and_count(self, formula: Mapping[str, Term]) -> tuple[dict[str, int | None], dict[str, int]]:
        """For each formula the first state where it holds (None if nowhere) and in how many it holds."""
        first: dict[str, int | None] = dict.fromkeys(formula)
        count = dict.fromkeys(formula, 0)
        for start, values in self._evaluated(formula, self.found):
            for name, holds in values.items():
                count[name] += int(np.count_nonzero(holds))
                if first[name] is None and holds.any():
                    first[name] = start + int(np.argmax(holds))
        for name, index in first.items():
            if index is not None:
                first[name] = self._first_of_level(formula[name], self.level_of(index))
        return first, count

    def trace(self, index: int) -> Trace:
        """A shortest way from a start to a state. Parents are not stored but found again, level by level.

        Where states stand for others that differ in who is who, it ends in one of these.
        """
        steps: Trace = []
        for level in range(self.level_of(index), 0, -1):
            parent, action = self._parent(index, level - 1)
            steps.append((action, self.valuation(index)))
            index = parent
        steps.append((None, self.valuation(index)))
        return self._walked(steps[::-1]) if self.layout.blocks else steps[::-1]

    def _walked(self, steps: Trace) -> Trace:
        """Real steps for steps between states that stand for others, from the same start."""
        plain = PlainModel(self.system)
        walked = steps[:1]
        for _, wanted in steps[1:]:
            here = walked[-1][1]
            after = ((a, plain.step(here, a)) for a in plain.enabled(here))
            walked.append(next((a, s) for a, s in after if self._standing_for(s) == wanted))
        return walked

    def _standing_for(self, state: Mapping[str, int]) -> dict[str, int]:
        """The state that stands for this one."""
        words = np.array(self.layout.pack(state), np.uint64)[:, None]
        return self.layout.unpack([int(w) for w in self.layout.canonical(words)[:, 0]])

    def edge_trace(self, hit: EdgeHit) -> Trace:
        """A shortest way to a step, the step included."""
        at = [a.name for a in self.system.actions].index(hit.action)
        steps = self.lowering.successors(self._state(hit.index))
        taken = np.flatnonzero(steps.action == at)
        if taken.size == 0:
            raise ModelError(f"{hit.action} is not enabled in state {hit.index}")
        after = [int(w) for w in steps.words[:, taken[0]]]
        return [*self.trace(hit.index), (hit.action, self.layout.unpack(after))]

    @cached_property
    def lowering(self) -> Lowering:
        """What runs the system; a search leaves the one it has used."""
        return NumpyLowering(self.system, self.layout)

    @cached_property
    def _ordered(self) -> set[int]:
        """The levels that are in order."""
        return set(range(len(self.levels))) if self.sorted or self.edges is not None else set()

    def _in_order(self, level: int) -> Words:
        """The states of a level, put in order if they are not."""
        states = self.found[:, self.level_starts[level] : self.level_starts[level + 1]]
        if level not in self._ordered:
            states[:] = states[:, canonical_order(states)] if len(states) > 1 else np.sort(states)
            self._ordered.add(level)
        return states

    def _state(self, index: int) -> Words:
        """One state, shape (words a state, 1)."""
        self._in_order(self.level_of(index))
        return self.found[:, index : index + 1]

    def _first_of_level(self, formula: Term, level: int) -> int:
        """The index of the first state of a level in which a formula holds that holds in one."""
        states = self._in_order(level)
        for start, values in self._evaluated({"it": formula}, states):
            if values["it"].any():
                return int(self.level_starts[level]) + start + int(np.argmax(values["it"]))
        raise ModelError(f"a formula that held at depth {level} no longer does: this is a defect of the explorer")

    def _evaluated(self, terms: Mapping[str, Term], states: Words) -> Iterator[tuple[int, dict[str, npt.NDArray[Any]]]]:
        """Values block by block, with the position of each block's first state."""
        kernel = self.lowering.predicates(terms)
        for start in range(0, states.shape[1], BLOCK):
            yield start, kernel(states[:, start : start + BLOCK])
            if self.let_go is not None and start % _HELD == 0:
                self.let_go()

    def _parent(self, index: int, level: int) -> tuple[int, str]:
        """The first state of a level, and its first action, that lead to a state."""
        target = [int(w) for w in self._state(index)[:, 0]]
        states = self._in_order(level)
        for start in range(0, states.shape[1], BLOCK):
            steps = self.lowering.successors(states[:, start : start + BLOCK])
            hits = np.flatnonzero(_equal(steps.words, target))
            if hits.size:
                row, action = min(zip(steps.source[hits].tolist(), steps.action[hits].tolist(), strict=True))
                return int(self.level_starts[level]) + start + row, self.system.actions[action].name
        raise ModelError(f"state {index} has no predecessor: this is a defect of the explorer")


def _equal(words: Words, target: Sequence[int]) -> npt.NDArray[np.bool_]:
    """Which states are this one."""
    equal: npt.NDArray[np.bool_] = words[0] == np.uint64(target[0])
    for word, code in zip(words[1:], target[1:], strict=True):
        equal = equal & (word == np.uint64(code))
    return equal
