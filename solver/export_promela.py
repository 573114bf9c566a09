"""A system as a Promela model, for Spin.

Promela has no functions, and a macro or an inline may not be long, so a subterm that has a name is a variable, which
is computed anew in the same atomic step as every action. It is a function of the state: it adds bits to a state and no
states. What no guard and no update mentions is hidden and takes no bits.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.folding import Simplifier, simplifier
from model.kernel import Action, Variable
from model.terms import code_of
from solver.export_terms import Definition, Export, Language, Sentence, Written
from solver.export_text import comment, filled, in_sequence, joined, negation, pairwise, told, words

RESERVED = """
    active assert at_start atomic bit bool break byte c_code c_decl c_expr c_state c_track chan check cond_expr
    d_proctype d_step d_trace derive do else empty enabled end eval false fi for full get_priority goto hidden if in
    init inline int len local ltl mtype nempty never nfull nonempty notrace np_ od of pc_value pid priority printf
    printm proctype provided recut return run select set_priority short show skip start_ timeout trace true typedef
    unless unread unsigned xr xs
"""

PROMELA = Language(
    templates={
        "and": joined("&&", "true"),
        "or": joined("||", "false"),
        "not": negation("!", "==", "!="),
        "implies": lambda parts: f"!{parts[0]} || {parts[1]}",
        "ite": lambda parts: f"{parts[0]} -> {parts[1]} : {parts[2]}",
        "eq": joined("=="),
        "distinct": pairwise("!=", "&&", "true"),
        "le": joined("<="),
        "lt": joined("<"),
        "ge": joined(">="),
        "gt": joined(">"),
        "add": joined("+"),
        "sub": joined("-"),
    },
    truth=("false", "true"),
    reserved=tuple(RESERVED.split()),
    enclosed="ite",
)

HEAD = """
Every alternative of the loop is one action of the model, every assertion one safety property. After every
action, what several of them have in common is computed anew. A state in which nothing can happen is an end
and no error (-E). To search it with Spin:

    spin -a model.pml
    cc -O2 -DSAFETY -DNOREDUCE -o pan pan.c
    ./pan -E -m1000000

