"""Small changes to the default contract under which a situation becomes possible."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from model.contract import DEFAULT_CONTRACT, load_contract
from model.contract_profile import profile_of, ticks_of
from model.contract_rules import Value
from model.decision_table import Table
from model.policy import load_policy
from model.setting import Setting
from model.system import Model, Parts

BASIC = ("crash", "pause", "loss", "delay")


@dataclass(frozen=True)
class Variant:
    """What differs from the default contract and policy, and the smallest run that shows it."""

    clauses: Mapping[str, Value] = field(default_factory=dict)
    profile: Mapping[str, tuple[str, ...] | tuple[bool, ...]] = field(default_factory=dict)
    policy: str = "recovery"
    faults: tuple[str, ...] = BASIC
    generations: int = 1
    collapse: bool = True


UNFENCED: Mapping[str, Value] = {"fencing.at": ("checkpoint",), "recovery.fence_told": "never"}

VARIANTS: Mapping[str, Variant] = {
    "default": Variant(),
    "unfenced": Variant(UNFENCED),
    "forgetful": Variant(
        {**UNFENCED, "readback.by": "none", "recovery.longest_resume": "60d"},
        policy="key-only",
        faults=(*BASIC, "forget"),
    ),
    "successor": Variant(faults=(*BASIC, "edit"), generations=2, collapse=False),
    "pruning": Variant({"readback.retention": "1h"}, faults=(*BASIC, "prune")),
    "uncollapsed": Variant(faults=("crash", "pause", "expire"), collapse=False),
    "copying": Variant({"delivery.copies": True}),
    "searching": Variant({"readback.by": "search"}),
    "rolled_back": Variant(profile={"raises_epochs": (False,)}, faults=("crash",)),
    "aging": Variant(UNFENCED),
}
"""By name; properties/reachables.py says which situation needs which."""


def variant_model(name: str, extra: frozenset[str] = frozenset(), table: Table | None = None) -> Model:
    """The model of a variant with its faults and ``extra`` ones; KeyError if there is no such variant."""
    v = VARIANTS[name]
    contract = load_contract(DEFAULT_CONTRACT).with_clauses(v.clauses)
    policy = load_policy(v.policy)
    setting = Setting(
        generations=v.generations,
        faults=frozenset(v.faults) | extra,
        collapse=v.collapse,
        ticks=ticks_of(contract),
    )
    profile = {**profile_of(contract, policy.practices), **v.profile}
    return Model(setting, profile, table or policy.table, Parts(), name)
