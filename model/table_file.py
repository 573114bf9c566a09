"""Reading table files: a CSV in DMN style that people and their spreadsheets write.

The first row names the columns, in any order; lines that start with ``#`` and empty rows say nothing.
The separator is a comma, or what the spreadsheet of another country writes: a semicolon or a tab.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from model.decision_table import COLUMNS, Rule, Table, TableError
from model.table_inputs import DECISIONS, INPUT_NAMES, VALUES
from model.text_file import LIMIT, decoded, locate, nearest, place, read_bytes, shipped, shown

MOST_RULES = 1000
LARGEST = 10_000_000
"""Bytes of a DMN file or a workbook, which say the same at greater length than a CSV file."""
HEADER = ",".join(COLUMNS)
REMEDY = f"give a CSV table whose first row is {HEADER}"
NO_TEXT = frozenset("\ufffe\uffff")
NAME_REMEDY = "leave out the # in front"


def shipped_tables() -> tuple[str, ...]:
    """The names of the tables that come with the program."""
    return tuple(shipped("tables", ".csv"))


def load_table(name_or_path: str) -> Table:
    """The shipped table with this name, or the table in this file: .dmn, .xlsx, or CSV with any other name.

    Raises TableError with one line. Overlaps and gaps are not looked for: see model.table_regions.
    """
    path = locate(name_or_path, "tables", ".csv", TableError)
    return table_of(bytes_of(path), path, path)


def bytes_of(path: str) -> bytes:
    """The bytes of a table's file, as far as one that is too large is known to be; TableError with one line."""
    data = read_bytes(path, TableError, REMEDY)
    if len(data) <= LIMIT or not path.lower().endswith((".dmn", ".xlsx")):
        return data
    with open(path, "rb") as file:
        return file.read(LARGEST + 1)


def table_of(data: bytes, path: str, where: str) -> Table:
    """The table in a file's bytes, whose format its name says; ``where`` is what messages call it."""
    if not path.lower().endswith(".dmn"):
        return parse_table(source_of(data, path, where), where)
    from model.table_dmn import parse_dmn

    return parse_dmn(_small(data, where), where)


def source_of(data: bytes, path: str, where: str) -> str:
    """The text of a CSV file, or the one that a workbook says; TableError with one line."""
    if not path.lower().endswith((".xlsx", ".xlsm")):
        return _text(data, where, REMEDY)
    from model import table_xlsx

    if path.lower().endswith(".xlsm"):
        raise TableError(f"{place(where)}: is a workbook for macros, which are refused; {table_xlsx.REMEDY}")
    text = table_xlsx.text_of_sheet(_small(data, where), where)
    return _text(text.encode(), where, table_xlsx.REMEDY)


def _text(data: bytes, where: str, remedy: str) -> str:
    """The text of a file, which every format can say."""
    text = decoded(data, place(where), TableError, remedy)
    for at, line in enumerate(text.split("\n"), 1):
        if NO_TEXT & set(line):
            raise TableError(f"{place(where)}: line {at}: has U+FFFE or U+FFFF, which are no text; remove them")
    return text


def _small(data: bytes, where: str) -> bytes:
    if len(data) > LARGEST:
        raise TableError(f"{place(where)}: is larger than {LARGEST:,} bytes; give a smaller table")
    return data


def rows_and_comments(text: str, path: str) -> list[list[str]]:
    """The rows of a table file, header first, and its comments as rows of one cell; empty rows are left out.

    Raises TableError with one line where the text is not CSV.
    """
    reader = _Reader(text, path)
    rows = {row.line: row.cells for row in reader.read_rows()}
    return [cells for _, cells in sorted({**rows, **reader.comments}.items())]


def parse_table(text: str, path: str) -> Table:
    """The table that a text says; ``path`` is what messages call it. Raises TableError with one line."""
    return Table(tuple(_Reader(text, path).rules()), path)


@dataclass(frozen=True)
class _Row:
    line: int
    cells: list[str]


