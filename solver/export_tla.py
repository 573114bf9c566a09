"""A system as a TLA+ module, for TLC."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from model.kernel import Action, Variable
from solver.export_terms import Definition, Export, Language, Sentence, Written, sort_name
from solver.export_text import comment, filled, joined, negation, pairwise, told

RESERVED = """
    Init Next Spec TypeOK vars ACTION ASSUME ASSUMPTION AXIOM BOOLEAN BY CASE CHOOSE CONSTANT CONSTANTS COROLLARY DEF
    DEFINE DEFS DOMAIN ELSE ENABLED EXCEPT EXTENDS FALSE HAVE HIDE IF IN INSTANCE Int Integers LAMBDA LEMMA LET LOCAL
    MODULE Nat Naturals NEW OBVIOUS OMITTED ONLY OTHER PICK PROOF PROPOSITION PROVE QED RECURSIVE SF STATE STRING SUBSET
    SUFFICES TAKE TEMPORAL THEN THEOREM TRUE UNCHANGED UNION USE VARIABLE VARIABLES WF WITH WITNESS
"""

TLA = Language(
    templates={
        "and": joined("/\\", "TRUE"),
        "or": joined("\\/", "FALSE"),
        "not": negation("~", "=", "#"),
        "implies": joined("=>"),
        "ite": lambda parts: f"IF {parts[0]} THEN {parts[1]} ELSE {parts[2]}",
        "eq": joined("="),
        "distinct": pairwise("#", "/\\", "TRUE"),
        "le": joined("<="),
        "lt": joined("<"),
        "ge": joined(">="),
        "gt": joined(">"),
        "add": joined("+"),
        "sub": joined("-"),
    },
    truth=("FALSE", "TRUE"),
    reserved=tuple(RESERVED.split()),
)

HEAD = """
Every disjunct of Next is one action of the model, and what several of them have in common has a name of
its own. A state in which nothing can happen is an end and no error (-deadlock). To search it with TLC:

    java -cp tla2tools.jar tlc2.TLC -deadlock {module}.tla

