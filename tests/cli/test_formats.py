"""Every format of ``recut table check``, on a table that is proved and on tables that are not."""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from jsonschema import Draft4Validator

from model.decision_table import Table, table_text
from model.table_file import load_table
from model.table_inputs import VALUES
from properties.verdict import Outcome
from recut.commands.table_check import Format
from recut.findings import Finding, Level, table_findings
from recut.gitlab import SEVERITIES, gitlab
from recut.junit import junit
from recut.proof_verdicts import GROUND, SENTENCES
from recut.report_table import aligned
from recut.report_table_markdown import MOST_ROWS, markdown
from recut.sarif import sarif
from recut.sentences import PROVED_BY, meanings
from recut.table_change import Forbid, Proved, proved
from recut.table_checked import Checked
from recut.table_faults import Faults
from solver.table_proof import prove_table
from tests.cli.broken import GAP, spread_out, written
from tests.cli.front import refused, run, valid
from tests.cli.small import small_check
from tests.proofs.edits import RECOVERY, deciding

FILES = Path(__file__).parent / "formats"
EDITED = "absent-moved"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def edited(here: Path) -> Path:
    """A table that fails in one row."""
    return written(here / "tables" / "edited.csv", spread_out(deciding(EDITED, "execute")))


def valid_sarif(text: str) -> dict[str, Any]:
    schema = json.loads((FILES / "sarif-schema-2.1.0.json").read_text("utf-8"))
    Draft4Validator.check_schema(schema)
    document: dict[str, Any] = json.loads(text)
    Draft4Validator(schema).validate(document)
    run: dict[str, Any] = document["runs"][0]
    return run


def failing(path: Path) -> dict[str, Any]:
    """What the JSON report says of the sentences that do not hold, by name."""
    results = valid(run("table", "check", path, "--format", "json").stdout, "table-check")["results"]
    return {r["name"]: r for r in results if r["verdict"] != "holds"}


@pytest.mark.parametrize("format", Format)
def test_the_table_to_use_has_no_findings(format: str) -> None:
    result = run("table", "check", "recovery", "--format", format)
    assert result.exit_code == 0 and "Traceback" not in result.stderr
    if format == "sarif":
        found = valid_sarif(result.stdout)
        assert found["results"] == [] and found["tool"]["driver"]["name"] == "recut"
    elif format == "gitlab":
        assert json.loads(result.stdout) == []
    elif format == "github":
        assert result.stdout == "recut table check: holds\n"
    elif format == "markdown":
        assert result.stdout.startswith("## recut table check: holds\n") and "fails" not in result.stdout


@pytest.mark.parametrize("format", Format)
def test_a_table_that_fails_fails_in_every_format_and_names_the_row(format: str, edited: Path) -> None:
    result = run("table", "check", edited, "--format", format)
    assert result.exit_code == 1
    assert EDITED in result.stdout and "acts_on_current_ground" in result.stdout


def test_sarif_has_a_result_for_each_sentence_and_row(edited: Path) -> None:
    found = valid_sarif(run("table", "check", edited, "--format", "sarif").stdout)
    results, rules = found["results"], found["tool"]["driver"]["rules"]
    assert Counter(r["ruleId"] for r in results) == {
        name: max(1, len(r["rules"])) for name, r in failing(edited).items()
    }
    assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] and r["level"] == "error" for r in results)
    assert all(rule["shortDescription"]["text"] == meanings()[rule["id"]] for rule in rules)
    places = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    assert places == {"tables/edited.csv"}


def test_lines_point_at_the_row_after_comments_and_line_breaks_in_cells(edited: Path) -> None:
    lines = edited.read_text("utf-8").splitlines()
    (expected,) = (at for at, line in enumerate(lines, 1) if line.startswith(f"{EDITED},"))
    assert expected > 2 * len(RECOVERY.rules)
    (result,) = (
        r
        for r in valid_sarif(run("table", "check", edited, "--format", "sarif").stdout)["results"]
        if r["ruleId"] == "acts_on_current_ground"
    )
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": expected}
    assert f",line={expected},title=recut acts_on_current_ground::" in run(
        "table", "check", edited, "--format", "github"
    ).stdout
    issues = json.loads(run("table", "check", edited, "--format", "gitlab").stdout)
    issue = next(i for i in issues if i["check_name"] == "acts_on_current_ground")
    assert issue["location"] == {"path": "tables/edited.csv", "lines": {"begin": expected}}
    assert f"line {expected}, row `{EDITED}`" in run("table", "check", edited, "--format", "markdown").stdout


