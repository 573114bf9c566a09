from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.front import refused, run, valid

PLAIN = {
    "claim": "held", "history": "consistent", "intent": "stands", "attempt": "open", "effect": "unknown",
    "match": "unseen", "admission": "standing", "permission": "current", "precondition": "holds",
    "postcondition": "unobserved", "dedup": "none", "readback": "none", "undo": "irreversible",
}  # fmt: skip
EXAMPLES = {
    "adopt": [{"effect": "committed", "match": "same", "postcondition": "confirmed"}],
    "quarantine": [
        {"effect": "committed", "match": "same", "admission": "none"},
        {},
        {"effect": "absent"},
        {"dedup": "spent"},
        {"history": "diverged", "effect": "absent"},
    ],
    "execute": [{"effect": "absent", "attempt": "none", "admission": "none"}],
    "reauthorise": [{"effect": "absent", "attempt": "none", "admission": "none", "permission": "expired"}],
    "verify": [
        {"effect": "absent", "attempt": "closable"},
        {"permission": "expired", "admission": "none", "readback": "available"},
        {"effect": "pending", "readback": "available"},
    ],
    "stand_down": [{"claim": "lost"}],
    "abandon": [{"intent": "withdrawn", "effect": "absent", "attempt": "closed"}],
}
CASES = [(decision, change) for decision, changes in EXAMPLES.items() for change in changes]


@pytest.mark.parametrize(("decision", "change"), CASES)
def test_a_complete_cut_is_decided(decision: str, change: dict[str, str]) -> None:
    result = run("decide", "-", given=json.dumps({**PLAIN, **change}))
    assert result.exit_code == 0
    answer = valid(result.stdout, "decide")
    assert answer["decision"] == decision
    assert set(answer) == {"decision", "rule", "because"} and answer["rule"] and answer["because"]


def test_toml_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "cut.toml"
    path.write_text("".join(f'{name} = "{value}"\n' for name, value in PLAIN.items()), "utf-8")
    assert json.loads(run("decide", path).stdout)["rule"] == "unknown-unrecognised"
    assert run("decide", path, "--format", "text").stdout.startswith("quarantine (unknown-unrecognised): ")


def test_a_missing_input_is_named() -> None:
    cut = {name: value for name, value in PLAIN.items() if name != "dedup"}
    assert "dedup is missing; use one of live, spent, none" in refused(run("decide", "-", given=json.dumps(cut)))


def test_missing_inputs_that_do_not_matter() -> None:
    result = run("decide", "-", "--unknown-as-any", given='claim = "lost"')
    assert (result.exit_code, json.loads(result.stdout)["decision"]) == (0, "stand_down")


def test_missing_inputs_that_matter_are_listed() -> None:
    cut = {name: value for name, value in PLAIN.items() if name != "dedup"}
    result = run("decide", "-", "--unknown-as-any", given=json.dumps(cut))
    assert result.exit_code == 3
    answer = valid(result.stdout, "decide")
    found = {c["inputs"]["dedup"]: c["decision"] for c in answer["completions"]}
    assert answer["decision"] is None and found["live"] == "execute" and found["none"] == "quarantine"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"", "claim is missing"),
        (b'claim = "hold"', 'claim is "hold"; did you mean "held"?'),
        (b'clam = "held"', 'has an input "clam"; did you mean "claim"?'),
        (b"claim = 3", "claim is no text"),
        (b"claim = 0x" + b"f" * 6000, "claim is no text"),
        (b'{"claim": "held", "claim": "lost"}', 'the key "claim" is there twice'),
        (b"claim = [", "is not TOML"),
        (b'{"claim": ', "is not JSON"),
        (b'[{"claim": "held"}]', "is not a table of inputs"),
        (b"\xff\xfe", "not UTF-8"),
        (b'{"claim": {"a": []}}', "claim is no text"),
        (b"{" * 100_000, "is not JSON"),
    ],
)
def test_what_is_no_cut_is_refused(given: bytes, said: str) -> None:
    assert said in refused(run("decide", "-", given=given))


def test_a_table_of_ones_own_is_used() -> None:
    result = run("decide", "-", "--table", "blind-retry", given=json.dumps(PLAIN))
    assert json.loads(result.stdout)["decision"] == "execute"


def test_a_table_with_a_gap_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "holes.csv"
    text = (Path(__file__).parents[2] / "model/tables/blind-retry.csv").read_text("utf-8")
    path.write_text("".join(line for line in text.splitlines(True) if not line.startswith("not-known")), "utf-8")
    assert "has no rule for this cut" in refused(run("decide", "-", "--table", path, given=json.dumps(PLAIN)))
