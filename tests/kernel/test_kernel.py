"""The guard rails of the kernel: what a model cannot mean is an error when it is built."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import z3

from model.kernel import Action, Labels, ModelError, System, Term, Update, Vocabulary, check_system, no_branching, sets
from tests.kernel import systems

Light = Labels("LightOfKernelTest", "red green")


def _system(*actions: Action, vocabulary: Vocabulary) -> System:
    return System("guard_rails", tuple(vocabulary.variables), actions)


@pytest.mark.parametrize(
    "branch",
    [
        lambda a, b: a and b,
        lambda a, b: a or b,
        lambda a, b: not a,
        lambda a, b: 1 if a == b else 0,
        lambda a, b: a in [b],
        lambda a, b: 0 <= z3.If(a, 1, 0) <= 1,
    ],
)
def test_a_truth_value_of_a_term_is_an_error(branch: Callable[[Term, Term], object]) -> None:
    a, b = z3.Bools("branch_a branch_b")
    with no_branching(), pytest.raises(ModelError, match="has no truth value: use And, Or, Not, If"):
        branch(a, b)


def test_branching_is_allowed_again_afterwards_even_after_an_error() -> None:
    a = z3.Bool("branch_a")
    with pytest.raises(KeyError), no_branching():
        raise KeyError
    assert bool(a == a)


def test_building_with_connectives_needs_no_truth_value() -> None:
    with no_branching():
        system = systems.two_phase_commit(2)
    assert len(system.actions) == 12


def test_a_misspelt_label_names_the_labels() -> None:
    with pytest.raises(ModelError, match="LightOfKernelTest has no label 'rde': one of red, green"):
        _ = Light.rde


def test_a_misspelt_start_names_the_variable() -> None:
    with pytest.raises(ModelError, match="lamp: LightOfKernelTest has no label 'blue'"):
        Vocabulary().enum("lamp", Light, "street", "blue")


def test_a_variable_cannot_be_declared_twice() -> None:
    v = Vocabulary()
    v.flag("lit", "street")
    with pytest.raises(ModelError, match="lit is declared twice"):
        v.count("lit", 3, "street")


def test_double_assignment_names_the_action() -> None:
    v = Vocabulary()
    lit = v.flag("lit", "street")
    action = Action("flicker", "street", z3.BoolVal(True), (sets(lit, True), sets(lit, False)))
    with pytest.raises(ModelError, match="flicker sets lit twice"):
        check_system(_system(action, vocabulary=v))


@pytest.mark.parametrize("value", [1, -1])
def test_an_update_out_of_range_names_the_action(value: int) -> None:
    v = Vocabulary()
    n = v.count("n", 3, "street")
    action = Action("drift", "street", z3.BoolVal(True), (sets(n, n + value),))
    with pytest.raises(ModelError, match="drift can set n to .*, outside 0..3"):
        check_system(_system(action, vocabulary=v))


def test_a_guard_keeps_an_update_in_range() -> None:
    v = Vocabulary()
    n = v.count("n", 3, "street")
    check_system(_system(Action("drift", "street", n < 3, (sets(n, n + 1),)), vocabulary=v))


def test_a_copy_from_a_wider_count_is_out_of_range() -> None:
    v = Vocabulary()
    narrow, wide = v.count("narrow", 3, "street"), v.count("wide", 5, "street")
    action = Action("copy", "street", z3.BoolVal(True), (sets(narrow, wide),))
    with pytest.raises(ModelError, match="copy can set narrow to wide"):
        check_system(_system(action, vocabulary=v))


def test_an_updated_promise_names_the_action() -> None:
    v = Vocabulary()
    keeps = v.promise("keeps", [True, False])
    action = Action("forget", "street", keeps, (sets(keeps, False),))
    with pytest.raises(ModelError, match="forget sets the promise keeps, which never changes"):
        check_system(_system(action, vocabulary=v))


def test_an_update_of_another_sort_names_the_action() -> None:
    v = Vocabulary()
    lit = v.flag("lit", "street")
    action = Action("count", "street", lit, (Update(lit, z3.IntVal(1)),))
    with pytest.raises(ModelError, match="count sets lit to 1, a Int"):
        check_system(_system(action, vocabulary=v))


def test_an_update_of_an_undeclared_variable_names_the_action() -> None:
    v = Vocabulary()
    lit = v.flag("lit", "street")
    action = Action("haunt", "street", lit, (sets(z3.Bool("ghostly"), True),))
    with pytest.raises(ModelError, match="haunt sets ghostly, which is not a declared variable"):
        check_system(_system(action, vocabulary=v))


def test_two_actions_cannot_share_a_name() -> None:
    v = Vocabulary()
    lit = v.flag("lit", "street")
    action = Action("on", "street", z3.Not(lit), (sets(lit, True),))
    with pytest.raises(ModelError, match="two actions named on"):
        check_system(_system(action, action, vocabulary=v))


def test_values_and_codes_are_inverse() -> None:
    v = Vocabulary()
    v.flag("lit", "street")
    v.enum("lamp", Light, "street", "red")
    v.count("n", 3, "street")
    for variable in v.variables:
        for code in range(variable.high + 1):
            assert variable.encode(variable.decode(code)) == code
        with pytest.raises(ModelError, match=f"{variable.name} cannot be 'nonsense'"):
            variable.encode("nonsense")


@pytest.mark.parametrize("name", ["two_phase_commit_2", "die_hard", "peterson_True", "wide_3", "promising"])
def test_the_example_systems_mean_something(name: str) -> None:
    check_system(systems.EXAMPLES[name])
