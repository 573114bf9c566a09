"""Contract files with one mistake each are refused with distinct lines; several mistakes are all reported."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from model.contract import DEFAULT_CONTRACT, ContractError, load_contract
from recut.contract_text import contract_text
from tests.cli.front import refused, run

SOUND = contract_text(load_contract(DEFAULT_CONTRACT))

MISTAKES = {
    "a word nobody knows": ('mechanism = "key"', 'mechanism = "kee"', ["idempotency.mechanism", '"kee"', '"key"']),
    "a number in quotes": ("workers = 2", 'workers = "2"', ["recovery.workers", '"2"', "whole number"]),
    "too many workers": ("workers = 2", "workers = 9", ["recovery.workers", "9", "1 to 4"]),
    "no unit": ('retention = "30d"', 'retention = "30"', ["idempotency.retention", "30", "duration"]),
    "a negative time": ('max_delay = "15m"', 'max_delay = "-15m"', ["delivery.max_delay", "-15m", "duration"]),
    "an endless bound": ('max_delay = "15m"', 'max_delay = "forever"', ["delivery.max_delay", "forever", "unbounded"]),
    "a caller who does not know": ('clock_skew = "1s"', 'clock_skew = "undefined"', ["clock_skew", "undefined", "0s"]),
    "an unknown key": ("keyed = true", "kayed = true", ["undo.kayed", "true", "undo.keyed"]),
    "a key in the wrong place": ("copies = false", "copies = false\nkeyed = true", ["delivery.keyed", "undo.keyed"]),
    "an unknown section": ("[undo]", "[undoing]", ["[undoing]", "undo"]),
    "yes for true": ("copies = false", 'copies = "yes"', ["delivery.copies", '"yes"', "true"]),
    "one for true": ("copies = false", "copies = 1", ["delivery.copies", "is 1", "false"]),
    "a place twice": ('at = ["checkpoint", "gateway"]', 'at = ["gateway", "gateway"]', ["fencing.at", "at most once"]),
    "an unknown place": ('at = ["checkpoint", "gateway"]', 'at = ["proxy"]', ["fencing.at", "proxy", "gateway"]),
    "a text of two lines": ('name = "example-refund"', 'name = "a\\nb"', ["contract.name", "one line"]),
    "no name": ('name = "example-refund"\n', "", ["contract.name is missing", "one line"]),
    "a contradiction": ('mechanism = "key"', 'mechanism = "none"', ["idempotency", "retention", '"none"']),
    "a deadline without a delay": (
        'max_delay = "15m"\ndeadline = "none"', 'max_delay = "unbounded"\ndeadline = "enforced"',
        ["delivery.deadline", "unbounded"],
    ),
    "an undo of nothing": ('grade = "reviewed"', 'grade = "irreversible"', ["undo.keyed", "irreversible", "false"]),
    "no TOML": ("[undo]", "[undo", ["line", "column", "correct the TOML"]),
    "two of one key": ("keyed = true", "keyed = true\nkeyed = false", ["line", "keyed"]),
}  # fmt: skip


def broken(how: str) -> str:
    """The example with one mistake."""
    sound, wrong, _ = MISTAKES[how]
    assert SOUND.count(sound) == 1, sound
    return SOUND.replace(sound, wrong)


@pytest.mark.parametrize("how", MISTAKES)
def test_a_mistake_is_named_with_file_key_value_and_remedy(how: str, tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(broken(how), "utf-8")
    result = run("contract", "check", path)
    assert result.exit_code == 2 and "Traceback" not in result.stderr and not result.stdout
    first = result.stderr.splitlines()[0]
    assert str(path) in first and all(part in result.stderr for part in MISTAKES[how][2]), result.stderr


def test_the_lines_are_distinct(tmp_path: Path) -> None:
    path = tmp_path / "broken.toml"
    lines = []
    for how in MISTAKES:
        path.write_text(broken(how), "utf-8")
        with pytest.raises(ContractError) as refused_with:
            load_contract(str(path))
        lines.append(re.sub(r"\d+", "N", str(refused_with.value)))
    assert len(set(lines)) == len(MISTAKES) >= 20


def test_several_mistakes_are_all_reported(tmp_path: Path) -> None:
    text = SOUND
    several = ["a word nobody knows", "too many workers", "an unknown key", "yes for true", "a negative time"]
    for how in several:
        text = text.replace(*MISTAKES[how][:2])
    path = tmp_path / "broken.toml"
    path.write_text(text, "utf-8")
    result = run("contract", "check", path)
    lines = result.stderr.splitlines()
    assert result.exit_code == 2 and len(lines) >= len(several)
    assert all(line.startswith(f"recut: {path}: ") for line in lines)
    for how in several:
        assert any(all(part in line for part in MISTAKES[how][2]) for line in lines), how


def test_contradictions_are_all_reported() -> None:
    contract = load_contract(DEFAULT_CONTRACT)
    with pytest.raises(ContractError) as problem:
        contract.with_clauses({"idempotency.mechanism": "none", "undo.grade": "irreversible"})
    said = (str(problem.value), *problem.value.others)
    assert len(said) >= 6 and any("undo.keyed" in line for line in said)


def test_a_sound_file_is_not_refused(tmp_path: Path) -> None:
    path = tmp_path / "sound.toml"
    path.write_text(SOUND, "utf-8")
    assert load_contract(str(path)).name == DEFAULT_CONTRACT
    assert "no such" in refused(run("contract", "check", tmp_path / "none.toml")).lower()
