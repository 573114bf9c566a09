"""Spin, Rumur and TLC find as many states as the explorer, to the digit, and the same verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.export_murphi import murphi
from solver.export_promela import promela
from solver.export_tla import tla, tla_configuration
from tests.export.configurations import CONFIGURATIONS, expected, exported, recorded
from tests.export.foreign import rumur, spin, tlc
from tests.export.test_foreign_small import steps_among_starts

UNSAFE = "second-submission-counts"


def starts(name: str) -> int:
    """How many start states a configuration has."""
    found = 1
    for v in exported(name).special.system.variables:
        found *= len(v.starts)
    return found


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_ours(name: str) -> None:
    assert recorded(name) == expected()[name], "run: python -m tests.export.regenerate"


def test_nothing_else_is_expected() -> None:
    assert list(expected()) == list(CONFIGURATIONS)
    verdicts = [entry["verdict"] for entry in expected().values()]
    assert verdicts.count("fails") >= 3 and verdicts.count("holds") >= 3


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_spin(name: str, tmp_path: Path) -> None:
    wanted, found = expected()[name], spin(promela(exported(name)), tmp_path)
    added = 1 + steps_among_starts(exported(name), starts(name))
    assert found.states == wanted["states"]
    assert found.steps == wanted["transitions"] + added
    assert found.violated == (wanted["verdict"] == "fails")


SLOW = ("refund-two-workers", "stripe", "sqs-key-only")
FOR_RUMUR = [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in CONFIGURATIONS]


@pytest.mark.parametrize("name", FOR_RUMUR)
def test_rumur(name: str, tmp_path: Path) -> None:
    """A safe model as it is; in an unsafe one Rumur counts what it would otherwise stop at."""
    wanted, unsafe = expected()[name], expected()[name]["verdict"] == "fails"
    found = rumur(murphi(exported(name)), tmp_path, covering=unsafe)
    assert (found.states, found.steps) == (wanted["states"], wanted["transitions"])
    assert not found.violated
    broken = {n: found.states - count for n, count in found.holds.items() if count < found.states}
    assert broken == wanted["states_that_break"]


@pytest.mark.parametrize("name", ["stripe", pytest.param("refund-two-workers", marks=pytest.mark.slow)])
def test_tlc(name: str, tmp_path: Path) -> None:
    found = tlc(tla(exported(name)), tla_configuration(exported(name)), tmp_path)
    assert (found.states, found.depth) == (expected()[name]["states"], expected()[name]["depth"])
    assert not found.violated


def test_tlc_on_an_unsafe_model(tmp_path: Path) -> None:
    module = tla(exported(UNSAFE))
    found = tlc(module, "INIT Init\nNEXT Next\nINVARIANT TypeOK\n", tmp_path)
    assert (found.states, found.depth) == (expected()[UNSAFE]["states"], expected()[UNSAFE]["depth"])
    assert tlc(module, tla_configuration(exported(UNSAFE)), tmp_path).violated


CHANGES = {
    "a dropped update": ("store_lease_0 = true;", "skip;"),
    "a weaker guard": ("approval_state_0 == Approval_asked ->", "true ->"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_spin_notices(change: str, tmp_path: Path) -> None:
    name = "smtp-blind-retry-two-workers"
    text, (was, becomes) = promela(exported(name)), CHANGES[change]
    assert was in text
    changed = spin(text.replace(was, becomes), tmp_path)
    assert (changed.states, changed.steps - 1) != (expected()[name]["states"], expected()[name]["transitions"])
