"""Random terms and systems over a few variables of every kind."""

from __future__ import annotations

import z3
from hypothesis import strategies as st

from model.kernel import Action, Labels, System, Term, Variable, Vocabulary, sets

Colour = Labels("ColourOfStrategies", "red green blue white black")

_V = Vocabulary()
FLAGS = [_V.flag(f"flag_{i}", "random") for i in range(3)]
COUNTS = [_V.count("small", 2, "random"), _V.count("large", 100, "random"), _V.count("nothing", 0, "random")]
COLOURS = [_V.enum(f"colour_{i}", Colour, "random", "green") for i in range(2)]
VARIABLES: tuple[Variable, ...] = tuple(_V.variables)

_LEAVES = {
    "number": st.sampled_from(COUNTS) | st.integers(-3, 101).map(z3.IntVal),
    "colour": st.sampled_from(COLOURS) | st.sampled_from(Colour.terms),
    "formula": st.sampled_from(FLAGS) | st.booleans().map(z3.BoolVal),
}


def numbers(depth: int = 3) -> st.SearchStrategy[Term]:
    """Numbers: sums, differences and choices, which may be negative and larger than a byte."""
    if depth == 0:
        return _LEAVES["number"]
    part = numbers(depth - 1)
    return st.one_of(
        _LEAVES["number"],
        st.tuples(part, part).map(lambda p: p[0] + p[1]),
        st.tuples(part, part).map(lambda p: p[0] - p[1]),
        st.lists(part, min_size=2, max_size=3).map(z3.Sum),
        st.tuples(formulas(depth - 1), part, part).map(lambda p: z3.If(*p)),
    )


def colours(depth: int = 3) -> st.SearchStrategy[Term]:
    """Labels and choices between them."""
    if depth == 0:
        return _LEAVES["colour"]
    part = colours(depth - 1)
    return st.one_of(
        _LEAVES["colour"], st.tuples(formulas(depth - 1), part, part).map(lambda p: z3.If(*p))
    )


def formulas(depth: int = 3) -> st.SearchStrategy[Term]:
    """Formulas with every connective and relation."""
    if depth == 0:
        return _LEAVES["formula"]
    part = formulas(depth - 1)
    order = st.sampled_from(["__le__", "__lt__", "__ge__", "__gt__"])
    pair = st.one_of(*(st.tuples(s, s) for s in (numbers(depth - 1), colours(depth - 1), part)))
    parts = st.lists(part, max_size=3)
    return st.one_of(
        _LEAVES["formula"],
        parts.map(lambda p: z3.And(*p)),
        parts.map(lambda p: z3.Or(*p)),
        part.map(z3.Not),
        st.tuples(part, part).map(lambda p: z3.Implies(*p)),
        st.tuples(part, part, part).map(lambda p: z3.If(*p)),
        pair.map(lambda p: p[0] == p[1]),
        pair.map(lambda p: p[0] != p[1]),
        st.lists(colours(depth - 1), min_size=3, max_size=3).map(z3.Distinct),
        st.tuples(order, numbers(depth - 1), numbers(depth - 1)).map(lambda p: getattr(p[1], p[0])(p[2])),
    )


@st.composite
def random_systems(draw: st.DrawFn) -> System:
    """A system of a few random actions; updates of counts keep their range by construction."""
    actions = []
    for i in range(draw(st.integers(1, 4))):
        chosen = draw(st.lists(st.sampled_from(VARIABLES), unique=True, max_size=4))
        updates = tuple(sets(v.term, _within(v, draw)) for v in chosen)
        actions.append(Action(f"action_{i}", "random", draw(formulas(2)), updates))
    return System("random", VARIABLES, tuple(actions))


def _within(variable: Variable, draw: st.DrawFn) -> Term:
    if variable.kind == "flag":
        return draw(formulas(2))
    if variable.kind == "enum":
        return draw(colours(2))
    value = draw(numbers(1))
    low, high = z3.IntVal(0), z3.IntVal(min(variable.high, 3))
    return z3.If(value < 0, low, z3.If(value > high, high, value))
