"""Writes terms as numpy source, one assignment for each shared subterm.

Formulas become bool arrays. Codes become uint8 arrays; sums and differences get the narrowest type
that holds every value they can take, found by interval arithmetic, so nothing ever wraps.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import z3

from model.kernel import ModelError, Term
from model.terms import LEAVES, Folder, Handler, code_of, variable_name

_TYPES = (("np.uint8", 0, 255), ("np.int16", -(2**15), 2**15 - 1), ("np.int32", -(2**31), 2**31 - 1))


@dataclass(frozen=True)
class Piece:
    """A lowered term: a name or a literal, the interval its values lie in, and its numpy type.

    ``literal`` says that it is a scalar and not an array.
    """

    text: str
    low: int
    high: int
    dtype: str
    literal: bool = False


def narrowest(low: int, high: int) -> str:
    """The narrowest numpy type that holds low..high; ModelError if none is wide enough."""
    for dtype, least, greatest in _TYPES:
        if least <= low and high <= greatest:
            return dtype
    raise ModelError(f"a sum of counts ranges over {low}..{high}, too wide for a count")


def literal(code: int, formula: bool) -> Piece:
    """A constant of a formula (0 or 1) or a number."""
    if formula:
        return Piece("np.True_" if code else "np.False_", code, code, "bool", True)
    dtype = narrowest(code, code)
    return Piece(f"{dtype}({code})", code, code, dtype, True)


class NumpyWriter(Folder[Piece]):
    """Lowers terms to assignments in ``lines``; ``variable`` says how a variable is read.

    ``prefix`` keeps the names of one writer apart from those of another. Constants must have been
    folded away, so that everything but a leaf is an array.
    """

    def __init__(self, variable: Callable[[str], Piece], prefix: str):
        table: dict[str, Handler[Piece]] = dict.fromkeys(LEAVES, _literal)
        table |= {name: functools.partial(_call, getattr(self, f"_{name}")) for name in _WRITTEN}
        super().__init__(table | {"variable": lambda term, _: variable(variable_name(term))})
        self.prefix = prefix
        self.lines: list[str] = []
        self._named: dict[str, str] = {}

    def name(self, expression: str) -> str:
        """The name of an array that holds this expression, assigned once."""
        if expression not in self._named:
            self._named[expression] = f"{self.prefix}{len(self._named)}"
            self.lines.append(f"{self._named[expression]} = {expression}")
        return self._named[expression]

    def formula(self, expression: str) -> Piece:
        """A bool array that holds this expression."""
        return Piece(self.name(expression), 0, 1, "bool")

    def _chain(self, symbol: str, parts: Sequence[Piece]) -> Piece:
        """A left chain, so that formulas with a common beginning share it."""
        return functools.reduce(lambda a, b: self.formula(f"{a.text} {symbol} {b.text}"), parts)

    def _and(self, parts: Sequence[Piece]) -> Piece:
        return self._chain("&", parts)

    def _or(self, parts: Sequence[Piece]) -> Piece:
        return self._chain("|", parts)

    def _not(self, parts: Sequence[Piece]) -> Piece:
        return self.formula(f"~{parts[0].text}")

    def _implies(self, parts: Sequence[Piece]) -> Piece:
        return self._chain("<=", parts)

    def _ite(self, parts: Sequence[Piece]) -> Piece:
        test, then, other = parts
        if then.dtype == "bool":
            return self._formula_choice(test, then, other)
        low, high = min(then.low, other.low), max(then.high, other.high)
        dtype = widest(then.dtype, other.dtype)
        if (then.text, other.text) == ("np.uint8(1)", "np.uint8(0)"):
            return Piece(self.name(f"{test.text}.view(np.uint8)"), low, high, dtype)
        if dtype == "np.uint8" and not test.literal:
            return Piece(self._byte_choice(test, then, other), low, high, dtype)
        return Piece(self.name(f"np.where({test.text}, {then.text}, {other.text})"), low, high, dtype)

    def _byte_choice(self, test: Piece, then: Piece, other: Piece) -> str:
        """Bytes are chosen by a mask of all bits or none, several times faster than by np.where."""
        mask = self.name(f"np.negative({test.text}.view(np.uint8))")
        difference = self.name(f"{then.text} ^ {other.text}")
        return self.name(f"{difference} & {mask} ^ {other.text}")

    def _formula_choice(self, test: Piece, then: Piece, other: Piece) -> Piece:
        """Two connectives on bool arrays are several times faster than np.where."""
        if then.literal:
            return self._chain("|", (test, other)) if then.high else self._chain("&", (self._not((test,)), other))
        if other.literal:
            return self._chain("<=", (test, then)) if other.high else self._chain("&", (test, then))
        return self._or((self._and((test, then)), self._and((self._not((test,)), other))))

    def _eq(self, parts: Sequence[Piece]) -> Piece:
        return self._chain("==", parts)

    def _distinct(self, parts: Sequence[Piece]) -> Piece:
        return self._and([self._chain("!=", pair) for pair in itertools.combinations(parts, 2)])

    def _le(self, parts: Sequence[Piece]) -> Piece:
        return self._chain("<=", parts)

    def _lt(self, parts: Sequence[Piece]) -> Piece:
        return self._chain("<", parts)

    def _ge(self, parts: Sequence[Piece]) -> Piece:
        return self._chain(">=", parts)

    def _gt(self, parts: Sequence[Piece]) -> Piece:
        return self._chain(">", parts)

    def _add(self, parts: Sequence[Piece]) -> Piece:
        return functools.reduce(lambda a, b: self._sum("+", a, b, a.low + b.low, a.high + b.high), parts)

    def _sub(self, parts: Sequence[Piece]) -> Piece:
        return functools.reduce(lambda a, b: self._sum("-", a, b, a.low - b.high, a.high - b.low), parts)

    def _sum(self, symbol: str, a: Piece, b: Piece, low: int, high: int) -> Piece:
        dtype = widest(narrowest(low, high), widest(a.dtype, b.dtype))
        return Piece(self.name(f"{widened(a, dtype)} {symbol} {widened(b, dtype)}"), low, high, dtype)


def widest(a: str, b: str) -> str:
    """The type that holds both types' values, as numpy promotes them."""
    order = [dtype for dtype, _, _ in _TYPES]
    return order[max(order.index(a), order.index(b))]


def widened(piece: Piece, dtype: str) -> str:
    """The text of a piece in a type that is at least as wide."""
    if piece.literal:
        return f"{dtype}({piece.low})"
    return piece.text if piece.dtype == dtype else f"{piece.text}.astype({dtype})"


def _literal(term: Term, _: Sequence[Piece]) -> Piece:
    return literal(code_of(term), bool(z3.is_bool(term)))


def _call(method: Callable[[Sequence[Piece]], Piece], _: Term, parts: Sequence[Piece]) -> Piece:
    return method(parts)


_WRITTEN = (
    "and", "or", "not", "implies", "ite", "eq", "distinct", "le", "lt", "ge", "gt", "add", "sub",
)  # fmt: skip
