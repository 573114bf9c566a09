"""Tables as XLSX workbooks: the cells, reasons and comments of the CSV file, one row each.

A workbook is data: macros, formulas, links to other files, encryption and anything that unpacks to far more than
a table are refused before anything of it is read.
"""

from __future__ import annotations

import csv
import io
import itertools
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from xml.etree import ElementTree as Tree

import openpyxl
from defusedxml import ElementTree as Defused
from openpyxl.cell.cell import Cell, MergedCell
from openpyxl.cell.read_only import EmptyCell, ReadOnlyCell
from openpyxl.styles import Alignment, Font
from openpyxl.utils import column_index_from_string, get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from model.decision_table import COLUMNS, TableError
from model.table_file import rows_and_comments
from model.text_file import place, shown

LARGEST = 20_000_000
MOST_MEMBERS = 200
REMEDY = "give a plain .xlsx workbook with one sheet, such as recut table export --format xlsx writes"
MOST_ROWS, MOST_COLUMNS, MOST_CELLS = 20_000, 256, 200_000
LONGEST = 32_767
"""Characters of a cell: openpyxl cuts off what is longer, and spreadsheets cannot hold it."""
_MORE = {
    "vbaproject": "macros",
    "macroenabled": "macros",
    "macrosheet": "macros",
    "externallink": "links to other files",
    "embeddings/": "objects",
}
_FAR = (
    f"has cells beyond row {MOST_ROWS:,} or column {MOST_COLUMNS}, or more than {MOST_CELLS:,};"
    " delete the rows and columns that are not the table's"
)
_KINDS = {"f": "a formula", "e": "an error"}
_DECLARES = (b"<!DOCTYPE", b"<!ENTITY")


def sheet_of(text: str, path: str) -> bytes:
    """A table file's rows and comments as a workbook with one sheet; nothing in it is a formula.

    Raises TableError with one line where ``text`` is not CSV or a cell is longer than a workbook's cells are.
    """
    book = openpyxl.Workbook()
    sheet = book.active
    assert isinstance(sheet, Worksheet)
    sheet.title = "table"
    for number, row in enumerate(rows_and_comments(text, path), 1):
        for column, value in enumerate(row, 1):
            _write(sheet.cell(number, column, _fitting(value, number, path)), row)
    for column in range(1, len(COLUMNS) + 1):
        sheet.column_dimensions[get_column_letter(column)].width = 60 if column == len(COLUMNS) else 18
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


def _fitting(value: str, row: int, path: str) -> str:
    if len(value) > LONGEST:
        fault = f"has a cell of {len(value):,} characters, a workbook at most {LONGEST:,}; shorten it"
        raise TableError(f"{place(path)}: row {row}: {fault}")
    return value


def _write(cell: Cell | MergedCell, row: list[str]) -> None:
    cell.data_type = "s"
    cell.alignment = Alignment(vertical="top", wrap_text=cell.column == len(COLUMNS))
    cell.font = Font(bold=row[0] == COLUMNS[0], italic=row[0].startswith("#"))


def text_of_sheet(data: bytes, path: str) -> str:
    """The table file that a workbook says; TableError in one line for a workbook that is refused."""
    where = place(path)
    _refuse_dangerous(data, where)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sheets = [rows for rows in _sheets(data, where) if rows]
    except TableError:
        raise
    except Exception as problem:
        raise TableError(f"{where}: is no workbook: {shown(str(problem))}; {REMEDY}") from None
    if len(sheets) != 1:
        raise TableError(f"{where}: has {len(sheets)} sheets with cells; {REMEDY}")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for cells in sheets[0]:
        if cells[0].startswith("#"):
            out.write(" ".join(cell for cell in cells if cell) + "\n")
        else:
            writer.writerow(cells[: len(COLUMNS)] if not any(cells[len(COLUMNS) :]) else cells)
    return out.getvalue()


