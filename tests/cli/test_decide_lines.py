"""``recut decide`` over many cuts: JSON Lines in, JSON Lines out."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
from pathlib import Path

import pytest
from hypothesis import given as examples
from hypothesis import settings
from hypothesis import strategies as st

from model.table_inputs import VALUES
from model.table_lookup import Lookup
from recut.plain_lines import plain_codes
from tests.cli.front import COMMAND, refused, run, valid
from tests.cli.test_decide import PLAIN
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
    "an input too few": (b'{"claim": "held"}', "history is missing; use one of consistent, diverged"),
    "another label": (HALF.replace("claim", "clam").encode(), 'has an input "clam"'),
    "a key twice": ((HALF[:-1] + ', "claim": "held"}').encode(), "is there twice"),
    "two cuts": (f"{HALF} {HALF}".encode(), "is not JSON"),
    "no UTF-8": (b"\xff" + HALF.encode(), "is not JSON"),
    "too deep": (b"[" * 100_000, "is n"),
    "a key twice instead of another": (HALF.replace("history", "claim").encode(), "is there twice"),
    "a label of another input": (HALF.replace('"intent": "', '"intent": "held').encode(), "intent is "),
    "a comma too many": (HALF.replace("}", ",}").encode(), "is not JSON"),
    "a space that JSON does not know": (b"\x0b" + HALF.encode(), "is not JSON"),
    "another first brace": (b"[" + HALF[1:].encode(), "is not JSON"),
    "another last brace": (HALF[:-1].encode() + b"]", "is not JSON"),
    "a form feed": (b"\x0c", "is not JSON"),
    "too long": (b"x" * (3 << 20), "is longer than 1,048,576 bytes"),
    "too long with spaces": (b" " * (1 << 20) + HALF.encode(), "is longer than 1,048,576 bytes"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_bad_line_is_named_after_the_answers_before_it(case: str) -> None:
    bad, says = BAD[case]
    given = lines(cuts(2)).encode() + b"\n" + bad + b"\n" + lines(cuts(1)).encode()
    result = run("decide", "-", "--lines", given=given)
    assert len(result.stdout.splitlines()) == 2
    assert "standard input: line 4: " in refused(result) and says in result.stderr


def test_text_that_runs_over_the_end_of_a_line_is_no_cut() -> None:
    """As many braces, quotes and colons as two cuts have, and joined they are one object."""
    given = '{"claim": "' + ":" * 12 + '}\n{", ' + HALF[1:] + "\n"
    result = run("decide", "-", "--lines", given=given)
    assert result.stdout == "" and "line 1: is not JSON" in refused(result)


WRITERS = {
    "compact": lambda cut: json.dumps(cut, separators=(",", ":")),
    "spaced": lambda cut: json.dumps(cut, separators=(" ,  ", " : ")),
    "sorted": lambda cut: json.dumps(cut, sort_keys=True),
    "escaped": lambda cut: json.dumps(cut).replace("claim", "cl\\u0061im"),
    "indented by a tab and a return": lambda cut: f"\t{json.dumps(cut)} \r",
    "with a byte order mark": lambda cut: "\ufeff" + json.dumps(cut),
}


@pytest.mark.parametrize("writer", WRITERS)
def test_however_a_cut_is_written_its_answer_is_the_same(writer: str) -> None:
    some = cuts(40)
    given = "".join(WRITERS[writer](cut) + "\n" for cut in some)
    result = run("decide", "-", "--lines", given=given)
    assert (result.exit_code, result.stdout) == (0, run("decide", "-", "--lines", given=lines(some)).stdout)


PAIRS = [f'"{name}": "{value}"' for name, values in VALUES.items() for value in values]
PIECES = st.sampled_from([*PAIRS, "{", "}", ", ", ",", '"', " ", ":", "\\"])


def test_cuts_as_python_writes_them_are_plain() -> None:
    some = cuts(300)
    codes = plain_codes([json.dumps(cut).encode() for cut in some])
    assert codes is not None and (codes == Lookup(RECOVERY).codes(some)).all()


@settings(max_examples=300)
@examples(st.lists(st.lists(st.tuples(st.integers(0, 40), PIECES), max_size=3), min_size=1, max_size=3))
def test_what_is_plain_is_what_json_says(changes: list[list[tuple[int, str]]]) -> None:
    """Cuts with pieces replaced: what is read as plain is one complete object with these labels, and no key twice."""
    some = []
    for cut, change in zip(cuts(len(changes)), changes, strict=True):
        pieces = json.dumps(cut).replace(", ", "\n, \n").replace("{", "{\n").replace("}", "\n}").split("\n")
        for at, piece in change:
            pieces[at % len(pieces)] = piece
        some.append("".join(pieces).encode())
    codes = plain_codes(some)
    if codes is None:
        return
    for line, row in zip(some, codes, strict=True):
        labels = {name: values[code] for (name, values), code in zip(VALUES.items(), row, strict=True)}
        assert sorted(json.loads(line, object_pairs_hook=list)) == sorted((n, v) for n, v in labels.items())


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
    assert "t.csv: has no rule for this cut" in refused(run("decide", "-", "--lines", "--table", table, given=lost))


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    assert f"{tmp_path / 'No.jsonl'}: cannot be read: no such file" in refused(run("decide", tmp_path / "No.jsonl"))
    assert "is a directory" in refused(run("decide", tmp_path, "--lines"))


def test_text_is_for_one_cut_only() -> None:
    assert "leave out --format text" in refused(run("decide", "-", "--lines", "--format", "text", given=lines(cuts(1))))


def test_missing_inputs_have_any_value_line_by_line() -> None:
    whole = cuts(1)[0]
    open_cut = {name: value for name, value in PLAIN.items() if name != "dedup"}
    some: list[dict[str, str]] = [whole, {"claim": "lost"}, open_cut, whole, {}]
    result = run("decide", "-", "--lines", "--unknown-as-any", given="\n".join(map(json.dumps, some)))
    answers = [valid(line, "decide") for line in result.stdout.splitlines()]
    one_by_one = [run("decide", "-", "--unknown-as-any", given=json.dumps(cut)) for cut in some]
    assert answers == [json.loads(one.stdout) for one in one_by_one]
    assert [a["decision"] is None for a in answers] == [False, False, True, False, True]
    assert result.exit_code == 3 and result.stderr == ""


def test_missing_inputs_that_never_matter_are_success() -> None:
    result = run("decide", "-", "--lines", "--unknown-as-any", given='{"claim": "lost"}\n' * 3)
    assert result.exit_code == 0 and len(result.stdout.splitlines()) == 3


def test_a_line_with_missing_inputs_that_is_wrong_is_named() -> None:
    given = '{"claim": "lost"}\n{"claim": "hold"}\n{}\n'
    result = run("decide", "-", "--lines", "--unknown-as-any", given=given)
    assert 'line 2: claim is "hold"; did you mean "held"?' in refused(result)
    assert len(result.stdout.splitlines()) == 1


def test_the_file_that_is_read_is_not_overwritten(tmp_path: Path) -> None:
    file, same = tmp_path / "cuts.jsonl", tmp_path / "link"
    file.write_text(lines(cuts(3)), "utf-8")
    same.symlink_to(file)
    for output in (file, same):
        assert "is the file that is read" in refused(run("decide", file, "--output", output))
    with file.open("rb") as cuts_in:
        command = [*COMMAND, "decide", "-", "--lines", "--output", str(file)]
        done = subprocess.run(command, stdin=cuts_in, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "is the file that is read" in done.stderr
    assert file.read_text("utf-8") == lines(cuts(3))


def test_cuts_that_cannot_be_read_leave_the_output_as_it_is(tmp_path: Path) -> None:
    output = tmp_path / "answers"
    output.write_text("before", "utf-8")
    refused(run("decide", tmp_path / "No.jsonl", "--output", output))
    assert output.read_text("utf-8") == "before"


def test_a_closed_input_is_refused() -> None:
    done = subprocess.run(
        f"'{COMMAND[0]}' -m recut.cli decide - --lines <&-", shell=True, capture_output=True, text=True, check=False
    )
    assert done.returncode == 2 and done.stderr.startswith("recut: standard input: is closed")


def test_an_input_that_does_not_block_is_waited_for() -> None:
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with subprocess.Popen([*COMMAND, "decide", "-", "--lines"], stdin=reading, stdout=subprocess.PIPE) as process:
        os.close(reading)
        assert process.stdout is not None
        for cut in cuts(2):
            os.write(writing, json.dumps(cut).encode() + b"\n")
            assert json.loads(process.stdout.readline())["decision"]
        os.close(writing)
        assert process.wait(30) == 0


def test_a_line_without_an_end_is_refused_while_it_comes() -> None:
    command = [*COMMAND, "decide", "-", "--lines"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin is not None and process.stderr is not None
        process.stdin.write(b" " * ((1 << 20) + 1))
        process.stdin.flush()
        assert process.wait(30) == 2
        assert b"line 1: is longer than" in process.stderr.read()


def test_an_interrupt_is_one_line_and_no_success() -> None:
    command = [*COMMAND, "decide", "-", "--lines"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, text=True, bufsize=1, **pipes) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        process.stdin.write(lines(cuts(1)))
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 3
        assert process.stderr.read() == "recut: interrupted: the answers end before the cuts do\n"


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
