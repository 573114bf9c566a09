"""``recut table``: check a table, compare two, or write one otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from model.table_file import load_table
from recut.commands import table_check, table_diff, table_export
from recut.failure import ending
from recut.output import emit, ready
from recut.table_markdown import markdown

HELP = "Check a table, compare two, or write one otherwise."
table_app = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)
table_check.register(table_app)
table_diff.register(table_app)
table_export.register(table_app)


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
