"""A reader of decision tables of its own: the first row whose cells all contain their input decides."""
import csv
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

SHIPPED = Path(__file__).parents[2] / "model" / "tables"
PROBES = Path(__file__).parent / "tables"


class Cell(NamedTuple):
    """One cell that says something: an input is among some values, or is not."""

    input: str
    values: frozenset[str]
    among: bool


class Row(NamedTuple):
    """One rule: the cells that say something, and what they lead to."""

    cells: tuple[Cell, ...]
    decision: str


def table_path(name: str) -> Path:
    """Where the table of that name is: among those of this test, or among the shipped ones."""
    probe = PROBES / f"{name}.csv"
    return probe if probe.exists() else SHIPPED / f"{name}.csv"


def read_table(name: str) -> tuple[Row, ...]:
    """The rows of a table, in the order of the file."""
    text = table_path(name).read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return tuple(_row(record) for record in csv.DictReader(lines))


def _row(record: dict[str, str]) -> Row:
    """A record of the file without its name, its reason and the cells that allow anything."""
    cells = {name: cell for name, cell in record.items() if name not in ("rule", "decision", "because")}
    return Row(tuple(_cell(name, cell) for name, cell in cells.items() if cell != "-"), record["decision"])


def _cell(name: str, text: str) -> Cell:
    """A value, a list ``a, b``, or ``not(a, b)``."""
    among = not (text.startswith("not(") and text.endswith(")"))
    listed = text if among else text[4:-1]
    return Cell(name, frozenset(word.strip() for word in listed.split(",")), among)


def decide(table: tuple[Row, ...], cut: Mapping[str, str]) -> str:
    """The decision of the first row that fits, and quarantine if none does."""
    for row in table:
        if all((cut[cell.input] in cell.values) == cell.among for cell in row.cells):
            return row.decision
    return "quarantine"
