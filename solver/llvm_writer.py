"""Writes terms as LLVM instructions, each shared subterm once a scope.

A formula is an i1, a code or a sum an i32. What one scope has computed its inner scopes use; what an
inner scope computes is gone when it ends, since the instructions only run if its branch is taken.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import z3
from llvmlite import ir

from model.kernel import ModelError, Term
from model.terms import LEAVES, Folder, Handler, code_of, variable_name

BIT, NUMBER, WORD = ir.IntType(1), ir.IntType(32), ir.IntType(64)
_LARGEST = 2**31 - 1


@dataclass(frozen=True)
class Value:
    """A lowered term and the interval its values lie in; ``fixed`` says that it is a constant."""

    code: ir.Value
    low: int
    high: int
    fixed: bool = False


Load = Callable[[ir.IRBuilder, str], Value]
"""Reads a variable by its name."""


def constant(code: int, formula: bool) -> Value:
    """A number, or the truth value of a formula."""
    return Value(ir.Constant(BIT if formula else NUMBER, code), code, code, True)


class LlvmWriter(Folder[Value]):
    """Emits terms at the end of the builder's block; ``load`` reads a variable."""

    def __init__(self, builder: ir.IRBuilder, load: Load, outer: LlvmWriter | None = None):
        table: dict[str, Handler[Value]] = dict.fromkeys(LEAVES, _literal)
        table |= {name: functools.partial(_call, getattr(self, f"_{name}")) for name in WRITTEN}
        super().__init__(table | {"variable": lambda term, _: load(builder, variable_name(term))})
        self.builder, self.load, self.outer = builder, load, outer

    def inner(self) -> LlvmWriter:
        """A writer for a branch that only runs sometimes."""
        return type(self)(self.builder, self.load, self)

    def known(self, key: int) -> bool:
        """Whether this scope or one around it has the value."""
        if key not in self.memo and self.outer is not None and self.outer.known(key):
            self.memo[key] = self.outer.memo[key]
        return key in self.memo

    def _formula(self, code: ir.Value) -> Value:
        return Value(code, 0, 1)

    def _and(self, parts: Sequence[Value]) -> Value:
        return self._formula(functools.reduce(self.builder.and_, (p.code for p in parts)))

    def _or(self, parts: Sequence[Value]) -> Value:
        return self._formula(functools.reduce(self.builder.or_, (p.code for p in parts)))

    def _not(self, parts: Sequence[Value]) -> Value:
        return self._formula(self.builder.not_(parts[0].code))

    def _implies(self, parts: Sequence[Value]) -> Value:
        return self._or((self._not(parts), parts[1]))

    def _ite(self, parts: Sequence[Value]) -> Value:
        test, then, other = parts
        chosen = self.builder.select(test.code, then.code, other.code)
        return Value(chosen, min(then.low, other.low), max(then.high, other.high))

    def _compared(self, symbol: str, parts: Sequence[Value]) -> Value:
        return self._formula(self.builder.icmp_signed(symbol, parts[0].code, parts[1].code))

    def _eq(self, parts: Sequence[Value]) -> Value:
        return self._compared("==", parts)

    def _distinct(self, parts: Sequence[Value]) -> Value:
        return self._and([self._compared("!=", pair) for pair in itertools.combinations(parts, 2)])

    def _le(self, parts: Sequence[Value]) -> Value:
        return self._compared("<=", parts)

    def _lt(self, parts: Sequence[Value]) -> Value:
        return self._compared("<", parts)

    def _ge(self, parts: Sequence[Value]) -> Value:
        return self._compared(">=", parts)

    def _gt(self, parts: Sequence[Value]) -> Value:
        return self._compared(">", parts)

    def _add(self, parts: Sequence[Value]) -> Value:
        return functools.reduce(lambda a, b: self._sum(self.builder.add, a, b, a.low + b.low, a.high + b.high), parts)

    def _sub(self, parts: Sequence[Value]) -> Value:
        return functools.reduce(lambda a, b: self._sum(self.builder.sub, a, b, a.low - b.high, a.high - b.low), parts)

    def _sum(self, instruction: Callable[..., ir.Value], a: Value, b: Value, low: int, high: int) -> Value:
        if low < -_LARGEST or high > _LARGEST:
            raise ModelError(f"a sum of counts ranges over {low}..{high}, too wide for a count")
        return Value(instruction(a.code, b.code), low, high)


def _literal(term: Term, _: Sequence[Value]) -> Value:
    return constant(code_of(term), bool(z3.is_bool(term)))


def _call(method: Callable[[Sequence[Value]], Value], _: Term, parts: Sequence[Value]) -> Value:
    return method(parts)


WRITTEN = ("and", "or", "not", "implies", "ite", "eq", "distinct", "le", "lt", "ge", "gt", "add", "sub")
