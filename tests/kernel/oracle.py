"""Slow and obvious second opinions: z3 evaluates a term, a deque explores a system."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Iterator, Mapping

import numpy as np
import z3

from model.kernel import System, Term
from model.terms import code_of, free_variables
from solver.packing import Layout, Words
from solver.plain_step import PlainModel, State

Key = tuple[int, ...]


def z3_value(system: System, term: Term, state: Mapping[str, int]) -> int:
    """The code of a term in a state, as z3 computes it."""
    names = free_variables(term)
    pairs = [(v.term, v.value(state[v.name])) for v in system.variables if v.name in names]
    return code_of(z3.simplify(z3.substitute(term, *pairs)))


def valuations(system: System, term: Term) -> Iterator[State]:
    """Every valuation of a term's own variables; the others have code 0."""
    names = free_variables(term)
    ranges = [range(v.high + 1) if v.name in names else (0,) for v in system.variables]
    for codes in itertools.product(*ranges):
        yield dict(zip((v.name for v in system.variables), codes, strict=True))


def packed(layout: Layout, states: list[State]) -> Words:
    """States as words."""
    return np.array([layout.pack(s) for s in states], np.uint64).reshape(len(states), layout.width).T.copy()


def walk(system: System) -> tuple[dict[Key, int], set[tuple[Key, str, Key]]]:
    """Every reachable state with its depth, and every step between them."""
    model = PlainModel(system)
    depth: dict[Key, int] = {}
    steps: set[tuple[Key, str, Key]] = set()
    waiting = deque(model.initial_states())
    depth.update((tuple(s.values()), 0) for s in waiting)
    while waiting:
        state = waiting.popleft()
        here = tuple(state.values())
        for action in model.enabled(state):
            after = model.step(state, action)
            there = tuple(after.values())
            steps.add((here, action, there))
            if there not in depth:
                depth[there] = depth[here] + 1
                waiting.append(after)
    return depth, steps
