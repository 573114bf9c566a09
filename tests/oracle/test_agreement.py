"""The model and the oracle, two readings of docs/model.md, reach the same states."""
from collections.abc import Iterator
from typing import get_args, get_type_hints

import pytest

from model.promises import good_profile
from model.setting import Setting
from tests.oracle.case import Case
from tests.oracle.cases import CASES
from tests.oracle.compare import Values, difference, model_side, oracle_side
from tests.oracle.explore import PARTS
from tests.oracle.run import Promises
from tests.oracle.state import MARKS

LARGE = "late records"


@pytest.mark.parametrize(
    "case", [pytest.param(c, marks=[pytest.mark.slow] if c.name == LARGE else [], id=c.name) for c in CASES]
)
def test_the_model_and_the_oracle_reach_the_same_states(case: Case) -> None:
    """State by state, and both see the same things go wrong."""
    oracle = oracle_side(case)
    model = model_side(case, oracle.names)
    assert not (found := difference(oracle, model)), found
    wrong = _wrong(oracle.names, list(model.found), case.generations)
    assert case.breaks <= wrong
    assert case.breaks or not wrong


def _wrong(names: tuple[str, ...], states: list[Values], generations: int) -> set[str]:
    """The marks that some state shows, and "duplicate" for two commits that were not undone."""
    at = {name: index for index, name in enumerate(names)}
    marks = {name for name in names if name.startswith("history.") and name[8:].split("[")[0] in MARKS}
    found = {name[8:].split("[")[0] for name in marks if any(state[at[name]] for state in states)}
    operations = [name[15:] for name in names if name.startswith("history.commits")]
    for first in range(0, len(operations), generations):
        own = [(at[f"history.commits{o}"], at[f"history.undos{o}"]) for o in operations[first : first + generations]]
        if any(_net(state, own) > 1 for state in states):
            found.add("duplicate")
    return found


def _net(state: Values, counts: list[tuple[int, int]]) -> int:
    """Commits that were not undone; ``counts`` are the places of commits and undos of each operation."""
    return sum(int(str(state[commits])) - int(str(state[undos])) for commits, undos in counts)


def test_the_good_values_are_the_same() -> None:
    """A promise that is not mentioned means the same on both sides."""
    assert {name: (value,) for name, value in Promises()._asdict().items()} == good_profile()


def test_every_bad_value_is_compared() -> None:
    """Each promise and practice takes each of its values in some configuration."""
    taken = {(name, value) for case in CASES for name, values in case.values().items() for value in values}
    assert set(_bad_values()) - taken == set()


def _bad_values() -> Iterator[tuple[str, object]]:
    """Each value of each promise and practice but the good ones."""
    for name, kind in get_type_hints(Promises).items():
        for value in (True, False) if kind is bool else get_args(kind):
            if value != getattr(Promises(), name):
                yield name, value


def test_every_fault_is_compared() -> None:
    """Each fault that the model knows occurs in some configuration, and the oracle knows no other."""
    known = {action.fault for part in PARTS for action in part.ACTIONS} - {None}
    compared = frozenset().union(*(case.faults for case in CASES))
    assert compared == Setting().faults
    assert known | {"restore", "skew"} == Setting().faults