TLC wants beside it a file {module}.cfg:
"""
COUNTS = """
The distinct states are those of the model. TLC counts a step once for each way in which its guard is
true, so the states that it calls generated are more than the transitions. It stops at the first broken
invariant; to count every state, leave out the invariants that are broken.
"""


def tla(export: Export, module: str = "Recut") -> str:
    """The complete module."""
    return _Module(_written(export, module), module).text()


def tla_configuration(export: Export, module: str = "Recut") -> str:
    """What TLC is told beside the module: where to start, what a step is and what must hold."""
    return _configuration(_written(export, module))


def can_name_a_module(name: str) -> bool:
    """Whether a module can have this name."""
    return re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) is not None and name not in TLA.reserved


def _written(export: Export, module: str) -> Written:
    """Nothing in a module has the name of the module."""
    return Written(export, replace(TLA, reserved=(*TLA.reserved, module)))


def _configuration(written: Written) -> str:
    names = written.sentences.values()
    return "\n".join(["INIT Init", "NEXT Next", "INVARIANT TypeOK", *(f"INVARIANT {name}" for name in names)]) + "\n"


class _Module:
    """One module being written."""

    def __init__(self, written: Written, module: str):
        self.written, self.system, self.module = written, written.system, module
        self.groups: dict[str, list[str]] = {}
        for v in self.system.variables:
            self.groups.setdefault(written.beside(v.owner, "vars"), []).append(written.variables[v.name])
        self.names = {a.name: written.names.fresh(a.name) for a in self.system.actions}

    def text(self) -> str:
        """Constants, variables, the start, what has a name, the actions and the properties."""
        actions = [self._action(a) for a in self.system.actions]
        sentences = [self._sentence(s) for s in self.written.export.checked]
        named = [_definition(d) for d in self.written.definitions.values()]
        following = "\n".join(["Next ==", *(f"    \\/ {self.names[a.name]}" for a in self.system.actions)])
        steps = [*actions, following, "Spec == Init /\\ [][Next]_vars"]
        parts = [*self._head(), *self._constants(), *self._state(), *named, *steps, *sentences, *self._settled()]
        return "\n\n".join([*parts, "====="]) + "\n"

    def _head(self) -> Iterator[str]:
        configuration = [f"    {line}" for line in _configuration(self.written).splitlines()]
        head = HEAD.format(module=self.module).splitlines()
        lines = [*self.written.export.title, *head, "", *configuration, *COUNTS.splitlines()]
        yield f"---- MODULE {self.module} ----\n{comment(lines, '(*' + chr(10), closes=chr(10) + '*)')}"
        yield "EXTENDS Integers"

    def _constants(self) -> Iterator[str]:
        """The labels of every enumeration, and the set of them."""
        for sort, names in self.written.labels.items():
            labels = [f'{name} == "{label}"' for name, label in zip(names, self.written.sorts[sort], strict=True)]
            yield "\n".join([*labels, filled(f"{self.written.types[sort]} == {{{', '.join(names)}}}")])

    def _state(self) -> Iterator[str]:
        """Variables, in groups by the party that they belong to, their types and where they start."""
        variables = [(self.written.variables[v.name], v) for v in self.system.variables]
        names = [name for name, _ in variables]
        lines = [f"    {name}{',' if name != names[-1] else ''} \\* {v.name}" for name, v in variables]
        yield "\n".join(["VARIABLES", *lines])
        yield "\n".join(filled(f"{group} == <<{', '.join(those)}>>") for group, those in self.groups.items())
        yield filled(f"vars == <<{', '.join(names)}>>")
        yield "\n".join(["TypeOK ==", *(f"    /\\ {name} \\in {self._type(v)}" for name, v in variables)])
        yield "\n".join(["Init ==", *(f"    /\\ {self._start(v)}" for _, v in variables)])

    def _type(self, v: Variable) -> str:
        if v.kind == "enum":
            return self.written.types[sort_name(v.term)]
        return "BOOLEAN" if v.kind == "flag" else f"0..{v.high}"

    def _start(self, v: Variable) -> str:
        name, starts = self.written.variables[v.name], self.written.start(v)
        return f"{name} = {starts[0]}" if len(starts) == 1 else f"{name} \\in {{{', '.join(starts)}}}"

    def _action(self, action: Action) -> str:
        """An action: its guard, the new values, and what stays as it is."""
        values = {target: self.written(value) for target, value in self.written.values(action)}
        guard = filled(f"/\\ {self.written.bare(action.guard)}", "    ")
        sets = [filled(f"/\\ {target}' = {value}", "    ") for target, value in values.items()]
        head = [_told(action.doc)] if action.doc else []
        return "\n".join([*head, f"{self.names[action.name]} ==", guard, *sets, *self._unchanged(set(values))])

    def _unchanged(self, changed: set[str]) -> Iterator[str]:
        """The groups that stay as they are as a whole, and the variables of the others that do."""
        same: list[str] = []
        for group, those in self.groups.items():
            same += [name for name in those if name not in changed] if changed & set(those) else [group]
        if same:
            yield filled(f"/\\ UNCHANGED <<{', '.join(same)}>>", "    ")

    def _sentence(self, s: Sentence) -> str:
        name = self.written.sentences[s.name]
        return f"{_told(s.says)}\n{name} ==\n{filled(self.written.bare(s.term), '    ')}"

    def _settled(self) -> Iterator[str]:
        names = self.written.export.settled
        if names:
            yield _told(f"True by construction in this run: {', '.join(names)}.")


def _told(text: str) -> str:
    return comment([text], "\\* ", "\\* ")


def _definition(d: Definition) -> str:
    """A named subterm; a long choice with one branch a line, and the rows of the table that they are."""
    if not d.branches:
        return f"{d.name} ==\n{filled(d.text, '    ')}"
    lines = [f"{d.name} =="]
    for at, b in enumerate(d.branches[:-1]):
        lines += [f"    \\* {told(b.row)}"] if b.row else []
        lines.append(filled(f"{'ELSE ' if at else ''}IF {b.when} THEN {b.value}", "    "))
    return "\n".join([*lines, f"    ELSE {d.branches[-1].value}"])
