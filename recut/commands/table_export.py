"""``recut table export`` and ``recut table import``: a table in another format, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from model.decision_table import Table, TableError, table_text
from model.table_file import bytes_of, load_table, parse_table, source_of
from model.table_regions import require_unique
from model.text_file import locate
from recut.failure import Refused, ending
from recut.output import emit, ready, write_bytes
from recut.table_markdown import markdown
from solver.smt_lib import smt_lib


class Format(StrEnum):
    """What a table is written as."""

    CSV = "csv"
    MARKDOWN = "markdown"
    DMN = "dmn"
    XLSX = "xlsx"
    SMT2 = "smt2"


def _dmn(table: Table) -> str:
    from model.table_dmn import dmn

    return dmn(require_unique(table))


WRITERS: Mapping[Format, Callable[[Table], str]] = {
    Format.CSV: table_text,
    Format.MARKDOWN: markdown,
    Format.DMN: _dmn,
    Format.SMT2: smt_lib,
}
Output = Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")]


@ending
def export(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A table file, or the name of a shipped table.")],
    format: Annotated[Format, typer.Option(help="What to write; smt2 is the proof obligations.")] = Format.CSV,
    output: Output = None,
) -> int:
    """The table as CSV, Markdown, DMN 1.3 or XLSX, or its proof obligations as SMT-LIB 2."""
    table = load_table(file)
    if format is Format.XLSX:
        return _workbook(file, table, output)
    ready(output)
    emit(WRITERS[format](table), output)
    return 0


def _workbook(file: str, table: Table, output: Path | None) -> int:
    """The workbook of a file keeps its comments."""
    from model.table_xlsx import sheet_of

    if output is None:
        raise Refused("--format xlsx: a workbook is no text; name a file with --output")
    ready(output)
    text = table_text(table) if file.lower().endswith(".dmn") else _source(file)
    write_bytes(output, sheet_of(text, file))
    return 0


def _source(file: str) -> str:
    """The text of a table's file, with its comments."""
    path = locate(file, "tables", ".csv", TableError)
    return source_of(bytes_of(path), path, path)


@ending
def import_(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A table as .dmn or .xlsx.")], output: Output = None
) -> int:
    """A DMN file or a workbook as a CSV table; of a workbook with its comments."""
    if not file.lower().endswith((".dmn", ".xlsx", ".xlsm")):
        raise Refused(f"{file}: is neither .dmn nor .xlsx; name such a file")
    ready(output)
    if file.lower().endswith(".dmn"):
        emit(table_text(load_table(file)), output)
        return 0
    text = _source(file)
    parse_table(text, file)
    emit(text, output)
    return 0


def register(app: typer.Typer) -> None:
    """Make these commands of the application."""
    app.command("export")(export)
    app.command("import")(import_)
