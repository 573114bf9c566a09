"""A system as numpy kernels over blocks of packed states.

Guards are evaluated on whole blocks, updates only on the rows where the guard holds, and only the
bits that change are touched.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from model.folding import Simplifier, simplifier
from model.kernel import Action, ModelError, System, Term, Update
from model.terms import conjunction, conjuncts, key_of, shape_of
from solver.lowering import MemorySet, Predicates, Steps, Successors, Transitions
from solver.numpy_states import NumpyStates, NumpyWords, one_word
from solver.numpy_writer import NumpyWriter, Piece
from solver.packing import Column, Field, Indices, Layout, Words

Emit = Callable[[int, Indices, Sequence[Column]], None]
"""Called with the index of an action, the rows of the block where it happens, and their successors' words."""

_UNSIGNED = {"np.int16": "np.uint16", "np.int32": "np.uint32"}
_NAME = re.compile(r"\b[ft]\d+\b")
_FULL = (1 << 64) - 1


class NumpyLowering:
    """A system run by numpy: no compiler, and ready at once."""

    name = "numpy"

    def __init__(self, system: System, layout: Layout, threads: int = 1):
        """``threads`` share the work where a state is one word and no steps are kept."""
        self.system, self.layout, self.threads = system, layout, threads
        self.steps = compile_successors(system, layout)

    def successors(self, words: Words) -> Transitions:
        """Every step out of a block of states."""
        return self.steps(words).transitions(self.layout.width)

    def predicates(self, terms: Mapping[str, Term]) -> Predicates:
        """A kernel that evaluates named terms."""
        return compile_predicates(self.system, self.layout, terms)

    def state_set(self, keep_edges: bool, budget: int | None = None) -> MemorySet:
        """An empty set of states."""
        if one_word(self.layout) and not keep_edges:
            return NumpyWords(self.steps, budget, self.threads)
        return NumpyStates(self.layout.width, self.steps, keep_edges, budget)


def compile_successors(system: System, layout: Layout) -> Successors:
    """The successor kernel of a system, steps in the order of the actions and then of the states.

    States after a step have the blocks of the layout in order.

    The kernel raises ModelError with the action's name when an update leaves the declared range.
    """
    kernel = _Kernel(system, layout).successors()

    def successors(words: Words) -> Steps:
        parts: list[tuple[int, Indices, Sequence[Column]]] = []
        kernel(words, lambda *part: parts.append(part))
        steps = Steps([a for a, _, _ in parts], [rows for _, rows, _ in parts], [after for _, _, after in parts])
        return replace(steps, after=[tuple(layout.canonical(steps.words(layout.width)))]) if layout.blocks else steps

    return successors


def compile_predicates(system: System, layout: Layout, terms: Mapping[str, Term]) -> Predicates:
    """A kernel that evaluates named terms in every state of a block (words of shape (width, n))."""
    return _Kernel(system, layout).predicates(terms)


