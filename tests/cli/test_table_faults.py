"""Tables with very many faults of form: bounded work, and what is left out is said."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path

import pytest

from model.contract import DEFAULT_CONTRACT
from model.decision_table import EVERYTHING, Rule, Table, table_text
from model.table_file import load_table
from model.table_inputs import VALUES
from model.table_regions import gaps, size, undecided
from recut.inputs import subject_of
from recut.output import as_text
from recut.report_table import text
from recut.table_change import Forbid, proved
from recut.table_checked import Checked
from recut.table_faults import MOST_PAIRS, Faults, faults
from tests.cli.broken import written
from tests.cli.front import refused, run


def test_very_many_faults_are_counted_and_not_all_listed(tmp_path: Path) -> None:
    some = {**EVERYTHING, "claim": frozenset({"held"}), "intent": frozenset({"stands"})}
    same = [Rule(f"r{n}", dict(some), "quarantine", "x") for n in range(30)]
    path = written(tmp_path / "t.csv", table_text(Table(tuple(same), "t")))
    (found,) = json.loads(run("table", "check", path, "--format", "json").stdout)["tables"]
    kinds = Counter(fault["kind"] for fault in found["faults"])
    assert kinds["overlap"] == MOST_PAIRS and found["unlisted"]["overlaps"] == 30 * 29 / 2 - MOST_PAIRS > 0
    assert kinds["dead row"] == 29 and found["unlisted"]["cuts"] == 0


def test_what_is_not_listed_is_said() -> None:
    table = load_table("recovery")
    checked = Checked(proved("t", table), Faults((), 7, 235), None, Forbid.UNSAFE)
    told = as_text(text([checked], checked.outcome), None)
    assert "\nand 7 cuts without a rule that are in no listed gap\n" in told
    assert "\nand 235 pairs of rules that overlap and are not listed\n" in told


def test_cuts_without_a_rule_in_very_many_pieces_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Table(tuple(r for r in load_table("recovery").rules if r.decision != "execute"), "t")
    subject = subject_of(DEFAULT_CONTRACT, "recovery", None, None, 1, None)
    whole = faults(table, subject)
    assert whole.more_undecided == 0
    monkeypatch.setattr("recut.table_faults.MOST_GAPS", 1)
    some = faults(table, subject)
    assert 0 < some.more_undecided == undecided(table) - size(gaps(table)[0])


def test_rows_that_fall_into_too_many_parts_are_refused(tmp_path: Path) -> None:
    chance = random.Random(1)
    cells = [{k: frozenset(v) - {chance.choice(v)} for k, v in VALUES.items()} for _ in range(60)]
    rules = tuple(Rule(f"r{n}", c, "verify", "x") for n, c in enumerate(cells))
    path = written(tmp_path / "t.csv", table_text(Table(rules, "t")))
    assert "read in order is more than 10,000 rows" in refused(run("table", "diff", "recovery", path))


def test_rows_that_overlap_are_not_explained(tmp_path: Path) -> None:
    """What carries the proof of a row says nothing where an earlier row decides."""
    rows = load_table("recovery").rules
    path = written(tmp_path / "t.csv", table_text(Table((*rows, Rule("again", dict(EVERYTHING), "verify", "x")), "t")))
    assert "overlap" in refused(run("table", "check", path, "--explain", "again"))
