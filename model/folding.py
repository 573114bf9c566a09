"""Constant folding that keeps the shape of a term.

z3.simplify turns comparisons and connectives into others, so that a lowered model is no longer the
one that was written. Here only constants disappear.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import z3

from model.kernel import ModelError, Term
from model.terms import (
    ARITHMETIC,
    BUILDERS,
    LEAVES,
    RELATIONS,
    Folder,
    Handler,
    code_of,
    is_constant,
    key_of,
    op_name,
    rebuilt,
    variable_name,
)

Simplifier = Callable[[Term], Term]

_COMPARE: dict[str, Callable[..., bool]] = {
    "eq": lambda a, b: a == b,
    "distinct": lambda *codes: len(set(codes)) == len(codes),
    "le": lambda a, b: a <= b,
    "lt": lambda a, b: a < b,
    "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
}


def simplify_constants(term: Term, values: Mapping[str, Term]) -> Term:
    """The term with ``values`` (variable name to z3 constant) put in and constants folded away."""
    return simplifier(values)(term)


def simplifier(values: Mapping[str, Term]) -> Simplifier:
    """``simplify_constants`` for many terms under the same values, sharing its work."""
    for name, value in values.items():
        if not is_constant(value):
            raise ModelError(f"{name} cannot be replaced by {value}, which is not a constant")
    table = dict(HANDLERS)
    table["variable"] = lambda term, _: values.get(variable_name(term), term)
    return Folder(table)


def _same(term: Term, _: Sequence[Term]) -> Term:
    return term


def _junction(term: Term, parts: Sequence[Term]) -> Term:
    """And and Or: the neutral constant goes, the other one decides."""
    neutral, absorbing = ("true", "false") if op_name(term) == "and" else ("false", "true")
    if any(op_name(p) == absorbing for p in parts):
        return z3.BoolVal(absorbing == "true")
    kept = [p for p in parts if op_name(p) != neutral]
    if len(kept) == len(parts) > 1:
        return rebuilt(term, parts)
    if len(kept) > 1:
        return BUILDERS[op_name(term)](*kept)
    return kept[0] if kept else z3.BoolVal(neutral == "true")


def _negation(term: Term, parts: Sequence[Term]) -> Term:
    if is_constant(parts[0]):
        return z3.BoolVal(code_of(parts[0]) == 0)
    return rebuilt(term, parts)


def _implication(term: Term, parts: Sequence[Term]) -> Term:
    premise, conclusion = map(op_name, parts)
    if premise == "true":
        return parts[1]
    if premise == "false" or conclusion == "true":
        return z3.BoolVal(True)
    return z3.Not(parts[0]) if conclusion == "false" else rebuilt(term, parts)


def _choice(term: Term, parts: Sequence[Term]) -> Term:
    test = op_name(parts[0])
    if test == "true" or key_of(parts[1]) == key_of(parts[2]):
        return parts[1]
    return parts[2] if test == "false" else rebuilt(term, parts)


def _relation(term: Term, parts: Sequence[Term]) -> Term:
    name = op_name(term)
    if all(map(is_constant, parts)):
        return z3.BoolVal(_COMPARE[name](*map(code_of, parts)))
    if len(parts) == 2 and key_of(parts[0]) == key_of(parts[1]):
        return z3.BoolVal(_COMPARE[name](0, 0))
    if len(parts) == 2 and z3.is_bool(parts[0]) and any(map(is_constant, parts)):
        return _with_truth(name, parts)
    return rebuilt(term, parts)


def _with_truth(name: str, parts: Sequence[Term]) -> Term:
    """Equality of a formula with true or false is the formula or its negation."""
    constant, formula = parts if is_constant(parts[0]) else parts[::-1]
    return formula if (name == "eq") == (code_of(constant) == 1) else z3.Not(formula)


def _arithmetic(term: Term, parts: Sequence[Term]) -> Term:
    """Sums and differences: numbers are computed; a zero that is added or taken away goes."""
    if all(map(is_constant, parts)):
        codes = [code_of(p) for p in parts]
        return z3.IntVal(sum(codes) if op_name(term) == "add" else codes[0] - sum(codes[1:]))
    first = 0 if op_name(term) == "add" else 1
    kept = [p for i, p in enumerate(parts) if i < first or not (is_constant(p) and code_of(p) == 0)]
    if len(kept) == 1:
        return kept[0]
    if len(kept) == len(parts):
        return rebuilt(term, parts)
    return BUILDERS[op_name(term)](*kept)


HANDLERS: dict[str, Handler[Term]] = {
    **dict.fromkeys(LEAVES, _same),
    **dict.fromkeys(RELATIONS, _relation),
    **dict.fromkeys(ARITHMETIC, _arithmetic),
    "and": _junction,
    "or": _junction,
    "not": _negation,
    "implies": _implication,
    "ite": _choice,
}
