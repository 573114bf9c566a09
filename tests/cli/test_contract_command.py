"""``recut contract``: reports of shipped contracts, new ones, differences, and files of histories."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from model.contract import load_contract, parse_contract, provider_clauses, shipped_contracts
from model.contract_rules import Value
from model.policy import load_policy
from recut.contract_diff import compared
from recut.contract_report import ContractReport, bound
from recut.contract_text import contract_text
from recut.told_lanes import turns
from solver.assessments import stored_assessments
from solver.contract_judged import judge
from solver.thresholds import Endless, Threshold
from tests.cli.front import refused, run, valid

KNOWN = stored_assessments(load_policy("recovery"))
LANES = {"worker", "checkpoint", "approver", "gateway", "network", "clock"}


class Terminal:
    """``sys`` as the skeleton sees it: somebody who types these lines, and a place for questions."""

    def __init__(self, typed: str) -> None:
        self.stdin, self.stderr = io.StringIO(typed), io.StringIO()
        self.stdin.isatty = lambda: True  # type: ignore[method-assign]


def checked(*args: object) -> dict[str, object]:
    """One report as JSON that its schema accepts."""
    result = run("contract", "check", *args, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return valid(result.stdout, "contract-check")


def test_a_mail_server_needs_a_person(tmp_path: Path) -> None:
    (found,) = checked("smtp", "--trace-dir", tmp_path)["results"]  # type: ignore[misc]
    assert found["class"] == "person only" and found["says"] == "person only whatever the provider does"
    assert found["interruptions"]["alone"] < found["interruptions"]["states"]
    assert found["weakest"] and found["strengthenings"] and found["not_checked"]
    duplicate = found["blind_retry"][0]
    assert duplicate["name"] == "no_duplicate_commit" and 0 < duplicate["turns"] <= 8 <= duplicate["steps"]
    files = sorted(path.name for path in tmp_path.iterdir())
    assert files == sorted(f"smtp--{b['name']}.itf.json" for b in found["blind_retry"])
    for name in files[:2]:
        assert run("replay", tmp_path / name).exit_code == 0


def test_the_text_has_the_history_in_lanes_and_the_least_changes() -> None:
    result = run("contract", "check", "smtp")
    assert result.exit_code == 0 and all(len(line) <= 80 for line in result.stdout.splitlines())
    for part in (
        "person only whatever the provider does", "Blind retry breaks no_duplicate_commit", "  1. approver",
        "checkpoint      claim[", "Least changes with which recovery needs no person", "for ever", "Not checked",
        "delivery.max_delay: undefined, taken as unbounded",
    ):  # fmt: skip
        assert part in result.stdout, part


def test_a_class_below_the_named_one_ends_with_1() -> None:
    table = ("--format", "markdown")
    for wanted, status in (("person", 0), ("automatic", 1)):
        assert run("contract", "check", "smtp", "--fail-on", wanted, *table).exit_code == status
    assert run("contract", "check", "s3_put_if_none_match", "--fail-on", "automatic", *table).exit_code == 0
    assert run("contract", "check", "dbos_step", "--fail-on", "person", *table).exit_code == 1


def test_many_contracts_are_one_table() -> None:
    result = run("contract", "check", "smtp", "sqs_fifo", "stripe_v1", "--format", "markdown")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0 and len(lines) == 5 and all(line.startswith("| ") for line in lines)


def test_believing_acceptance_is_shown_and_replays(tmp_path: Path) -> None:
    result = run("contract", "check", "flink_2pc", "--trace-dir", tmp_path, "--format", "markdown")
    assert result.exit_code == 0 and len(result.stdout.splitlines()) == 3
    trace = tmp_path / "flink_2pc--on-acceptance--no_completion_without_readback.itf.json"
    assert run("replay", trace).exit_code == 0
    (found,) = checked("flink_2pc")["results"]  # type: ignore[misc]
    assert found["completing_on_acceptance"][0]["name"] == "no_completion_without_readback"


def test_the_list_has_every_contract() -> None:
    result = run("contract", "list", "--format", "json")
    document = valid(result.stdout, "contract-list")
    found = document["results"]
    assert document["verdict"] == "fails" and {row["verdict"] for row in found} == {"holds", "fails", "unknown"}
    assert [row["name"] for row in found] == list(shipped_contracts())
    assert all(row["class"] and row["mechanism"] for row in found)
    text = run("contract", "list").stdout
    assert all(name[:12] in text for name in shipped_contracts())


def test_show_writes_a_file_that_reads_back() -> None:
    shown = run("contract", "show", "stripe_v1").stdout
    assert parse_contract(shown, "shown") == load_contract("stripe_v1")


def test_a_new_contract_reads_back_with_everything_undefined(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    assert run("contract", "new", "my-call", "--output", path).exit_code == 0
    contract = load_contract(str(path))
    assert contract.name == "my-call" and contract.undefined() == provider_clauses()
    text = path.read_text("utf-8")
    assert text.count("\n# ") > 60 and '"key"' in text
    assert "needs a terminal" in refused(run("contract", "new", "my-call", "--ask"))
    for name in ("", " x", "a\nb", "x" * 3000):
        assert "contract.name" in refused(run("contract", "new", name, "--output", tmp_path / "none.toml"))
    assert not (tmp_path / "none.toml").exists()


def test_clauses_are_asked_for_until_they_are_allowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "asked.toml"
    typed = "mail sent\n\n\n\nkee\nnone\nnone\nexecutes\n" + "\n" * 40
    monkeypatch.setattr("recut.contract_skeleton.sys", Terminal(typed))
    result = run("contract", "new", "my-mail", "--ask", "--output", path)
    assert result.exit_code == 0, result.stderr
    contract = load_contract(str(path))
    assert contract.contract.effect == "mail sent" and contract.idempotency.mechanism == "none"
    assert contract.idempotency.on_repeat == "executes" and "idempotency.retention" in contract.undefined()


def test_answers_that_contradict_each_other_are_written_and_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "asked.toml"
    monkeypatch.setattr("recut.contract_skeleton.sys", Terminal("x\n\n\n\nnone\nnone\nfrozen\n" + "\n" * 40))
    assert "idempotency.on_repeat" in refused(run("contract", "new", "m", "--ask", "--output", path))
    assert 'on_repeat = "frozen"' in path.read_text("utf-8")


def test_a_terminal_that_ends_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("recut.contract_skeleton.sys", Terminal("x\n"))
    assert "there is no answer" in refused(run("contract", "new", "m", "--ask"))


def test_a_shorter_retention_is_worse(tmp_path: Path) -> None:
    new = tmp_path / "new.toml"
    old = load_contract("s3_put_if_none_match")
    new.write_text(contract_text(old.with_clauses({"idempotency.retention": "1h"})), "utf-8")
    result = run("contract", "diff", "s3_put_if_none_match", new, "--format", "json")
    found = valid(result.stdout, "contract-diff")
    assert result.exit_code == 1 and found["verdict"] == "fails"
    assert found["clauses"] == [{"clause": "idempotency.retention", "before": "forever", "now": "1h"}]
    assert "->" in found["says"] and any(p["now"] != "alone" for p in found["interruptions"])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["smtp", "dbos_step"])
def test_the_same_contract_is_no_change(name: str) -> None:
    """Also where it is bad: something breaks under the second whatever a caller does."""
    result = run("contract", "diff", name, name)
    assert result.exit_code == 0 and "no change: every clause is the same" in result.stdout
    assert result.stdout.endswith("not worse\n")


def report(name: str, **changes: Value) -> ContractReport:
    """A report without a habit, of a contract with other clauses (``section__key``)."""
    contract = load_contract(name).with_clauses({k.replace("__", "."): v for k, v in changes.items()})
    return ContractReport(judge(contract, KNOWN), (), None, (), {})


def test_what_is_worse_is_what_got_worse() -> None:
    bad, person, good = (report(name) for name in ("dbos_step", "smtp", "s3_put_if_none_match"))
    assert all(compared(old, new).worse for old, new in ((good, person), (person, bad), (good, bad)))
    not_worse = ((bad, bad), (person, person), (good, good), (person, good))
    assert not any(compared(old, new).worse for old, new in not_worse)


def test_what_cannot_be_read_or_written_is_refused(tmp_path: Path) -> None:
    assert "stripe" in refused(run("contract", "check", "stripe"))
    assert "cannot be written" in refused(run("contract", "list", "--output", tmp_path))
    (tmp_path / "file").write_text("x", "utf-8")
    assert "cannot be written" in refused(run("contract", "check", "smtp", "--trace-dir", tmp_path / "file"))


def test_turns_are_of_one_party_each() -> None:
    actions = ("grant[0]", "claim[1][0]", "choose_execute[1]", "release[1][0][0]", "commit[0][0]", "crash[1]", "tick")
    owners = ("approver", "store", "worker[1]", "network", "gateway", "clock", "clock")
    found = turns(actions, owners)
    assert [turn.actor for turn in found] == ["approver", "worker 1", "gateway", "clock"]
    assert [lane for lane, _ in found[1].steps] == ["checkpoint", "worker", "network"]
    assert {lane for turn in found for lane, _ in turn.steps} <= LANES


@pytest.mark.parametrize("strict", [False, True])
def test_a_threshold_is_an_inequality_over_the_contract(strict: bool) -> None:
    found = Threshold("idempotency.retention", True, ("recovery.longest_resume",), (), 3600_000, 3599_999, strict)
    word = "more than" if strict else "at least"
    assert bound(found) == (
        f"idempotency.retention must be {word} recovery.longest_resume (holds at 1h, not at 3599999ms)"
    )
    assert "no finite x is enough because" in bound(Endless("x", "because"))
    assert json.dumps(bound(found))
