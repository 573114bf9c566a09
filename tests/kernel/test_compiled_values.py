"""Terms compiled by LLVM mean what they mean in numpy, which is compared with z3 elsewhere."""

from __future__ import annotations

import itertools
from collections.abc import Mapping

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from model.kernel import ModelError, System, Term, Vocabulary
from solver.compiled_lowering import CompiledLowering
from solver.numpy_lowering import compile_predicates
from solver.packing import Layout
from solver.plain_step import State
from tests.kernel.oracle import packed
from tests.kernel.strategies import VARIABLES, colours, formulas, numbers
from tests.kernel.systems import EXAMPLES
from tests.kernel.test_lowering import RANDOM, _small_formulas, _some_codes, _states, terms_of


def agree(system: System, terms: Mapping[str, Term], states: list[State]) -> None:
    layout = Layout.of(system)
    words = packed(layout, states)
    expected = compile_predicates(system, layout, terms)(words)
    found = CompiledLowering(system, layout).predicates(terms)(words)
    assert list(found) == list(expected)
    for name, codes in expected.items():
        assert found[name].tolist() == codes.tolist(), terms[name]
        assert (found[name].dtype == bool) == z3.is_bool(terms[name])


def test_small_formulas_agree_on_every_valuation_of_their_leaves() -> None:
    used = {"small", "colour_0", *(v.name for v in VARIABLES[:2])}
    ranges = [range(v.high + 1) if v.name in used else (0,) for v in VARIABLES]
    states = [dict(zip((v.name for v in VARIABLES), codes, strict=True)) for codes in itertools.product(*ranges)]
    assert len(states) > 20
    agree(RANDOM, {str(i): term for i, term in enumerate(_small_formulas())}, states)


@pytest.mark.parametrize("system", EXAMPLES.values(), ids=EXAMPLES.keys())
def test_every_term_of_a_system_agrees(system: System) -> None:
    names = [v.name for v in system.variables]
    agree(system, terms_of(system), [dict(zip(names, codes, strict=True)) for codes in _some_codes(system)])


@given(st.lists(st.one_of(formulas(), numbers(), colours()), min_size=1, max_size=20), st.data())
@settings(max_examples=25)
def test_random_terms_agree(terms: list[Term], data: st.DataObject) -> None:
    states = data.draw(st.lists(_states(), min_size=1, max_size=12))
    agree(RANDOM, {str(i): term for i, term in enumerate(terms)}, states)


def test_sums_do_not_wrap() -> None:
    v = Vocabulary()
    terms = [v.count(f"n{i}", 100, "world") for i in range(400)]
    system = System("sums", tuple(v.variables), ())
    sums = {"all": z3.Sum(terms), "less": z3.IntVal(0) - z3.Sum(terms), "below": terms[0] - terms[1] - terms[2] < 0}
    agree(system, sums, [{f"n{i}": 100 for i in range(400)}])


def test_a_sum_that_could_wrap_is_refused() -> None:
    v = Vocabulary()
    total: Term = v.count("n", 100, "world")
    for _ in range(25):
        total = total + total
    system = System("wide", tuple(v.variables), ())
    with pytest.raises(ModelError, match="too wide for a count"):
        CompiledLowering(system, Layout.of(system)).predicates({"total": total})
