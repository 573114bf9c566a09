"""A few quick runs decide by every row of the shipped table, and no step of any run leads to the others.

The runs have several contracts at once: a clause with two values starts in both.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pytest
import z3
from z3 import Implies, Not, Or

from model.kernel import Term
from model.labels import Move, Seen
from model.promises import Profile, good_profile
from model.setting import Setting
from model.system import Model
from model.table_file import load_table
from solver.case_run import reached_cuts
from solver.coverage import coverage
from solver.impossible_cuts import AnyModel, facts
from solver.row_runs import UNREACHED
from tests.model.searches import searched, whole

EITHER = (False, True)
TABLE = load_table("recovery")


@dataclass(frozen=True)
class Contracts:
    """A small run of several contracts: its faults, the clauses that differ from the good profile, sizes."""

    faults: str
    clauses: Profile
    sizes: Mapping[str, int | bool] = field(default_factory=dict)

    def model(self) -> Model:
        """The shipped table in this run."""
        sizes = {"workers": 1, "messages": 1, **self.sizes}
        setting = Setting(faults=frozenset(self.faults.split()), **sizes)  # type: ignore[arg-type]
        return Model(setting, {**good_profile(), **self.clauses}, TABLE)


RUNS = {
    "authority": Contracts(
        "crash withdraw expire revoke void", {"readable": EITHER, "recognises": EITHER, "enforces_fence": EITHER}
    ),
    "undo": Contracts(
        "crash withdraw delay move",
        {"grade": ("automatic", "irreversible"), "recognises": EITHER, "enforces_fence": EITHER},
    ),
    "errors": Contracts(
        "crash errors refusals move delay", {"readable": EITHER, "remembers_errors": (True,), "enforces_fence": EITHER}
    ),
    "settling": Contracts(
        "crash refusals outage distort lookalike diverge",
        {"witness": ("independent", "same_system", "none"), "settles_late": (True,), "reports_governed": EITHER},
    ),
    "pruning": Contracts("crash move prune", {"prunes": (True,), "recognises": EITHER}),
    "unchecked": Contracts(
        "pause edit", {"checks_claim": (False,), "enforces_fence": (False,)}, {"workers": 2, "generations": 2}
    ),
    "superseded": Contracts("crash pause", {"enforces_fence": (False,)}, {"workers": 2, "collapse": False}),
}


@functools.cache
def exercised(name: str) -> frozenset[str]:
    """The rows by which some worker decides in a run, as far as it is searched."""
    model = RUNS[name].model()
    found = searched(model, max_states=50_000)
    return frozenset(coverage(TABLE, reached_cuts(model, whole(found.system), found)).exercised)


def test_quick_runs_decide_by_every_row_but_the_unreached() -> None:
    reached = frozenset().union(*(exercised(name) for name in RUNS))
    assert {rule.name for rule in TABLE.rules} - reached == set(UNREACHED)


@pytest.mark.parametrize("name", RUNS)
def test_every_quick_run_is_needed(name: str) -> None:
    others = frozenset().union(*(exercised(other) for other in RUNS if other != name))
    assert exercised(name) - others


@functools.cache
def any_model() -> AnyModel:
    return AnyModel()


def after(term: Term, updates: Sequence[tuple[Term, Term]]) -> Term:
    """The term, read in the state after the updates."""
    return z3.substitute(term, *updates)


def losing(fact: Term) -> list[str]:
    """The actions that may lead from a state with the fact to one without."""
    return [
        action.name
        for action in any_model().system.actions
        if not any_model().never(fact, action.guard, Not(after(fact, [(u.target, u.value) for u in action.updates])))
    ]


def test_the_facts_hold_at_the_start() -> None:
    starts = [Or(*[v.term == v.value(code) for code in v.starts]) for v in any_model().system.variables]
    assert any_model().never(*starts, Not(facts(any_model().model, 0)))


def test_every_step_keeps_the_facts() -> None:
    assert losing(facts(any_model().model, 0)) == []


def test_a_step_that_loses_a_fact_is_named() -> None:
    """A worker that has read holds no reading any more once it looks again."""
    worker = any_model().model.workers[0]
    lost = losing(Implies(worker.move == Move.ready, worker.seen != Seen.none))
    assert "take_fence[0][0]" in lost and "grant[0]" not in lost


@pytest.mark.parametrize("row", UNREACHED)
def test_a_worker_never_decides_by_an_unreached_row(row: str) -> None:
    assert any_model().never_decides(TABLE.rule(row).cells)


def test_the_facts_spare_the_rows_that_are_reached() -> None:
    """Were the facts too strong, they would exclude rows by which workers do decide."""
    rows = [rule for rule in TABLE.rules if rule.name not in UNREACHED]
    assert not [rule.name for rule in rows if any_model().never_decides(rule.cells)]
