"""Workbooks: every cell, reason and comment kept, and what is more than cells refused."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import openpyxl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.decision_table import Rule, Table, TableError, table_text
from model.table_file import load_table, parse_table, shipped_tables
from model.table_xlsx import LARGEST, sheet_of, text_of_sheet
from model.text_file import shipped
from tests.cli.front import refused, run
from tests.proofs.edits import RECOVERY
from tests.table.edits_of_tables import rewritten


@pytest.mark.parametrize("name", shipped_tables())
def test_a_shipped_file_comes_back_with_its_comments(name: str) -> None:
    text = Path(shipped("tables", ".csv")[name]).read_text("utf-8")
    back = text_of_sheet(sheet_of(text, "t.csv"), "t.xlsx")
    comments = [line.strip() for line in text.splitlines() if line.startswith("#")]
    assert [line for line in back.splitlines() if line.startswith("#")] == comments
    assert parse_table(back, "t").digest == load_table(name).digest


@settings(max_examples=25, deadline=None)
@given(rewritten(RECOVERY))
def test_a_table_comes_back(table: Table) -> None:
    assert parse_table(text_of_sheet(sheet_of(table_text(table), "t.csv"), "t"), "t").digest == table.digest


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(["=1+1", '=HYPERLINK("http://x")', "+1", "@x", "007", "1e3", "TRUE", 'a "quoted", word']))
def test_a_reason_that_looks_like_a_formula_stays_text(because: str) -> None:
    text = table_text(Table((Rule("r", RECOVERY.rules[0].cells, "verify", because),), "t"))
    assert text_of_sheet(sheet_of(text, "t.csv"), "t") == text
    book = openpyxl.load_workbook(io.BytesIO(sheet_of(text, "t.csv")))
    assert {c.data_type for row in book.active.iter_rows() for c in row} == {"s"}


def book(change: Callable[[openpyxl.Workbook], None]) -> bytes:
    """The workbook of the shipped table after a change."""
    made = openpyxl.load_workbook(io.BytesIO(sheet_of(table_text(RECOVERY), "t.csv")))
    change(made)
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def archive(*parts: tuple[str, bytes], base: bytes | None = None) -> bytes:
    """A workbook's archive with more parts."""
    out = io.BytesIO(base if base is not None else sheet_of(table_text(RECOVERY), "t.csv"))
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as file:
        for name, data in parts:
            file.writestr(name, data)
    return out.getvalue()


def damaged() -> bytes:
    """A workbook of which one part does not unpack."""
    data = bytearray(archive(("xl/x.xml", bytes(range(256)) * 8)))
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        begin = file.getinfo("xl/x.xml").header_offset + 30 + len("xl/x.xml")
    data[begin : begin + 20] = b"\xff" * 20
    return bytes(data)


def formula(made: openpyxl.Workbook) -> None:
    made.active["B3"] = "=A1"


def number(made: openpyxl.Workbook) -> None:
    made.active["B3"] = 1.5


def second_sheet(made: openpyxl.Workbook) -> None:
    made.create_sheet("more")["A1"] = "x"


def error_value(made: openpyxl.Workbook) -> None:
    """What a spreadsheet leaves in the first column where a reference broke: it starts as a comment does."""
    made.active["A3"].value, made.active["A3"].data_type = "#N/A", "e"


def far_cell(made: openpyxl.Workbook) -> None:
    made.active["XFD1048576"] = "x"


