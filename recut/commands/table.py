"""``recut table``: check a table, compare two, or show one."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from model.decision_table import COLUMNS, Table, cell_text
from model.table_file import load_table
from model.table_inputs import INPUT_NAMES
from recut.commands import table_check, table_diff
from recut.failure import ending
from recut.output import emit, ready

table_app = typer.Typer(help="Prove a table, compare two, or show one.", no_args_is_help=True, rich_markup_mode=None)
table_check.register(table_app)
table_diff.register(table_app)


Output = Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")]


@table_app.command()
@ending
def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A table file, or the name of a shipped table.")],
    output: Output = None,
) -> int:
    """The table as Markdown."""
    table = load_table(file)
    ready(output)
    emit(markdown(table), output)
    return 0


def markdown(table: Table) -> str:
    """A table in Markdown, one row a rule."""
    rows = [
        [rule.name, *(cell_text(name, rule.cells[name]) for name in INPUT_NAMES), rule.decision, rule.because]
        for rule in table.rules
    ]
    lines = [list(COLUMNS), ["---"] * len(COLUMNS), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)
