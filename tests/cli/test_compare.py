from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.front import run, valid

READBACK_ONLY = Path(__file__).parents[1] / "contracts" / "files" / "readback_only.toml"


@pytest.fixture(scope="module")
def cell(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    where = tmp_path_factory.mktemp("cells")
    result = run("compare", "--policy", "at-most-once", "--contract", "smtp", "--trace-dir", where, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return result.stdout, where


def test_at_most_once_omits_and_says_so_in_a_trace_that_replays(cell: tuple[str, Path]) -> None:
    text, where = cell
    document = valid(text, "compare")
    assert document["matrix"][0]["verdict"] == "fails"
    broken = {r["name"]: r for r in document["results"] if r["verdict"] == "fails"}
    assert "no_silent_omission" in broken and "no_duplicate_commit" not in broken
    files = {name: Path(r["trace_file"]) for name, r in broken.items()}
    assert sorted(files.values()) == sorted(where.iterdir())
    result = run("replay", files["no_silent_omission"], "--format", "json")
    assert valid(result.stdout, "replay")["verdict"] == "fails"


def test_reading_first_does_not_help_where_nothing_closes_and_nothing_recognises() -> None:
    result = run(
        "compare", "--policy", "read-then-act", "--contract", READBACK_ONLY, "--format", "markdown",
        "--fail-on", "fails",
    )  # fmt: skip
    assert result.exit_code == 1
    assert "no_duplicate_commit (" in result.stdout


@pytest.mark.slow
def test_the_matrix_says_what_the_documents_promise(tmp_path: Path) -> None:
    result = run("compare", "--format", "json", "--trace-dir", tmp_path)
    document = valid(result.stdout, "compare")
    broken = {(c["policy"], c["contract"]): c["broken"] for c in document["matrix"]}
    verdicts = {(c["policy"], c["contract"]): c["verdict"] for c in document["matrix"]}
    assert {verdicts["recovery", c] for c in document["contracts"]} <= {"holds", "not-applicable"}
    assert "no_duplicate_commit" in broken["blind-retry", "smtp"]
    assert "no_duplicate_commit" in broken["blind-retry", "sqs_fifo"]
    assert "no_silent_omission" in broken["at-most-once", "smtp"]
    assert broken["checkpoint-only", "smtp"]
    for file in sorted(tmp_path.iterdir()):
        replayed = run("replay", file, "--format", "json")
        assert (replayed.exit_code, valid(replayed.stdout, "replay")["verdict"]) == (0, "fails")
