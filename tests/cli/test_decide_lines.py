"""``recut decide`` over many cuts: JSON Lines in, JSON Lines out."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest

from model.table_inputs import VALUES
from tests.cli.front import COMMAND, refused, run
from tests.proofs.edits import RECOVERY


def cuts(count: int) -> list[dict[str, str]]:
    chance = random.Random(3)
    return [{name: chance.choice(values) for name, values in VALUES.items()} for _ in range(count)]


def lines(some: list[dict[str, str]]) -> str:
    return "".join(json.dumps(cut) + "\n" for cut in some)


def test_every_line_has_its_answer_in_order(tmp_path: Path) -> None:
    some = cuts(3000)
    file = tmp_path / "cuts.jsonl"
    file.write_text(lines(some), "utf-8")
    result = run("decide", file)
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    rules = [RECOVERY.lookup(cut) for cut in some]
    assert result.exit_code == 0
    assert [(a["decision"], a["rule"], a["because"]) for a in answers] == [
        (r.decision, r.name, r.because) for r in rules if r is not None
    ]
    to_file = tmp_path / "answers"
    to_file.write_text("before", "utf-8")
    assert run("decide", file, "--output", to_file).exit_code == 0
    assert to_file.read_text("utf-8") == result.stdout


def test_empty_lines_say_nothing_and_the_last_needs_no_end() -> None:
    text = "\n" + lines(cuts(2)).replace("\n", "\r\n\n") + json.dumps(cuts(1)[0])
    assert len(run("decide", "-", "--lines", given=text).stdout.splitlines()) == 3
    assert run("decide", "-", "--lines", given="").stdout == ""


HALF = json.dumps(cuts(1)[0])
BAD = {
    "no JSON": (b"{", "is not JSON"),
    "no object": (b"[]", "is not a table of inputs"),
    "a missing input": (json.dumps({**cuts(1)[0], "dedup": None}).encode(), "dedup is no text"),
    "an input too few": (b'{"claim": "held"}', "the cut has no history"),
    "another label": (HALF.replace("claim", "clam").encode(), 'has an input "clam"'),
    "a key twice": ((HALF[:-1] + ', "claim": "held"}').encode(), "is there twice"),
    "two cuts": (f"{HALF} {HALF}".encode(), "is not JSON"),
    "no UTF-8": (b"\xff" + HALF.encode(), "is not JSON"),
    "too deep": (b"[" * 100_000, "is n"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_line_is_named_after_the_answers_before_it(case: str) -> None:
    bad, says = BAD[case]
    given = lines(cuts(2)).encode() + b"\n" + bad + b"\n" + lines(cuts(1)).encode()
    result = run("decide", "-", "--lines", given=given)
    assert len(result.stdout.splitlines()) == 2
    assert "standard input: line 4: " in refused(result) and says in result.stderr


def test_halves_that_would_be_whole_together_are_refused() -> None:
    """Joined by a comma these two lines are two cuts."""
    first, second = (json.dumps(cut) for cut in cuts(2))
    middle = first.index(", ")
    given = f"{first[:middle]}\n{first[middle + 1 :]},{second}\n"
    result = run("decide", "-", "--lines", given=given)
    assert result.stdout == "" and "line 1" in refused(result)


def test_a_cut_without_a_rule_is_named(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    text = (Path(__file__).parents[2] / "model/tables/recovery.csv").read_text("utf-8")
    table.write_text("".join(x for x in text.splitlines(True) if not x.startswith("claim-lost")), "utf-8")
    lost = lines([{**cuts(1)[0], "claim": "lost"}])
    assert "line 1: the table has no rule" in refused(run("decide", "-", "--lines", "--table", table, given=lost))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert f"{tmp_path / 'No.jsonl'}: cannot be read: no such file" in refused(run("decide", tmp_path / "No.jsonl"))
    assert "is a directory" in refused(run("decide", tmp_path, "--lines"))


def test_what_goes_with_one_cut_only_is_refused() -> None:
    for option in (["--unknown-as-any"], ["--format", "text"]):
        assert "leave out" in refused(run("decide", "-", "--lines", *option, given=lines(cuts(1))))


def test_a_producer_that_waits_gets_its_answer() -> None:
    command = [*COMMAND, "decide", "-", "--lines"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as process:
        assert process.stdin is not None and process.stdout is not None
        for cut in cuts(3):
            process.stdin.write(json.dumps(cut) + "\n")
            process.stdin.flush()
            rule = RECOVERY.lookup(cut)
            assert rule is not None and json.loads(process.stdout.readline())["rule"] == rule.name
        process.stdin.close()
        assert process.wait(30) == 0


def test_a_reader_that_stops_is_no_error(tmp_path: Path) -> None:
    file = tmp_path / "cuts.jsonl"
    file.write_text(lines(cuts(200)) * 200, "utf-8")
    done = subprocess.run(
        f"'{COMMAND[0]}' -m recut.cli decide '{file}' | head -1", shell=True, capture_output=True, text=True, check=True
    )
    assert done.stderr == "" and len(done.stdout.splitlines()) == 1
