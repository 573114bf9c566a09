"""Every row of the shipped table is reached under some contract, or nothing can reach it."""

from __future__ import annotations

import pytest
import z3

from model.decision_table import rule_guard
from model.table_file import load_table
from model.table_inputs import INPUT_NAMES
from properties.mutants.mutant import good_model
from solver.case_run import Questions, run_case
from solver.row_runs import IMPOSSIBLE, ROW_RUNS, UNREACHED
from tests.model.whole import whole_model

TABLE = load_table("recovery")


@pytest.fixture(scope="module")
def inputs() -> dict[str, z3.ExprRef]:
    return whole_model().inputs[0]


@pytest.mark.parametrize("name", [r.name for r in TABLE.rules])
def test_a_row_can_be_met_unless_its_guard_is_impossible(name: str, inputs: dict[str, z3.ExprRef]) -> None:
    solver = z3.Solver()
    solver.add(rule_guard(TABLE.rule(name), inputs))
    assert solver.check() == (z3.unsat if name in IMPOSSIBLE else z3.sat)


def rows(name: str) -> set[str]:
    """The rows by which a worker decides in a run."""
    run = run_case(name, "", good_model(ROW_RUNS[name], name), Questions((), ends=False))
    assert run.complete
    return {TABLE.lookup(dict(zip(INPUT_NAMES, cut, strict=True))).name for cut in run.cuts}


def test_a_quiet_run_admits_sends_looks_and_adopts() -> None:
    assert rows("quiet") == {"absent-permitted", "committed-unobserved", "committed-confirmed"}


@pytest.mark.slow
def test_every_row_is_reached_or_explained() -> None:
    reached = set().union(*(rows(name) for name in ROW_RUNS))
    assert {r.name for r in TABLE.rules} - reached == set(UNREACHED)
