"""Lowered terms mean what z3 says, on every valuation of their own variables."""

from __future__ import annotations

import numpy as np
import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from model.kernel import Action, ModelError, System, Term, Vocabulary, sets
from model.terms import free_variables
from solver.numpy_lowering import compile_predicates, compile_successors
from solver.packing import Layout
from solver.plain_step import PlainModel, State
from tests.kernel.oracle import packed, valuations, z3_value
from tests.kernel.strategies import VARIABLES, colours, formulas, numbers, random_systems
from tests.kernel.systems import EXAMPLES

RANDOM = System("random_terms", VARIABLES, ())
BOTH = pytest.mark.parametrize("system", EXAMPLES.values(), ids=EXAMPLES.keys())


def terms_of(system: System) -> dict[str, Term]:
    terms = dict(system.definitions)
    for action in system.actions:
        terms[f"guard of {action.name}"] = action.guard
        terms |= {f"{action.name} sets {u.target}": u.value for u in action.updates}
    return terms


def agree(system: System, term: Term, states: list[State]) -> None:
    """z3, numpy and plain Python give the same codes."""
    layout, model = Layout.of(system), PlainModel(system)
    expected = [z3_value(system, term, s) for s in states]
    assert [model.value(term, s) for s in states] == expected
    lowered = compile_predicates(system, layout, {"it": term})(packed(layout, states))["it"]
    assert lowered.tolist() == expected
    assert (lowered.dtype == np.bool_) == z3.is_bool(term)


@BOTH
def test_every_term_agrees_with_z3_on_every_valuation(system: System) -> None:
    for term in terms_of(system).values():
        agree(system, term, list(valuations(system, term)))


@BOTH
def test_terms_that_are_lowered_together_agree_with_terms_lowered_alone(system: System) -> None:
    layout = Layout.of(system)
    states = [dict(zip((v.name for v in system.variables), codes, strict=True)) for codes in _some_codes(system)]
    words = packed(layout, states)
    terms = terms_of(system)
    together = compile_predicates(system, layout, terms)(words)
    for name, term in terms.items():
        alone = compile_predicates(system, layout, {"it": term})(words)["it"]
        assert together[name].tolist() == alone.tolist(), name


def _some_codes(system: System) -> list[list[int]]:
    random = np.random.default_rng(7)
    return [[int(random.integers(0, v.high + 1)) for v in system.variables] for _ in range(200)]


@given(st.one_of(formulas(), numbers(), colours()), st.data())
def test_random_terms_agree_with_z3(term: Term, data: st.DataObject) -> None:
    agree(RANDOM, term, data.draw(st.lists(_states(), min_size=1, max_size=12)))


def _states() -> st.SearchStrategy[State]:
    return st.fixed_dictionaries({v.name: st.integers(0, v.high) for v in VARIABLES})


def _small_formulas() -> list[Term]:
    """Every connective and relation over every choice of a few leaves."""
    a, b = (v.term for v in VARIABLES[:2])
    truths = [a, b, z3.BoolVal(True), z3.BoolVal(False)]
    small, colour = (next(v for v in VARIABLES if v.name == name) for name in ("small", "colour_0"))
    whole = [small.term, small.term - 1, z3.IntVal(-1), z3.IntVal(0), z3.IntVal(1)]
    colours = [colour.term, colour.value(1), colour.value(4)]
    pairs = [(p, q) for leaves in (truths, whole, colours) for p in leaves for q in leaves]
    found = [term for p, q in pairs for term in (p == q, p != q)]
    found += [z3.If(a, p, q) == q for p, q in pairs]
    found += [f(p, q) for p in truths for q in truths for f in (z3.And, z3.Or, z3.Implies)]
    found += [z3.If(p, q, r) for p in truths for q in truths for r in truths]
    found += [z3.Not(p) for p in truths] + [z3.Distinct(p, q, r) for p in colours for q in colours for r in colours]
    found += [term for p in whole for q in whole for term in (p <= q, p < q, p >= q, p > q, p + q == 1, p - q == 1)]
    return found


def test_small_formulas_agree_with_z3_on_every_valuation() -> None:
    for term in _small_formulas():
        agree(RANDOM, term, list(valuations(RANDOM, term)))


@given(formulas(2))
@settings(max_examples=30)
def test_random_formulas_agree_with_z3_on_every_valuation(term: Term) -> None:
    sizes = [v.high + 1 for v in VARIABLES if v.name in free_variables(term)]
    if np.prod(sizes, initial=1) <= 500:
        agree(RANDOM, term, list(valuations(RANDOM, term)))


@given(random_systems(), st.lists(_states(), min_size=1, max_size=12))
def test_random_steps_agree_with_z3(system: System, states: list[State]) -> None:
    expected = {(i, a.name): _z3_step(system, a, s) for i, s in enumerate(states) for a in system.actions}
    expected = {key: after for key, after in expected.items() if after is not None}
    assert _numpy_steps(system, states) == expected
    model = PlainModel(system)
    plain = {(i, a): model.step(s, a) for i, s in enumerate(states) for a in model.enabled(s)}
    assert plain == expected


