"""An unsafe edit of the table also shows in the model, under a contract that reaches the edited cut."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from model.contract import load_contract
from model.contract_profile import ticks_of
from model.decision_table import table_text
from model.policy import load_policy
from model.setting import Setting
from model.table_file import load_table
from recut.output import as_text
from recut.report_check_text import counterexample
from recut.running import RunJob, work
from solver.check import Subject
from solver.compare import cell_of
from solver.explore import Limits
from solver.suite import Case
from tests.cli.front import run, valid
from tests.cli.test_table_command import EDITS, split

READBACK_ONLY = str(Path(__file__).parents[1] / "contracts" / "files" / "readback_only.toml")
SHOWN = {
    "repeats-unrecognised": ("smtp", ("crash", "pause"), "no_duplicate_commit", "commit["),
    "absent-and-open": (READBACK_ONLY, ("crash", "pause"), "no_duplicate_commit", "commit["),
    "adopts-drifted": ("example-refund", ("crash", "distort"), "adopted_effects_correspond", "adopt["),
    "unlawful": ("smtp", ("crash", "expire"), "an_end_stays_reachable", "expire[0]"),
}


@pytest.mark.parametrize("edit", SHOWN)
def test_the_model_has_a_trace(edit: str) -> None:
    name, faults, broken, last = SHOWN[edit]
    contract, policy = load_contract(name), load_policy("recovery")
    policy = replace(policy, table=split(policy.table, *EDITS[edit]))
    sizes = replace(Setting(ticks=ticks_of(contract)), faults=frozenset(faults))
    found = work(RunJob(Subject(contract, policy, sizes), Case(edit, sizes), Limits(), None), lambda _: None)
    verdict = next(v for v in cell_of(policy, contract, [found]).broken if v.name == broken)
    assert verdict.trace is not None
    assert verdict.trace.actions[-1].startswith(last)
    assert f"{broken} fails" in as_text(counterexample(verdict, verdict.trace), None)


@pytest.mark.slow
def test_the_command_prints_it(tmp_path: Path) -> None:
    path = tmp_path / "edited.csv"
    table = split(load_table("recovery"), *EDITS["repeats-unrecognised"])
    path.write_text(table_text(table), "utf-8")
    result = run("check", "--contract", "smtp", "--table", path, "--workers", 2)
    assert result.exit_code == 1
    assert "no_duplicate_commit fails: no_duplicate_commit is broken" in result.stdout
    assert "unknown-unrecognised" in result.stdout


@pytest.mark.slow
def test_the_default_check_holds_and_leaves_nothing_out() -> None:
    result = run("check", "--format", "json")
    assert result.exit_code == 0
    document = valid(result.stdout, "check")
    assert document["pairs_uncovered"] == [] and document["actions"]["never"] == []
    assert all(r["complete"] for r in document["runs"])
    assert all(d["binding"] for d in document["deadlines"]) and all(s["found"] for s in document["situations"])
