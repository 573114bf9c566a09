"""Table files are read strictly, and what spreadsheets do to them changes nothing."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest

from model.decision_table import COLUMNS, TableError, table_text
from model.table_file import load_table, parse_table, shipped_tables
from model.table_inputs import VALUES
from model.text_file import LIMIT
from tests.table.cuts import HEADER, file, row

GOOD = file(row("lost", "stand_down", claim="lost"), row("rest", claim="held", effect="not(absent, unknown)"))


def swapped(old: str, new: str) -> bytes:
    """The good file with one place changed."""
    assert old in GOOD
    return GOOD.replace(old, new, 1).encode()


WRONG: dict[str, tuple[bytes, list[str]]] = {
    "empty": (b"", ["is empty", "first row is rule,claim"]),
    "only-blank": (b" \n\n\r\n", ["is empty", "give a CSV table"]),
    "only-mark": (b"\xef\xbb\xbf", ["is empty"]),
    "only-comments": (b"# one\n# two\n", ["no header row", "give a CSV table"]),
    "no-rules": (HEADER.encode() + b"\n# nothing\n,,,\n", ["no rules", "add at least one row"]),
    "no-text": (swapped("For a test.", "\ufffe"), ["line 2", "U+FFFE or U+FFFF", "remove them"]),
    "nul": (GOOD.encode() + b"\x00", ["line 4", "U+0000"]),
    "garbage": (bytes(range(256)) * 4, ["not UTF-8"]),
    "escape": (swapped("For a test.", "\x1b[2J"), ["line 2", "U+001B"]),
    "latin-1": (
        swapped("For a test.", "caf\u00e9").decode().encode("latin-1"),
        ["line 2", "0xe9", "save the file as UTF-8"],
    ),
    "utf-16": (GOOD.encode("utf-16"), ["not UTF-8", "save the file as UTF-8"]),
    "too-large": (GOOD.encode() + b"#" * LIMIT, ["larger than 1,000,000 bytes"]),
    "missing-column": (swapped(",undo", ""), ["line 1", "undo is missing"]),
    "unknown-column": (swapped(",undo,", ",undoo,"), ["line 1", '"undoo"', 'did you mean "undo"?']),
    "duplicate-column": (swapped(",undo,", ",claim,"), ["line 1", "claim twice", "remove one"]),
    "no-header": (row().encode(), ["line 1", '"all"', "use one of rule"]),
    "unknown-value": (swapped("lost,-", "lots,-"), ["line 2", 'claim is "lots"', 'did you mean "lost"?', "held, lost"]),
    "far-value": (swapped("lost,-", "xyz,-"), ["line 2", 'claim is "xyz"', "use one of held, lost"]),
    "capitals": (swapped("lost,-", "Lost,-"), ["line 2", 'claim is "Lost"', 'did you mean "lost"?']),
    "unknown-decision": (swapped("stand_down", "stand-down"), ["line 2", '"stand-down"', 'did you mean "stand_down"?']),
    "listed-decision": (swapped("stand_down", '"adopt, verify"'), ["line 2", "decision", "use one of execute"]),
    "not-without-brackets": (swapped("lost,-", "not lost,-"), ["line 2", '"not lost"', "write not(a, b)"]),
    "not-unclosed": (swapped("not(absent, unknown)", "not(absent"), ["line 3", '"not(absent"', "write not(a, b)"]),
    "not-nested": (swapped("not(absent, unknown)", "not(not(absent))"), ["line 3", "write not(a, b)"]),
    "not-nothing": (swapped("not(absent, unknown)", "not()"), ["line 3", "empty place"]),
    "not-everything": (swapped("lost,-", '"not(held, lost)",-'), ["line 2", "excludes every value"]),
    "list-with-hole": (swapped("lost,-", '"held,,lost",-'), ["line 2", "empty place", "held, lost"]),
    "list-with-any": (swapped("lost,-", '"held, -",-'), ["line 2", 'write "-" alone']),
    "named-twice": (swapped("lost,-", '"lost, lost",-'), ["line 2", "names lost twice"]),
    "empty-cell": (swapped("lost,-", "lost,"), ["line 2", "history is empty", 'write "-" for any']),
    "short-row": (GOOD.encode() + b"more,held\n", ["line 4", "history is empty"]),
    "long-row": (swapped("For a test.", "For a test, or two."), ["line 2", '"or two."', "remove or quote it"]),
    "no-name": (swapped("lost,lost", ",lost"), ["line 2", "rule is empty", "name of its own"]),
    "no-decision": (swapped("stand_down", ""), ["line 2", "decision is empty", "use one of execute"]),
    "no-because": (swapped("For a test.", " "), ["line 2", "because is empty", "say in a sentence"]),
    "duplicate-rule": (swapped("rest,held", "lost,held"), ["line 3", '"lost"', "line 2", "rename"]),
    "open-quote": (swapped("For a test.", '"For a test.'), ["line 2", "is not CSV", "close every quoted cell"]),
    "half-quoted": (swapped("For a test.", '"For" a test.'), ["line 2", "is not CSV"]),
    "huge-cell": (swapped("For a test.", "x" * 200_000), ["line 2", "is not CSV", "field limit"]),
    "too-many-rules": (file(*(row(f"r{i}") for i in range(1001))).encode(), ["line 1002", "more than 1000 rules"]),
}


@pytest.mark.parametrize(("data", "words"), WRONG.values(), ids=WRONG)
def test_a_wrong_file_is_one_line_with_place_value_and_remedy(data: bytes, words: list[str], tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_bytes(data)
    with pytest.raises(TableError) as caught:
        load_table(str(path))
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert message.isprintable()
    assert [word for word in words if word not in message] == []


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("missing/mine.csv", ["missing/mine.csv", "no such file"]),
        ("./", ["it is a directory"]),
        ("a\0b.csv", ["a?b.csv", "null byte"]),
        ("a\nb.csv", ["a?b.csv", "no such file"]),
        ("x" * 5000 + ".csv", ["name too long"]),
        ("recovry", ["neither a shipped name nor a path", 'did you mean "recovery"?', "saga"]),
        ("", ["neither a shipped name nor a path"]),
    ],
)
def test_a_file_that_is_not_there_is_one_line(name: str, words: list[str]) -> None:
    with pytest.raises(TableError) as caught:
        load_table(name)
    assert str(caught.value).isprintable()
    assert [word for word in words if word not in str(caught.value)] == []


def test_a_file_that_may_not_be_read_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(TableError, match=r"^mine\.csv: cannot be read: permission denied; give a CSV table"):
        load_table("mine.csv")


def spreadsheet(text: str, delimiter: str = ",", end: str = "\r\n", extra: int = 0, quoted: bool = True) -> str:
    """What a spreadsheet makes of a file: every row equally wide, comments and empty lines too."""
    rows = [r or [""] for r in csv.reader(io.StringIO(text))]
    width = max(map(len, rows)) + extra
    out = io.StringIO()
    quoting: Literal[0, 1] = csv.QUOTE_ALL if quoted else csv.QUOTE_MINIMAL
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end, quoting=quoting)
    writer.writerows(r + [""] * (width - len(r)) for r in rows)
    return out.getvalue()


SAVED: dict[str, Callable[[str], str]] = {
    "as-is": lambda text: text,
    "mark": lambda text: "\ufeff" + text,
    "crlf": lambda text: text.replace("\n", "\r\n"),
    "old-mac": lambda text: text.replace("\n", "\r"),
    "all-quoted": spreadsheet,
    "wide": lambda text: spreadsheet(text, extra=3),
    "wide-unquoted": lambda text: spreadsheet(text, extra=9, quoted=False),
    "semicolons": lambda text: "\ufeff" + spreadsheet(text, delimiter=";", quoted=False),
    "tabs": lambda text: spreadsheet(text, delimiter="\t", end="\n", quoted=False),
    "empty-rows": lambda text: text.replace("\n", "\n,,,\n\n") + "\n\n,\n",
}


@pytest.mark.parametrize("save", SAVED)
@pytest.mark.parametrize("name", shipped_tables())
def test_a_spreadsheet_may_save_the_file(name: str, save: str, tmp_path: Path) -> None:
    before = load_table(name)
    path = tmp_path / "saved.csv"
    path.write_bytes(SAVED[save](Path(before.path).read_text("utf-8")).encode())
    after = load_table(str(path))
    assert [(r.name, r.cells, r.decision, r.because) for r in after.rules] == [
        (r.name, r.cells, r.decision, r.because) for r in before.rules
    ]
    assert after.digest == before.digest


@pytest.mark.parametrize("name", shipped_tables())
def test_a_table_reads_back_as_it_was_written(name: str) -> None:
    table = load_table(name)
    again = parse_table(table_text(table), "again.csv")
    assert again.digest == table.digest
    assert table_text(again) == table_text(table)


def test_columns_may_stand_in_any_order() -> None:
    rows = list(csv.reader(io.StringIO(GOOD)))
    out = io.StringIO()
    csv.writer(out).writerows(reversed(r) for r in rows)
    assert parse_table(out.getvalue(), "x").digest == parse_table(GOOD, "x").digest


def test_the_order_of_rows_is_not_part_of_the_digest_and_a_cell_is() -> None:
    head, one, two = GOOD.splitlines()
    digest = parse_table(GOOD, "x").digest
    assert parse_table("\n".join((head, two, one)), "y").digest == digest
    assert parse_table(GOOD.replace("stand_down", "quarantine"), "x").digest != digest


def test_cells_mean_any_a_value_a_list_or_all_but_a_list() -> None:
    table = parse_table(
        file(
            row("any"),
            row("value", effect="absent"),
            row("list", effect=" absent ,unknown"),
            row("but-one", effect="not(absent)"),
            row("but-some", effect="not ( absent,unknown )"),
        ),
        "x",
    )
    everything = frozenset(VALUES["effect"])
    some = frozenset(("absent", "unknown"))
    assert [r.cells["effect"] for r in table.rules] == [
        everything,
        frozenset(("absent",)),
        some,
        everything - {"absent"},
        everything - some,
    ]


def test_a_comment_inside_a_quoted_cell_is_text() -> None:
    text = file(row(because='"Two lines,\n# and a comma."'))
    assert parse_table(text.replace('""', '"'), "x").rules[0].because == "Two lines, # and a comma."


def test_a_quote_in_a_comment_opens_nothing() -> None:
    table = parse_table('# a,"b\n' + GOOD.replace("rest,", '  # "c\n"# d, e",,\nrest,'), "x")
    assert [(r.name, r.line) for r in table.rules] == [("lost", 3), ("rest", 6)]


def test_the_header_is_the_published_one() -> None:
    published = "rule,claim,history,intent,attempt,effect,match,admission,permission,precondition,postcondition,dedup"
    assert ",".join(COLUMNS) == published + ",readback,undo,decision,because"