def test_what_no_row_breaks_is_about_the_whole_file(here: Path) -> None:
    path = written(here / "gap.csv", table_text(GAP))
    found = table_findings([proved(str(path), replace(GAP, path=str(path)))])
    assert {f.line for f in found} == {None} and {f.rule_id for f in found} == set(failing(path))
    total = next(f for f in found if f.rule_id == "table_is_total")
    assert "claim = lost" in total.shows and total.help == "add a row for such cuts"
    regions = [r["locations"][0]["physicalLocation"]["region"] for r in sarif(found)["runs"][0]["results"]]
    assert regions == [{"startLine": 1}] * len(found)
    assert "line=" not in run("table", "check", path, "--format", "github").stdout


def test_a_finding_is_the_same_when_its_row_moves(here: Path) -> None:
    broken = deciding(EDITED, "execute")
    rules = tuple(replace(r, because="Otherwise.", line=99 - r.line) for r in reversed(broken.rules))
    moved = Table(rules, broken.path)
    before, after = (table_findings([proved("x", t)]) for t in (broken, moved))
    assert {f.fingerprint for f in before} == {f.fingerprint for f in after}
    assert {(f.rule_id, f.line) for f in before} != {(f.rule_id, f.line) for f in after}
    assert len({f.fingerprint for f in before}) == len(before)
    assert {f.fingerprint for f in before}.isdisjoint(replace(f, about="x").fingerprint for f in before)
    assert {f.fingerprint for f in before}.isdisjoint(replace(f, path="y").fingerprint for f in before)


def test_a_file_that_is_named_twice_has_its_findings_once(edited: Path) -> None:
    once, twice = (valid_sarif(run("table", "check", *[edited] * n, "--format", "sarif").stdout) for n in (1, 2))
    assert [r["partialFingerprints"] for r in once["results"]] == [r["partialFingerprints"] for r in twice["results"]]


def test_what_is_unknown_is_an_error() -> None:
    given_up = Proved("x", RECOVERY, prove_table(RECOVERY, rlimit=1))
    found = table_findings([given_up])
    unknown = [v.name for v in given_up.verdicts if v.outcome is Outcome.UNKNOWN]
    assert unknown and {f.rule_id for f in found} == set(unknown) and all("is unknown" in f.message for f in found)
    assert {f.level for f in found} == {Level.ERROR}
    root = ElementTree.fromstring(junit([("x", given_up.verdicts)]))
    assert root[0].get("errors") == str(len(unknown)) and root[0].get("failures") == "0"


def test_what_others_rest_on_comes_after_them_and_what_is_unknown_last() -> None:
    red = proved("x", load_table("blind-retry"))
    order = list(dict.fromkeys(f.rule_id for f in table_findings([red])))
    unknown = [v.name for v in red.verdicts if v.outcome is Outcome.UNKNOWN]
    assert unknown and order[-len(unknown) :] == unknown
    assert order[-len(unknown) - 1] == "invariant_is_kept" in GROUND


def test_levels_have_a_severity_each() -> None:
    findings = [Finding("x", level, "x", "x", 1, "x") for level in Level]
    assert [i["severity"] for i in gitlab(findings)] == list(SEVERITIES.values()) == ["critical", "minor", "info"]


def test_every_sentence_is_explained() -> None:
    assert {SENTENCES[kind] for kind in PROVED_BY} == set(SENTENCES.values())
    names = {v.name for v in proved("recovery", RECOVERY).verdicts}
    assert set(meanings()) == names and all(says and "\n" not in says for says in meanings().values())


@pytest.mark.parametrize("junit_of", ["table", "check"])
def test_junit_is_what_its_schema_says(junit_of: str, edited: Path) -> None:
    etree = pytest.importorskip("lxml.etree")
    checked = small_check("at-most-once") if junit_of == "check" else None
    text = (
        junit([("table", checked.proofs), ("model", checked.report.verdicts)])
        if checked
        else run("table", "check", edited, "recovery", "--format", "junit").stdout
    )
    etree.XMLSchema(etree.parse(FILES / "junit-10.xsd")).assertValid(etree.fromstring(text.encode()))


def test_junit_tells_the_row_and_the_cut(edited: Path) -> None:
    root = ElementTree.fromstring(run("table", "check", edited, "--format", "junit").stdout)
    cases = {c.get("name"): c for c in root[0]}
    told = cases["acts_on_current_ground"].findtext("failure") or ""
    assert f'Row "{EDITED}" decides execute at claim = held' in told and told.startswith("line ")
    assert [name for name, case in cases.items() if len(case)] == list(failing(edited))
    assert len(cases["table_is_total"]) == 0


def test_the_summary_is_appended_whatever_the_format(edited: Path) -> None:
    summary = written(edited.parent / "summary.md", "before\n")
    result = run("table", "check", edited, "--format", "markdown", "--summary", summary)
    assert result.exit_code == 1 and summary.read_text("utf-8") == f"before\n{result.stdout}"
    result = run("table", "check", edited, "--format", "github", "--summary", summary)
    assert result.stdout.startswith("::error") and summary.read_text("utf-8").count("## recut table check: fails") == 2


