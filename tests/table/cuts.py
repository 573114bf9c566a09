"""Cuts and small tables that several test modules of this folder start from."""

from __future__ import annotations

from model.decision_table import COLUMNS
from model.table_inputs import INPUT_NAMES

ORDINARY: dict[str, str] = {
    "claim": "held",
    "history": "consistent",
    "intent": "stands",
    "attempt": "closed",
    "effect": "absent",
    "match": "same",
    "admission": "standing",
    "permission": "current",
    "precondition": "holds",
    "postcondition": "confirmed",
    "dedup": "live",
    "readback": "available",
    "undo": "reviewed",
}
"""A cut in which nothing is wrong: the effect is owed, admitted and not there."""

HEADER = ",".join(COLUMNS)


def cut(text: str = "") -> dict[str, str]:
    """The ordinary cut with what the text changes: ``cut("effect=unknown dedup=none")``."""
    changes = dict(part.split("=") for part in text.split())
    assert set(changes) <= set(ORDINARY)
    return {**ORDINARY, **changes}


def row(name: str = "all", decision: str = "quarantine", because: str = "For a test.", **cells: str) -> str:
    """A row of a file: any, where no cell is given; a cell with a comma is quoted."""
    values = [cells.get(i, "-") for i in INPUT_NAMES]
    quoted = [f'"{v}"' if "," in v else v for v in (name, *values, decision, because)]
    return ",".join(quoted)


def file(*rows: str) -> str:
    """A table file with these rows."""
    return "\n".join((HEADER, *rows)) + "\n"
