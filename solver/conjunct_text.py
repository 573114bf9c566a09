"""Guards as short lines of text in which all instances of an action read alike.

Every index is written as 0, other numbers as n, and equal parts of a list once, so the text of a conjunct
does not depend on the sizes of a run.
"""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Mapping, Sequence

from model.folding import simplifier
from model.kernel import Action, System, Term
from model.terms import Folder, Handler, code_of, conjuncts, key_of, op_name, variable_name

LONGEST = 130
Piece = tuple[str, int]
"""A text and how loosely it binds: a looser part stands in brackets."""

_INDEX = re.compile(r"\[\d+\]")
_LEVELS = {"add": 1, "sub": 1, "eq": 2, "distinct": 2, "le": 2, "lt": 2, "ge": 2, "gt": 2, "not": 3, "and": 4, "or": 5}
_SIGNS = {"add": "+", "sub": "-", "eq": "=", "distinct": "!=", "le": "<=", "lt": "<", "ge": ">=", "gt": ">"}


class GuardText:
    """Writes formulas of one system; decisions and inputs of the table go by their names."""

    def __init__(self, system: System):
        self.simplify = simplifier({})
        self.fold = Folder(_HANDLERS)
        self.named = [(name, self.simplify(term)) for name, term in system.definitions.items()]
        for name, term in self.named:
            if not name.startswith("rule[") and op_name(term) != "variable":
                self.fold.memo.setdefault(key_of(term), (_plain(name), 0))

    def conjuncts(self, action: Action) -> list[tuple[str, Term]]:
        """The conjuncts of a guard with their texts; none for an instance that only fills up the indices."""
        parts = [self.simplify(part) for part in conjuncts(action.guard)]
        if any(op_name(part) == "false" for part in parts):
            return []
        return [(self.written(part), part) for part in parts if op_name(part) != "true"]

    def written(self, term: Term) -> str:
        """The text of a formula; a long one is cut and ends with a digest of all of it."""
        text, _ = self.fold(term)
        if len(text) <= LONGEST:
            return text
        return f"{text[: LONGEST - 12]}... {hashlib.sha256(text.encode()).hexdigest()[:8]}"


def _plain(name: str) -> str:
    return _INDEX.sub("[0]", name)


def _listed(name: str, _: Term, parts: Sequence[Piece]) -> Piece:
    """Operands with a sign or a word between them; of equal ones the first."""
    pieces = list(dict.fromkeys(parts)) if name in ("and", "or") else list(parts)
    if len(pieces) == 1:
        return pieces[0]
    level = _LEVELS[name]
    return f" {_SIGNS.get(name, name)} ".join(_within(p, level) for p in pieces), level


def _within(piece: Piece, level: int) -> str:
    text, own = piece
    return f"({text})" if own >= level else text


def _equality(name: str, term: Term, parts: Sequence[Piece]) -> Piece:
    """A number that something is equal to is an index."""
    pieces = [("0", 0) if op_name(child) == "int" else p for child, p in zip(term.children(), parts, strict=True)]
    return _listed(name, term, pieces)


def _negated(_: Term, parts: Sequence[Piece]) -> Piece:
    return f"not {_within(parts[0], 2)}", 3


def _implied(_: Term, parts: Sequence[Piece]) -> Piece:
    return f"{_within(parts[0], 6)} implies {_within(parts[1], 6)}", 6


def _chosen(_: Term, parts: Sequence[Piece]) -> Piece:
    return "if {} then {} else {}".format(*(_within(p, 6) for p in parts)), 6


_HANDLERS: Mapping[str, Handler[Piece]] = {
    "variable": lambda term, _: (_plain(variable_name(term)).removeprefix("promise."), 0),
    "true": lambda *_: ("true", 0),
    "false": lambda *_: ("false", 0),
    "int": lambda term, _: ("n" if code_of(term) else "0", 0),
    "label": lambda term, _: (str(term), 0),
    "not": _negated,
    "implies": _implied,
    "ite": _chosen,
    "eq": functools.partial(_equality, "eq"),
    "distinct": functools.partial(_equality, "distinct"),
    **{name: functools.partial(_listed, name) for name in ("and", "or", "le", "lt", "ge", "gt", "add", "sub")},
}
