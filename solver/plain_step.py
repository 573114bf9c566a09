"""The model as plain Python over dictionaries: for replay, for Hypothesis and as a second opinion.

Terms are turned into Python source once; nothing of z3 runs when a step is taken.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from model.kernel import Action, ModelError, System, Term, Variable
from model.terms import LEAVES, Folder, Handler, code_of, op_name, variable_name

State = dict[str, int]
"""A valuation: variable name to code."""

Function = Callable[[Mapping[str, int]], Any]


class PlainModel:
    """A system that can be walked one step at a time. States are dictionaries from name to code."""

    def __init__(self, system: System):
        self.system = system
        self._names = frozenset(v.name for v in system.variables)
        self._by_id = system.by_term()
        self._values: dict[int, tuple[Term, Function]] = {}
        self._actions = {a.name: a for a in system.actions}
        self._guards: dict[str, Function] = {}
        self._steps: dict[str, Function] = {}

    def initial_states(self) -> list[State]:
        """Every combination of start values, the last variable changing fastest."""
        names = [v.name for v in self.system.variables]
        starts = itertools.product(*(v.starts for v in self.system.variables))
        return [dict(zip(names, codes, strict=True)) for codes in starts]

    def enabled(self, state: Mapping[str, int]) -> list[str]:
        """The names of the actions that can happen in a state, in the order they are declared."""
        return [name for name in self._actions if self._guard(name)(state)[0]]

    def step(self, state: Mapping[str, int], action: str) -> State:
        """The state after an action; ModelError if it is unknown, not enabled or leaves a range."""
        if action not in self._actions:
            raise ModelError(f"{self.system.name} has no action {action!r}")
        if not self._guard(action)(state)[0]:
            raise ModelError(f"{action} is not enabled in this state")
        after = dict(state)
        targets = self._targets_of(self._actions[action])
        for variable, code in zip(targets, self._update(action)(state), strict=True):
            if not 0 <= code <= variable.high:
                raise ModelError(f"{action} sets {variable.name} to {code}, outside 0..{variable.high}")
            after[variable.name] = int(code)
        return after

    def value(self, term: Term | str, state: Mapping[str, int]) -> int:
        """The code of a term, or of the definition with that name, in a state (0 or 1 for a formula)."""
        if isinstance(term, str):
            if term not in self.system.definitions:
                raise ModelError(f"{self.system.name} has no definition {term!r}")
            term = self.system.definitions[term]
        if term.get_id() not in self._values:
            self._values[term.get_id()] = term, self._compiled([term])
        return int(self._values[term.get_id()][1](state)[0])

    def _guard(self, name: str) -> Function:
        """The action's guard, compiled when it is first asked for."""
        if name not in self._guards:
            self._guards[name] = self._compiled([self._actions[name].guard])
        return self._guards[name]

    def _update(self, name: str) -> Function:
        """The action's new values, compiled when it first happens."""
        if name not in self._steps:
            self._steps[name] = self._compiled([u.value for u in self._actions[name].updates])
        return self._steps[name]

    def _targets_of(self, action: Action) -> list[Variable]:
        return [self._by_id[u.target.get_id()] for u in action.updates]

    def _compiled(self, terms: Sequence[Term]) -> Function:
        return compile_plain(terms, self._names)


def compile_plain(terms: Sequence[Term], names: frozenset[str]) -> Function:
    """A function from a valuation of ``names`` to the list of the terms' codes (or truth values)."""
    writer = PlainWriter(names)
    results = [writer(t) for t in terms]
    body = [*writer.lines, f"return [{', '.join(results)}]"]
    source = "def function(state):\n" + "".join(f"    {line}\n" for line in body)
    space: dict[str, Function] = {}
    exec(compile(source, "<plain step>", "exec"), {}, space)
    return space["function"]


class PlainWriter(Folder[str]):
    """Writes each shared subterm once, as an assignment; a folded term is a name or a literal."""

    def __init__(self, names: frozenset[str]):
        table: dict[str, Handler[str]] = dict.fromkeys(LEAVES, _literal)
        table |= dict.fromkeys(_TEMPLATES, self._assign)
        super().__init__(table | {"variable": self._variable})
        self.names = names
        self.lines: list[str] = []

    def _variable(self, term: Term, _: Sequence[str]) -> str:
        name = variable_name(term)
        if name not in self.names:
            raise ModelError(f"the variable {name} is not one of the system")
        return self._named(f"state[{name!r}]")

    def _assign(self, term: Term, parts: Sequence[str]) -> str:
        return self._named(_TEMPLATES[op_name(term)](parts))

    def _named(self, expression: str) -> str:
        name = f"t{len(self.lines)}"
        self.lines.append(f"{name} = {expression}")
        return name


def _literal(term: Term, _: Sequence[str]) -> str:
    return str(code_of(term))


def _joined(operator: str, empty: str = "") -> Callable[[Sequence[str]], str]:
    return lambda parts: f" {operator} ".join(parts) or empty


def _different(parts: Sequence[str]) -> str:
    return " and ".join(f"{a} != {b}" for a, b in itertools.combinations(parts, 2)) or "True"


_TEMPLATES: dict[str, Callable[[Sequence[str]], str]] = {
    "and": _joined("and", "True"),
    "or": _joined("or", "False"),
    "not": lambda parts: f"not {parts[0]}",
    "implies": lambda parts: f"not {parts[0]} or {parts[1]}",
    "ite": lambda parts: f"{parts[1]} if {parts[0]} else {parts[2]}",
    "eq": _joined("=="),
    "distinct": _different,
    "le": _joined("<="),
    "lt": _joined("<"),
    "ge": _joined(">="),
    "gt": _joined(">"),
    "add": _joined("+"),
    "sub": _joined("-"),
}
