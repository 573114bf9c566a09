from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from model.decision_table import EVERYTHING, Rule, Table, table_text
from model.table_file import load_table, parse_table
from recut.proof_verdicts import SENTENCES
from tests.cli.front import refused, run, valid


def split(table: Table, change: dict[str, str], decision: str) -> Table:
    """The table with another decision wherever these inputs have these values."""
    region = {**EVERYTHING, **{name: frozenset({value}) for name, value in change.items()}}
    hit, part = table.touching(region)[-1]
    rules: list[Rule] = []
    for rule in table.rules:
        if rule.name != hit.name:
            rules.append(rule)
            continue
        rest = dict(rule.cells)
        for name in rest:
            outside = rest[name] - part[name]
            if outside:
                rules.append(replace(rule, name=f"{rule.name}-{name}", cells={**rest, name: outside}))
                rest[name] = part[name]
        rules.append(replace(rule, name=rule.name, cells=rest, decision=decision))
    return Table(tuple(rules), table.path)


EDITS = {
    "repeats-unrecognised": ({"effect": "unknown", "attempt": "open", "dedup": "none", "readback": "none"}, "execute"),
    "absent-and-open": ({"effect": "absent", "attempt": "open", "dedup": "none", "intent": "stands"}, "execute"),
    "adopts-drifted": ({"claim": "held", "history": "consistent", "match": "drifted"}, "adopt"),
    "unlawful": (
        {"effect": "absent", "attempt": "none", "permission": "expired", "admission": "none", "intent": "stands"},
        "execute",
    ),
}
BROKEN = {
    "repeats-unrecognised": "no_duplicate_commit",
    "absent-and-open": "no_duplicate_commit",
    "adopts-drifted": "adopted_effects_correspond",
    "unlawful": "no_initiation_without_admission",
}


def test_the_table_to_use_is_proved() -> None:
    result = run("table", "check", "recovery", "--format", "json")
    assert result.exit_code == 0
    document = valid(result.stdout, "table-check")
    assert document["verdict"] == "holds" and len(document["results"]) >= 18


@pytest.mark.parametrize("edit", EDITS)
def test_an_unsafe_edit_is_rejected_by_property_and_rule(edit: str, tmp_path: Path) -> None:
    change, decision = EDITS[edit]
    table = load_table("recovery")
    hit, _ = table.touching({**EVERYTHING, **{n: frozenset({v}) for n, v in change.items()}})[-1]
    path = tmp_path / "edited.csv"
    path.write_text(table_text(split(table, change, decision)), "utf-8")
    result = run("table", "check", path, "--format", "json")
    assert result.exit_code == 1
    found = {r["name"]: r for r in valid(result.stdout, "table-check")["results"] if r["verdict"] == "fails"}
    assert hit.name in found[BROKEN[edit]]["rules"]
    shown = found[BROKEN[edit]]["obligations"][0]["counterexample"]
    assert all(shown[name] == value for name, value in change.items() if name in ("effect", "match", "dedup"))


def test_nothing_follows_from_an_invariant_that_is_not_kept(tmp_path: Path) -> None:
    path = tmp_path / "edited.csv"
    path.write_text(table_text(split(load_table("recovery"), *EDITS["absent-and-open"])), "utf-8")
    document = valid(run("table", "check", path, "--format", "json").stdout, "table-check")
    found = {r["name"]: r["verdict"] for r in document["results"]}
    assert found["invariant_is_kept"] == "fails"
    assert {v for name, v in found.items() if name not in SENTENCES.values()} == {"fails", "unknown"}


def test_text_names_property_rule_and_cut(tmp_path: Path) -> None:
    path = tmp_path / "edited.csv"
    path.write_text(table_text(split(load_table("recovery"), *EDITS["absent-and-open"])), "utf-8")
    result = run("table", "check", path)
    assert result.exit_code == 1
    assert "no_duplicate_commit: fails, rules absent-open-unrecognised" in result.stdout
    assert "decision: execute" in result.stdout
    assert all(len(line) <= 80 for line in result.stdout.splitlines())


def test_a_gap_and_an_overlap_are_failures(tmp_path: Path) -> None:
    lines = Path("model/tables/recovery.csv")
    text = (Path(__file__).parents[2] / lines).read_text("utf-8")
    holes, twice = tmp_path / "holes.csv", tmp_path / "twice.csv"
    holes.write_text("".join(x for x in text.splitlines(True) if not x.startswith("claim-lost")), "utf-8")
    result = run("table", "check", holes, "--format", "json")
    assert result.exit_code == 1
    failed = [r["name"] for r in valid(result.stdout, "table-check")["results"] if r["verdict"] == "fails"]
    assert "table_is_total" in failed
    row = next(x for x in text.splitlines(True) if x.startswith("claim-lost"))
    twice.write_text(text + row.replace("claim-lost", "again"), "utf-8")
    found = run("table", "check", twice, "--format", "json")
    assert found.exit_code == 1
    faults = valid(found.stdout, "table-check")["tables"][0]["faults"]
    assert [(f["kind"], [r["name"] for r in f["rules"]]) for f in faults] == [
        ("overlap", ["claim-lost", "again"]),
        ("dead row", ["again"]),
    ]
    assert "overlap" in refused(run("check", "--table", twice))


def test_junit_has_a_suite_a_table() -> None:
    result = run("table", "check", "recovery", "blind-retry", "--format", "junit")
    assert result.exit_code == 1
    suites = {s.get("name"): s for s in ElementTree.fromstring(result.stdout)}
    assert suites["recovery"].get("failures") == "0" and suites["blind-retry"].get("failures") != "0"


def test_markdown_shows_every_rule() -> None:
    result = run("table", "show", "recovery")
    rows = result.stdout.splitlines()
    assert result.exit_code == 0 and len(rows) == 2 + len(load_table("recovery").rules)
    assert len({row.count(" | ") for row in rows}) == 1


def test_the_edits_keep_the_table_total_and_unique() -> None:
    for change, decision in EDITS.values():
        text = table_text(split(load_table("recovery"), change, decision))
        assert len(parse_table(text, "edited").rules) >= len(load_table("recovery").rules)


def test_a_row_is_explained_by_what_other_decisions_break() -> None:
    """A person is asked where repeating would make a second effect, and a run shows it."""
    result = run("table", "check", "recovery", "--explain", "absent-open-unrecognised", "--format", "json")
    (row,) = valid(result.stdout, "table-check")["tables"][0]["explained"]
    assert row["decision"] == "quarantine" and "no_duplicate_commit" in row["breaks"]["execute"]
    shown = row["shown"]["execute"]
    assert "no_duplicate_commit" in shown["breaks"] and shown["actions"][-1].startswith("commit[")
    assert row["asks_without_need"] == [] and "no_duplicate_commit" in row["carries"]
    act = valid(
        run("table", "check", "recovery", "--explain", "absent-admitted", "--format", "json").stdout, "table-check"
    )["tables"][0]["explained"][0]
    assert set(act["grounds"]["no_duplicate_commit"]) == {"shut_attempts_cannot_land", "stable_absence"}


def test_a_row_that_asks_although_acting_would_be_proved_is_found() -> None:
    result = run("table", "check", "recovery", "--explain", "unwanted-may-return")
    assert result.exit_code == 0 and "quarantine is not needed here" in " ".join(result.stdout.split())
    assert "compensate   would be proved as well" in result.stdout
    assert 'has no rule "nobody"' in refused(run("table", "check", "recovery", "--explain", "nobody"))