def _sheets(data: bytes, where: str) -> Iterator[list[list[str]]]:
    """The rows of each sheet that have a text; read one by one, as cells that are merged or far off are not made."""
    book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, keep_links=False)
    for sheet in book.worksheets:
        sheet.reset_dimensions()
        found = (_texts(number, row, where) for number, row in enumerate(sheet.iter_rows(), 1))
        yield [cells for cells in found if any(cells)]


def _texts(number: int, row: Iterable[Cell | MergedCell | ReadOnlyCell | EmptyCell], where: str) -> list[str]:
    places = (f"{where}: cell {get_column_letter(column)}{number}" for column in itertools.count(1))
    return [_text(cell.value, cell.data_type, at) for cell, at in zip(row, places, strict=False)]


def _refuse_dangerous(data: bytes, where: str) -> None:
    """Refuse what is more than cells, by the names and sizes in the archive and by what its parts declare."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        members = archive.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise TableError(f"{where}: is encrypted or no workbook; {REMEDY}") from None
    if len(members) > MOST_MEMBERS or sum(member.file_size for member in members) > LARGEST:
        raise TableError(f"{where}: unpacks to more than {LARGEST:,} bytes or {MOST_MEMBERS} parts; {REMEDY}")
    for member in members:
        if member.flag_bits & 1:
            raise TableError(f"{where}: is encrypted; {REMEDY}")
        _refuse_what_is_more(member.filename.lower(), _part(archive, member, where), where)


def _refuse_what_is_more(name: str, part: bytes, where: str) -> None:
    """A part that is more than cells, by its name, by the types that the archive lists or by what it declares."""
    types = part.decode("utf-8", "replace").lower() if name == "[content_types].xml" else ""
    for mark, what in _MORE.items():
        if mark in name or mark in types:
            raise TableError(f"{where}: has {what}, which are refused; {REMEDY}")
    plain = part.replace(b"\0", b"")
    if any(mark in plain for mark in _DECLARES):
        raise TableError(f"{where}: declares entities or a document type, which is refused; {REMEDY}")
    if b"sheetData" in plain:
        _refuse_far_cells(part, where)


def _refuse_far_cells(part: bytes, where: str) -> None:
    """A sheet whose cells are too many or too far off to be a table's, before room is made for them."""
    count = 0
    try:
        for _, element in Defused.iterparse(io.BytesIO(part)):
            if element.tag.rpartition("}")[2] in ("c", "row"):
                count += 1
                row, column = _at(element.get("r", ""))
                if count > MOST_CELLS or row > MOST_ROWS or column > MOST_COLUMNS:
                    raise TableError(f"{where}: {_FAR}")
            element.clear()
    except Tree.ParseError as problem:
        raise TableError(f"{where}: is no workbook: {shown(str(problem))}; {REMEDY}") from None


def _at(reference: str) -> tuple[int, int]:
    """Row and column of a reference such as C7, or of a row's number; what is neither is as far off as can be."""
    found = re.fullmatch(r"([A-Za-z]{0,3})([0-9]{0,7})", reference)
    if found is None:
        return MOST_ROWS + 1, MOST_COLUMNS + 1
    return int(found[2] or 0), column_index_from_string(found[1]) if found[1] else 0


def _part(archive: zipfile.ZipFile, member: zipfile.ZipInfo, where: str) -> bytes:
    """A part of the archive, of which no more is unpacked than it declares; only deflate can be held to that."""
    if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise TableError(f"{where}: is packed in another way than workbooks are; {REMEDY}")
    try:
        with archive.open(member) as file:
            return file.read(LARGEST + 1)
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, EOFError, ValueError):
        raise TableError(f"{where}: is damaged at {shown(member.filename)}; {REMEDY}") from None


def _text(value: object, kind: str | None, where: str) -> str:
    """A cell's text in one line; a formula or something else that is no text is refused at its place."""
    fault = _KINDS.get(kind or "")
    if value is None and fault is None:
        return ""
    if fault is not None or not isinstance(value, (str, int)) or isinstance(value, bool):
        raise TableError(f"{where} is {fault or f'of the kind {type(value).__name__}'}; write text")
    return " ".join(str(value).split())
