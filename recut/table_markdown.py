"""A decision table as Markdown."""

from __future__ import annotations

from model.decision_table import COLUMNS, Table, cell_text
from model.table_inputs import INPUT_NAMES


def markdown(table: Table) -> str:
    """A table in Markdown, one row a rule."""
    rows = [
        [rule.name, *(cell_text(name, rule.cells[name]) for name in INPUT_NAMES), rule.decision, rule.because]
        for rule in table.rules
    ]
    lines = [list(COLUMNS), ["---"] * len(COLUMNS), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)
