"""Traces that were replayed: every counterexample is walked again in plain Python before anybody sees it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from model.kernel import System, Term
from model.specialise import Specialised
from properties.verdict import Step, Trace
from solver.exploration import Exploration
from solver.plain_step import PlainModel, State


class EnginesDisagree(RuntimeError):
    """Two engines give different answers: a defect of this program. The message says what to reproduce."""


def replayed_trace(
    special: Specialised, plain: PlainModel, exploration: Exploration, index: int, shows: str, term: Term
) -> Trace:
    """The shortest way to a state as a trace of the whole system, each step taken again by the plain model.

    ``plain`` walks ``special.original``; ``term`` must hold in the last state. Raises EnginesDisagree where
    the plain model differs.
    """
    found = exploration.trace(index)
    actions = [a for a, _ in found if a is not None]
    states = replay(plain, special.valuation(found[0][1]), actions)
    for (action, reached), state in zip(found, states, strict=True):
        if special.valuation(reached) != state:
            raise EnginesDisagree(f"after {action} the explorer and the plain model differ: {', '.join(actions)}")
    if not plain.value(term, states[-1]):
        raise EnginesDisagree(f"{shows} does not show at the end of: {', '.join(actions)}")
    return as_trace(special.original, states, actions, shows)


def replay(plain: PlainModel, start: Mapping[str, int], actions: Sequence[str]) -> list[State]:
    """The states along a list of actions; ModelError if one is not enabled."""
    states = [dict(start)]
    for action in actions:
        states.append(plain.step(states[-1], action))
    return states


def as_trace(system: System, states: Sequence[State], actions: Sequence[str], shows: str) -> Trace:
    """Codes as values that a person reads."""
    names: list[str | None] = [None, *actions]
    decode = {v.name: v.decode for v in system.variables}
    return Trace(
        tuple(
            Step(a, {name: decode[name](code) for name, code in s.items()}) for a, s in zip(names, states, strict=True)
        ),
        shows,
    )
