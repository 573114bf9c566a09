"""``recut explore --export``: what it writes, and what it refuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.front import refused, run

SMALL = ("explore", "--contract", "smtp", "--workers", 1, "--faults", "crash,loss")


ENDS = {"promela": ("/*", "}"), "murphi": ("-- contract smtp", "."), "tla": ("----", "=====")}


@pytest.mark.parametrize("language", ENDS)
def test_a_complete_model_and_nothing_else(language: str, tmp_path: Path) -> None:
    first, last = ENDS[language]
    result = run(*SMALL, "--export", language)
    assert result.exit_code == 0 and not result.stderr
    assert result.stdout.startswith(first) and result.stdout.rstrip().endswith(last)
    file = tmp_path / "Recut.tla"
    if language == "tla":
        assert run(*SMALL, "--export", language, "--output", file).stdout == ""
        assert file.read_text("utf-8") == result.stdout
        assert "NEXT Next" in file.with_suffix(".cfg").read_text("utf-8")


def test_the_head_says_which_run_it_is() -> None:
    head = run(*SMALL, "--export", "promela", "--policy", "blind-retry").stdout[:400]
    assert "contract smtp, policy blind-retry" in head and "workers 1" in head and "crash, loss" in head


def test_the_same_text_in_every_process() -> None:
    line = [sys.executable, "-m", "recut.cli", *map(str, SMALL), "--export", "murphi"]
    other = subprocess.run(line, env={"PYTHONHASHSEED": "1"}, capture_output=True, check=True, text=True).stdout
    assert other == run(*SMALL, "--export", "murphi").stdout


@pytest.mark.parametrize("option", ["max-states", "timeout", "graph", "project", "format"])
def test_options_of_a_search_are_refused(option: str, tmp_path: Path) -> None:
    value = {"graph": tmp_path / "g.dot", "format": "json"}.get(option, 3)
    line = refused(run(*SMALL, "--export", "tla", f"--{option}", value))
    assert f"--{option}: has no meaning here, --export searches nothing; leave it out" in line
    assert not list(tmp_path.iterdir())


def test_files_that_cannot_be_are_refused(tmp_path: Path) -> None:
    assert "cannot be written" in refused(run(*SMALL, "--export", "murphi", "--output", tmp_path / "no" / "x.m"))
    for name in ("a-b.tla", "Refund.txt", "Integers.tla"):
        assert "is named as its file" in refused(run(*SMALL, "--export", "tla", "--output", tmp_path / name))
    (tmp_path / "Refund.cfg").mkdir()
    assert "Refund.cfg" in refused(run(*SMALL, "--export", "tla", "--output", tmp_path / "Refund.tla"))
    assert "--export" in refused(run("explore", "--situations", "--export", "tla"))
    assert [p.name for p in tmp_path.iterdir()] == ["Refund.cfg"]
