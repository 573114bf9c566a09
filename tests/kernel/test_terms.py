"""The closed set of operators, the fold, and constant folding that keeps shapes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from model import folding
from model.folding import simplify_constants
from model.kernel import Labels, ModelError, Term
from model.terms import (
    OPERATORS,
    Folder,
    code_of,
    conjunction,
    conjuncts,
    fold,
    free_variables,
    op_name,
    rebuilt,
    variable_name,
)
from solver import checkpoint
from solver.numpy_writer import NumpyWriter, Piece
from solver.plain_step import PlainWriter
from tests.kernel.strategies import VARIABLES, formulas

Shape = Labels("ShapeOfTermsTest", "round square flat")
P, Q, R = z3.Bools("p q r")
X, Y = z3.Ints("x y")
shape = z3.Const("s", Shape.sort)

EVERY = {
    "variable": P,
    "true": z3.BoolVal(True),
    "false": z3.BoolVal(False),
    "int": z3.IntVal(-2),
    "label": Shape.flat,
    "and": z3.And(P, Q, R),
    "or": z3.Or(P, Q),
    "not": z3.Not(P),
    "implies": z3.Implies(P, Q),
    "ite": z3.If(P, X, Y),
    "eq": shape == Shape.flat,
    "distinct": P != Q,
    "le": X <= 3,
    "lt": X < Y,
    "ge": X >= Y,
    "gt": X > 0,
    "add": z3.Sum(X, Y, X),
    "sub": X - 1,
}


def test_the_examples_cover_every_operator() -> None:
    assert tuple(EVERY) == OPERATORS


@pytest.mark.parametrize("name", OPERATORS)
def test_operators_are_recognised(name: str) -> None:
    assert op_name(EVERY[name]) == name


@pytest.mark.parametrize(
    "term",
    [
        -X,
        X * Y,
        z3.Xor(P, Q),
        z3.Function("f", z3.IntSort(), z3.IntSort())(X),
        z3.RealVal("1/2"),
        z3.Real("real"),
        z3.ForAll([X], X > Y),
        z3.BitVec("bits", 8) + 1,
        Shape.sort.recognizer(0)(shape),
    ],
)
def test_an_unknown_operator_shows_the_term(term: Term) -> None:
    with pytest.raises(ModelError) as caught:
        op_name(term)
    assert str(term) in str(caught.value)


def test_every_lowering_is_total() -> None:
    tables = {
        "folding": folding.HANDLERS,
        "checkpoint": checkpoint.HANDLERS,
        "numpy": NumpyWriter(lambda name: Piece(name, 0, 1, "bool"), "t").handlers,
        "plain": PlainWriter(frozenset()).handlers,
    }
    for name, table in tables.items():
        assert set(table) == set(OPERATORS), name


def test_a_table_that_is_not_total_is_refused() -> None:
    handlers = dict.fromkeys(OPERATORS[:-1], lambda term, parts: 0)
    with pytest.raises(ModelError, match="no handler for sub"):
        Folder(handlers)


def test_the_fold_visits_shared_subterms_once() -> None:
    visits: list[Term] = []
    term = P
    for _ in range(60):
        term = z3.And(term, z3.Not(term))
    fold(term, dict.fromkeys(OPERATORS, lambda t, _: visits.append(t)))
    assert len(visits) == 121


def test_the_fold_does_not_use_the_stack() -> None:
    term = X
    for _ in range(5000):
        term = z3.If(P, term + 1, Y)
    assert free_variables(term) == {"p", "x", "y"}


def test_a_folder_keeps_terms_alive_so_that_ids_are_not_reused() -> None:
    name = Folder(dict.fromkeys(OPERATORS, lambda t, parts: variable_name(t) + "".join(parts)))
    assert [name(z3.Bool(f"short_lived_{i}")) for i in range(500)] == [f"short_lived_{i}" for i in range(500)]


def test_codes_of_constants() -> None:
    constants = [z3.BoolVal(True), z3.BoolVal(False), z3.IntVal(7), Shape.round, Shape.flat]
    assert [code_of(c) for c in constants] == [1, 0, 7, 0, 2]
    with pytest.raises(ModelError, match="x is not a constant"):
        code_of(X)


def test_conjuncts_flatten_the_top_only() -> None:
    inner = z3.Or(P, z3.And(Q, R))
    assert [str(c) for c in conjuncts(z3.And(P, z3.And(Q, inner)))] == ["p", "q", str(inner)]
    assert conjuncts(z3.BoolVal(True)) == ()
    assert op_name(conjunction(())) == "true"
    assert conjunction((P,)).eq(P)


@pytest.mark.parametrize("name", [n for n in OPERATORS if EVERY[n].num_args()])
def test_rebuilding_keeps_the_operator_and_its_arguments(name: str) -> None:
    term = EVERY[name]
    numeric = term.arg(0).sort() == z3.IntSort()
    fresh = [z3.Int("fresh") if numeric else c for c in term.children()[:1]] + term.children()[1:]
    again = rebuilt(term, fresh)
    assert op_name(again) == name
    assert all(a.eq(b) for a, b in zip(again.children(), fresh, strict=True))


CONSTANTS = {"p": z3.BoolVal(True), "x": z3.IntVal(2), "s": Shape.flat}


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (z3.And(P, Q, R), z3.And(Q, R)),
        (z3.And(P, Q), Q),
        (z3.And(Q, z3.Not(P)), z3.BoolVal(False)),
        (z3.And(), z3.BoolVal(True)),
        (z3.Or(), z3.BoolVal(False)),
        (z3.Or(z3.Not(P), Q, R), z3.Or(Q, R)),
        (z3.Or(Q, P), z3.BoolVal(True)),
        (z3.Implies(P, Q), Q),
        (z3.Implies(Q, P), z3.BoolVal(True)),
        (z3.Implies(Q, z3.Not(P)), z3.Not(Q)),
        (z3.If(P, Y, X), Y),
        (z3.If(z3.Not(P), Y, X), z3.IntVal(2)),
        (z3.If(Q, Y, Y), Y),
        (shape == Shape.flat, z3.BoolVal(True)),
        (shape != Shape.flat, z3.BoolVal(False)),
        (P == Q, Q),
        (Q != P, z3.Not(Q)),
        (Y == Y, z3.BoolVal(True)),
        (X < 2, z3.BoolVal(False)),
        (X - 3 <= -1, z3.BoolVal(True)),
        (Y + (X - 2), Y),
        (z3.Sum(Y, X, Y), z3.Sum(Y, z3.IntVal(2), Y)),
        (z3.Distinct(Q, R, P), z3.Distinct(Q, R, z3.BoolVal(True))),
    ],
)
def test_constants_are_folded(term: Term, expected: Term) -> None:
    assert simplify_constants(term, CONSTANTS).eq(expected)


def test_a_term_without_constants_is_returned_as_it_is() -> None:
    term = z3.And(z3.Or(Q, z3.And(R, Y <= 3)), z3.If(Q, Y - 1, Y) == 2, z3.Not(z3.Not(R)))
    assert simplify_constants(term, CONSTANTS).eq(term)


def test_only_constants_can_be_put_in() -> None:
    with pytest.raises(ModelError, match="x cannot be replaced by y"):
        simplify_constants(X, {"x": Y})


def _no_constant_below(term: Term) -> bool:
    """Whether no connective or choice has a constant to decide on."""
    decided: dict[str, Callable[[Term], list[Term]]] = {
        "and": lambda t: t.children(),
        "or": lambda t: t.children(),
        "not": lambda t: t.children(),
        "implies": lambda t: t.children(),
        "ite": lambda t: [t.arg(0)],
    }
    parts = decided.get(op_name(term), lambda t: [])(term)
    return all(op_name(p) not in ("true", "false") for p in parts) and all(map(_no_constant_below, term.children()))


@given(formulas(), st.data())
def test_folding_keeps_the_meaning(term: Term, data: st.DataObject) -> None:
    fixed = data.draw(st.lists(st.sampled_from(VARIABLES), unique=True))
    values = {v.name: v.value(data.draw(st.integers(0, v.high))) for v in fixed}
    folded = simplify_constants(term, values)
    solver = z3.Solver()
    solver.add(*(v.term == values[v.name] for v in fixed), term != folded)
    assert solver.check() == z3.unsat
    assert free_variables(folded) <= free_variables(term) - values.keys()
    assert _no_constant_below(folded)
