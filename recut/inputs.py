"""What the commands are given: contracts, policies, tables and bounds, read once and refused in one line."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from model.contract import Contract, load_contract
from model.kernel import ModelError
from model.policy import Policy, load_policy
from model.setting import Setting
from model.table_file import load_table
from model.table_regions import require_unique
from recut.failure import Refused
from solver.check import Subject

SCENARIO = "one-effect"


class Scenario(StrEnum):
    """Which parties a model has; there is one composition so far."""

    ONE_EFFECT = SCENARIO


def policy_with(policy: str, table: str | None) -> Policy:
    """A policy, with another table if one is named; its table must be unique.

    Raises PolicyError or TableError.
    """
    found = load_policy(policy)
    if table is not None:
        found = replace(found, table=load_table(table))
    require_unique(found.table)
    return found


def bounds(contract: Contract, workers: int | None = None, operations: int = 1, crashes: int | None = None) -> Setting:
    """Sizes as the options say, and as many workers as the contract has where they do not; Refused if too large."""
    return setting(Setting(), workers=workers or contract.recovery.workers, obligations=operations, crashes=crashes)


def setting(base: Setting, **changes: object) -> Setting:
    """Other bounds; Refused for those a model cannot have."""
    try:
        return replace(base, **changes)  # type: ignore[arg-type]
    except ModelError as problem:
        raise Refused(str(problem)) from None


def subject_of(
    contract: str, policy: str, table: str | None, workers: int | None, operations: int, crashes: int | None
) -> Subject:
    """What a check is about; raises ContractError, PolicyError, TableError or Refused."""
    found = load_contract(contract)
    return Subject(found, policy_with(policy, table), bounds(found, workers, operations, crashes))
