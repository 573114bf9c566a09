"""Specialisation: what can never change in a system is put in as a constant.

One system covers a whole space of contracts. For one contract most promises have a single value, so
guards shrink, actions disappear and states take fewer bits. What is removed is returned, so that
traces can still show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from model.folding import Simplifier, simplifier
from model.kernel import Action, System, Term, Update, Variable
from model.terms import code_of, is_constant, op_name


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
    current = system
    while True:
        current = _folded(current, _values(system, constants))
        found = _constant_variables(current, constants)
        if not found:
            return _result(system, current, constants)
        constants |= found


def _values(system: System, constants: Mapping[str, int]) -> dict[str, Term]:
    return {v.name: v.value(constants[v.name]) for v in system.variables if v.name in constants}


def _folded(system: System, values: Mapping[str, Term]) -> System:
    simplify = simplifier(values)
    actions = tuple(_folded_action(a, simplify) for a in system.actions)
    definitions = MappingProxyType({name: simplify(term) for name, term in system.definitions.items()})
    return replace(system, actions=tuple(a for a in actions if op_name(a.guard) != "false"), definitions=definitions)


def _folded_action(action: Action, simplify: Simplifier) -> Action:
    updates = (Update(u.target, simplify(u.value)) for u in action.updates)
    kept = tuple(u for u in updates if not u.value.eq(u.target))
    return replace(action, guard=simplify(action.guard), updates=kept)


def _constant_variables(system: System, known: Mapping[str, int]) -> dict[str, int]:
    """Variables, not yet known, whose updates all write the value they start with."""
    written: dict[int, set[int | None]] = {}
    for action in system.actions:
        for u in action.updates:
            code = code_of(u.value) if is_constant(u.value) else None
            written.setdefault(u.target.get_id(), set()).add(code)
    return {v.name: v.starts[0] for v in system.variables if v.name not in known and _keeps_start(v, written)}


def _keeps_start(variable: Variable, written: Mapping[int, set[int | None]]) -> bool:
    starts = set(variable.starts)
    return len(starts) == 1 and written.get(variable.term.get_id(), set()) <= starts


def _result(original: System, folded: System, constants: Mapping[str, int]) -> Specialised:
    gone = {v.term.get_id() for v in original.variables if v.name in constants}
    actions = tuple(
        replace(a, updates=tuple(u for u in a.updates if u.target.get_id() not in gone)) for a in folded.actions
    )
    system = replace(folded, variables=tuple(v for v in folded.variables if v.name not in constants), actions=actions)
    left = {a.name for a in actions}
    removed = tuple(a.name for a in original.actions if a.name not in left)
    return Specialised(system, original, MappingProxyType(dict(constants)), removed)
