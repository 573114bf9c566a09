"""Tables as XLSX workbooks: the cells, reasons and comments of the CSV file, one row each.

A workbook is data: macros, formulas, links to other files, encryption and anything that unpacks to far more than
a table are refused before anything of it is read.
"""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from collections.abc import Iterator

import openpyxl
from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.decision_table import COLUMNS, TableError
from model.text_file import place, shown

LARGEST = 20_000_000
MOST_MEMBERS = 200
REMEDY = "give a plain .xlsx workbook with one sheet, such as recut table export --format xlsx writes"
_DECLARES = (b"<!DOCTYPE", b"<!ENTITY")


def sheet_of(text: str) -> bytes:
    """A table file's rows and comments as a workbook with one sheet; nothing in it is a formula."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "table"
    for number, row in enumerate(_rows(text), 1):
        for column, value in enumerate(row, 1):
            cell = sheet.cell(number, column, value)
            cell.data_type = "s"
            cell.alignment = Alignment(vertical="top", wrap_text=column == len(COLUMNS))
            cell.font = Font(bold=row[0] == COLUMNS[0], italic=row[0].startswith("#"))
    for column in range(1, len(COLUMNS) + 1):
        sheet.column_dimensions[get_column_letter(column)].width = 60 if column == len(COLUMNS) else 18
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _rows(text: str) -> Iterator[list[str]]:
    """The rows of a table file; a comment is a row of one cell, and empty lines are left out."""
    fresh: list[str] = []
    for line in io.StringIO(text.lstrip("\ufeff"), newline=""):
        if not fresh and line.lstrip().startswith("#"):
            yield [line.strip()]
            continue
        fresh.append(line)
        if "".join(fresh).count('"') % 2 == 0:
            yield from (row for row in csv.reader(fresh) if any(row))
            fresh = []


def text_of_sheet(data: bytes, path: str) -> str:
    """The table file that a workbook says; TableError in one line for a workbook that is refused."""
    where = place(path)
    _refuse_dangerous(data, where)
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), data_only=False, keep_links=False)
    except Exception as problem:
        raise TableError(f"{where}: is no workbook: {shown(str(problem))}; {REMEDY}") from None
    sheets = [sheet for sheet in book.worksheets if any(any(_cells(row, where)) for row in sheet.iter_rows())]
    if len(sheets) != 1:
        raise TableError(f"{where}: has {len(sheets)} sheets with cells; {REMEDY}")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for row in sheets[0].iter_rows():
        cells = _cells(row, where)
        if cells and cells[0].startswith("#"):
            out.write(" ".join(cell for cell in cells if cell) + "\n")
        elif any(cells):
            writer.writerow(cells[: len(COLUMNS)] if not any(cells[len(COLUMNS) :]) else cells)
    return out.getvalue()


def _refuse_dangerous(data: bytes, where: str) -> None:
    """Refuse what is more than cells, by the names and sizes in the archive and by what its parts declare."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise TableError(f"{where}: is encrypted or no workbook; {REMEDY}") from None
    names = [member.filename.lower() for member in members]
    for part, what in (("vbaproject", "macros"), ("externallink", "links to other files"), ("embeddings/", "objects")):
        if any(part in name for name in names):
            raise TableError(f"{where}: has {what}, which are refused; {REMEDY}")
    if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > LARGEST:
        raise TableError(f"{where}: unpacks to more than {LARGEST:,} bytes or {MOST_MEMBERS} parts; {REMEDY}")
    for member in members:
        if member.flag_bits & 1:
            raise TableError(f"{where}: is encrypted; {REMEDY}")
        _refuse_declarations(_part(archive, member, where), where)


def _part(archive: zipfile.ZipFile, member: zipfile.ZipInfo, where: str) -> bytes:
    """A part of the archive, of which no more is unpacked than it declares."""
    try:
        with archive.open(member) as file:
            return file.read(LARGEST + 1)
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, EOFError, ValueError):
        raise TableError(f"{where}: is damaged at {shown(member.filename)}; {REMEDY}") from None


def _refuse_declarations(part: bytes, where: str) -> None:
    """XML that declares entities, also where it is written in two bytes a letter."""
    plain = part.replace(b"\0", b"")
    if any(mark in plain for mark in _DECLARES):
        raise TableError(f"{where}: declares entities or a document type, which is refused; {REMEDY}")


def _cells(row: tuple[Cell | MergedCell, ...], where: str) -> list[str]:
    """The texts of a row; a formula or something that is no text is refused at its cell."""
    return [_text(cell, where) for cell in row]


def _text(cell: Cell | MergedCell, where: str) -> str:
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "f" or not isinstance(value, (str, int)) or isinstance(value, bool):
        kind = "a formula" if cell.data_type == "f" else f"of the kind {type(value).__name__}"
        raise TableError(f"{where}: cell {cell.coordinate} is {kind}; write text")
    return str(value)