With -c0, Spin goes on after a violated assertion and counts every state. Where it says that the search
depth was too small, give a larger -m: its counts are too low. It counts the start as one transition more.
"""
STARTS = """
There are several start states, and Spin knows one: the alternatives that are called "start" lead from each
of them to others, and are enabled nowhere else. They add transitions and no states.
"""
FIELDS = """
As many bits as each variable needs: on a run with 564,838 states, fields were as fast as bytes, and a state
took 36 bytes instead of 140.
"""
UNREAD = "Nothing else reads these, and Spin leaves out of a state what nothing reads."


def promela(export: Export) -> str:
    """The complete model."""
    return _Model(Written(export, PROMELA)).text()


@dataclass(frozen=True)
class _Step:
    """One alternative of the loop."""

    name: str
    doc: str
    guard: str
    assignments: tuple[str, ...]

    def text(self) -> str:
        words = comment([f"{self.name}: {self.doc}"], "    /* ", "       ", " */")
        body = [filled(f"{line};", "         ") for line in self.assignments] or ["         skip"]
        return "\n".join([words, "    :: d_step {", filled(f"{self.guard} ->", "         "), *body, "       }"])


class _Model:
    """One model being written."""

    def __init__(self, written: Written):
        self.written, self.system = written, written.system
        self.temporaries: set[str] = set()
        self.steps = [self._step(a) for a in self.system.actions]
        self.checks = [(written.sentences[s.name], s) for s in written.export.checked]
        self.assertions = [self._assertion(name, s) for name, s in self.checks]
        self.first: Simplifier = simplifier({v.name: v.value(v.starts[0]) for v in self.system.variables})
        self.mentioned = frozenset().union(*(words(f"{s.guard} {' '.join(s.assignments)}") for s in self.steps))

    def text(self) -> str:
        """Constants, variables, what is derived, what is checked and the loop."""
        title = self.written.export.title
        head = [*title, *HEAD.splitlines(), *(STARTS.splitlines() if self._several_starts() else [])]
        parts = [comment(head, "/*\n", closes="\n */"), *self._constants(), *self._variables(), *self._derived()]
        return "\n\n".join([*parts, self._loop()]) + "\n"

    def _constants(self) -> Iterator[str]:
        for labels in self.written.labels.values():
            yield "\n".join(f"#define {label} {code}" for code, label in enumerate(labels))

    def _variables(self) -> Iterator[str]:
        """The state."""
        names = self.written.variables
        starts = {v.name: self.written.start(v)[0] for v in self.system.variables}
        lines = [f"{_field(names[v.name], v.bits)} = {starts[v.name]}; /* {v.name} */" for v in self.system.variables]
        yield "\n".join([comment(FIELDS.split("\n")[1:-1], "/* ", "   ", " */"), *lines])

    def _derived(self) -> Iterator[str]:
        """Functions of the state, those that only others of them need, and temporaries."""
        found = self.written.definitions.values()
        stored = [f"{self._type(d)} = {code_of(self.first(d.term))};" for d in found if d.name in self.mentioned]
        hidden = [f"hidden short {d.name};" for d in found if d.name not in self.mentioned]
        others = [*sorted(self.temporaries), *(name for name, _ in self.checks)]
        yield "\n".join(stored)
        yield "\n".join([*hidden, *(f"hidden byte {name};" for name in others), "hidden short unread;"])

    def _type(self, d: Definition) -> str:
        low, high = self.written.bounds(d.term)
        return f"short {d.name}" if low < 0 else _field(d.name, high.bit_length())

    def _after(self) -> Iterator[str]:
        """What is computed and checked after every step."""
        yield from (_definition(d) for d in self.written.definitions.values())
        yield from self._unread()
        if self.written.export.settled:
            settled = f"True by construction in this run: {', '.join(self.written.export.settled)}."
            yield comment([settled], "      /* ", "         ", " */")
        yield from self.assertions

    def _unread(self) -> list[str]:
        """A read of every variable that would otherwise only be written."""
        texts = [value for s in self.steps for value in (s.guard, *(a.partition(" = ")[2] for a in s.assignments))]
        texts += [d.text for d in self.written.definitions.values()] + self.assertions
        read = frozenset().union(*map(words, texts))
        names = [name for name in self.written.variables.values() if name not in read]
        return [f"      /* {UNREAD} */", filled(f"unread = {' + '.join(names)};", "      ")] if names else []

    def _assertion(self, name: str, s: Sentence) -> str:
        value = filled(f"{name} = {self.written.bare(s.term)};", "      ")
        return f"{comment([s.says], '      /* ', '         ', ' */')}\n{value}\n      assert({name});"

    def _loop(self) -> str:
        steps = "\n".join(s.text() for s in [*self._starting(), *self.steps])
        start = f"#define at_start ({self._at_start()})\n\n" if self._starting() else ""
        head = "active proctype recut() {\n  do\n  :: atomic {\n    if\n"
        after = "\n".join(self._after()) or "      skip"
        return f"{start}{head}{steps}\n    fi;\n    d_step {{\n{after}\n    }}\n    }}\n  od\n}}"

    def _starting(self) -> list[_Step]:
        """Steps among the start states; to itself, if the first one breaks a property and nobody would look."""
        found = [self._to_start(v, at) for v in self._several_starts() for at in range(len(v.starts))]
        broken = any(code_of(self.first(s.term)) == 0 for _, s in self.checks)
        return [_Step("start", "The start breaks a property.", "at_start", ())] if broken and not found else found

    def _to_start(self, v: Variable, at: int) -> _Step:
        name, value = self.written.variables[v.name], self.written.start(v)[at]
        doc = f"{v.name} is {v.decode(v.starts[at])} from the start."
        return _Step("start", doc, f"at_start && {name} != {value}", (f"{name} = {value}",))

    def _several_starts(self) -> list[Variable]:
        return [v for v in self.system.variables if len(v.starts) > 1]

    def _at_start(self) -> str:
        """Every variable has a value that it may start with."""
        names = self.written.variables
        tests = [[f"{names[v.name]} == {value}" for value in self.written.start(v)] for v in self.system.variables]
        return " && \\\n  ".join(f"({' || '.join(t)})" if len(t) > 1 else t[0] for t in tests)

    def _step(self, action: Action) -> _Step:
        """An action, its updates in an order in which each still reads the state before."""
        values = {target: self.written.bare(value) for target, value in self.written.values(action)}
        done = in_sequence(values, words)
        new = {target: self.written.beside("new", target) for target in done.kept}
        self.temporaries.update(new.values())
        lines = [f"{new[target]} = {value}" for target, value in done.kept.items()]
        lines += [f"{target} = {value}" for target, value in done.others.items()]
        lines += [f"{target} = {new[target]}" for target in done.kept]
        return _Step(action.name, action.doc, self.written.bare(action.guard), tuple(lines))


def _field(name: str, bits: int) -> str:
    return f"bit {name}" if bits <= 1 else f"unsigned {name} : {bits}"


def _definition(d: Definition) -> str:
    """The assignment of a derived variable; a long choice with one branch a line, and the rows that they are."""
    if not d.branches:
        return filled(f"{d.name} = {d.text};", "      ")
    lines = [f"      {d.name} ="]
    for b in d.branches[:-1]:
        lines += [f"        /* {told(b.row)} */"] if b.row else []
        lines.append(filled(f"(({b.when}) -> {b.value} :", "        "))
    lines.append(f"        {d.branches[-1].value}{')' * (len(d.branches) - 1)};")
    return "\n".join(lines)
