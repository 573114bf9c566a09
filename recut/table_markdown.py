"""A decision table as Markdown."""

from __future__ import annotations

from model.decision_table import COLUMNS, Rule, Table, cell_text
from model.table_inputs import INPUT_NAMES
from recut.markdown import table as rows_of_cells
from recut.markdown import words


def markdown(table: Table) -> str:
    """A table in Markdown, one row a rule; names and reasons are shown as plain words."""
    return rows_of_cells(COLUMNS, map(_row, table.rules))


def _row(rule: Rule) -> list[str]:
    cells = (cell_text(name, rule.cells[name]) for name in INPUT_NAMES)
    return [words(rule.name), *cells, rule.decision, words(rule.because)]