class _Kernel:
    """The source of one kernel while it is being written."""

    def __init__(self, system: System, layout: Layout):
        self.system = system
        self.layout = layout
        self.simplify = _folding(system)
        self.block = NumpyWriter(self._field, "t")
        self.loaded: dict[str, Piece] = {}
        self.functions: list[str] = []

    def _field(self, name: str) -> Piece:
        """A variable on the whole block, unpacked once."""
        if name not in self.loaded:
            f = _field_of(self.layout, name)
            formula = self.system.variable(name).kind == "flag"
            piece = Piece(f"f{len(self.loaded)}", 0, f.high, "bool" if formula else "np.uint8")
            self.block.lines.append(f"{piece.text} = {_unpacking(f, f'w{f.word}', formula)}")
            self.loaded[name] = piece
        return self.loaded[name]

    def predicates(self, terms: Mapping[str, Term]) -> Predicates:
        """One dictionary of arrays."""
        pieces = {name: self.block(self.simplify(term)) for name, term in terms.items()}
        shown = (
            f"{name!r}: np.full(w0.size, {p.text})" if p.literal else f"{name!r}: {p.text}"
            for name, p in pieces.items()
        )
        self.block.lines.append(f"return {{{', '.join(shown)}}}")
        kernel: Predicates = self._built("def kernel(words):")
        return kernel

    def successors(self) -> Callable[[Words, Emit], None]:
        """Guard, rows and successors of every action, one after the other."""
        guards = [conjuncts(self.simplify(action.guard)) for action in self.system.actions]
        asked = Counter(key_of(part) for parts in guards for part in parts if _is_place(part))
        for index, (action, parts) in enumerate(zip(self.system.actions, guards, strict=True)):
            places = [part for part in parts if asked[key_of(part)] > 1]
            rows = self._rows(parts, max(places, key=lambda part: asked[key_of(part)], default=None))
            if rows:
                self._happens(index, action, rows)
        kernel: Callable[[Words, Emit], None] = self._built("def kernel(words, emit):")
        return kernel

    def _rows(self, guard: Sequence[Term], place: Term | None) -> str | None:
        """The rows where all conjuncts hold; None if they never do.

        The rows of a place that several guards share are found once, and the rest of each guard is asked of them alone.
        """
        rest = self.block(conjunction([part for part in guard if part is not place]))
        if rest.literal and not rest.high:
            return None
        every = None if place is None else self._where(self.block(place))
        if rest.literal:
            return every or "np.arange(w0.size)"
        return self._where(rest) if every is None else f"{every}.take(np.flatnonzero({rest.text}.take({every})))"

    def _where(self, formula: Piece) -> str:
        return self.block.name(f"np.flatnonzero({formula.text})")

    def _happens(self, index: int, action: Action, rows: str) -> None:
        update = _RowUpdate(self, action)
        body = update.body()
        given = ", ".join(["rows", *(f"w{w}" for w in range(self.layout.width)), *sorted(update.gathered)])
        self.functions.append(f"def action{index}({given}):\n" + _indented(body))
        self.block.lines += [f"rows = {rows}", f"if rows.size: emit({index}, rows, action{index}({given}))"]

    def _built(self, head: str) -> Any:
        unpack = f"{''.join(f'w{w}, ' for w in range(self.layout.width))} = words"
        body = [unpack, *_freed(self.block.lines)]
        source = "\n".join([*self.functions, head, _indented(body)])
        space: dict[str, Any] = {"np": np, "u64": np.uint64, "refuse": _refuse}
        exec(compile(source, f"<numpy kernel of {self.system.name}>", "exec"), space)
        return space["kernel"]


