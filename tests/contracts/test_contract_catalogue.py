"""The shipped contracts: they load, and every promise of a real provider says why it is believed."""

from __future__ import annotations

import tomllib
from importlib import resources

import jsonschema
import pytest

from model.contract import (
    DEFAULT_CONTRACT,
    EXAMPLES,
    contract_json_schema,
    load_contract,
    provider_clauses,
    shipped_contracts,
)

REAL = tuple(name for name in shipped_contracts() if name != DEFAULT_CONTRACT)


def text(name: str) -> str:
    """The file of a shipped contract."""
    return (resources.files("model") / "contracts" / f"{name}.toml").read_text(encoding="utf-8")


def test_the_shipped_ones() -> None:
    assert set(EXAMPLES) <= set(shipped_contracts()) and len(REAL) >= 18


@pytest.mark.parametrize("name", shipped_contracts())
def test_a_shipped_contract_loads_under_its_own_name(name: str) -> None:
    assert load_contract(name).name == name


@pytest.mark.parametrize("name", shipped_contracts())
def test_a_shipped_contract_says_what_its_file_says(name: str) -> None:
    data = tomllib.loads(text(name))
    said = {f"{s}.{k}": v for s, keys in data.items() if s != "evidence" for k, v in keys.items()}
    assert {k: list(v) if isinstance(v, tuple) else v for k, v in load_contract(name).clauses().items()} == said


@pytest.mark.parametrize("name", REAL)
def test_every_promise_of_a_real_provider_has_evidence(name: str) -> None:
    assert tuple(load_contract(name).evidence) == provider_clauses()


@pytest.mark.parametrize("name", REAL)
def test_what_has_no_source_is_undefined(name: str) -> None:
    contract = load_contract(name)
    without = {clause for clause, e in contract.evidence.items() if e.source == "no source found"}
    assert without <= set(contract.undefined())
    assert name not in EXAMPLES or without == set(contract.undefined())
    assert all(contract.evidence[clause].confidence == "low" for clause in without)


def test_the_facts_that_decide_these_contracts() -> None:
    """A slip of the pen here would make a real provider look safe."""
    facts: dict[str, dict[str, str | bool]] = {
        "stripe_v1": {"idempotency.retention": "24h", "readback.lag": "1h", "idempotency.remembers_errors": True},
        "sqs_fifo": {"idempotency.retention": "5m", "readback.by": "none", "idempotency.on_other_payload": "dropped"},
        "s3_put_if_none_match": {"idempotency.on_repeat": "error-proves", "readback.lag": "0s"},
        "smtp": {"idempotency.mechanism": "none", "readback.by": "none", "undo.grade": "irreversible"},
    }
    for name, said in facts.items():
        clauses = load_contract(name).clauses()
        assert {clause: clauses[clause] for clause in said} == said


@pytest.mark.parametrize("name", shipped_contracts())
def test_the_json_schema_accepts_the_shipped_contracts(name: str) -> None:
    jsonschema.Draft202012Validator(contract_json_schema()).validate(tomllib.loads(text(name)))


@pytest.mark.parametrize(
    ("section", "key", "value"),
    [
        ("idempotency", "retention", "-1h"),
        ("idempotency", "mechanism", "kee"),
        ("recovery", "workers", 5),
        ("undo", "note", "x"),
    ],
)
def test_the_json_schema_rejects_what_the_loader_rejects(section: str, key: str, value: object) -> None:
    data = tomllib.loads(text(DEFAULT_CONTRACT))
    data[section][key] = value
    assert not jsonschema.Draft202012Validator(contract_json_schema()).is_valid(data)


def test_every_key_of_the_schema_is_explained() -> None:
    """The skeleton of a new contract takes its comments from here."""
    sections = contract_json_schema()["$defs"]
    assert all(key.get("description") for section in sections.values() for key in section["properties"].values())


def test_other_clauses_leave_the_contract_as_it_was() -> None:
    contract = load_contract(DEFAULT_CONTRACT)
    changed = contract.with_clauses({"idempotency.retention": "26h"})
    assert changed.idempotency.retention == "26h" and contract.idempotency.retention == "30d"
    assert changed.with_clauses({"idempotency.retention": "30d"}) == contract
