"""Actions sorted by the place of the worker that takes them.

A checker that knows where a process is asks only about the steps that leave from there. This finds,
for a variable that says where somebody is, what each of its values leaves of every action.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from model.folding import Simplifier, simplifier
from model.kernel import Action, System, Update, Variable
from model.terms import conjuncts, free_variables, op_name


@dataclass(frozen=True)
class Places:
    """The actions that leave from each place (code to actions, folded), and those that have no place."""

    variable: Variable
    leaving: Mapping[int, tuple[Action, ...]]


def switched(system: System, names: Sequence[str]) -> tuple[list[Action], list[Places]]:
    """Actions without a place, and for each named variable the places; one action has one place variable."""
    places = [Places(system.variable(name), _leaving(system, name)) for name in names]
    placed = {a.name for p in places for actions in p.leaving.values() for a in actions}
    return [a for a in system.actions if a.name not in placed], places


def _leaving(system: System, name: str) -> dict[int, tuple[Action, ...]]:
    variable = system.variable(name)
    own = [a for a in system.actions if _depends_on(a, name)]
    return {code: _at(own, simplifier({name: variable.value(code)})) for code in range(variable.high + 1)}


def _depends_on(action: Action, name: str) -> bool:
    """Whether a conjunct of the guard is about this variable alone."""
    return any(free_variables(part) == {name} for part in conjuncts(action.guard))


def _at(actions: Sequence[Action], here: Simplifier) -> tuple[Action, ...]:
    folded = (replace(a, guard=here(a.guard), updates=_updates(a, here)) for a in actions)
    return tuple(a for a in folded if op_name(a.guard) != "false")


def _updates(action: Action, here: Simplifier) -> tuple[Update, ...]:
    return tuple(replace(u, value=here(u.value)) for u in action.updates)


def step_variables(system: System) -> list[str]:
    """The variables of the race that say where each worker is."""
    return [v.name for v in system.variables if v.name.endswith(".step")]
