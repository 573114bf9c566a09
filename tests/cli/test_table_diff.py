"""``recut table diff``: what is said of edits, what is rejected, and what cannot be compared."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from model.contract import DEFAULT_CONTRACT
from model.decision_table import Region, Table, table_text
from model.table_file import load_table
from properties.safety import PROPERTIES
from properties.verdict import Outcome
from recut.inputs import subject_of
from recut.report_table_diff import summary
from recut.table_change import Forbid, difference, proved
from solver.region_proof import Broken, RegionProof
from tests.cli.front import refused, run, valid
from tests.proofs.edits import RECOVERY, deciding

UNREACHED = "unknown-unwanted"
REACHED = "absent-moved"


def written(path: Path, table: Table) -> Path:
    path.write_text(table_text(table), "utf-8")
    return path


def compared(old: object, new: object, *options: object) -> tuple[int, dict[str, object]]:
    result = run("table", "diff", old, new, "--format", "json", *options)
    return result.exit_code, valid(result.stdout, "table-diff")


def test_another_order_and_other_names_are_no_change(tmp_path: Path) -> None:
    rules = tuple(replace(r, name=f"x {i}") for i, r in enumerate(reversed(RECOVERY.rules)))
    new = written(tmp_path / "new.csv", Table(rules, "new"))
    status, found = compared("recovery", new, "--forbid", "any")
    assert status == 0 and found["verdict"] == "holds" and found["changes"] == []
    result = run("table", "diff", "recovery", new)
    assert result.exit_code == 0 and "no change: every cut is decided as before" in result.stdout


def test_a_safe_edit_that_permits_more_is_rejected_only_where_that_is_forbidden(tmp_path: Path) -> None:
    strict = written(tmp_path / "strict.csv", deciding("absent-admitted", "quarantine"))
    for forbid, status in (("unsafe", 0), ("more-permissive", 1), ("any", 1)):
        assert compared(strict, "recovery", "--forbid", forbid)[0] == status
    result = run("table", "diff", strict, "recovery", "--forbid", "more-permissive")
    assert "more permissive in 1 region; every sentence that was proved still is" in " ".join(result.stdout.split())
    less = compared("recovery", strict, "--forbid", "more-permissive")
    assert less[0] == 0 and less[1]["lost"] == [] and less[1]["changes"][0]["lost"] == "initiates"  # type: ignore[index]
    assert compared("recovery", strict, "--forbid", "any")[0] == 1


def test_an_unsafe_edit_is_rejected_with_the_way_there(tmp_path: Path) -> None:
    new = written(tmp_path / "new.csv", deciding(REACHED, "execute"))
    status, found = compared("recovery", new)
    change = found["changes"][0]  # type: ignore[index]
    assert status == 1 and "acts_on_current_ground" in found["lost"]  # type: ignore[operator]
    assert "acts_on_current_ground" in change["breaks"] and change["gained"] == "initiates"
    assert change["reached"]["verdict"] == "holds" and "move[0]" in change["reached"]["actions"]
    assert change["old"] == {"decision": "quarantine", "rules": [REACHED]}


def test_a_region_that_no_run_reaches_is_said_to_be_so(tmp_path: Path) -> None:
    found = compared("recovery", written(tmp_path / "new.csv", deciding(UNREACHED, "verify")))[1]
    reached = found["changes"][0]["reached"]  # type: ignore[index]
    assert reached["verdict"] == "fails" and "complete search of 17 runs" in reached["how"]


def test_without_a_stored_search_nothing_is_claimed(tmp_path: Path) -> None:
    new = written(tmp_path / "new.csv", deciding(UNREACHED, "verify"))
    found = compared("recovery", new, "--policy", "blind-retry")[1]
    assert found["changes"][0]["reached"]["verdict"] == "unknown"  # type: ignore[index]


def test_a_lost_row_is_a_gap_that_breaks_totality(tmp_path: Path) -> None:
    assert RECOVERY.rules[0].decision == "stand_down"
    new = written(tmp_path / "new.csv", Table(RECOVERY.rules[1:], "new"))
    status, found = compared("recovery", new)
    assert status == 1 and found["lost"] == ["table_is_total", "stale_workers_are_fenced"]
    assert found["changes"][0]["breaks"] == ["table_is_total", "stale_workers_are_fenced"]  # type: ignore[index]
    assert found["changes"][0]["new"] == {"decision": None, "rules": []}  # type: ignore[index]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository whose table was edited since its last commit."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    table = tmp_path / "repository" / "a folder" / "table.csv"
    table.parent.mkdir(parents=True)
    written(table, RECOVERY)
    for line in (["init", "-q"], ["add", "."], ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"]):
        subprocess.run(["git", *line], cwd=table.parent, check=True)
    written(table, deciding(UNREACHED, "verify"))
    return table


def test_the_old_table_may_be_in_git(repository: Path) -> None:
    assert len(compared("git:HEAD", repository)[1]["changes"]) == 1  # type: ignore[arg-type]


@pytest.mark.parametrize("revision", ["", "nowhere", "--help", "HEAD:table.csv", "HEAD^{tree}", "-c"])
def test_a_revision_that_git_does_not_have_is_refused(repository: Path, revision: str) -> None:
    assert "give a table file, or git:REV" in refused(run("table", "diff", f"git:{revision}", repository))


def test_a_table_that_was_none_is_refused(repository: Path) -> None:
    repository.write_text("a,b\n1,2\n", "utf-8")
    commit = ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "y"]
    subprocess.run(["git", *commit], cwd=repository.parent, check=True)
    written(repository, RECOVERY)
    assert 'in git:HEAD: line 1: has a column "a"' in refused(run("table", "diff", "git:HEAD", repository))


def test_overlapping_rows_are_read_in_order(tmp_path: Path) -> None:
    new = tmp_path / "new.csv"
    new.write_text(table_text(RECOVERY) + table_text(load_table("blind-retry")).split("\n", 1)[1], "utf-8")
    status, found = compared("recovery", new)
    assert status == 1 and found["changes"] == []
    assert found["lost"] == ["table_is_unique", "table_has_no_dead_row"]


def test_two_proved_tables_are_safe_together_without_a_search(tmp_path: Path) -> None:
    found = compared("recovery", written(tmp_path / "new.csv", deciding("absent-admitted", "quarantine")))[1]
    (together,) = found["together"]  # type: ignore[misc]
    assert together["verdict"] == "holds" and "keeps the invariant" in together["how"]
    other = compared("recovery", tmp_path / "new.csv", "--policy", "key-only")[1]["together"]
    assert [(v["verdict"], v["reason"].split(";")[0]) for v in other] == [  # type: ignore[attr-defined]
        ("unknown", "the proofs take for granted that attempts are counted per obligation")
    ]
    lost = compared("recovery", written(tmp_path / "new.csv", deciding(UNREACHED, "stand_down")))[1]
    assert lost["together"][0]["verdict"] == "unknown"  # type: ignore[index]


def test_an_edit_that_makes_a_failing_table_fail_elsewhere_is_rejected(tmp_path: Path) -> None:
    failing = deciding("absent-moved", "execute")
    old = written(tmp_path / "old.csv", failing)
    new = written(tmp_path / "new.csv", deciding("absent-not-permitted", "execute", failing))
    status, found = compared(old, new)
    (change,) = found["changes"]  # type: ignore[misc]
    assert status == 1 and found["lost"] == [] and "no_initiation_without_admission" in change["worse"]
    assert "fails where it did not" in str(found["summary"])
    status, found = compared(new, old)
    assert status == 0 and not any(c["worse"] for c in found["changes"])  # type: ignore[attr-defined]


def test_what_is_rejected_for_certain_is_not_unknown_for_a_proof_that_did_not_end() -> None:
    strict = proved("old", deciding("absent-admitted", "quarantine"))
    first, *rest = proved("new", RECOVERY).results
    unsure = replace(proved("new", RECOVERY), results=[replace(first, verdict="unknown"), *rest])
    found = difference(strict, unsure, subject_of(DEFAULT_CONTRACT, "recovery", None, None, 1, None))
    assert found.lost == ("table_is_total",)
    assert found.outcome(Forbid.UNSAFE) is Outcome.UNKNOWN and "no longer proved" in str(found.rejected(Forbid.UNSAFE))
    assert found.outcome(Forbid.MORE_PERMISSIVE) is Outcome.FAILS
    assert found.rejected(Forbid.MORE_PERMISSIVE) == "more permissive in 1 region"


def test_a_proof_that_does_not_end_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the old decision is proved and of the new one nothing is known, the edit is neither safe nor unsafe."""
    old, new = proved("old", RECOVERY), proved("new", deciding("absent-admitted", "quarantine"))
    subject = subject_of(DEFAULT_CONTRACT, "recovery", None, None, 1, None)
    whole = RegionProof.judge

    def unsure(prover: RegionProof, region: Region, decision: str) -> list[Broken]:
        return [Broken("x", "unknown")] if decision == "quarantine" else whole(prover, region, decision)

    monkeypatch.setattr(RegionProof, "judge", unsure)
    found = difference(old, new, subject)
    assert [judged.unsure for judged in found.changes] == [("x",)] and not any(j.worse for j in found.changes)
    assert found.outcome(Forbid.UNSAFE) is Outcome.UNKNOWN
    assert summary(found, Forbid.UNSAFE).startswith("not known to be allowed: perhaps unsafe: x")


