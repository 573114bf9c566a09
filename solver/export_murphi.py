"""A system as a Murphi model, for Rumur.

A subterm that has a name is a function of the state. Rumur copies the body of a function to each place that
calls it, so a function keeps in a local variable what it would call more than once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from model.kernel import Action, Term, Variable
from solver.export_terms import Branch, Definition, Export, Language, Sentence, Written, sort_name
from solver.export_text import Assignments, comment, filled, in_sequence, joined, negation, pairwise, told, words

RESERVED = """
    alias array assert assume begin bitfield boolean by case clear const cover do else elsif end endalias endexists
    endfor endforall endfunction endif endprocedure endrecord endrule endruleset endstartstate endswitch endwhile enum
    error exists false for forall function if import in interface invariant ismember isundefined liveness map multiset
    multisetadd multisetcount multisetremove of procedure process program put real record return rule ruleset
    scalarset startstate switch then to traceuntil true type undefine undefined union var while
"""

MURPHI = Language(
    templates={
        "and": joined("&", "true"),
        "or": joined("|", "false"),
        "not": negation("!", "=", "!="),
        "implies": joined("->"),
        "ite": lambda parts: f"{parts[0]} ? {parts[1]} : {parts[2]}",
        "eq": joined("="),
        "distinct": pairwise("!=", "&", "true"),
        "le": joined("<="),
        "lt": joined("<"),
        "ge": joined(">="),
        "gt": joined(">"),
        "add": joined("+"),
        "sub": joined("-"),
    },
    truth=("false", "true"),
    reserved=tuple(RESERVED.split()),
    call="()",
)

HEAD = """
Every rule is one action of the model, every invariant one safety property, every function a part that
several of them have in common. A state in which nothing can happen is an end and no error. To search it
with Rumur:

    rumur --deadlock-detection off --output model.c model.m
    cc -O2 -march=native -o model model.c -lpthread
    ./model

Rumur does not go on from a state that breaks an invariant. To count every state, and those in which a
property holds, write "cover" for "invariant".
"""


def murphi(export: Export) -> str:
    """The complete model."""
    written = Written(export, MURPHI)
    rules = [_Rule(written, a).text() for a in written.system.actions]
    invariants = [_invariant(written, s) for s in export.checked]
    head = comment([*export.title, *HEAD.splitlines()], "-- ", "-- ")
    functions = [_Function(written, d).text() for d in written.definitions.values()]
    parts = [head, _types(written), _variables(written), *functions, _start(written), *rules, *invariants]
    if export.settled:
        parts.append(_told(f"True by construction in this run: {', '.join(export.settled)}."))
    return "\n\n".join(parts) + "\n"


def _told(text: str) -> str:
    return comment([text], "-- ", "-- ")


def _types(written: Written) -> str:
    enums = [(written.types[sort], ", ".join(labels)) for sort, labels in written.labels.items()]
    return "\n".join(["type", *(filled(f"{name} : enum {{ {labels} }};", "  ") for name, labels in enums)])


def _variables(written: Written) -> str:
    lines = [f"  {written.variables[v.name]} : {_range(written, v)}; -- {v.name}" for v in written.system.variables]
    return "\n".join(["var", *lines])


def _range(written: Written, v: Variable) -> str:
    """The type that holds exactly what a variable may be."""
    return f"0..{v.high}" if v.kind == "count" else _type(written, v.term)


def _type(written: Written, term: Term) -> str:
    """The type of whatever a term can be."""
    low, high = written.bounds(term)
    sort = sort_name(term)
    return {"Bool": "boolean", "Int": f"{low}..{high}"}.get(sort) or written.types[sort]


def _start(written: Written) -> str:
    """The start state, or one for every combination of the values that promises may have."""
    free = {v.name: written.names.fresh(f"start {v.name}") for v in written.system.variables if len(v.starts) > 1}
    lines = [line for v in written.system.variables for line in _starts(written, v, free.get(v.name, ""))]
    text = "\n".join(['startstate "start"', "begin", *lines, "end;"])
    sets = [f"{free[v.name]} : 0..{len(v.starts) - 1}" for v in written.system.variables if v.name in free]
    return f"ruleset {'; '.join(sets)} do\n{text}\nend;" if free else text


def _starts(written: Written, v: Variable, index: str) -> list[str]:
    sets = [f"{written.variables[v.name]} := {value};" for value in written.start(v)]
    return [f"  if {index} = {at} then {line} end;" if index else f"  {line}" for at, line in enumerate(sets)]


def _invariant(written: Written, s: Sentence) -> str:
    return f'{_told(s.says)}\ninvariant "{s.name}"\n{filled(written.bare(s.term), "  ")};'


class _Function:
    """A named subterm as a function."""

    def __init__(self, written: Written, definition: Definition):
        self.written, self.definition = written, definition
        called = sorted(words(definition.text) & written.definitions.keys())
        more = (name for name in called if definition.text.count(f"{name}()") > 1)
        self.local = {name: written.beside("its", name) for name in more}

    def text(self) -> str:
        d = self.definition
        types = {name: self._type_of(self.written.definitions[name]) for name in self.local}
        declared = [f"var {its} : {types[name]};" for name, its in self.local.items()]
        sets = [f"  {its} := {name}();" for name, its in self.local.items()]
        body = [self._case(b) for b in d.branches] or [filled(f"return {self._locally(d.text)};", "  ")]
        return "\n".join([f"function {d.name}() : {self._type_of(d)};", *declared, "begin", *sets, *body, "end;"])

    def _case(self, branch: Branch) -> str:
        """A branch as a statement, after the name of the row of the table that it is."""
        value = f"return {self._locally(branch.value)};"
        line = filled(f"if {self._locally(branch.when)} then {value} end;" if branch.when else value, "  ")
        return f"  -- {told(branch.row)}\n{line}" if branch.row else line

    def _locally(self, text: str) -> str:
        for name, its in self.local.items():
            text = re.sub(rf"\b{name}\(\)", its, text)
        return text

    def _type_of(self, definition: Definition) -> str:
        return _type(self.written, definition.term)


class _Rule:
    """An action as a rule: its updates in an order in which each still reads the state before."""

    def __init__(self, written: Written, action: Action):
        self.written, self.action = written, action
        self.guard = written.bare(action.guard)
        self.values = {target: written.bare(value) for target, value in written.values(action)}

    def text(self) -> str:
        done = in_sequence(self.values, self._reads)
        lines = [filled(line, "  ") for line in self._assignments(done)]
        types = {self.written.variables[v.name]: _range(self.written, v) for v in self.written.system.variables}
        local = [f"  var {self._new(target)} : {types[target]};" for target in done.kept]
        head = [_told(self.action.doc)] if self.action.doc else []
        name = f'rule "{self.action.name}"'
        return "\n".join([*head, name, filled(self.guard, "  "), "==>", *local, "begin", *lines, "end;"])

    def _assignments(self, done: Assignments) -> Iterator[str]:
        yield from (f"{self._new(target)} := {value};" for target, value in done.kept.items())
        yield from (f"{target} := {value};" for target, value in done.others.items())
        yield from (f"{target} := {self._new(target)};" for target in done.kept)

    def _new(self, target: str) -> str:
        return self.written.beside("new", target)

    def _reads(self, text: str) -> frozenset[str]:
        """The names that a text depends on, through the functions that it calls."""
        found: set[str] = set()
        new: Sequence[str] = [*words(text)]
        while new:
            found.update(new)
            inside = [words(self.written.definitions[n].text) for n in new if n in self.written.definitions]
            new = [*frozenset().union(*inside) - found]
        return frozenset(found)