def _z3_step(system: System, action: Action, state: State) -> State | None:
    if not z3_value(system, action.guard, state):
        return None
    return state | {str(u.target): z3_value(system, u.value, state) for u in action.updates}


def _numpy_steps(system: System, states: list[State]) -> dict[tuple[int, str], State]:
    layout = Layout.of(system)
    steps = compile_successors(system, layout)(packed(layout, states)).transitions(layout.width)
    rows = zip(steps.source.tolist(), steps.action.tolist(), steps.words.T.tolist(), strict=True)
    return {(row, system.actions[action].name): layout.unpack(words) for row, action, words in rows}


def _drifting(value: int, high: int = 3) -> System:
    v = Vocabulary()
    n = v.count("n", high, "world", start=1)
    return System("drifting", tuple(v.variables), (Action("drift", "world", n >= 0, (sets(n, n + value),)),))


@pytest.mark.parametrize(("value", "code"), [(3, 4), (-2, -1)])
def test_an_update_that_leaves_its_range_is_an_error_and_not_a_wrong_state(value: int, code: int) -> None:
    system = _drifting(value)
    message = f"drift sets n to {code}, outside 0..3"
    with pytest.raises(ModelError, match=message):
        PlainModel(system).step({"n": 1}, "drift")
    with pytest.raises(ModelError, match=message):
        compile_successors(system, Layout.of(system))(np.array([[1]], np.uint64))


def test_the_updates_see_the_state_before() -> None:
    v = Vocabulary()
    a, b = v.flag("a", "world", True), v.flag("b", "world")
    system = System("swap", tuple(v.variables), (Action("swap", "world", z3.BoolVal(True), (sets(a, b), sets(b, a))),))
    assert _numpy_steps(system, [{"a": 1, "b": 0}]) == {(0, "swap"): {"a": 0, "b": 1}}
    assert PlainModel(system).step({"a": 1, "b": 0}, "swap") == {"a": 0, "b": 1}


def test_sums_do_not_wrap() -> None:
    v = Vocabulary()
    terms = [v.count(f"n{i}", 100, "world") for i in range(400)]
    system = System("sums", tuple(v.variables), ())
    state = {f"n{i}": 100 for i in range(400)}
    agree(system, z3.Sum(terms), [state])
    agree(system, z3.IntVal(0) - z3.Sum(terms), [state])
    agree(system, terms[0] - terms[1] - terms[2] < 0, [state])
    agree(system, terms[0] + terms[1] + terms[2] > 255, [state])


@pytest.mark.parametrize(("small", "large"), [(0, 100), (100, 0), (-100, 1), (1, -100)])
def test_choices_range_over_both_branches(small: int, large: int) -> None:
    v = Vocabulary()
    flag = v.flag("flag", "world")
    system = System("choices", tuple(v.variables), ())
    choice = z3.If(flag, z3.IntVal(small), z3.IntVal(large))
    for value in (0, 1):
        agree(system, z3.Sum([choice] * 400), [{"flag": value}])
        agree(system, choice - choice - choice - choice, [{"flag": value}])


def test_a_choice_that_leaves_the_range_is_an_error() -> None:
    v = Vocabulary()
    flag, n = v.flag("flag", "world", True), v.count("n", 3, "world")
    action = Action("jump", "world", z3.BoolVal(True), (sets(n, z3.If(flag, z3.IntVal(7), z3.IntVal(1))),))
    system = System("jumping", tuple(v.variables), (action,))
    with pytest.raises(ModelError, match="jump sets n to 7, outside 0..3"):
        _numpy_steps(system, [{"flag": 0, "n": 0}, {"flag": 1, "n": 0}])
    assert _numpy_steps(system, [{"flag": 0, "n": 0}]) == {(0, "jump"): {"flag": 0, "n": 1}}


def test_an_unknown_variable_is_named() -> None:
    system = EXAMPLES["die_hard"]
    with pytest.raises(ModelError, match="the variable foreign is not one of the system"):
        compile_predicates(system, Layout.of(system), {"it": z3.Bool("foreign")})
    with pytest.raises(ModelError, match="the variable foreign is not one of the system"):
        PlainModel(system).value(z3.Bool("foreign"), {"small": 0, "big": 0})


def test_a_plain_step_that_is_not_enabled_is_refused() -> None:
    model = PlainModel(EXAMPLES["peterson_True"])
    (start,) = model.initial_states()
    assert model.enabled(start) == ["raise_0", "raise_1"]
    with pytest.raises(ModelError, match="leave_0 is not enabled"):
        model.step(start, "leave_0")
    with pytest.raises(ModelError, match="no action 'nap'"):
        model.step(start, "nap")
    with pytest.raises(ModelError, match="no definition 'nap'"):
        model.value("nap", start)
    assert model.value("both", start) == 0
