from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from model.contract import load_contract, parse_contract, shipped_contracts
from recut.commands.check import write_traces
from recut.contract_text import contract_text
from tests.cli.front import refused, run, valid
from tests.cli.small import small_check

Document = dict[str, Any]


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    files = write_traces(small_check("at-most-once"), tmp_path_factory.mktemp("traces"))
    return files["no_silent_omission"]


def changed(trace: Path, path: Path, change: Callable[[Document], object]) -> Path:
    """A copy of a trace file with something else in it."""
    document = json.loads(trace.read_text("utf-8"))
    change(document)
    path.write_text(json.dumps(document), "utf-8")
    return path


def test_a_trace_replays_and_shows_its_violation(trace: Path) -> None:
    result = run("replay", trace, "--format", "json")
    assert result.exit_code == 0
    document = valid(result.stdout, "replay")
    assert (document["replays"], document["verdict"]) == (True, "fails")
    assert len(document["steps"]) == 13 and document["steps"][0]["changed"] == {
        "approval.state[0]": ["asked", "granted"]
    }
    assert run("replay", trace, "--fail-on", "fails").exit_code == 1


def test_the_file_is_itf(trace: Path) -> None:
    document = json.loads(trace.read_text("utf-8"))
    assert [s["#meta"]["index"] for s in document["states"]] == list(range(14))
    assert set(document["states"][0]) - {"#meta"} == set(document["vars"])
    assert document["states"][-1]["store.epoch[0]"] == {"#bigint": "2"}


def test_plain_numbers_are_read_too(trace: Path, tmp_path: Path) -> None:
    def plain(document: Document) -> None:
        for state in document["states"]:
            state |= {k: int(v["#bigint"]) for k, v in state.items() if isinstance(v, dict) and "#bigint" in v}

    assert run("replay", changed(trace, tmp_path / "t.json", plain)).exit_code == 0


def test_a_step_that_differs_is_named(trace: Path, tmp_path: Path) -> None:
    path = changed(trace, tmp_path / "t.json", lambda d: d["states"][4].update({"store.lease[0]": False}))
    result = run("replay", path, "--format", "json")
    document = valid(result.stdout, "replay")
    assert result.exit_code == 1 and document["verdict"] == "unknown" and not document["replays"]
    assert document["differs"].startswith("step 4: ") and "store.lease[0]" in document["differs"]


def test_an_action_that_is_not_possible_is_named(trace: Path, tmp_path: Path) -> None:
    path = changed(trace, tmp_path / "t.json", lambda d: d["#meta"]["actions"].__setitem__(2, "grant[0]"))
    result = run("replay", path)
    assert result.exit_code == 1 and "step 3: grant[0] is not enabled" in " ".join(result.stdout.split())


def test_a_first_state_that_is_no_start_is_named(trace: Path, tmp_path: Path) -> None:
    path = changed(trace, tmp_path / "t.json", lambda d: d["states"][0].update({"store.lease[0]": True}))
    result = run("replay", path)
    assert result.exit_code == 1 and "the first state is no start" in result.stdout


def test_a_trace_that_shows_nothing_is_not_a_violation(trace: Path, tmp_path: Path) -> None:
    def shorter(document: Document) -> None:
        del document["states"][-1], document["#meta"]["actions"][-1]

    result = run("replay", changed(trace, tmp_path / "t.json", shorter), "--format", "json")
    assert (result.exit_code, json.loads(result.stdout)["verdict"]) == (0, "holds")


def meta(**changes: object) -> Callable[[Document], object]:
    return lambda document: document["#meta"].update(changes)


FAULTS: dict[str, Callable[[Document], object]] = {
    "#meta.format": meta(format="other"),
    "actions do not lead": meta(actions=[]),
    "#meta.actions is not a list": meta(actions=7),
    "#meta.table-digest": meta(**{"table-digest": "0"}),
    "no_such": meta(about="no_such"),
    "its contract": meta(contract="[contract]"),
    "its table": meta(table="rule"),
    "#meta.policy is missing": lambda d: d["#meta"].pop("policy"),
    "practices.reads": lambda d: d["#meta"]["policy"]["practices"].update(reads="yes"),
    "practices.verifies": lambda d: d["#meta"]["policy"]["practices"].update(verifies="true"),
    "#meta.description is not one printable line": meta(description="holds\x1b[2J"),
    "#meta.run is not one printable line": meta(run="a\nb"),
    "practices.pray": lambda d: d["#meta"]["policy"]["practices"].update(pray=True),
    "workers is 9": lambda d: d["#meta"]["setting"].update(workers=9),
    "there is no fault": lambda d: d["#meta"]["setting"].update(faults=["flood"]),
    "#meta.setting does not give": lambda d: d["#meta"]["setting"].pop("messages"),
    "crashes": lambda d: d["#meta"]["setting"].update(crashes=-1),
    "differ in": lambda d: d["#meta"]["setting"].update(workers=3),
    "does not give exactly the variables": lambda d: d["states"][3].pop("store.lease[0]"),
    "is no flag, label or small number": lambda d: d["states"][3].update({"store.lease[0]": [1]}),
    "store.phase[0] cannot be": lambda d: d["states"][3].update({"store.phase[0]": "ASLEEP"}),
    "states is not a list": lambda d: d.update(states={}),
}


@pytest.mark.parametrize("said", FAULTS)
def test_a_malformed_file_is_refused(trace: Path, tmp_path: Path, said: str) -> None:
    assert said in refused(run("replay", changed(trace, tmp_path / "t.json", FAULTS[said])))


@pytest.mark.parametrize("content", [b"", b"\x80\x04K\x01.", b"[]", b"[" * 100_000, b'{"#meta": 1}'])
def test_what_is_no_trace_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "t.json").write_bytes(content)
    assert str(tmp_path / "t.json") in refused(run("replay", tmp_path / "t.json"))


@pytest.mark.parametrize("name", shipped_contracts())
def test_a_contract_is_written_as_it_was_read(name: str) -> None:
    contract = load_contract(name)
    assert parse_contract(contract_text(contract), "written") == contract
