"""A system as a C header for the yardstick: packed states, and a switch on every worker's place."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.dialects import C, identifier, text
from benchmarks.places import Places, step_variables, switched
from model.kernel import Action, ModelError, System, Term
from model.terms import code_of, is_constant, variable_name
from solver.packing import WORD, Field, Layout

_WORDS = {1: "uint64_t", 2: "unsigned __int128"}


def header(system: System, violated: Term) -> str:
    """The header: the type of a state, the start, ``expand`` and ``violates``."""
    return "\n".join(_Header(system).lines(violated)) + "\n"


class _Header:
    """The header while it is being written."""

    def __init__(self, system: System):
        self.system, self.layout = system, Layout.of(system)
        if self.layout.width not in _WORDS:
            raise ModelError(f"the yardstick holds states of one or two words, not {self.layout.width}")

    def lines(self, violated: Term) -> Iterator[str]:
        """Every line of the header."""
        yield f"typedef {_WORDS[self.layout.width]} state_t;"
        yield f"#define WORDS {self.layout.width}"
        yield f"#define FANOUT {len(self.system.actions)}"
        yield f"static const state_t START = {self._start()};"
        yield "static inline int expand(state_t s, state_t *out) {"
        yield from self._body()
        yield "return n;\n}\nstatic inline int violates(state_t s) {"
        yield from self._fields()
        yield f"return {text(violated, C)};\n}}"

    def _start(self) -> str:
        if any(len(v.starts) != 1 for v in self.system.variables):
            raise ModelError("the yardstick starts in one state")
        words = self.layout.pack({v.name: v.starts[0] for v in self.system.variables})
        return self._constant(sum(word << WORD * at for at, word in enumerate(words)))

    def _body(self) -> Iterator[str]:
        common, places = switched(self.system, step_variables(self.system))
        yield "int n = 0;"
        yield from self._fields()
        yield from map(self._step, common)
        for place in places:
            yield from self._switch(place)

    def _fields(self) -> Iterator[str]:
        """Every variable, unpacked; the compiler drops those that are not read."""
        for f in self.layout.fields.values():
            name = identifier(f.name)
            yield f"const int {name} = (int)(s >> {self._shift(f)}) & {f.mask}; (void){name};"

    def _switch(self, place: Places) -> Iterator[str]:
        yield f"switch ({identifier(place.variable.name)}) {{"
        for code, actions in place.leaving.items():
            yield f"case {code}:"
            yield from map(self._step, actions)
            yield "break;"
        yield "}"

    def _step(self, action: Action) -> str:
        return f"if ({text(action.guard, C)}) out[n++] = {self._after(action)};"

    def _after(self, action: Action) -> str:
        """The state with the changed bits cleared and set."""
        changes = [(self.layout.fields[variable_name(u.target)], u.value) for u in action.updates]
        cleared = sum(f.mask << self._shift(f) for f, _ in changes)
        fixed = sum(code_of(v) << self._shift(f) for f, v in changes if is_constant(v))
        moving = [f"(state_t)({text(v, C)}) << {self._shift(f)}" for f, v in changes if not is_constant(v)]
        return " | ".join([f"(s & ~{self._constant(cleared)})", self._constant(fixed), *moving])

    def _shift(self, field: Field) -> int:
        return field.word * WORD + field.shift

    def _constant(self, value: int) -> str:
        low, high = value & (1 << WORD) - 1, value >> WORD
        return f"((state_t){high}ULL << {WORD} | {low}ULL)" if self.layout.width > 1 else f"{low}ULL"
