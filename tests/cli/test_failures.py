"""No input ends in a traceback, and every way to end has its exit status."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from recut.failure import Refused, Status, status_of
from recut.pool import over_jobs
from solver.replayed import EnginesDisagree
from tests.cli.front import COMMAND, refused, run

CONTENTS = {
    "empty": b"",
    "binary": b"\x00\x01\xfe\xff" * 50,
    "text": b"hello\n",
    "latin": b'name = "\xe9"\n',
    "deep": b"a = " + b"[" * 5000,
}
READERS = {
    "contract": ("check", "--contract"),
    "policy": ("check", "--policy"),
    "table": ("check", "--table"),
    "table check": ("table", "check"),
    "table show": ("table", "show"),
    "decide": ("decide",),
    "decide table": ("decide", "-", "--table"),
    "replay": ("replay",),
    "explore contract": ("explore", "--contract"),
    "compare policy": ("compare", "--policy"),
    "compare contract": ("compare", "--contract"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("content", CONTENTS)
def test_a_file_that_is_something_else_is_refused(tmp_path: Path, reader: str, content: str) -> None:
    path = tmp_path / "file.toml"
    path.write_bytes(CONTENTS[content])
    assert str(path) in refused(run(*READERS[reader], path, given="{}"))


@pytest.mark.parametrize("reader", READERS)
def test_a_directory_or_nothing_is_refused(tmp_path: Path, reader: str) -> None:
    assert str(tmp_path) in refused(run(*READERS[reader], tmp_path, given="{}"))
    assert "missing.toml" in refused(run(*READERS[reader], tmp_path / "missing.toml", given="{}"))


@pytest.mark.parametrize("command", [("table", "check", "recovery"), ("explore",), ("check",), ("compare",)])
def test_an_output_that_cannot_be_written_is_refused_at_once(tmp_path: Path, command: tuple[str, ...]) -> None:
    assert "cannot be written" in refused(run(*command, "--output", tmp_path / "no" / "file"))


def test_usage_errors_end_with_two() -> None:
    for command in (["check", "--horizon", "3"], ["check", "--scenario", "two"], ["check", "--workers", "0"], ["no"]):
        result = run(*command)
        assert result.exit_code == 2 and "Traceback" not in result.stderr
    assert "one-effect" in run("check", "--scenario", "two").stderr


def raising(problem: BaseException) -> int:
    def work() -> int:
        raise problem

    return status_of(work)


def test_every_end_has_a_status_and_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    ends: list[tuple[BaseException, Status, str]] = [
        (Refused("x: is\nwrong"), Status.INPUT, "recut: x: is wrong"),
        (PermissionError(13, "Permission denied", "f"), Status.INPUT, "recut: f: permission denied"),
        (KeyboardInterrupt(), Status.UNKNOWN, "recut: interrupted"),
        (MemoryError(), Status.UNKNOWN, "recut: out of memory"),
        (EnginesDisagree("here"), Status.DEFECT, "recut: two engines disagree"),
        (ZeroDivisionError("division"), Status.DEFECT, "recut: a defect of this program: ZeroDivisionError"),
    ]
    for problem, expected, line in ends:
        assert raising(problem) is expected
        said = capsys.readouterr().err
        assert said.startswith(line) and said.count("\n") == 1


def test_a_traceback_is_there_for_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RECUT_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        raising(ZeroDivisionError())


def double(job: int, tell: object) -> int:
    if job == 13:
        raise Refused("thirteen")
    if job == 99:
        os._exit(1)
    return 2 * job


def test_workers_answer_raise_and_die() -> None:
    answers = {said.job: said.value for said in over_jobs(double, [lambda: 1, lambda: 2, lambda: 3], 2)}
    assert answers == {0: 2, 1: 4, 2: 6}
    with pytest.raises(Refused, match="thirteen"):
        list(over_jobs(double, [lambda: 13], 1))
    with pytest.raises(MemoryError, match="stopped from outside"):
        list(over_jobs(double, [lambda: 99], 1))


def test_a_reader_that_leaves_is_no_error() -> None:
    line = f"{' '.join(COMMAND)} table show recovery | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("| rule |")


@pytest.mark.parametrize("closed", ["stdout", "stdin"])
def test_a_stream_that_is_closed_is_no_defect(closed: str, tmp_path: Path) -> None:
    """As a shell closes it with ``>&-``; nothing is lost but what would have gone there."""
    cut = tmp_path / "cut.json"
    cut.write_text('{"claim": "lost"}', "utf-8")
    source, number, status = (cut, 1, 0) if closed == "stdout" else ("-", 0, 2)
    line = [*COMMAND, "decide", str(source), "--unknown-as-any"]
    done = subprocess.run(line, stderr=subprocess.PIPE, text=True, check=False, preexec_fn=lambda: os.close(number))
    assert done.returncode == status, done.stderr
    assert len(done.stderr.splitlines()) == int(status == 2)


def test_a_full_disk_is_one_line() -> None:
    with open("/dev/full", "w", encoding="utf-8") as full:
        done = subprocess.run([*COMMAND, "--help"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "recut: no space left on device: the result cannot be written\n"


def test_an_interrupt_that_meets_a_destructor_is_not_lost() -> None:
    """Python swallows what a destructor raises; the command ends all the same."""
    program = (
        "import signal, sys, time\n"
        "from recut import app, cli\n"
        "class Raises:\n"
        "    def __del__(self): signal.raise_signal(signal.SIGINT)\n"
        "def command():\n"
        "    Raises()\n"
        "    while True: time.sleep(0.01)\n"
        "app.app = command\n"
        "cli.main()\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (3, "recut: interrupted: nothing is known\n")
