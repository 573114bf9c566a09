"""A system as one LLVM function: from a state to its successors.

Most guards say where a worker stands. The function branches on such variables first and looks only at
the actions that can happen there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from llvmlite import ir

from model.folding import simplifier
from model.kernel import Action, System, Term
from model.terms import conjuncts, key_of, shape_of, variable_name
from solver.llvm_writer import BIT, NUMBER, WORD, LlvmWriter, Value, constant
from solver.packing import Field, Layout, exchanges
from solver.visited import MIX

ACTION = ir.IntType(16)
_WORTH_A_BRANCH = 3
_FULL = (1 << 64) - 1

@dataclass(frozen=True)
class Step:
    """An action with its number and what its guard says of single variables: one code for each."""

    number: int
    action: Action
    pins: Mapping[str, int]


def successors_function(module: ir.Module, system: System, layout: Layout) -> ir.Function:
    """``i64 successors(i64* state, i64 count, i64* after, i16* action, i64* keys, i64* table, i64 mask, i64* fired,
    i64* astray)``.

    Appends the successors of one state: their words from ``after[width * count]`` on, the index of each action
    from ``action[count]`` on and their hashes (``solver.visited.hashes``) from ``keys[count]`` on. It asks for the
    cache line of ``table[hash & mask]`` and adds 1 to ``fired[action]``. Returns the new count. ``astray[0]``
    becomes 1 where an update leaves its declared range, and what was written is then of no use.
    """
    words, actions = WORD.as_pointer(), ACTION.as_pointer()
    parameters = [words, WORD, words, actions, words, words, WORD, words, words]
    function = ir.Function(module, ir.FunctionType(WORD, parameters), "successors")
    _Successors(function, system, layout).write()
    return function


def field_loader(layout: Layout, formulas: frozenset[str], words: Sequence[ir.Value]) -> Callable[..., Value]:
    """Reads a variable out of the words of a state; ``formulas`` are the names of the flags."""

    def load(builder: ir.IRBuilder, name: str) -> Value:
        field = layout.fields[name]
        moved = builder.lshr(words[field.word], WORD(field.shift))
        if name in formulas:
            return Value(builder.trunc(moved, BIT), 0, 1)
        return Value(builder.and_(builder.trunc(moved, NUMBER), NUMBER(field.mask)), 0, field.high)

    return load


class _Successors:
    """The function while it is being written."""

    def __init__(self, function: ir.Function, system: System, layout: Layout):
        self.function, self.system, self.layout = function, system, layout
        self.builder = ir.IRBuilder(function.append_basic_block("entry"))
        self.simplify = simplifier({v.name: v.value(0) for v in system.variables if v.high == 0})
        state, count, self.after, self.action, self.keys, self.table, self.mask, self.fired, self.astray = function.args
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), number, number, number])
        self.prefetch = ir.Function(function.module, kind, "llvm.prefetch.p0")
        self.words = [self.builder.load(self.builder.gep(state, [WORD(w)])) for w in range(layout.width)]
        self.count = self.builder.alloca(WORD)
        self.builder.store(count, self.count)
        self.by_key = {key_of(v.term): v for v in system.variables}

    def write(self) -> None:
        """All actions, and the return."""
        flags = frozenset(v.name for v in self.system.variables if v.kind == "flag")
        scope = LlvmWriter(self.builder, field_loader(self.layout, flags, self.words))
        single = frozenset(v.name for v in self.system.variables if v.high == 0)
        self._among([Step(i, a, _pins(a)) for i, a in enumerate(self.system.actions)], scope, single)
        self.builder.ret(self.builder.load(self.count))

    def _among(self, steps: Sequence[Step], scope: LlvmWriter, settled: frozenset[str]) -> None:
        """The actions that are left, those that share a variable under a branch on it."""
        name = _branching(steps, settled)
        if name is None:
            for step in steps:
                self._one(step, scope)
            return
        settled |= {name}
        self._branch(name, [s for s in steps if name in s.pins], scope, settled)
        self._among([s for s in steps if name not in s.pins], scope, settled)

    def _branch(self, name: str, steps: Sequence[Step], scope: LlvmWriter, settled: frozenset[str]) -> None:
        variable = self.system.variable(name)
        value = scope(variable.term).code
        end = self.function.append_basic_block(f"after {name}")
        switch = self.builder.switch(value, end)
        for code in sorted({s.pins[name] for s in steps}):
            block = self.function.append_basic_block(f"{name} is {variable.decode(code)}")
            switch.add_case(ir.Constant(value.type, code), block)
            self.builder.position_at_end(block)
            inner = scope.inner()
            inner.memo[key_of(variable.term)] = constant(code, variable.kind == "flag")
            self._among([s for s in steps if s.pins[name] == code], inner, settled)
            self.builder.branch(end)
        self.builder.position_at_end(end)

    def _one(self, step: Step, scope: LlvmWriter) -> None:
        """One action: if its guard holds, its successor."""
        with self.builder.if_then(scope(self.simplify(step.action.guard)).code):
            inner = scope.inner()
            changes = [(self._field(u.target), inner(self.simplify(u.value))) for u in step.action.updates]
            self._check(changes)
            count = self.builder.load(self.count)
            first = self.builder.mul(count, WORD(self.layout.width))
            words = self._in_order([self._word(w, changes) for w in range(self.layout.width)])
            for w, word in enumerate(words):
                self.builder.store(word, self.builder.gep(self.after, [self.builder.add(first, WORD(w))]))
            self._announce(step.number, count, words)
            self.builder.store(self.builder.add(count, WORD(1)), self.count)

    def _announce(self, number: int, count: ir.Value, words: Sequence[ir.Value]) -> None:
        """Say which action it was and where the state will be looked for, and count the action."""
        b = self.builder
        b.store(ACTION(number), b.gep(self.action, [count]))
        key = self._hash(words)
        b.store(key, b.gep(self.keys, [count]))
        line = b.bitcast(b.gep(self.table, [b.and_(key, self.mask)]), ir.IntType(8).as_pointer())
        b.call(self.prefetch, [line, *(ir.IntType(32)(n) for n in (0, 3, 1))])
        times = b.gep(self.fired, [WORD(number)])
        b.store(b.add(b.load(times), WORD(1)), times)

    def _hash(self, words: Sequence[ir.Value]) -> ir.Value:
        """The hash of ``solver.visited.hashes``."""
        value = self._mixed(words[0])
        for word in words[1:]:
            value = self._mixed(self.builder.xor(value, word))
        return value

    def _mixed(self, value: ir.Value) -> ir.Value:
        b = self.builder
        for shift in (32, 29):
            value = b.mul(b.xor(value, b.lshr(value, WORD(shift))), WORD(int(MIX)))
        return b.xor(value, b.lshr(value, WORD(32)))

    def _in_order(self, words: list[ir.Value]) -> list[ir.Value]:
        """The words with the blocks of each family in ascending order."""
        b = self.builder
        for blocks in self.layout.blocks:
            mask = (1 << blocks.bits) - 1
            keys = [b.and_(b.lshr(words[word], WORD(shift)), WORD(mask)) for word, shift in blocks.places]
            for i, j in exchanges(len(keys)):
                less = b.icmp_unsigned("<", keys[i], keys[j])
                keys[i], keys[j] = b.select(less, keys[i], keys[j]), b.select(less, keys[j], keys[i])
            for key, (word, shift) in zip(keys, blocks.places, strict=True):
                kept = b.and_(words[word], WORD(_FULL ^ (mask << shift)))
                words[word] = b.or_(kept, b.shl(key, WORD(shift)))
        return words

    def _field(self, target: Term) -> Field:
        return self.layout.fields[self.by_key[key_of(target)].name]

    def _check(self, changes: Sequence[tuple[Field, Value]]) -> None:
        """A value that intervals cannot bound is looked at when it is written."""
        for field, value in changes:
            if value.low < 0 or value.high > field.high:
                with self.builder.if_then(self.builder.icmp_unsigned(">", value.code, NUMBER(field.high))):
                    self.builder.store(WORD(1), self.astray)

    def _word(self, word: int, changes: Sequence[tuple[Field, Value]]) -> ir.Value:
        """A successor's word: changed bits cleared, then set."""
        here = [(f, value) for f, value in changes if f.word == word and f.bits]
        kept = _FULL ^ sum(f.mask << f.shift for f, _ in here)
        fixed = sum(value.low << f.shift for f, value in here if value.fixed)
        after = self.builder.and_(self.words[word], WORD(kept)) if here else self.words[word]
        if fixed:
            after = self.builder.or_(after, WORD(fixed & _FULL))
        for f, value in here:
            if not value.fixed:
                moved = self.builder.shl(self.builder.zext(value.code, WORD), WORD(f.shift))
                after = self.builder.or_(after, moved)
        return after


def _branching(steps: Sequence[Step], settled: frozenset[str]) -> str | None:
    """The variable that most guards pin to one value, if a branch on it is worth its while."""
    found = Counter(name for s in steps for name in s.pins if name not in settled)
    if not found:
        return None
    name, number = max(found.items(), key=lambda item: (item[1], item[0]))
    return name if number >= _WORTH_A_BRANCH else None


def _pins(action: Action) -> dict[str, int]:
    """What the conjuncts of a guard say of single variables; the first one counts, all are looked at later."""
    found: dict[str, int] = {}
    for part in conjuncts(action.guard):
        shape = shape_of(part)
        if shape.operator == "variable":
            found.setdefault(variable_name(part), 1)
        elif shape.operator == "not" and shape.children[0].operator == "variable":
            found.setdefault(variable_name(shape.children[0].term), 0)
        elif shape.operator == "eq":
            variable, value = sorted(shape.children, key=lambda child: child.code is not None)
            if variable.operator == "variable" and value.code is not None:
                found.setdefault(variable_name(variable.term), value.code)
    return found