def replaced(old: str, new: str) -> bytes:
    """The workbook of the shipped table with a text of its parts replaced."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(GOOD)) as file, zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        parts = {name: file.read(name) for name in file.namelist()}
        assert any(old.encode() in data for data in parts.values())
        for name, data in parts.items():
            made.writestr(name, data.replace(old.encode(), new.encode()))
    return out.getvalue()


def packed(method: int) -> bytes:
    """A workbook with a part that unpacks to far more than it says, unless it is held to what it says."""
    out = io.BytesIO(GOOD)
    with zipfile.ZipFile(out, "a", method) as file:
        file.writestr("xl/x.xml", b"<x/>" + b" " * 10_000_000)
    return out.getvalue()


GOOD = sheet_of(table_text(RECOVERY), "t.csv")
HOSTILE = {
    "a formula": (book(formula), "cell B3 is a formula"),
    "a number": (book(number), "cell B3 is of the kind float"),
    "an error": (book(error_value), "cell A3 is an error"),
    "a cell far off": (book(far_cell), "has cells beyond row 20,000 or column 256"),
    "a far sheet": (replaced('r="2"', 'r="99999999999"'), "has cells beyond row 20,000 or column 256"),
    "another packing": (packed(zipfile.ZIP_LZMA), "is packed in another way"),
    "macros by type": (replaced("spreadsheetml.sheet.main", "sheet.macroEnabled.main"), "has macros"),
    "macros of old": (archive(("xl/macrosheets/sheet1.xml", b"<x/>")), "has macros"),
    "two sheets": (book(second_sheet), "has 2 sheets with cells"),
    "macros": (archive(("xl/vbaProject.bin", b"x")), "has macros"),
    "links": (archive(("xl/externalLinks/externalLink1.xml", b"<x/>")), "has links to other files"),
    "objects": (archive(("xl/embeddings/oleObject1.bin", b"x")), "has objects"),
    "a bomb": (archive(("xl/bomb.xml", b"0" * (LARGEST + 1))), "unpacks to more than"),
    "many parts": (archive(*[(f"xl/{n}.xml", b"<x/>") for n in range(300)]), "unpacks to more than"),
    "entities": (archive(("xl/x.xml", b'<!DOCTYPE x [<!ENTITY a "b">]><x/>')), "declares entities"),
    "entities in two bytes": (archive(("xl/x.xml", '<!DOCTYPE x []><x/>'.encode("utf-16"))), "declares entities"),
    "no archive": (b"rule,claim\n", "is encrypted or no workbook"),
    "an encrypted file": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "is encrypted or no workbook"),
    "cut off": (GOOD[: len(GOOD) // 2], "is encrypted or no workbook"),
    "damaged": (damaged(), 'is damaged at "xl/x.xml"'),
    "another archive": (archive(("x.txt", b"x"), base=b""), "is no workbook"),
    "empty": (book(lambda made: made.active.delete_rows(1, 500)), "has 0 sheets with cells"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_workbook_that_is_more_than_cells_is_refused_in_one_line(case: str, tmp_path: Path) -> None:
    data, says = HOSTILE[case]
    path = tmp_path / "t.xlsx"
    path.write_bytes(data)
    for command in (("table", "import"), ("table", "check")):
        assert says in refused(run(*command, path))


def test_a_workbook_for_macros_is_refused_by_its_name(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsm"
    path.write_bytes(GOOD)
    for command in (("table", "import"), ("table", "check")):
        assert "is a workbook for macros" in refused(run(*command, path))


def test_a_comment_of_several_lines_adds_no_rule() -> None:
    def comment(made: openpyxl.Workbook) -> None:
        made.active.insert_rows(2)
        cells = [cell.value for cell in made.active[3]]
        made.active["A2"] = "# note\n" + ",".join(f'"{value}"' for value in ["another", *cells[1:]])

    text = text_of_sheet(book(comment), "t.xlsx")
    assert parse_table(text, "t").digest == RECOVERY.digest
    assert text.count("\n#") == 1 and "another" in text


def test_cells_that_are_merged_as_far_as_a_sheet_goes_cost_nothing() -> None:
    merged = '<mergeCells count="1"><mergeCell ref="A300:XFD1048576"/></mergeCells>'
    text = text_of_sheet(replaced("</sheetData>", "</sheetData>" + merged), "t.xlsx")
    assert parse_table(text, "t").digest == RECOVERY.digest


@pytest.mark.filterwarnings("error")
def test_what_a_spreadsheet_adds_for_itself_is_passed_over_in_silence() -> None:
    extension = '</sheetData><extLst><ext uri="{CCE6A557-97BC-4B89-ADB6-D9C93CAAB3DF}"/></extLst>'
    assert parse_table(text_of_sheet(replaced("</sheetData>", extension), "t"), "t").digest == RECOVERY.digest


@pytest.mark.parametrize("mark", [";", "\t"])
def test_the_file_of_another_country_is_written_column_by_column(mark: str, tmp_path: Path) -> None:
    source, path = tmp_path / "t.csv", tmp_path / "t.xlsx"
    out = io.StringIO()
    csv.writer(out, delimiter=mark).writerows(csv.reader(io.StringIO(table_text(RECOVERY))))
    source.write_text("# A note, with a comma.\n" + out.getvalue(), "utf-8")
    assert run("table", "export", source, "--format", "xlsx", "--output", path).exit_code == 0
    assert run("table", "import", path).stdout == "# A note, with a comma.\n" + table_text(RECOVERY)


def test_a_cell_longer_than_a_workbook_holds_is_refused_and_not_cut(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table_text(Table((replace(RECOVERY.rules[0], because="x" * 40_000),), "t")), "utf-8")
    line = refused(run("table", "export", path, "--format", "xlsx", "--output", tmp_path / "t.xlsx"))
    assert "row 2: has a cell of 40,000 characters" in line and not (tmp_path / "t.xlsx").exists()


def test_what_the_rows_say_is_checked_as_in_a_csv_file(tmp_path: Path) -> None:
    path = tmp_path / "t.xlsx"
    path.write_bytes(sheet_of(table_text(RECOVERY).replace("stand_down", "sit_down", 1), "t.csv"))
    assert 'decision is "sit_down"' in refused(run("table", "import", path))
    with pytest.raises(TableError, match="is encrypted or no workbook"):
        text_of_sheet(b"", "x")


def test_the_commands_write_and_read(tmp_path: Path) -> None:
    path, back = tmp_path / "t.xlsx", tmp_path / "back.csv"
    assert "name a file with --output" in refused(run("table", "export", "recovery", "--format", "xlsx"))
    assert run("table", "export", "recovery", "--format", "xlsx", "--output", path).exit_code == 0
    assert run("table", "import", path, "--output", back).exit_code == 0
    assert back.read_text("utf-8") == Path(shipped("tables", ".csv")["recovery"]).read_text("utf-8")
    assert run("table", "diff", path, back, "--forbid", "any").exit_code == 0
