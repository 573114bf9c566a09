"""Policy files are read strictly; the shipped ones are what people run."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.policy import Policy, PolicyError, load_policy, shipped_policies
from model.table_file import shipped_tables
from tests.table.cuts import file, row

GOOD = Path(load_policy("recovery").path).read_text("utf-8")

WRONG: dict[str, tuple[str, str, list[str]]] = {
    "not-toml": ("reads = true", "reads = = true", ["is not TOML", "line 6"]),
    "huge-number": ("reads = true", "reads = " + "9" * 5000, ["is not TOML"]),
    "deep": ("reads = true", "reads = " + "[" * 5000, ["is not TOML"]),
    "unknown-key": ("name =", "nome =", ['"nome"', 'did you mean "name"?']),
    "unknown-practice": ("reads =", "read =", ['"practices.read"', 'did you mean "reads"?']),
    "missing-practice": ("reads = true\n", "", ["practices.reads is missing", "give true or false"]),
    "missing-choice": (
        'identity = "contract"\n',
        "",
        ["practices.identity is missing", "give contract or fresh-each-try"],
    ),
    "missing-key": ('table = "recovery"\n', "", ["table is missing", "give a TOML file"]),
    "flag-as-text": ("reads = true", 'reads = "true"', ['practices.reads is "true"', "give true or false"]),
    "flag-as-number": ("reads = true", "reads = 1", ["practices.reads is of the kind int", "give true or false"]),
    "choice-as-flag": ('identity = "contract"', "identity = true", ["practices.identity is true", "give contract or"]),
    "wrong-choice": (
        '"before-read"',
        '"before"',
        ['practices.fence_told is "before"', "before-read or with-request or never"],
    ),
    "hex-number": ('name = "recovery"', "name = 0x" + "f" * 9000, ["name is of the kind int", "give a text"]),
    "empty-text": ('name = "recovery"', 'name = " "', ['name is " "', "give a text"]),
    "no-section": ("[practices]", "practices = 1\n[other]", ['unknown key "other"']),
    "unknown-table": ('table = "recovery"', 'table = "recover"', ['table is "recover"', 'did you mean "recovery"?']),
    "missing-table": ('table = "recovery"', 'table = "no.csv"', ['table is "no.csv"', "cannot be read"]),
}


@pytest.mark.parametrize(("old", "new", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_policy_is_one_line_with_key_value_and_remedy(
    old: str, new: str, words: list[str], tmp_path: Path
) -> None:
    assert old in GOOD
    path = tmp_path / "mine.toml"
    path.write_text(GOOD.replace(old, new, 1), "utf-8")
    with pytest.raises(PolicyError) as caught:
        load_policy(str(path))
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert message.isprintable()
    assert [word for word in words if word not in message] == []


def test_practices_must_be_a_section(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "a"\ntable = "recovery"\nsummary = "b"\npractices = "c"\n', "utf-8")
    with pytest.raises(PolicyError, match=r'practices is "c"; make it a section, \[practices\]'):
        load_policy(str(path))


def test_an_unknown_name_lists_the_shipped_ones() -> None:
    with pytest.raises(PolicyError, match='did you mean "saga"'):
        load_policy("sage")


def test_a_table_may_lie_beside_its_policy(tmp_path: Path) -> None:
    (tmp_path / "own.csv").write_text(file(row()), "utf-8")
    path = tmp_path / "mine.toml"
    path.write_text("\ufeff" + GOOD.replace('"recovery"', '"own.csv"').replace("\n", "\r\n"), "utf-8")
    assert [rule.name for rule in load_policy(str(path)).table.rules] == ["all"]


@pytest.fixture(scope="module")
def policies() -> dict[str, Policy]:
    """The shipped policies by name."""
    return {name: load_policy(name) for name in shipped_policies()}


def test_the_shipped_policies_are_the_published_ones(policies: dict[str, Policy]) -> None:
    published = "recovery at-most-once blind-retry checkpoint-only key-only read-then-act saga"
    assert list(policies) == published.split()
    assert sorted(policies) == sorted(shipped_tables())
    assert all(policy.name == name and policy.summary.endswith(".") for name, policy in policies.items())


def test_policies_differ_where_their_names_say(policies: dict[str, Policy]) -> None:
    practices = {name: policy.practices for name, policy in policies.items()}
    assert {name for name, p in practices.items() if p.reads} == {"recovery", "read-then-act"}
    assert {name for name, p in practices.items() if p.fence_told != "never"} == {"recovery"}
    assert practices["key-only"].identity == "contract"
    assert practices["blind-retry"].identity == "contract"


def decided(policies: dict[str, Policy], name: str) -> set[str]:
    """Everything a policy may decide."""
    return {rule.decision for rule in policies[name].table.rules}


def asked(policies: dict[str, Policy], name: str) -> set[str]:
    """The inputs that a policy's table asks for."""
    rules = policies[name].table.rules
    return {i for rule in rules for i, cell in rule.cells.items() if cell != rules[0].cells[i] or len(cell) == 1}


def test_tables_do_what_their_names_say(policies: dict[str, Policy]) -> None:
    assert decided(policies, "blind-retry") == {"adopt", "abandon", "execute"}
    assert "compensate" in decided(policies, "saga")
    assert {name for name in policies if "compensate" in decided(policies, name)} == {"recovery", "saga"}
    repeats = [r for r in policies["at-most-once"].table.rules if r.decision == "execute"]
    assert all(rule.cells["attempt"] == {"none"} for rule in repeats)
    assert not asked(policies, "checkpoint-only") & {"dedup", "readback", "admission", "permission", "match"}
    assert "readback" not in asked(policies, "key-only")
