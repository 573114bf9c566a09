"""What the exporters write, and its terms: which subterms get names, and how they become text.

A back end is a table from the operators of ``model.terms`` to templates; the rest of it is layout. What is
written is the specialised system, so that a foreign checker meets the same states as the explorer. Terms share
much (a decision occurs in most guards), so a shared subterm is written once and mentioned by name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from model.kernel import Action, Term, Variable
from model.specialise import Specialised, specialise
from model.system import Model
from model.terms import LEAVES, OPERATORS, Folder, Handler, code_of, key_of, op_name, shape_of, variable_name
from properties.safety import PROPERTIES
from solver.export_text import Names, Template, bare

NAMED_FROM = 6
"""A subterm that occurs more than once gets a name if it has at least this many nodes."""
CASES_FROM = 3
"""A choice with at least this many branches is written one branch a line."""


@dataclass(frozen=True, eq=False)
class Sentence:
    """A safety property over the specialised system."""

    name: str
    says: str
    term: Term


@dataclass(frozen=True, eq=False)
class Export:
    """A specialised system, what must hold in it, and which run it is, in words."""

    special: Specialised
    sentences: tuple[Sentence, ...]
    title: tuple[str, ...]

    @property
    def checked(self) -> tuple[Sentence, ...]:
        """The properties that a state can break."""
        return tuple(s for s in self.sentences if op_name(s.term) != "true")

    @property
    def settled(self) -> tuple[str, ...]:
        """The names of the properties that are true by construction, and need no check."""
        return tuple(s.name for s in self.sentences if op_name(s.term) == "true")

    @property
    def roots(self) -> list[Term]:
        """Every term that is written down: guards, then new values, then properties."""
        actions = self.special.system.actions
        values = [u.value for a in actions for u in a.updates]
        return [*(a.guard for a in actions), *values, *(s.term for s in self.checked)]


def export_of(model: Model, *title: str) -> Export:
    """A model as the explorer sees it, with every safety property."""
    special = specialise(model.system())
    found = (Sentence(p.name, p.says, special.term(p.holds(model))) for p in PROPERTIES)
    return Export(special, tuple(found), title)


@dataclass(frozen=True)
class Language:
    """How terms are written: templates for operators, the truth values, and what must not be an identifier.

    ``call`` follows the name of a subterm where it is mentioned; a term of the operator ``enclosed`` keeps its
    parentheses everywhere.
    """

    templates: Mapping[str, Template]
    truth: tuple[str, str]
    reserved: tuple[str, ...]
    call: str = ""
    enclosed: str = ""


@dataclass(frozen=True)
class Branch:
    """One branch of a choice: when, what, and the row of the table it is, if it is one."""

    when: str
    value: str
    row: str


@dataclass(frozen=True, eq=False)
class Definition:
    """A subterm with a name of its own; a long choice also branch by branch, the last of them without a condition."""

    name: str
    term: Term
    text: str
    branches: tuple[Branch, ...]


class Written(Folder[str]):
    """A system being written in a language: an identifier for everything, and its terms as text.

    ``definitions`` collects the named subterms that were met, each after those that it mentions.
    """

    def __init__(self, export: Export, language: Language):
        self.export, self.language, self.system = export, language, export.special.system
        self.names = Names(language.reserved)
        self.variables = {v.name: self.names.fresh(v.name) for v in self.system.variables}
        self.sorts = enumerations(export)
        self.types = {sort: self.names.fresh(sort) for sort in self.sorts}
        self.labels = {s: [self.names.fresh(f"{s}.{label}") for label in found] for s, found in self.sorts.items()}
        self.sentences = {s.name: self.names.fresh(s.name) for s in export.checked}
        rows = ((name, term) for name, term in self.system.definitions.items() if name.startswith("rule["))
        self.rows = {key_of(term): name.partition(".")[2] for name, term in rows}
        self.named = names_of_subterms(export, self.names.fresh)
        self.definitions: dict[str, Definition] = {}
        self._beside: dict[str, str] = {}
        self.bounds = Bounds(self.system.variables)
        self._by_id = self.system.by_term()
        super().__init__({name: self._mentioned(handler) for name, handler in self.table().items()})

    def table(self) -> dict[str, Handler[str]]:
        """The handlers over the closed set of operators."""
        false, true = self.language.truth
        leaves: dict[str, Handler[str]] = {
            "variable": lambda term, _: self.variables[variable_name(term)],
            "true": lambda _t, _p: true,
            "false": lambda _t, _p: false,
            "int": lambda term, _: str(code_of(term)) if code_of(term) >= 0 else f"({code_of(term)})",
            "label": lambda term, _: self.labels[sort_name(term)][code_of(term)],
        }
        return leaves | {name: _in_parentheses(t) for name, t in self.language.templates.items()}

    def bare(self, term: Term) -> str:
        """The term without parentheses around the whole of it."""
        return self._bare(term, self(term))

    def values(self, action: Action) -> Iterator[tuple[str, Term]]:
        """The identifiers of the variables that an action sets, with their new values."""
        for update in action.updates:
            yield self.variables[self._by_id[update.target.get_id()].name], update.value

    def start(self, variable: Variable) -> list[str]:
        """The values that a variable may start with."""
        return [self(variable.value(code)) for code in variable.starts]

    def beside(self, what: str, name: str) -> str:
        """The identifier of something that belongs to a name, such as its new value; always the same one."""
        text = f"{what} {name}"
        if text not in self._beside:
            self._beside[text] = self.names.fresh(text)
        return self._beside[text]

    def branches(self, term: Term) -> Iterator[Branch]:
        """A choice branch by branch, as far as its last branches are choices that have no name."""
        while op_name(term) == "ite":
            when, value, rest = term.children()
            yield Branch(self.bare(when), self.bare(value), self.rows.get(key_of(when), ""))
            if key_of(rest) in self.named:
                break
            term = rest
        yield Branch("", self.bare(rest), "")

    def _bare(self, term: Term, text: str) -> str:
        return text if op_name(term) == self.language.enclosed else bare(text)

    def _mentioned(self, handler: Handler[str]) -> Handler[str]:
        """The handler, but a subterm that has a name is defined and mentioned by it."""

        def write(term: Term, parts: Sequence[str]) -> str:
            text, name = handler(term, parts), self.named.get(key_of(term))
            if name is None:
                return text
            self.definitions[name] = self._defined(name, term, self._bare(term, text))
            return name + self.language.call

        return write

    def _defined(self, name: str, term: Term, text: str) -> Definition:
        branches = tuple(self.branches(term)) if op_name(term) == "ite" else ()
        return Definition(name, term, text, branches if len(branches) > CASES_FROM else ())


class Bounds(Folder[tuple[int, int]]):
    """Between which numbers (or codes) a term lies, from the ranges of the variables."""

    def __init__(self, variables: Sequence[Variable]):
        high = {v.name: v.high for v in variables}
        table: dict[str, Handler[tuple[int, int]]] = dict.fromkeys(OPERATORS, lambda _t, _p: (0, 1))
        table["variable"] = lambda term, _: (0, high[variable_name(term)])
        table |= dict.fromkeys(("int", "label"), lambda term, _: (code_of(term), code_of(term)))
        table["ite"] = lambda _, p: (min(p[1][0], p[2][0]), max(p[1][1], p[2][1]))
        table["add"] = lambda _, p: (sum(low for low, _ in p), sum(most for _, most in p))
        table["sub"] = lambda _, p: (p[0][0] - sum(m for _, m in p[1:]), p[0][1] - sum(low for low, _ in p[1:]))
        super().__init__(table)


def sort_name(term: Term) -> str:
    """The name of a term's sort: Bool, Int or an enumeration."""
    return str(term.sort().name())


