"""A history as numbered turns: who acts, in which lane each of its steps is, and what they mean."""

from __future__ import annotations

import functools
import inspect
import itertools
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

from model.system import Parts
from recut.told import WIDTH, meaning

LANES: Mapping[str, str] = {"store": "checkpoint", "authority": "approver"}
"""Owners of actions that have another name as a lane."""
INDENT = 21


@dataclass(frozen=True)
class Turn:
    """What one party does until another one acts: its steps, each with its lane and the action."""

    actor: str
    steps: tuple[tuple[str, str], ...]


def turns(actions: Sequence[str], owners: Sequence[str]) -> tuple[Turn, ...]:
    """The steps of a history by the party that takes them; ``owners`` are those of the actions."""
    lanes = [_lane(owner) for owner in owners]
    steps = [(_actor(action, lane), lane, action) for action, lane in zip(actions, lanes, strict=True)]
    groups = itertools.groupby(steps, key=lambda step: step[0])
    return tuple(Turn(actor, tuple((lane, action) for _, lane, action in group)) for actor, group in groups)


def told(history: Sequence[Turn]) -> Iterator[str]:
    """A paragraph a turn: its number, who acts, and a sentence a step."""
    for number, turn in enumerate(history, 1):
        yield f"{number:3}. {turn.actor}"
        for lane, action in turn.steps:
            sentence = f"{action}: {meaning(action)}"
            yield textwrap.fill(f"{'':5}{lane:14}  {sentence}", WIDTH, subsequent_indent=" " * INDENT)


def _lane(owner: str) -> str:
    name = owner.split("[")[0]
    return LANES.get(name, name)


def _actor(action: str, lane: str) -> str:
    """Worker i where the step is one of its own, whatever it touches; else the lane itself."""
    name, _, rest = action.partition("[")
    if rest and _first_parameters().get(name) == "w" and name not in SUFFERED:
        return f"worker {rest.split(']')[0]}"
    return lane


SUFFERED = frozenset({"crash", "lapse", "pause"})
"""What happens to a worker and is no step of its own."""


@functools.cache
def _first_parameters() -> Mapping[str, str]:
    """The first index of every action, by the action's name."""
    return {
        name: next(iter(list(inspect.signature(member).parameters)[1:]), "")
        for part in fields(Parts)
        for base in reversed(getattr(Parts(), part.name).__mro__)
        for name, member in vars(base).items()
        if hasattr(member, "mark")
    }
