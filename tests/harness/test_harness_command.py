"""``recut harness``: its formats, its schema, its table option and its exit statuses."""

from __future__ import annotations

import functools
import importlib.resources
import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest
import typer
from typer.testing import CliRunner

from model.decision_table import table_text
from model.policy import Policy, load_policy
from model.table_file import load_table, parse_table
from recut.commands import harness as command
from recut.commands.harness import as_json, as_text, harness
from solver.harness import Harness
from solver.harness import harness as both_reports
from tests.harness.edits import edited

APP = typer.Typer()
APP.command()(harness)


@functools.cache
def reports_under(table: str) -> Harness:
    """The reports under a recovery table that is given as text: runs take a while, and several tests want one."""
    recovery = load_policy("recovery")
    return both_reports({"recovery": replace(recovery, table=parse_table(table, "edited.csv"))})


@pytest.fixture
def edited_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The shipped table with one deciding row changed, as a file that the command runs once for all tests."""

    def remembered(policies: dict[str, Policy]) -> Harness:
        return reports_under(table_text(policies["recovery"].table))

    monkeypatch.setattr(command, "both_reports", remembered)
    path = tmp_path / "edited.csv"
    path.write_text(table_text(edited(load_table("recovery"), "unknown-revoked", "quarantine")), "utf-8")
    return path


def schema() -> dict[str, object]:
    """The JSON Schema that comes with the program."""
    text = (importlib.resources.files("recut") / "schemas" / "harness.json").read_text("utf-8")
    found: dict[str, object] = json.loads(text)
    return found


def test_json_has_sorted_keys_and_fits_its_schema(found: Harness) -> None:
    text = as_json(found)
    document = json.loads(text)
    jsonschema.validate(document, schema(), cls=jsonschema.Draft202012Validator)
    assert text == json.dumps(document, indent=2, sort_keys=True) + "\n"
    assert (document["schema"], document["verdict"]) == ("recut/harness/1", "holds")
    assert document["report"] == found.report
    assert document["matrix"] == found.matrix


def test_the_schema_refuses_a_report_without_a_case(found: Harness) -> None:
    document = json.loads(as_json(found))
    del document["report"]["consume_once_claim"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(document, schema())


def test_text_says_both_reports_in_80_columns(found: Harness) -> None:
    text = as_text(found)
    assert max(map(len, text.splitlines())) <= 80
    assert text.endswith("holds: these are the published reports\n")
    assert "after send           no     no        yes      reauthorise  0        unknown\n" in text


def test_another_table_is_reported_and_fails_only_when_asked(edited_file: Path, tmp_path: Path) -> None:
    output = tmp_path / "report.json"
    arguments = ["--table", str(edited_file), "--format", "json", "--output", str(output)]
    result = CliRunner().invoke(APP, [*arguments, "--fail-on", "fails"])
    assert (result.exit_code, result.output) == (1, "")
    document = json.loads(output.read_text("utf-8"))
    jsonschema.validate(document, schema())
    assert document["verdict"] == "fails"
    assert document["matrix"][3]["decision"] == "quarantine"
    verdicts = {r["name"]: r["verdict"] for r in document["results"]}
    assert [n for n, v in verdicts.items() if v == "fails"] == ["after send, not idempotent, not readable, revoked"]


def test_a_report_that_differs_is_no_failure_by_itself(edited_file: Path) -> None:
    result = CliRunner().invoke(APP, ["--table", str(edited_file)])
    assert result.exit_code == 0
    assert "  published: reauthorise, 0, unknown\n" in result.output
    assert result.output.endswith("fails: these are not the published reports\n")


def test_a_missing_table_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(APP, ["--table", str(tmp_path / "none.csv")])
    assert result.exit_code == 2
    assert result.output.startswith("recut: ") and result.output.count("\n") == 1


def test_an_output_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    result = CliRunner().invoke(APP, ["--output", str(tmp_path / "no" / "report.json")])
    assert result.exit_code == 2
    assert result.output.startswith("recut: ") and result.output.count("\n") == 1
