"""Terms as text in other languages: one fold, and a table of forms for each language.

Every value is written as its code: a label as its number, so that a peer compares numbers as we do.
Flags are the language's own truth values.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import z3

from model.kernel import ModelError, Term, Update
from model.terms import Folder, Handler, code_of, free_variables, variable_name

Read = Callable[[str], str]
"""How a variable is read, given its name."""


@dataclass(frozen=True)
class Dialect:
    """How a language writes what the model says."""

    conjunction: str
    disjunction: str
    negation: str
    equal: str
    unequal: str
    choice: str
    true: str
    false: str
    least: str = ">="
    most: str = "<="


C = Dialect(" && ", " || ", "!{}", "==", "!=", "({0} ? {1} : {2})", "1", "0")
PROMELA = Dialect(" && ", " || ", "!{}", "==", "!=", "({0} -> {1} : {2})", "true", "false")
MURPHI = Dialect(" & ", " | ", "!{}", "=", "!=", "(({0}) ? {1} : {2})", "true", "false")
TLA = Dialect(" /\\ ", " \\/ ", "~{}", "=", "#", "(IF {0} THEN {1} ELSE {2})", "TRUE", "FALSE")
PYTHON = Dialect(" and ", " or ", "(not {})", "==", "!=", "({1} if {0} else {2})", "True", "False")


def identifier(name: str) -> str:
    """The name of a variable or an action as an identifier: ``worker[0].step`` is ``worker_0_step``."""
    return re.sub(r"\W+", "_", name).strip("_")


def text(term: Term, dialect: Dialect, read: Read = identifier) -> str:
    """A term in a dialect; every connective and relation is in brackets."""
    return Folder(_handlers(dialect, read))(term)


def _handlers(d: Dialect, read: Read) -> dict[str, Handler[str]]:
    join = functools.partial
    return {
        "variable": lambda term, _: read(variable_name(term)),
        "true": lambda _, __: d.true,
        "false": lambda _, __: d.false,
        "int": _code,
        "label": _code,
        "and": join(_joined, d.conjunction),
        "or": join(_joined, d.disjunction),
        "not": lambda _, parts: d.negation.format(parts[0]),
        "implies": lambda _, parts: f"({d.negation.format(parts[0])}{d.disjunction}{parts[1]})",
        "ite": lambda _, parts: d.choice.format(*parts),
        "eq": join(_joined, f" {d.equal} "),
        "distinct": join(_distinct, d),
        "le": join(_joined, f" {d.most} "),
        "lt": join(_joined, " < "),
        "ge": join(_joined, f" {d.least} "),
        "gt": join(_joined, " > "),
        "add": join(_joined, " + "),
        "sub": join(_joined, " - "),
    }


def _code(term: Term, _: Sequence[str]) -> str:
    return str(code_of(term))


def _joined(symbol: str, _: Term, parts: Sequence[str]) -> str:
    return f"({symbol.join(parts)})"


def _distinct(d: Dialect, _: Term, parts: Sequence[str]) -> str:
    pairs = [f"({a} {d.unequal} {b})" for a, b in itertools.combinations(parts, 2)]
    return pairs[0] if len(pairs) == 1 else f"({d.conjunction.join(pairs)})"


def literal(code: int, term: Term, dialect: Dialect) -> str:
    """A code of a variable, as the dialect writes it."""
    if z3.is_bool(term):
        return dialect.true if code else dialect.false
    return str(code)


def in_order(updates: Sequence[Update]) -> list[Update]:
    """Simultaneous updates in an order in which they can be made one after the other."""
    left, ordered = list(updates), list[Update]()
    while left:
        free = [u for u in left if not any(_reads(other, u) for other in left if other is not u)]
        if not free:
            raise ModelError(f"the updates of {', '.join(str(u.target) for u in left)} read one another in a circle")
        ordered.append(free[0])
        left.remove(free[0])
    return ordered


def _reads(reader: Update, written: Update) -> bool:
    return variable_name(written.target) in free_variables(reader.value)
