"""The action, the pre-commit hook and their recipes: they parse, and name commands and options that exist."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from recut.app import app
from recut.commands.table_check import Format
from tests.cli.broken import spread_out, written
from tests.cli.front import run
from tests.proofs.edits import deciding

yaml = pytest.importorskip("yaml", reason="PyYAML reads the files of the build servers")

ROOT = Path(__file__).resolve().parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
RECIPES = (ROOT / "docs" / "ci.md").read_text("utf-8")
COMING = ("--baseline", "--forbid")


def options(*names: str) -> set[str]:
    """The options of a command."""
    command: Any = get_command(app)
    for name in names:
        command = command.commands[name]
    return {option for parameter in command.params for option in parameter.opts if option.startswith("--")}


def scripts() -> list[dict[str, Any]]:
    return [step for step in ACTION["runs"]["steps"] if "run" in step]


def named(text: str) -> set[str]:
    """The options of recut that a script or a recipe names."""
    calls = re.findall(r"recut table check[^\n]*|options\+?=\([^\n]*\)|args: \[[^\n]*\]", text)
    return {option for call in calls for option in re.findall(r"--[a-z-]+", call)}


def given(**inputs: str) -> dict[str, str]:
    """The environment of the step that checks, with its inputs or their defaults."""
    step = next(s for s in scripts() if s.get("id") == "check")
    known = {name: str(value.get("default", "")) for name, value in ACTION["inputs"].items()}
    assert inputs.keys() <= known.keys()
    said = {f"${{{{ inputs.{name} }}}}": value for name, value in {**known, **inputs}.items()}
    return {name: said[value] for name, value in step["env"].items()}


def checked(tmp_path: Path, **inputs: str) -> subprocess.CompletedProcess[str]:
    """The step that checks, run as the runner does: by bash, with the inputs in the environment."""
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is not installed")
    shims = tmp_path / "bin"
    for name, line in (("recut", f"{sys.executable} -m recut.cli"), ("python", sys.executable)):
        written(shims / name, f'#!/bin/sh\nexec {line} "$@"\n').chmod(0o755)
    step = next(s for s in scripts() if s.get("id") == "check")
    files = {"GITHUB_OUTPUT": str(tmp_path / "output"), "GITHUB_STEP_SUMMARY": str(tmp_path / "summary")}
    path = {"PATH": f"{shims}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    script = written(tmp_path / "step.sh", step["run"])
    line = [bash, "--noprofile", "--norc", "-eo", "pipefail", str(script)]
    env = {**os.environ, **path, **files, **given(**inputs)}
    return subprocess.run(line, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)


@pytest.fixture
def edited(tmp_path: Path) -> str:
    """A table that fails, as the working directory sees it."""
    written(tmp_path / "a table, edited.csv", spread_out(deciding("absent-moved", "execute")))
    return "a table, edited.csv"


def test_the_action_has_what_an_action_needs() -> None:
    assert ACTION["runs"]["using"] == "composite" and ACTION["name"] and ACTION["description"]
    assert all(given["description"] for given in ACTION["inputs"].values())
    assert {"files", "baseline", "forbid", "format", "version"} <= set(ACTION["inputs"])
    assert [name for name, given in ACTION["inputs"].items() if given.get("required")] == ["files"]
    assert all(step["shell"] == "bash" for step in scripts())
    (used,) = (step["uses"] for step in ACTION["runs"]["steps"] if "uses" in step)
    assert used.startswith("actions/setup-python@")


def test_no_input_becomes_part_of_a_script() -> None:
    assert all("${{" not in step["run"] for step in scripts())
    passed = {value for step in scripts() for value in step["env"].values()}
    assert passed == {f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"]}


def test_the_action_and_the_recipes_name_options_that_exist() -> None:
    known = options("table", "check")
    for text in (*(step["run"] for step in scripts()), RECIPES):
        assert named(text) - set(COMING) <= known
    assert {"--format", "--output", "--summary"} <= named(scripts()[-1]["run"])


@pytest.mark.skipif(not set(COMING) <= options("table", "check"), reason="table check has no --baseline and --forbid")
def test_the_options_for_changes_exist() -> None:
    assert set(COMING) <= named(scripts()[-1]["run"]) & options("table", "check")
    assert "--baseline" in named(RECIPES)


def test_every_format_is_in_the_recipes_and_in_the_action() -> None:
    assert re.findall(r"^\| `([a-z]+)` \|", RECIPES, re.M) == [str(format) for format in Format]
    assert {str(format) for format in Format} <= set(re.findall(r"[a-z]+", ACTION["inputs"]["format"]["description"]))
    assert ACTION["inputs"]["format"]["default"] == Format.GITHUB


def test_the_action_annotates_a_table_that_fails(edited: str, tmp_path: Path) -> None:
    done = checked(tmp_path, files=f"{edited}\n\n", summary="true")
    assert done.returncode == 1, done.stderr
    assert "::error file=a table%2C edited.csv,line=" in done.stdout and "stop-commands" not in done.stdout
    assert (tmp_path / "output").read_text("utf-8") == "status=1\n"
    assert (tmp_path / "summary").read_text("utf-8").startswith("## recut table check: fails\n")


def test_the_action_holds_commands_back_in_other_formats(edited: str, tmp_path: Path) -> None:
    done = checked(tmp_path, files="recovery", format="text")
    first, *_, last = done.stdout.splitlines()
    assert done.returncode == 0 and first.startswith("::stop-commands::")
    assert last == f"::{first.removeprefix('::stop-commands::')}::" and len(last) > 30
    assert (tmp_path / "output").read_text("utf-8") == "status=0\n" and not (tmp_path / "summary").exists()


@pytest.mark.parametrize("name", ["files", "format", "output", "summary"])
def test_an_input_of_the_action_is_never_run(name: str, edited: str, tmp_path: Path) -> None:
    for value in ("$(touch pwned)", '"; touch pwned; "'):
        checked(tmp_path, **{"files": edited, name: value})
        assert not (tmp_path / "pwned").exists()


def test_a_file_of_the_action_is_no_option(tmp_path: Path) -> None:
    done = checked(tmp_path, files="--help")
    assert done.returncode == 2 and "--help: is neither a shipped name nor a path" in done.stderr


def test_a_table_that_is_missing_is_bad_input_for_the_action(tmp_path: Path) -> None:
    done = checked(tmp_path, files="none.csv")
    assert done.returncode == 2 and "none.csv: cannot be read" in done.stderr
    assert (tmp_path / "output").read_text("utf-8") == "status=2\n"


def test_the_hook_has_what_a_hook_needs_and_its_entry_works(tmp_path: Path) -> None:
    (hook,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert {"id", "name", "entry", "language"} <= set(hook)
    assert hook["id"] == "recut-table-check" and hook["language"] == "python"
    assert re.search(hook["files"], "tables/recovery.csv") and not re.search(hook["files"], "recovery.csv.md")
    program, *entry = shlex.split(hook["entry"])
    assert program == "recut"
    shipped = str(ROOT / "model" / "tables" / "recovery.csv")
    assert run(*entry, shipped).exit_code == 0
    assert run(*entry, written(tmp_path / "x.csv", "a,b\n1,2\n")).exit_code == 2


def test_the_recipes_parse_and_name_what_exists() -> None:
    recipes = [yaml.safe_load(block) for block in re.findall(r"```yaml\n(.*?)```", RECIPES, re.S)]
    workflows = [r for r in recipes if "jobs" in r]
    steps = [step for r in workflows for step in r["jobs"]["check"]["steps"] if "recovery-cut" in step["uses"]]
    assert len(steps) == 2 and all(step["with"].keys() <= ACTION["inputs"].keys() for step in steps)
    (hooks,) = (r["repos"][0]["hooks"] for r in recipes if "repos" in r)
    assert [h["id"] for h in hooks] == ["recut-table-check"]
    (gitlab,) = (r["tables"] for r in recipes if "tables" in r)
    words = [word for line in gitlab["script"] for word in shlex.split(line)]
    assert set(gitlab["artifacts"]["reports"].values()) == {w for w in words if w.endswith((".json", ".xml"))}
