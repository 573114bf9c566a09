"""Specialisation: what can never change in a system is put in as a constant.

One system covers a whole space of contracts. For one contract most promises have a single value, so
guards shrink, actions disappear and states take fewer bits. What is removed is returned, so that
traces can still show it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from model.folding import Simplifier, simplifier
from model.kernel import Action, System, Term, Update, Variable
from model.terms import code_of, is_constant, key_of, op_name


@dataclass(frozen=True, eq=False)
class Specialised:
    """A system without its constants.

    ``constants`` gives the code of each removed variable, ``removed_actions`` the names of actions
    whose guard became false. ``original`` is the system before.
    """

    system: System
    original: System
    constants: Mapping[str, int]
    removed_actions: tuple[str, ...]

    def term(self, term: Term) -> Term:
        """A term over the original variables, as a term over those that are left."""
        return simplifier(_values(self.original, self.constants))(term)

    def valuation(self, state: Mapping[str, int]) -> dict[str, int]:
        """A state of the specialised system with the removed variables put back, in declared order."""
        return {v.name: self.constants.get(v.name, state.get(v.name, 0)) for v in self.original.variables}


def specialise(system: System) -> Specialised:
    """Replace every variable that keeps its only start value by that value, until nothing changes.

    A variable keeps its value when every update of it that can happen sets it to that value. Guards,
    updates and definitions are folded; actions whose guard folds to false and updates that change
    nothing are dropped. A variable that changes is kept even if nothing reads it: it may be ghost
    history. Properties must be put through ``Specialised.term``.
    """
    constants: dict[str, int] = {}
    actions = system.actions
    while True:
        actions = _folded(actions, simplifier(_values(system, constants)))
        found = _constant_variables(system.variables, actions, constants)
        if not found:
            return _result(system, actions, constants)
        constants |= found


def _values(system: System, constants: Mapping[str, int]) -> dict[str, Term]:
    return {v.name: v.value(constants[v.name]) for v in system.variables if v.name in constants}


def _folded(actions: Iterable[Action], simplify: Simplifier) -> tuple[Action, ...]:
    folded = (_folded_action(a, simplify) for a in actions)
    return tuple(a for a in folded if op_name(a.guard) != "false")


def _folded_action(action: Action, simplify: Simplifier) -> Action:
    updates = (Update(u.target, simplify(u.value)) for u in action.updates)
    kept = tuple(u for u in updates if key_of(u.value) != key_of(u.target))
    return replace(action, guard=simplify(action.guard), updates=kept)


def _constant_variables(
    variables: Iterable[Variable], actions: Iterable[Action], known: Mapping[str, int]
) -> dict[str, int]:
    """Variables, not yet known, whose updates all write the value they start with."""
    written: dict[int, set[int | None]] = {}
    for action in actions:
        for u in action.updates:
            code = code_of(u.value) if is_constant(u.value) else None
            written.setdefault(key_of(u.target), set()).add(code)
    return {v.name: v.starts[0] for v in variables if v.name not in known and _keeps_start(v, written)}


def _keeps_start(variable: Variable, written: Mapping[int, set[int | None]]) -> bool:
    starts = set(variable.starts)
    return len(starts) == 1 and written.get(key_of(variable.term), set()) <= starts


def _result(original: System, folded: Iterable[Action], constants: Mapping[str, int]) -> Specialised:
    gone = {key_of(v.term) for v in original.variables if v.name in constants}
    actions = tuple(replace(a, updates=tuple(u for u in a.updates if key_of(u.target) not in gone)) for a in folded)
    simplify = simplifier(_values(original, constants))
    definitions = MappingProxyType({name: simplify(term) for name, term in original.definitions.items()})
    variables = tuple(v for v in original.variables if v.name not in constants)
    system = replace(original, variables=variables, actions=actions, definitions=definitions)
    left = {a.name for a in actions}
    removed = tuple(a.name for a in original.actions if a.name not in left)
    return Specialised(system, original, MappingProxyType(dict(constants)), removed)
