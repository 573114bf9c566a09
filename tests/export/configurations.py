"""The runs that foreign checkers search as well: shipped policies, contracts and defects on purpose."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import z3

from model.contract import load_contract
from model.contract_profile import ticks_of
from model.kernel import System
from model.specialise import specialise
from model.system import Model
from properties.mutants.catalogue import mutant_named
from recut.inputs import bounds, policy_with, setting
from solver.check import Subject
from solver.exploration import Exploration
from solver.explore import explore
from solver.export_terms import Export, Sentence, export_of
from solver.suite import Case

EXPECTED = Path(__file__).parents[1] / "expected.json"
BASIC = ("crash", "pause", "loss", "delay")


@dataclass(frozen=True)
class Shipped:
    """A shipped contract under a shipped policy."""

    contract: str
    policy: str
    faults: tuple[str, ...] = BASIC
    workers: int = 1

    def model(self) -> Model:
        contract = load_contract(self.contract)
        sizes = setting(bounds(contract, self.workers), faults=frozenset(self.faults), ticks=ticks_of(contract))
        return Subject(contract, policy_with(self.policy, None), sizes).model(Case("export", sizes))

    def told(self) -> dict[str, Any]:
        return {
            "contract": self.contract, "policy": self.policy, "faults": list(self.faults), "workers": self.workers
        }  # fmt: skip


@dataclass(frozen=True)
class Broken:
    """A defect on purpose, in its own run."""

    mutant: str

    def model(self) -> Model:
        return mutant_named(self.mutant).model()

    def told(self) -> dict[str, Any]:
        return {"mutant": self.mutant}


CONFIGURATIONS: Mapping[str, Shipped | Broken] = {
    "refund": Shipped("example-refund", "recovery"),
    "refund-two-workers": Shipped("example-refund", "recovery", ("crash", "loss"), 2),
    "stripe": Shipped("stripe_v1", "recovery"),
    "stripe-blind-retry": Shipped("stripe_v1", "blind-retry", ("crash", "loss", "errors")),
    "smtp-blind-retry": Shipped("smtp", "blind-retry"),
    "smtp-blind-retry-two-workers": Shipped("smtp", "blind-retry", ("pause",), 2),
    "sqs-key-only": Shipped("sqs_fifo", "key-only", ("crash", "loss", "delay", "forget")),
    "successor-admitted-early": Broken("successor_admitted_early"),
    "second-submission-counts": Broken("second_submission_counts"),
}
"""By name. The contracts of stripe and sqs leave a promise open, which makes two start states."""


@functools.cache
def exported(name: str) -> Export:
    """A configuration as the exporters are given it."""
    return export_of(CONFIGURATIONS[name].model(), f"tests/export: {name}")


def as_export(system: System) -> Export:
    """Any system, with its definitions that are formulas as what must hold."""
    special = specialise(system)
    formulas = {name: t for name, t in special.system.definitions.items() if z3.is_bool(t)}
    return Export(special, tuple(Sentence(name, name, term) for name, term in formulas.items()), (system.name,))


@dataclass(frozen=True)
class Found:
    """What a search is compared by; ``holds`` says in how many states each property holds."""

    starts: int
    states: int
    transitions: int
    depth: int
    holds: Mapping[str, int]

    @property
    def verdict(self) -> str:
        return "holds" if all(n == self.states for n in self.holds.values()) else "fails"


def searched(export: Export) -> Found:
    """What the explorer of this project finds."""
    terms = {s.name: s.term for s in export.checked}
    result: Exploration = explore(export.special.system, terms)
    return Found(result.levels[0], result.states, result.transitions, result.depth, result.holds_count)


def recorded(name: str) -> dict[str, Any]:
    """A configuration and what was found in it, as the file of expected results has it."""
    found = searched(exported(name))
    broken = {n: found.states - count for n, count in found.holds.items() if count < found.states}
    return {
        "configuration": CONFIGURATIONS[name].told(),
        "verdict": found.verdict,
        "states_that_break": broken,
        "states": found.states,
        "transitions": found.transitions,
        "depth": found.depth,
    }


@functools.cache
def expected() -> dict[str, Any]:
    """The file of expected results."""
    found: dict[str, Any] = json.loads(EXPECTED.read_text("utf-8"))
    return found