class _Reader:
    """One reading of one text, which knows where it is when something is wrong."""

    def __init__(self, text: str, path: str) -> None:
        self.text = text
        self.path = place(path)
        self.fresh = True
        self.comments: dict[int, list[str]] = {}

    def error(self, line: int, fault: str) -> TableError:
        return TableError(f"{self.path}: line {line}: {fault}")

    def rules(self) -> list[Rule]:
        """The rules in file order, at least one and each with its own name."""
        rows = self.read_rows()
        header = next(rows, None)
        if header is None:
            raise TableError(f"{self.path}: has no header row; {REMEDY}")
        columns = self._columns(header)
        found: dict[str, Rule] = {}
        for row in rows:
            self._add(found, self._rule(row, columns))
        if not found:
            raise TableError(f"{self.path}: has no rules; add at least one row below the header")
        return list(found.values())

    def _add(self, found: dict[str, Rule], rule: Rule) -> None:
        if rule.name in found:
            earlier = found[rule.name].line
            raise self.error(rule.line, f"the rule name {shown(rule.name)} is also on line {earlier}; rename one")
        if len(found) == MOST_RULES:
            raise self.error(rule.line, f"has more than {MOST_RULES} rules; merge rows with lists and not(...)")
        found[rule.name] = rule

    def read_rows(self) -> Iterator[_Row]:
        """The rows that say something, each with the line it starts on; comments are kept apart by their line."""
        reader = csv.reader(self._lines(), delimiter=self._delimiter(), strict=True)
        while True:
            self.fresh = True
            line = reader.line_num + 1
            try:
                cells = next(reader, None)
            except csv.Error as problem:
                fault = f"is not CSV: {problem}; close every quoted cell and double a quote inside one"
                raise self.error(line, fault) from None
            if cells is None:
                return
            cells = [" ".join(cell.split()) for cell in cells]
            if cells and cells[0].startswith("#"):
                self.comments[line] = [" ".join(cell for cell in cells if cell)]
            elif any(cells):
                yield _Row(line, cells)

    def _lines(self) -> Iterator[str]:
        """The lines of the text, with comments blanked: only where a row starts, not inside a quoted cell."""
        for number, line in enumerate(io.StringIO(self.text, newline=""), 1):
            starts, self.fresh = self.fresh, False
            if starts and line.lstrip().startswith("#"):
                self.comments[number] = [line.strip()]
                line = "\n"
            yield line

    def _delimiter(self) -> str:
        lines = (line for line in self.text.splitlines() if line.strip() and not line.lstrip('" ').startswith("#"))
        header = next(lines, "")
        return max(",;\t", key=header.count)

    def _columns(self, header: _Row) -> dict[str, int]:
        """Where each column is; empty names are left to ``_rule``, which wants nothing below them."""
        names = header.cells
        for at, name in enumerate(names):
            if name and name not in COLUMNS:
                raise self.error(header.line, f"has a column {shown(name)}; {nearest(name, COLUMNS)}")
            if name and name in names[:at]:
                raise self.error(header.line, f"has the column {name} twice; remove one of them")
        missing = [name for name in COLUMNS if name not in names]
        if missing:
            raise self.error(header.line, f"the column {missing[0]} is missing; {REMEDY}")
        return {name: names.index(name) for name in COLUMNS}

    def _rule(self, row: _Row, columns: dict[str, int]) -> Rule:
        for at, cell in enumerate(row.cells):
            if cell and at not in columns.values():
                raise self.error(row.line, f"column {at + 1} is {shown(cell)} and has no name; remove or quote it")
        text = {name: row.cells[at] if at < len(row.cells) else "" for name, at in columns.items()}
        for name in COLUMNS:
            if not text[name]:
                raise self.error(row.line, f"{name} is empty; {_wanted(name)}")
        if text["rule"].startswith("#"):
            raise self.error(row.line, f"the rule name {shown(text['rule'])} starts as a comment; {NAME_REMEDY}")
        cells = {name: self._cell(row.line, name, text[name]) for name in INPUT_NAMES}
        decision = self._decision(row.line, text["decision"])
        return Rule(text["rule"], cells, decision, text["because"], row.line)

    def _decision(self, line: int, text: str) -> str:
        if text not in DECISIONS:
            raise self.error(line, f"decision is {shown(text)}; {nearest(text, DECISIONS)}")
        return text

    def _cell(self, line: int, name: str, text: str) -> frozenset[str]:
        """The labels that a cell allows: any, a value, a list, or all but a list."""
        if text == "-":
            return frozenset(VALUES[name])
        negation = re.fullmatch(r"not ?\((.*)\)", text)
        if negation is None and re.match(r"not\b", text) or negation and set("()") & set(negation[1]):
            raise self.error(line, f"{name} is {shown(text)}; write not(a, b) with values of {name}")
        named = self._named(line, name, text, negation[1] if negation else text)
        cell = frozenset(VALUES[name]) - named if negation else named
        if not cell:
            raise self.error(line, f"{name} is {shown(text)}, which excludes every value; keep at least one")
        return cell

    def _named(self, line: int, name: str, text: str, listed: str) -> frozenset[str]:
        values = [value.strip() for value in listed.split(",")]
        for at, value in enumerate(values):
            if value == "-":
                raise self.error(line, f'{name} is {shown(text)}; write "-" alone for any value')
            if not value:
                raise self.error(line, f"{name} is {shown(text)}, a list with an empty place; {_wanted(name)}")
            if value not in VALUES[name]:
                raise self.error(line, f"{name} is {shown(text)}; {nearest(value, VALUES[name])}")
            if value in values[:at]:
                raise self.error(line, f"{name} is {shown(text)}, which names {value} twice; remove one")
        return frozenset(values)


def _wanted(name: str) -> str:
    """What belongs into a cell of this column, for messages."""
    if name in VALUES:
        return f'write "-" for any, or values out of {", ".join(VALUES[name])}'
    words = {"rule": "give the row a name of its own", "because": "say in a sentence why the rule decides so"}
    return words.get(name, f"use one of {', '.join(DECISIONS)}")
