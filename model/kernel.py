"""The vocabulary a model is written in: variables, actions and systems, as z3 terms.

z3 is the source language and never the executor: solver/ lowers these terms to other forms. This is
the one file that knows how a variable of the model is a constant of z3.

Every value of a variable has a *code*, a small natural number: False and True are 0 and 1, the labels
of an enumeration count from 0 in the order they are written, and a count is itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal

import z3

Term = z3.ExprRef
Kind = Literal["flag", "enum", "count"]


class ModelError(ValueError):
    """A model that says something it cannot mean: found when it is built, never while it runs."""


@contextlib.contextmanager
def no_branching() -> Iterator[None]:
    """While a model is built, the truth value of a term is an error.

    z3 gives ``a == b`` a truth value (are they the same term?), so ``x and y``, ``not x`` and
    ``if x:`` would drop conjuncts without a word.
    """
    original = z3.AstRef.__bool__

    def refuse(self: Term) -> bool:
        raise ModelError(f"the term {self} has no truth value: use And, Or, Not, If or Implies")

    z3.AstRef.__bool__ = refuse
    try:
        yield
    finally:
        z3.AstRef.__bool__ = original


class Labels:
    """The labels of an enumeration: ``Phase.admitted`` is a term, a misspelt label is an error."""

    def __init__(self, name: str, labels: str):
        self.name = name
        self.labels = tuple(labels.split())
        self.sort, self.terms = z3.EnumSort(name, list(self.labels))

    def __getattr__(self, label: str) -> Term:
        try:
            return self.terms[self.labels.index(label)]
        except ValueError:
            raise ModelError(f"{self.name} has no label {label!r}: one of {', '.join(self.labels)}") from None


@dataclass(frozen=True, eq=False)
class Variable:
    """A declared variable: its z3 constant, the codes 0..high it ranges over and where it may start."""

    name: str
    kind: Kind
    term: Term
    high: int
    starts: tuple[int, ...]
    owner: str
    labels: tuple[str, ...] = ()
    rigid: bool = False
    ghost: bool = False

    @property
    def bits(self) -> int:
        """How many bits an exact packing of the declared range takes (0 when there is one value)."""
        return self.high.bit_length()

    def value(self, code: int) -> Term:
        """The z3 value with this code."""
        if not 0 <= code <= self.high:
            raise ModelError(f"{self.name} ranges over 0..{self.high}, not {code}")
        if self.kind == "flag":
            return z3.BoolVal(bool(code))
        if self.kind == "count":
            return z3.IntVal(code)
        return self.term.sort().constructor(code)()

    def decode(self, code: int) -> bool | int | str:
        """The value as a person reads it: True, a label or a number."""
        if self.kind == "flag":
            return bool(code)
        return self.labels[code] if self.kind == "enum" else int(code)

    def encode(self, value: bool | int | str) -> int:
        """The code of a value as ``decode`` writes it; ModelError if it is none."""
        if self.kind == "enum" and value in self.labels:
            return self.labels.index(str(value))
        if self.kind == "flag" and isinstance(value, bool):
            return int(value)
        if self.kind == "count" and isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= self.high:
            return value
        raise ModelError(f"{self.name} cannot be {value!r}: {self.range_text}")

    @property
    def range_text(self) -> str:
        """What it may be, for messages."""
        if self.kind == "flag":
            return "true or false"
        return f"one of {', '.join(self.labels)}" if self.kind == "enum" else f"0 to {self.high}"

    @property
    def domain(self) -> Term:
        """The declared range as a term (true where the sort already says it)."""
        if self.kind == "count":
            return z3.And(self.term >= 0, self.term <= self.high)
        return z3.BoolVal(True)


class Vocabulary:
    """The variables of one model while it is being written."""

    def __init__(self) -> None:
        self.variables: list[Variable] = []

    def flag(self, name: str, owner: str, start: bool = False, *, ghost: bool = False) -> Term:
        """A variable that is true or false."""
        return self._add(Variable(name, "flag", z3.Bool(name), 1, (int(start),), owner, ghost=ghost))

    def enum(self, name: str, labels: Labels, owner: str, start: str, *, ghost: bool = False) -> Term:
        """A variable over the labels of an enumeration."""
        at = self._label(labels, start, name)
        variable = z3.Const(name, labels.sort)
        return self._add(
            Variable(name, "enum", variable, len(labels.labels) - 1, (at,), owner, labels.labels, ghost=ghost)
        )

    def count(self, name: str, high: int, owner: str, start: int = 0, *, ghost: bool = False) -> Term:
        """A small number from 0 to ``high``."""
        if not 0 <= start <= high <= 100:
            raise ModelError(f"{name}: a count needs 0 <= start <= high <= 100, not start {start}, high {high}")
        return self._add(Variable(name, "count", z3.Int(name), high, (start,), owner, ghost=ghost))

    def promise(self, name: str, allowed: Sequence[str] | Sequence[bool], labels: Labels | None = None) -> Term:
        """A rigid variable: one of ``allowed`` from the start, never updated."""
        if not allowed:
            raise ModelError(f"{name}: a promise needs at least one allowed value")
        if labels is None:
            codes = tuple(sorted({int(a) for a in allowed}))
            return self._add(Variable(name, "flag", z3.Bool(name), 1, codes, "contract", rigid=True))
        codes = tuple(sorted({self._label(labels, str(a), name) for a in allowed}))
        high = len(labels.labels) - 1
        return self._add(
            Variable(name, "enum", z3.Const(name, labels.sort), high, codes, "contract", labels.labels, rigid=True)
        )

    def _label(self, labels: Labels, label: str, name: str) -> int:
        if label not in labels.labels:
            raise ModelError(f"{name}: {labels.name} has no label {label!r}: one of {', '.join(labels.labels)}")
        return labels.labels.index(label)

    def _add(self, variable: Variable) -> Term:
        if any(v.name == variable.name for v in self.variables):
            raise ModelError(f"the variable {variable.name} is declared twice")
        self.variables.append(variable)
        return variable.term


@dataclass(frozen=True, eq=False)
class Update:
    """After the action, ``target`` is ``value`` (a term over the state before)."""

    target: Term
    value: Term


def sets(target: Term, value: Term | bool | int) -> Update:
    """After the action, ``target`` is ``value``."""
    if isinstance(value, bool):
        value = z3.BoolVal(value)
    elif isinstance(value, int):
        value = z3.IntVal(value)
    return Update(target, value)


@dataclass(frozen=True, eq=False)
class Action:
    """A guard and the updates it allows; what is not named stays as it is.

    ``owner`` is the party that takes the step and sees only what it can see; ``bridges`` names the
    owners whose variables it reads beyond that. ``fault`` names the fault it needs, if any.
    """

    name: str
    owner: str
    guard: Term
    updates: tuple[Update, ...]
    doc: str = ""
    bridges: tuple[str, ...] = ()
    fault: str | None = None


@dataclass(frozen=True, eq=False)
class System:
    """A model as a value: variables, actions and named terms over them."""

    name: str
    variables: tuple[Variable, ...]
    actions: tuple[Action, ...]
    definitions: Mapping[str, Term] = field(default_factory=lambda: MappingProxyType({}))

    def variable(self, name: str) -> Variable:
        """The variable with this name; ModelError if there is none."""
        for v in self.variables:
            if v.name == name:
                return v
        raise ModelError(f"{self.name} has no variable {name!r}")

    def action(self, name: str) -> Action:
        """The action with this name; ModelError if there is none."""
        for a in self.actions:
            if a.name == name:
                return a
        raise ModelError(f"{self.name} has no action {name!r}")

    def by_term(self) -> dict[int, Variable]:
        """Variables by the id of their z3 constant."""
        return {v.term.get_id(): v for v in self.variables}

    def with_actions(self, actions: Iterable[Action]) -> System:
        """The same system with other actions."""
        return replace(self, actions=tuple(actions))


def check_system(system: System) -> None:
    """Raise ModelError with the action's name for what an action cannot mean.

    Double assignment, an update of a promise or of another sort, and a count that could leave its
    declared range (decided by z3 from the guard).
    """
    by_term = system.by_term()
    names: set[str] = set()
    solver = z3.Solver()
    for v in system.variables:
        solver.add(v.domain)
    for action in system.actions:
        if action.name in names:
            raise ModelError(f"{system.name} has two actions named {action.name}")
        names.add(action.name)
        _check_updates(action, by_term)
        _check_ranges(action, by_term, solver)


def _check_updates(action: Action, by_term: dict[int, Variable]) -> None:
    seen: set[int] = set()
    for update in action.updates:
        key = update.target.get_id()
        if key not in by_term:
            raise ModelError(f"{action.name} sets {update.target}, which is not a declared variable")
        variable = by_term[key]
        if key in seen:
            raise ModelError(f"{action.name} sets {variable.name} twice")
        seen.add(key)
        if variable.rigid:
            raise ModelError(f"{action.name} sets the promise {variable.name}, which never changes")
        if update.value.sort() != update.target.sort():
            raise ModelError(f"{action.name} sets {variable.name} to {update.value}, a {update.value.sort()}")


def _check_ranges(action: Action, by_term: dict[int, Variable], solver: z3.Solver) -> None:
    for update in action.updates:
        variable = by_term[update.target.get_id()]
        if (
            variable.kind != "count"
            or z3.is_const(update.value)
            and not z3.is_int_value(update.value)
            and (by_term[update.value.get_id()].high <= variable.high)
        ):
            continue
        solver.push()
        solver.add(action.guard, z3.Or(update.value < 0, update.value > variable.high))
        verdict = solver.check()
        solver.pop()
        if verdict != z3.unsat:
            raise ModelError(f"{action.name} can set {variable.name} to {update.value}, outside 0..{variable.high}")
