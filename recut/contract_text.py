"""A contract written back as a TOML file, so that a trace can carry the contract it was found under."""

from __future__ import annotations

import json
from collections.abc import Mapping

from model.contract import Contract


def contract_text(contract: Contract) -> str:
    """A TOML file that reads back as an equal contract."""
    sections = contract.model_dump(exclude_none=True)
    evidence = sections.pop("evidence", {})
    parts = [_section(name, keys) for name, keys in sections.items()]
    if evidence:
        parts.append(_section("evidence", {json.dumps(clause): source for clause, source in evidence.items()}))
    return "\n".join(parts)


def _section(name: str, keys: Mapping[str, object]) -> str:
    return "".join([f"[{name}]\n", *(f"{key} = {_value(value)}\n" for key, value in keys.items())])


def _value(value: object) -> str:
    """A value as TOML; texts are on one line, so that the escapes of JSON are those of TOML."""
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{key} = {_value(inner)}" for key, inner in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(_value, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
