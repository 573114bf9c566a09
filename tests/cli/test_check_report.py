from __future__ import annotations

from xml.etree import ElementTree

import pytest

from properties.verdict import Outcome
from recut.commands.check import Format, status, write_traces, written
from recut.failure import Status
from recut.report_check import Checked
from tests.cli.front import valid
from tests.cli.small import small_check


@pytest.fixture
def red() -> Checked:
    return small_check("at-most-once")


def test_the_policy_to_use_holds() -> None:
    checked = small_check("recovery")
    assert [v.name for v in checked.verdicts if v.outcome is Outcome.FAILS] == []
    assert not checked.disagreements


def test_json_is_what_its_schema_says(red: Checked) -> None:
    document = valid(written(red, Format.JSON, None), "check")
    failed = {r["name"]: r for r in document["results"] if r["verdict"] == "fails" and "trace" in r}
    assert document["verdict"] == "fails"
    assert "no_silent_omission" in failed
    assert {"losses", "no faults", "one crash"} == {r["name"] for r in document["runs"]}
    assert {r["rule"] for r in document["rows"]["unreached"]} | set(document["rows"]["exercised"]) == {
        "done", "first-time", "already-tried"
    }  # fmt: skip
    assert all(isinstance(n, int) and n > 0 for n in document["actions"]["fired"].values())
    proved = [r for r in document["results"] if r["name"] == "no_duplicate_commit"]
    assert len(proved) == 2 and {r["states"] > 0 for r in proved} == {False, True}


def test_text_tells_the_shortest_trace_and_ends_in_verdicts(red: Checked) -> None:
    text = written(red, Format.TEXT, None)
    assert all(len(line) <= 80 for line in text.splitlines())
    assert "\x1b" not in text
    assert "no_silent_omission fails: no_silent_omission is broken after 13 steps" in text
    assert "  1. grant[0]: The approver allows the operation.\n       approval.state[0] asked -> granted" in text
    assert text.splitlines()[-1].startswith("fails: ")


def test_junit_counts_failures(red: Checked) -> None:
    root = ElementTree.fromstring(written(red, Format.JUNIT, None))
    suites = {s.get("name"): s for s in root}
    assert set(suites) == {"table", "model"}
    failures = [c.get("name") for c in suites["model"] if c.find("failure") is not None]
    assert "no_silent_omission" in failures
    assert int(suites["model"].get("failures", "0")) == len(failures)
    assert suites["model"].find("testcase/skipped") is not None


def test_a_search_that_was_cut_off_is_unknown() -> None:
    checked = small_check("recovery", max_states=5)
    assert checked.outcome is Outcome.UNKNOWN
    assert status(checked) is Status.UNKNOWN
    document = valid(written(checked, Format.JSON, None), "check")
    assert {r["cut_off_by"] for r in document["runs"]} == {"max_states"}


def test_status_of_a_failure_is_one(red: Checked) -> None:
    assert status(red) is Status.FAILS


def test_a_broken_claim_is_a_disagreement(red: Checked) -> None:
    run = red.report.runs[0]
    trace = next(iter(run.violations.values()))
    broken = type(run)(**{**vars(run), "violations": {**run.violations, "claim fits[0]: x": trace}})
    report = type(red.report)(**{**vars(red.report), "runs": (broken, *red.report.runs[1:])})
    checked = Checked(red.subject, report, red.found, {})
    assert [(r.name, claim) for r, claim, _ in checked.disagreements if claim == "fits[0]: x"] == [
        ("losses", "fits[0]: x")
    ]
    assert status(checked) is Status.DEFECT
    assert "two engines disagree" in written(checked, Format.TEXT, None)


def test_traces_are_written_for_each_failure(red: Checked, tmp_path) -> None:  # type: ignore[no-untyped-def]
    files = write_traces(red, tmp_path)
    failed = {v.name for v in red.report.verdicts if v.trace is not None}
    assert set(files) == failed and all(f.exists() for f in files.values())
