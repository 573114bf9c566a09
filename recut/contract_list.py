"""The catalogue in a table: mechanism, class and weakest point of each contract."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from model.contract import Contract
from recut.contract_report import Knowledge
from recut.markdown import code, table, words
from recut.report_check_text import columns
from solver.contract_judged import judge

NAMES = ("contract", "mechanism", "class", "weakest interruption")


@dataclass(frozen=True)
class Row:
    """One contract of a list."""

    name: str
    effect: str
    mechanism: str
    says: str
    weakest: str

    def as_data(self) -> dict[str, Any]:
        """As JSON data."""
        return {
            "name": self.name,
            "effect": self.effect,
            "mechanism": self.mechanism,
            "class": self.says,
            "weakest": self.weakest or None,
        }


@dataclass(frozen=True)
class Listed:
    """Contracts in a table."""

    rows: tuple[Row, ...]

    def text(self) -> Iterator[RenderableType]:
        """For a terminal."""
        shown = columns(*NAMES)
        for row in self.rows:
            shown.add_row(Text(row.name), row.mechanism, row.says, row.weakest)
        yield shown

    def markdown(self) -> str:
        """For a page."""
        rows = [[code(r.name), r.mechanism, words(r.says), words(r.weakest)] for r in self.rows]
        return table(NAMES, rows)


def listed(contracts: Sequence[Contract], known: Knowledge) -> Listed:
    """Each contract classified."""
    return Listed(tuple(_row(contract, known) for contract in contracts))


def _row(contract: Contract, known: Knowledge) -> Row:
    judged = judge(contract, known.recovery)
    weakest = judged.weakest.name if judged.weakest else ""
    return Row(contract.name, contract.contract.effect, contract.idempotency.mechanism, judged.says, weakest)
