"""``recut table export``: a table in another format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from model.decision_table import Table, table_text
from model.table_file import load_table
from recut.failure import ending
from recut.output import emit, ready
from recut.table_markdown import markdown
from solver.smt_lib import smt_lib


class Format(StrEnum):
    """What a table is written as."""

    CSV = "csv"
    MARKDOWN = "markdown"
    SMT2 = "smt2"


WRITERS: Mapping[Format, Callable[[Table], str]] = {
    Format.CSV: table_text,
    Format.MARKDOWN: markdown,
    Format.SMT2: smt_lib,
}


@ending
def export(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A table file, or the name of a shipped table.")],
    format: Annotated[Format, typer.Option(help="What to write; smt2 is the proof obligations.")] = Format.CSV,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")] = None,
) -> int:
    """The table as CSV or Markdown, or its proof obligations as SMT-LIB 2."""
    table = load_table(file)
    ready(output)
    emit(WRITERS[format](table), output)
    return 0


def register(app: typer.Typer) -> None:
    """Make this a command of the application."""
    app.command("export")(export)
