"""Hypothesis walks the model: a rule for each action, an invariant for each property.

A random walk knows nothing of the search: it is a second opinion on what the explorer finds, and it
shrinks what it finds. A rule is enabled when its action is, so dropping a step leaves the others as they
were, which is what makes shrinking work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, settings
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from hypothesis.strategies import sampled_from

from model.kernel import System, Term
from solver.plain_step import PlainModel, State, compile_plain


class Violation(AssertionError):
    """A walk that breaks a property; ``actions`` lead from ``start`` to the state that does."""

    def __init__(self, name: str, start: State, actions: tuple[str, ...]):
        super().__init__(f"{name} is broken after {', '.join(actions)}")
        self.name = name
        self.start = start
        self.actions = actions


class Walk(RuleBasedStateMachine):
    """One random walk; ``machine_of`` adds a rule for each action."""

    plain: PlainModel
    names: tuple[str, ...]
    guards: Callable[[Mapping[str, int]], list[Any]]
    verdicts: Callable[[Mapping[str, int]], list[Any]]
    invariant_names: tuple[str, ...]

    def __init__(self) -> None:
        super().__init__()
        self.move_to(self.plain.initial_states()[0])
        self.start, self.actions = dict(self.state), list[str]()

    def move_to(self, state: State) -> None:
        """The walk is now in this state."""
        self.state = state
        cls = type(self)
        self.enabled = {name for name, holds in zip(cls.names, cls.guards(state), strict=True) if holds}

    def take(self, action: str) -> None:
        """The walk takes one step."""
        self.actions.append(action)
        self.move_to(self.plain.step(self.state, action))

    @precondition(lambda self: not self.enabled)
    @rule()
    def rest(self) -> None:
        """No action is enabled, and a walk has to do something."""

    @invariant()
    def nothing_is_broken(self) -> None:
        """Every property holds; Violation names the first that does not."""
        cls = type(self)
        for name, holds in zip(cls.invariant_names, cls.verdicts(self.state), strict=True):
            if not holds:
                raise Violation(name, self.start, tuple(self.actions))


def machine_of(system: System, invariants: Mapping[str, Term]) -> type[Walk]:
    """A state machine over any system that starts in any of its start states.

    ``invariants`` are formulas over the system's variables that a walk checks after every step. ModelError
    for a term over other variables.
    """
    plain = PlainModel(system)
    names = frozenset(v.name for v in system.variables)
    starts = plain.initial_states()
    body: dict[str, Any] = {
        "plain": plain,
        "names": tuple(a.name for a in system.actions),
        "guards": staticmethod(compile_plain([a.guard for a in system.actions], names)),
        "verdicts": staticmethod(compile_plain(list(invariants.values()), names)),
        "invariant_names": tuple(invariants),
    }
    if len(starts) > 1:
        body["begin"] = initialize(state=sampled_from(starts))(_begin)
    for at, action in enumerate(system.actions):
        body[f"action_{at:03d}"] = _rule(action.name)
    return type("WalkOf" + "".join(c for c in system.name.title() if c.isalnum()), (Walk,), body)


def _begin(self: Walk, state: State) -> None:
    self.move_to(dict(state))
    self.start = dict(state)


def _rule(action: str) -> Any:
    def happens(self: Walk) -> None:
        self.take(action)

    happens.__name__ = "".join(c if c.isalnum() else "_" for c in action)
    return precondition(lambda self: action in self.enabled)(rule()(happens))


def find_violation(machine: type[Walk], walks: int, steps: int) -> Violation | None:
    """The shrunk violation that Hypothesis finds in so many walks of at most so many steps, the same every time."""
    fixed = settings(
        max_examples=walks,
        stateful_step_count=steps,
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        print_blob=False,
        verbosity=Verbosity.quiet,
        phases=(Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )
    try:
        run_state_machine_as_test(machine, settings=fixed)
    except Violation as found:
        return found
    return None
