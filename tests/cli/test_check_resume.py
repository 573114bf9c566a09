"""A check that is killed, interrupted and taken up again says what an undisturbed one says."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from typing import Any

import pytest

from recut.resume import Store, as_data, from_data
from tests.cli.front import refused, run, started, valid, without_seconds
from tests.cli.small import small_check

ARGUMENTS = ("check", "--contract", "smtp", "--workers", 1, "--format", "json", "--jobs", 1)


def finished(path: Path) -> int:
    """How many runs a file holds."""
    return len(json.loads(path.read_text("utf-8"))["runs"]) if path.exists() else 0


def stop(path: Path, output: Path, after: int, how: signal.Signals) -> tuple[int, str]:
    """Stop a check once some runs are finished: its exit status, and what it said."""
    process = started(*ARGUMENTS, "--resume", path, "--output", output)
    while process.poll() is None and finished(path) < after:
        time.sleep(0.05)
    assert process.poll() is None, process.communicate()
    os.kill(process.pid, how)
    _, said = process.communicate(timeout=60)
    return process.returncode, said


@pytest.mark.slow
def test_killed_and_interrupted_it_ends_like_an_undisturbed_check(tmp_path: Path) -> None:
    path, output = tmp_path / "kept", tmp_path / "report.json"
    code, _ = stop(path, output, 2, signal.SIGKILL)
    assert code == -signal.SIGKILL and finished(path) >= 2
    before = finished(path)
    code, said = stop(path, output, before + 2, signal.SIGINT)
    assert (code, said.count("\n")) == (3, 1) and f"--resume {path}" in said
    assert finished(path) >= before + 2 and not output.exists()
    assert run(*ARGUMENTS, "--resume", path, "--output", output).exit_code == 0
    undisturbed = run(*ARGUMENTS)
    assert undisturbed.exit_code == 0
    assert report(output.read_text("utf-8")) == report(undisturbed.stdout)


def report(text: str) -> Any:
    return without_seconds(valid(text, "check"))


def test_a_run_is_kept_as_it_is() -> None:
    for one in small_check("at-most-once").report.runs:
        assert from_data(json.loads(json.dumps(as_data(one)))) == one


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    checked = small_check("at-most-once")
    store = Store(tmp_path / "kept", checked.subject)
    for one in checked.report.runs:
        store.add(one)
    return tmp_path / "kept"


def test_finished_runs_are_found_again(kept: Path) -> None:
    checked = small_check("at-most-once")
    assert Store(kept, checked.subject).runs == {r.name: r for r in checked.report.runs}


def test_only_runs_that_are_complete_are_kept(tmp_path: Path) -> None:
    checked = small_check("recovery", max_states=5)
    store = Store(tmp_path / "kept", checked.subject)
    for one in checked.report.runs:
        store.add(one)
    assert Store(tmp_path / "kept", checked.subject).runs == {}


def test_runs_of_something_else_are_refused(kept: Path) -> None:
    before = kept.read_bytes()
    same = ("check", "--contract", "smtp", "--policy", "at-most-once", "--resume", kept)
    assert "belongs to a check with another bounds" in refused(run(*same))
    assert "another table" in refused(run("check", "--contract", "smtp", "--resume", kept))
    assert "another contract" in refused(run("check", "--resume", kept))
    assert kept.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"{", b"\x00\xff" * 40, b"[]", b"{}", b"[" * 100_000, b'{"format": 1}'])
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "kept").write_bytes(content)
    assert str(tmp_path / "kept") in refused(run("check", "--resume", tmp_path / "kept"))
    assert (tmp_path / "kept").read_bytes() == content


def test_runs_that_cannot_be_read_are_refused(kept: Path) -> None:
    document = json.loads(kept.read_text("utf-8"))
    document["runs"][0]["steps"] = 7
    kept.write_text(json.dumps(document), "utf-8")
    with pytest.raises(ValueError, match="damaged"):
        Store(kept, small_check("at-most-once").subject)


def test_a_place_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    assert "not a regular file" in refused(run("check", "--resume", tmp_path))
    assert "cannot be written" in refused(run("check", "--resume", tmp_path / "no" / "such"))


def test_without_time_nothing_is_known_and_nothing_is_kept(tmp_path: Path) -> None:
    result = run(*ARGUMENTS, "--timeout", 0, "--resume", tmp_path / "kept")
    assert result.exit_code == 3
    document = valid(result.stdout, "check")
    verdicts = {r["name"]: r["verdict"] for r in document["results"] if r["how"] == "search cut off"}
    assert document["verdict"] == "unknown" and set(verdicts.values()) == {"unknown"} and len(verdicts) >= 13
    assert finished(tmp_path / "kept") == 0
