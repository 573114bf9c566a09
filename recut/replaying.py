"""Replaying a trace file: the model is built again from what the file says, and every state is compared."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass

from z3 import Not

from model.contract_profile import profile_of
from model.kernel import ModelError, Term
from model.system import Model
from properties import endings
from properties.reachables import SEAMS
from properties.safety import PROPERTIES
from properties.verdict import Outcome
from recut.failure import Refused
from recut.itf import TraceFile, Value
from solver.abstraction import coverage_terms
from solver.plain_step import PlainModel, State

PASSED = "every step was taken again by the plain model"


@dataclass(frozen=True)
class Replayed:
    """What a replay showed.

    ``steps`` are the actions that could be taken, with the states before and after; ``differs`` is a
    sentence about the first step that does not replay, if one does not. ``outcome`` is about the sentence
    that the trace is said to break: it fails where it is false at the end.
    """

    file: TraceFile
    steps: tuple[tuple[str, Mapping[str, Value], Mapping[str, Value]], ...]
    differs: str | None
    outcome: Outcome
    how: str
    seconds: float


def replayed(file: TraceFile, where: str) -> Replayed:
    """Play a trace; Refused where the file names variables or a sentence that the model does not have."""
    began = time.monotonic()
    model = _model(file, where)
    plain = PlainModel(model.system())
    term = _term(model, file, where)
    states = [_encoded(plain, at, state, where) for at, state in enumerate(file.states)]
    walked, differs = _walked(plain, file, states)
    steps = tuple(zip(file.actions, file.states, file.states[1:], strict=False))[: walked - 1]
    if differs is not None:
        return Replayed(file, steps, differs, Outcome.UNKNOWN, "the trace does not replay", time.monotonic() - began)
    shown = bool(plain.value(term, states[-1]))
    how = f"{PASSED}; at its end the sentence is {'false' if shown else 'true'}"
    outcome = Outcome.FAILS if shown else Outcome.HOLDS
    return Replayed(file, steps, None, outcome, how, time.monotonic() - began)


def _model(file: TraceFile, where: str) -> Model:
    origin = file.origin
    profile = profile_of(origin.contract, origin.policy.practices)
    try:
        return Model(origin.setting, profile, origin.policy.table, name=origin.run)
    except ModelError as problem:
        raise Refused(f"{where}: its bounds make no model: {problem}") from None


def _term(model: Model, file: TraceFile, where: str) -> Term:
    """What must be true at the end, so that the trace shows what it says."""
    kind, about = file.origin.kind, file.origin.about
    known: dict[tuple[str, str], Term] = {("property", p.name): Not(p.holds(model)) for p in PROPERTIES}
    known |= {("situation", s.name): s.where(model) for s in SEAMS}
    known["ending", endings.NAME] = Not(endings.at_rest(model))
    known["ending", endings.UNATTENDED] = endings.asks_a_person(model)
    if kind == "claim":
        known |= {("claim", name): Not(term) for name, term in coverage_terms(model).items()}
    if (kind, about) not in known:
        raise Refused(f"{where}: #meta.about is {about!r}, which is no {kind} of this program")
    return known[kind, about]


def _encoded(plain: PlainModel, at: int, state: Mapping[str, Value], where: str) -> State:
    """A state of the file as codes; Refused if it has other variables than the model or other values."""
    variables = plain.system.variables
    other = sorted({v.name for v in variables} ^ set(state))
    if other:
        raise Refused(f"{where}: vars and the model of its contract differ in {other[0]}; write the trace again")
    try:
        return {v.name: v.encode(state[v.name]) for v in variables}
    except ModelError as problem:
        raise Refused(f"{where}: state {at}: {problem}") from None


def _walked(plain: PlainModel, file: TraceFile, states: list[State]) -> tuple[int, str | None]:
    """How many states the model reaches as the file says, and what is wrong with the next one."""
    wrong = [v.name for v in plain.system.variables if states[0][v.name] not in v.starts]
    if wrong:
        return 1, f"the first state is no start: {wrong[0]} is {file.states[0][wrong[0]]!r}"
    for at, action in enumerate(file.actions):
        try:
            after = plain.step(states[at], action)
        except ModelError as problem:
            return at + 1, f"step {at + 1}: {problem}"
        other = [name for name in after if after[name] != states[at + 1][name]]
        if other:
            value = plain.system.variable(other[0]).decode(after[other[0]])
            said = file.states[at + 1][other[0]]
            return at + 1, f"step {at + 1}: after {action} the model has {other[0]} = {value!r}, the file {said!r}"
    return len(states), None