def _in_parentheses(template: Template) -> Handler[str]:
    return lambda _, parts: f"({template(parts)})"


def names_of_subterms(export: Export, fresh: Callable[[str], str]) -> dict[int, str]:
    """By the id of its term, the name of each subterm that is written once.

    What the model has a name for (``decision[0]``, an input of a cut) keeps it; anything else is numbered.
    """
    known = {key_of(term): name for name, term in reversed([*export.special.system.definitions.items()])}
    found: dict[int, str] = {}
    for key in _worth_a_name(export.roots, known):
        found[key] = fresh(known.get(key) or f"shared_{sum(k not in known for k in found) + 1}")
    return found


def _worth_a_name(roots: Sequence[Term], known: Mapping[int, str]) -> list[int]:
    """The ids of the subterms that get a name, each after those inside it."""
    uses = _uses(roots)
    chosen: list[int] = []

    def size(term: Term, parts: Sequence[int]) -> int:
        key, nodes = key_of(term), 1 + sum(parts)
        if op_name(term) in LEAVES or uses[key] < 2 or (key not in known and nodes < NAMED_FROM):
            return nodes
        chosen.append(key)
        return 1

    _visit(roots, size)
    return chosen


def _uses(roots: Sequence[Term]) -> Counter[int]:
    """How often each subterm is mentioned, by id."""
    uses: Counter[int] = Counter(key_of(root) for root in roots)
    _visit(roots, lambda term, _: uses.update(child.key for child in shape_of(term).children))
    return uses


def enumerations(export: Export) -> dict[str, list[str]]:
    """Every enumeration that variables and written terms use, by the name of its sort, with its labels."""
    found = {sort_name(v.term): list(v.labels) for v in export.special.system.variables if v.kind == "enum"}

    def note(term: Term, _: Sequence[None]) -> None:
        if op_name(term) == "label":
            sort = term.sort()
            found[sort_name(term)] = [str(sort.constructor(i).name()) for i in range(sort.num_constructors())]

    _visit(export.roots, note)
    return dict(sorted(found.items()))


def _visit(roots: Sequence[Term], handler: Handler[Any]) -> None:
    """Call a handler for each subterm once, parts before wholes."""
    fold = Folder(dict.fromkeys(OPERATORS, handler))
    for root in roots:
        fold(root)
