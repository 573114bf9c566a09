"""Tables that fail, and table files whose names and rows want to be something else than text."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

from model.decision_table import COLUMNS, Table, table_text
from model.table_file import load_table
from tests.proofs.edits import RECOVERY

HOSTILE = ("<script>alert(1)</script>", "::error::x", "a|b`c``d](http://e.example) {0} %0A\\")
PATHS = (
    "a folder, with: signs/x.csv",
    "100%25 [x](y) `|`.csv",
    "line\n::error::injected\n.csv",
    "<img src=x onerror=alert(1)>.csv",
)
GAP = Table(RECOVERY.rules[1:], "gap")
"""Without the row for a lost claim: no row is to blame for what that breaks."""


def hostile_table() -> Table:
    """The three rows of a table that fails, under hostile names."""
    table = load_table("blind-retry")
    rules = tuple(replace(r, name=name) for r, name in zip(table.rules, HOSTILE, strict=True))
    return replace(table, rules=rules)


def spread_out(table: Table) -> str:
    """The table as a file with comments, empty lines and line breaks inside of cells between its rows."""
    header, *rows = list(csv.reader(io.StringIO(table_text(table))))
    parts = ["# A comment, then nothing.\n\n", _row(header)]
    for number, row in enumerate(rows):
        row[COLUMNS.index("because")] = "A reason\nthat goes on\n# and is no comment."
        parts += [f"# Comment {number}.\n", ",,,\n" * number, _row(row)]
    return "".join(parts)


def _row(cells: list[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(cells)
    return out.getvalue()


def written(path: Path, text: str) -> Path:
    """A file with this text, and its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path