def test_a_new_file_has_no_baseline_in_git(repository: Path) -> None:
    other = written(repository.with_name("other.csv"), RECOVERY)
    assert "give a table file, or git:REV" in refused(run("table", "diff", "git:HEAD", other))
    result = run("table", "check", other, "--baseline", "git:HEAD", "--format", "json")
    assert result.exit_code == 0 and valid(result.stdout, "table-check")["tables"][0]["difference"] is None


@pytest.mark.slow
def test_what_no_proof_says_is_searched_for(tmp_path: Path) -> None:
    new = written(tmp_path / "new.csv", deciding(UNREACHED, "stand_down"))
    found = compared("recovery", new, "--together", "--search")[1]
    verdicts = {v["name"]: v["verdict"] for v in found["together"]}  # type: ignore[attr-defined]
    assert {p.name for p in PROPERTIES} < set(verdicts) and set(verdicts.values()) == {"holds"}


@pytest.mark.slow
def test_a_search_goes_behind_another_change(tmp_path: Path) -> None:
    edited = deciding("committed-confirmed", "quarantine", deciding("absent-permitted", "quarantine"))
    new = written(tmp_path / "new.csv", edited)
    row = "committed-confirmed"
    for options, verdict in (([], "unknown"), (["--search"], "fails")):
        found = compared("recovery", new, *options)[1]
        change = next(c for c in found["changes"] if c["old"]["rules"] == [row])  # type: ignore[attr-defined]
        assert change["reached"]["verdict"] == verdict