class _RowUpdate(NumpyWriter):
    """The updates of one action, on the rows where its guard holds.

    What the block already has is gathered; other variables come out of the gathered words.
    """

    def __init__(self, kernel: _Kernel, action: Action):
        super().__init__(self._field, "r")
        self.kernel = kernel
        self.action = action
        self.gathered: set[str] = set()
        self.words = [self.name(f"w{w}.take(rows)") for w in range(kernel.layout.width)]

    def known(self, key: int) -> bool:
        """Fetch a term that the block has already computed."""
        if key not in self.memo and key in self.kernel.block.memo:
            self.memo[key] = self._gather(self.kernel.block.memo[key])
        return key in self.memo

    def _gather(self, piece: Piece) -> Piece:
        if piece.literal:
            return piece
        self.gathered.add(piece.text)
        return Piece(self.name(f"{piece.text}.take(rows)"), piece.low, piece.high, piece.dtype)

    def _field(self, name: str) -> Piece:
        f = _field_of(self.kernel.layout, name)
        formula = self.kernel.system.variable(name).kind == "flag"
        text = self.name(_unpacking(f, self.words[f.word], formula))
        return Piece(text, 0, f.high, "bool" if formula else "np.uint8")

    def body(self) -> list[str]:
        """The body of the action's function, which returns the successors' words."""
        by_term = self.kernel.system.by_term()
        changes: list[tuple[Field, Piece]] = []
        for u in self.action.updates:
            changes.append((_field_of(self.kernel.layout, by_term[u.target.get_id()].name), self._value(u)))
        self._check_ranges(changes)
        results = [self._word(w, changes) for w in range(self.kernel.layout.width)]
        return [*self.lines, f"return {', '.join(results)},"]

    def _value(self, update: Update) -> Piece:
        return self(self.kernel.simplify(update.value))

    def _check_ranges(self, changes: Sequence[tuple[Field, Piece]]) -> None:
        """A value that intervals cannot bound is checked when it is written: it would spoil other fields."""
        for f, piece in changes:
            if piece.low < 0 or piece.high > f.high:
                natural = piece.text if piece.low >= 0 else f"{piece.text}.view({_UNSIGNED[piece.dtype]})"
                values = f"{piece.text}, {f.high}, {self.action.name!r}, {f.name!r}"
                self.lines.append(f"if {natural}.max() > {f.high}: refuse({values})")

    def _word(self, word: int, changes: Sequence[tuple[Field, Piece]]) -> str:
        """The name of a successor word: changed bits cleared, then set."""
        here = [(f, piece) for f, piece in changes if f.word == word and f.bits]
        if not here:
            return self.words[word]
        cleared = _FULL ^ sum(f.mask << f.shift for f, _ in here)
        fixed = sum(piece.low << f.shift for f, piece in here if piece.literal)
        self.lines.append(f"x{word} = {self.words[word]} & u64({cleared})")
        if fixed:
            self.lines.append(f"x{word} |= u64({fixed})")
        for f, piece in here:
            if not piece.literal:
                self.lines.append(f"x{word} |= {piece.text}.astype(u64) << u64({f.shift})")
        return f"x{word}"


def _folding(system: System) -> Simplifier:
    """Constants folded, and variables with a single value: everything but a leaf is then an array."""
    return simplifier({v.name: v.value(0) for v in system.variables if v.high == 0})


def _is_place(term: Term) -> bool:
    """Whether the term says which single value a variable has."""
    shape = shape_of(term)
    variables = [child for child in shape.children if child.operator == "variable"]
    constants = [child for child in shape.children if child.code is not None]
    return shape.operator == "eq" and len(variables) == len(constants) == 1


def _field_of(layout: Layout, name: str) -> Field:
    if name not in layout.fields:
        raise ModelError(f"the variable {name} is not one of the system")
    return layout.fields[name]


def _unpacking(field: Field, word: str, formula: bool) -> str:
    """The expression that reads a field of a word."""
    if formula:
        return f"({word} & u64({1 << field.shift})) != u64(0)"
    moved = f"({word} >> u64({field.shift})).astype(np.uint8)" if field.shift else f"{word}.astype(np.uint8)"
    return f"{moved} & np.uint8({field.mask})"


def _freed(lines: Sequence[str]) -> list[str]:
    """The lines, each block array deleted after its last use, so that memory stays in the cache."""
    last = {name: at for at, line in enumerate(lines) for name in _NAME.findall(line)}
    freed: list[str] = []
    for at, line in enumerate(lines):
        freed.append(line)
        dead = [name for name in sorted(set(_NAME.findall(line))) if last[name] == at]
        if dead and not line.startswith("return"):
            freed.append(f"del {', '.join(dead)}")
    return freed


def _indented(lines: Sequence[str]) -> str:
    return "".join(f"    {line}\n" for line in lines)


def _refuse(values: Any, high: int, action: str, variable: str) -> None:
    """ModelError, for values of which one is outside 0..high."""
    least, greatest = int(np.min(values)), int(np.max(values))
    code = least if least < 0 else greatest
    raise ModelError(f"{action} sets {variable} to {code}, outside 0..{high}")
