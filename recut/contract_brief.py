"""Contracts in a line each, out of what is stored: for the list, the table of many and the page of the catalogue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from model.contract import Contract
from recut.contract_report import BOUNDS, STYLE, Knowledge, bound, how, side
from recut.markdown import code, table, words
from recut.report_check_text import columns
from solver.completions import worst_case
from solver.contract_class import RecoveryClass
from solver.contract_judged import Cases, all_thresholds, cases_of, strengthenings
from solver.strengthening import Step

NAMES = ("contract", "mechanism", "class", "weakest interruption")
MORE = ("alone, at worst", "least change", "first thresholds")


@dataclass(frozen=True)
class Brief:
    """One contract: its class, from how many interruptions recovery ends alone at worst, and the weakest of them."""

    contract: Contract
    cases: Cases
    alone: tuple[int, int]
    weakest: str
    states: int

    @property
    def kind(self) -> RecoveryClass:
        """The class at worst."""
        return self.cases.kinds[-1]

    def as_data(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "name": self.contract.name,
            "verdict": str(self.cases.outcome),
            "how": how(self.cases),
            "bounds": BOUNDS,
            "seconds": 0.0,
            "states": self.states,
            "effect": self.contract.contract.effect,
            "mechanism": self.contract.idempotency.mechanism,
            "class": str(self.kind),
            "says": self.cases.says,
            "weakest": self.weakest or None,
        }


def brief_of(contract: Contract, known: Knowledge) -> Brief:
    """A contract in brief; what is not stored is searched."""
    worst = worst_case(contract, known.recovery.policy.practices).definite
    summary = known.recovery.summary(worst)
    alone = (summary.alone, summary.interruptions)
    weak = known.recovery.weakest_of(worst)
    return Brief(contract, cases_of(contract, known.recovery), alone, weak, summary.states)


def text(found: Sequence[Brief]) -> Iterator[RenderableType]:
    """A list for a terminal."""
    shown = columns(*NAMES)
    for one in found:
        says = Text(one.cases.says, style=STYLE.get(one.kind, "green"))
        shown.add_row(one.contract.name, one.contract.idempotency.mechanism, says, one.weakest)
    yield shown


def markdown(found: Sequence[Brief]) -> str:
    """A list for a page."""
    return table(NAMES, [_row(one) for one in found])


def whole_table(found: Sequence[Brief], known: Knowledge) -> str:
    """One table of contracts with what would help and where durations decide."""
    return table((*NAMES, *MORE), [[*_row(one), *_more(one, known)] for one in found])


def _row(one: Brief) -> list[str]:
    return [code(one.contract.name), one.contract.idempotency.mechanism, words(one.cases.says), words(one.weakest)]


def _more(one: Brief, known: Knowledge) -> list[str]:
    worst = worst_case(one.contract, known.recovery.policy.practices).contract
    limits = [
        f"{question}: {bound(t)}"
        for question, some in all_thresholds(worst, known.recovery, known.repeating).items()
        for t in some[:1]
    ]
    least = () if one.kind.automatic else strengthenings(worst, known.recovery)
    alone, states = one.alone
    return [f"{alone} of {states}", words(_least(one.kind, least)), words("; ".join(limits))]


def _least(kind: RecoveryClass, sets: Sequence[tuple[Step, ...]]) -> str:
    """The first of the least changes, in short."""
    if kind.automatic:
        return "none needed"
    return f"{side(sets[0])}: {'; and '.join(step.says for step in sets[0])}" if sets else "none known"
