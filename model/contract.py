"""Contracts: what one effectful call promises, what its caller does, and the durations of both.

Nothing has a default. A contract that is silent about a promise does not say that there is none, and
one that says ``"undefined"`` does not say which way it goes: both ways are then explored.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator
from pydantic_core import PydanticCustomError

from model.contract_faults import CONTRADICTION, ContractError, all_faults, shown
from model.contract_rules import Value, contradictions
from model.contract_sections import (
    Authority,
    Delivery,
    Evidence,
    Fencing,
    Idempotency,
    Identity,
    Readback,
    Recovery,
    Reservation,
    Settlement,
    Subject,
    Undo,
    is_undefined,
    provider_clauses,
)
from model.text_file import locate, place, read_text, shipped

__all__ = [
    "DEFAULT_CONTRACT",
    "EXAMPLES",
    "Contract",
    "ContractError",
    "contract_json_schema",
    "load_contract",
    "parse_contract",
    "provider_clauses",
    "shipped_contracts",
]

DEFAULT_CONTRACT = "example-refund"
EXAMPLES = (DEFAULT_CONTRACT, "s3_put_if_none_match", "smtp", "sqs_fifo", "stripe_v1")
"""Contracts of five kinds, where all of the catalogue would be too many."""
FOLDER = "contracts"
START = "start from a shipped contract (model/contracts)"


def _provider_clause(name: str) -> str:
    if name not in provider_clauses():
        raise ValueError("no provider clause")
    return name


class Contract(BaseModel):
    """One contract as its file says it: a section is an attribute, a key an attribute of that."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    contract: Subject
    identity: Identity
    idempotency: Idempotency
    readback: Readback
    settlement: Settlement
    delivery: Delivery
    fencing: Fencing
    reservation: Reservation
    undo: Undo
    authority: Authority
    recovery: Recovery
    evidence: dict[Annotated[str, AfterValidator(_provider_clause)], Evidence] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _without_contradiction(self) -> Contract:
        sentences = contradictions(self.clauses())
        if sentences:
            raise PydanticCustomError(CONTRADICTION, "{first}", {"first": sentences[0], "all": sentences})
        return self

    @property
    def name(self) -> str:
        """What reports call it."""
        return self.contract.name

    def clauses(self) -> dict[str, Value]:
        """Every key but the evidence: ``section.key`` to its value, in the order of the files.

        Durations are texts as written (model/durations.py reads them), lists are tuples.
        """
        sections = [name for name in type(self).model_fields if name != "evidence"]
        return {f"{s}.{key}": value for s in sections for key, value in getattr(self, s)}

    def undefined(self) -> tuple[str, ...]:
        """The provider's clauses that are left open."""
        clauses = self.clauses()
        return tuple(name for name in provider_clauses() if is_undefined(clauses[name]))

    def with_clauses(self, changes: Mapping[str, Value]) -> Contract:
        """The same contract with other values by ``section.key``; ContractError as for a file."""
        data = self.model_dump(exclude_none=True)
        for clause, value in changes.items():
            section, _, key = clause.partition(".")
            data.setdefault(section, {})[key] = value
        return _validated(data, self.name)


def shipped_contracts() -> tuple[str, ...]:
    """The names of the contracts that come with the program, sorted."""
    return tuple(shipped(FOLDER, ".toml"))


def load_contract(name_or_path: str) -> Contract:
    """The shipped contract of this name, or the one in this file; ContractError in one line otherwise."""
    path = locate(name_or_path, FOLDER, ".toml", ContractError)
    text = read_text(path, ContractError, f"give a contract file of UTF-8 text, or {START}")
    _refuse_mark(path)
    return parse_contract(text, path)


def parse_contract(text: str, where: str) -> Contract:
    """The contract that a TOML text says; ContractError in one line, which starts with ``where``."""
    try:
        return _validated(tomllib.loads(text), where)
    except tomllib.TOMLDecodeError as problem:
        raise ContractError(f"{place(where)}: {_syntax(str(problem), text)}") from None
    except RecursionError:
        raise ContractError(f"{place(where)}: is nested too deeply to be a contract; {START}") from None
    except ContractError:
        raise
    except ValueError:
        raise ContractError(f"{place(where)}: {_too_long(text)}") from None


def contract_json_schema() -> dict[str, Any]:
    """The JSON Schema of a contract file, for editors; contradictions between clauses are beyond it."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Contract.model_json_schema()}


def _validated(data: Mapping[str, object], where: str) -> Contract:
    try:
        return Contract.model_validate(data)
    except ValidationError as error:
        lines = [f"{place(where)}: {fault}" for fault in all_faults(data, error, Contract)]
        raise ContractError(lines[0], lines[1:]) from None


def _refuse_mark(path: str) -> None:
    """TOML has no byte order mark, and other readers of the file would trip over it."""
    with open(path, "rb") as file:
        if file.read(3) == b"\xef\xbb\xbf":
            raise ContractError(
                f"{place(path)}: line 1 starts with a byte order mark (EF BB BF); save the file as UTF-8 without one"
            )


def _too_long(text: str) -> str:
    """Python reads whole numbers of up to 4300 digits; no contract needs that many."""
    found = re.search("[0-9a-fxob_]{3500,}", text, re.IGNORECASE)
    start = found.start() if found else 0
    number = f"{text[start : start + 12]}..."
    return f"line {text.count(chr(10), 0, start) + 1} has the number {number}; give one of at most 18 digits"


def _syntax(problem: str, text: str) -> str:
    """Where the text stops being TOML, and what stands there."""
    found = re.fullmatch(r"(?s)(.*) \(at line (\d+), column (\d+)\)", problem)
    lines = text.split("\n")
    reason, line, column = (found[1], int(found[2]), found[3]) if found else (problem, len(lines), "1")
    reason = "".join(c if c.isprintable() else "?" for c in reason.removesuffix(" (at end of document)"))
    written = shown(lines[min(line, len(lines)) - 1].strip())
    return f"line {line}, column {column} is {written}: {reason}; correct the TOML there"