def test_markdown_fits_into_a_comment(here: Path) -> None:
    rows = tuple(
        replace(r, name=f"{r.name}-{value}", cells={**r.cells, "undo": frozenset({value})})
        for r in load_table("blind-retry").rules
        for value in VALUES["undo"]
    )
    many = proved("many", Table(rows, "many.csv"))
    checked = Checked(many, Faults(), None, Forbid.UNSAFE)
    one = markdown([checked], Outcome.FAILS)
    long = [v.name for v in many.verdicts if len(v.rules) > MOST_ROWS]
    assert "stale_workers_are_fenced" in long and one.count("\n- and ") == len(long)
    assert one.count(f"\n- and {len(rows) - MOST_ROWS} more\n") >= 1
    told = markdown([checked] * 50, Outcome.FAILS)
    assert len(told) < 65_536 and told.count("### `many.csv`: fails\n") == 50 > told.count("| sentence |") > 1


def test_a_summary_that_cannot_be_written_is_refused(edited: Path) -> None:
    assert "it cannot be written" in refused(run("table", "check", edited, "--summary", edited.parent))


def test_cells_are_aligned() -> None:
    lines = list(aligned("cut:", [f"{'y' * (n % 7)} = {n}" for n in range(9)]))
    assert lines == [
        "cut:       = 0        y = 1       yy = 2      yyy = 3     yyyy = 4    yyyyy = 5",
        "          yyyyyy = 6   = 7        y = 8",
    ]
    assert list(aligned("x", ["y" * 100])) == [f"{'x':10}{'y' * 100}"] and list(aligned("cut:", [])) == []


def test_text_shows_cuts_in_columns(edited: Path) -> None:
    lines = run("table", "check", edited).stdout.splitlines()
    cuts = [at for at, line in enumerate(lines) if line.startswith("cut:      claim = ")]
    assert cuts
    for at in cuts:
        block = [lines[at], *itertools.takewhile(lambda line: line.startswith(" " * 10), lines[at + 1 :])]
        beside = [[m.start() for m in re.finditer(r"\w+ = ", line)] for line in block]
        assert len(block) > 1 and beside[0][0] == 10 and len(beside[0]) > 1
        assert all(columns == beside[0][: len(columns)] for columns in beside)
    assert all(len(line) <= 80 for line in lines)


def test_an_edit_is_told_at_its_row_in_every_format(edited: Path) -> None:
    """A change that is rejected is an error, one that is not a note."""
    less = written(edited.parent / "less.csv", table_text(deciding("absent-admitted", "quarantine")))
    for path, level in ((edited, "error"), (less, "note")):
        result = run("table", "check", path, "--baseline", "recovery", "--format", "sarif")
        found = [r for r in valid_sarif(result.stdout)["results"] if r["ruleId"] == "decision_changed"]
        assert [r["level"] for r in found] == [level]
        row = EDITED if path is edited else "absent-admitted"
        line = found[0]["locations"][0]["physicalLocation"]["region"]["startLine"]
        assert path.read_text("utf-8").splitlines()[line - 1].startswith(f"{row},")
    result = run("table", "check", less, "--baseline", "recovery", "--forbid", "any", "--format", "github")
    assert result.exit_code == 1 and "title=recut edit_is_allowed::" in result.stdout
    told = run("table", "check", edited, "--baseline", "recovery", "--format", "markdown").stdout
    assert "quarantine -\\> execute" in told and "now initiates, no longer asks" in told


def test_a_change_that_permits_more_is_an_error_only_where_that_is_forbidden(here: Path) -> None:
    strict = written(here / "strict.csv", table_text(deciding("absent-admitted", "quarantine")))
    for forbid, level in (("unsafe", "note"), ("more-permissive", "error")):
        options = ("--baseline", strict, "--forbid", forbid, "--format", "sarif")
        found = valid_sarif(run("table", "check", "recovery", *options).stdout)["results"]
        assert [r["level"] for r in found if r["ruleId"] == "decision_changed"] == [level]


def test_a_gap_is_told_with_the_row_that_closes_it(here: Path) -> None:
    path = written(here / "gap.csv", table_text(GAP))
    result = run("table", "check", path, "--format", "json")
    (fault,) = valid(result.stdout, "table-check")["tables"][0]["faults"]
    assert (fault["kind"], fault["region"], fault["instead"]) == ("gap", {"claim": ["lost"]}, [])
    path.write_text(f"{table_text(GAP)}{fault['suggestion']}\n", "utf-8")
    assert run("table", "check", path, "--baseline", "recovery", "--forbid", "any").exit_code == 0
