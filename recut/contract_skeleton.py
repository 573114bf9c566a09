"""A new contract file: every clause with what it means and may say, the provider's left open until somebody knows."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated

from pydantic import Field, TypeAdapter, ValidationError
from pydantic.fields import FieldInfo

from model.contract import DEFAULT_CONTRACT, Contract, load_contract
from model.contract_rules import Value
from model.contract_sections import provider_clauses, remedy
from recut.failure import Refused

UNDEFINED = "undefined"
EFFECT = "what changes in the world, in words"
Choose = Callable[[str, str, Value], Value]
"""What a clause says, by its name, its meaning and what it says otherwise."""


def skeleton(name: str) -> str:
    """A file that reads back: the caller's clauses as in the default contract, the provider's undefined."""
    return _text(name, EFFECT, lambda clause, meaning, value: value)


def require_name(name: str) -> None:
    """ContractError in one line for a name that a contract cannot have."""
    load_contract(DEFAULT_CONTRACT).with_clauses({"contract.name": name})


def asked(name: str) -> str:
    """The same with every clause asked for on the terminal; an empty answer takes what is proposed.

    Each answer is checked by itself; that two contradict each other is for whoever reads the file to see.
    """
    if not sys.stdin.isatty():
        raise Refused("--ask needs a terminal to ask on; leave it out, and edit the skeleton")
    effect = _ask("contract.effect", EFFECT, EFFECT)
    return _text(name, str(effect), _ask)


def _ask(clause: str, meaning: str, value: Value) -> Value:
    """Ask until the answer is one that the clause allows; Refused where the terminal ends."""
    section, _, key = clause.partition(".")
    field = Contract.model_fields[section].annotation.model_fields[key]  # type: ignore[union-attr]
    allowed: TypeAdapter[Value] = TypeAdapter(Annotated[field.annotation, *field.metadata, Field()])  # type: ignore[arg-type]
    print(f"\n{clause}: {meaning}\n{remedy(field)}", file=sys.stderr)
    while True:
        print(f"[{_plain(value)}] > ", end="", file=sys.stderr, flush=True)
        answer = sys.stdin.readline()
        if not answer:
            raise Refused(f"{clause}: there is no answer; give one, or leave --ask out")
        try:
            return allowed.validate_python(_read(answer) if answer.strip() else value, strict=True)
        except ValidationError:
            print(remedy(field), file=sys.stderr)


def _read(answer: str) -> Value:
    text = answer.strip()
    if text.startswith("["):
        return tuple(part.strip().strip('"') for part in text.strip("[]").split(",") if part.strip())
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isdecimal() else text.strip('"')


def _text(name: str, effect: str, choose: Choose) -> str:
    default = load_contract(DEFAULT_CONTRACT)
    lines = [
        "# A contract: what one call promises, what its caller does, and how long things last.",
        '# Say "undefined" where the provider promises nothing: both ways are then looked at.',
        "# recut contract check FILE says what the contract is good for.",
    ]
    clauses = default.clauses()
    said = {"contract.name": name, "contract.effect": effect}
    for section, model in _sections():
        lines += ["", f"[{section}]"]
        for key, field in model.items():
            clause = f"{section}.{key}"
            value = said.get(clause, UNDEFINED if clause in provider_clauses() else clauses[clause])
            chosen = value if clause in said else choose(clause, _meaning(field.description), value)
            lines += [f"# {_meaning(field.description)}", f"# {remedy(field)}", f"{key} = {_toml(chosen)}"]
    lines += ["", "[evidence]", "# For each clause of the provider where it is said, of what day, and how sure it is:"]
    example = 'source = "https://...", date = "2026-09-30", confidence = "high"'
    lines += [f'# "idempotency.retention" = {{ {example} }}']
    return "\n".join(lines) + "\n"


def _sections() -> Iterator[tuple[str, Mapping[str, FieldInfo]]]:
    for section, field in Contract.model_fields.items():
        if section != "evidence":
            yield section, field.annotation.model_fields  # type: ignore[union-attr]


def _meaning(text: str | None) -> str:
    return " ".join((text or "").split())


def _toml(value: Value) -> str:
    return json.dumps(list(value) if isinstance(value, tuple) else value, ensure_ascii=False)


def _plain(value: Value) -> str:
    return value if isinstance(value, str) else _toml(value)

