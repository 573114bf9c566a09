"""Many cuts as JSON Lines: one answer a line, in order, as they come in."""

from __future__ import annotations

import io
import json
import os
import select
import stat
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

from model.decision_table import Table
from model.table_inputs import INPUT_NAMES
from model.table_lookup import Lookup
from model.text_file import place
from recut.answering import answer_of, answer_of_rules
from recut.cut_file import checked, named, region_of, require_complete
from recut.failure import Refused
from recut.files import parse_json, standard_stream
from recut.plain_lines import plain_codes

CHUNK = 1 << 20
LONGEST = 1 << 20
REMEDY = "give a JSON object a line with the table's inputs by name"
REMEMBERED = 1 << 14


class Answers:
    """A unique table ready to answer the lines of one source; ``unknown_as_any`` takes cuts that lack inputs.

    ``undecided`` tells whether an answer so far is that completions disagree.
    """

    def __init__(self, table: Table, source: str, unknown_as_any: bool = False) -> None:
        self.table, self.lookup, self.where = table, Lookup(table), named(source)
        self.unknown_as_any, self.undecided = unknown_as_any, False
        self._texts = [_line(answer_of_rules(rule)) for rule in self.lookup.rules]
        self._remembered = lru_cache(REMEMBERED)(self._of_labels)

    def blocks(self, file: BinaryIO) -> Iterator[str]:
        """The answers to the lines of a file, a block as soon as it was read.

        Refused for a line that is no cut or that no rule decides, after the answers before it.
        """
        for number, lines in _blocks(file, self.where):
            yield from self._block(number, lines)

    def _block(self, number: int, lines: Sequence[bytes]) -> Iterator[str]:
        """The answers to some lines, of which the first has this number; empty lines have none."""
        stripped = [line.strip(b" \t\r") for line in lines]
        codes = plain_codes([line for line in stripped if line]) if max(map(len, lines)) <= LONGEST else None
        numbers = [-1] if codes is None else self.lookup.numbers(codes).tolist()
        if -1 in numbers:
            yield from self._one_by_one(number, lines)
        else:
            yield "".join([self._texts[at] for at in numbers])

    def _one_by_one(self, number: int, lines: Sequence[bytes]) -> Iterator[str]:
        """The same line by line, so that the one that is wrong is named after the answers before it."""
        done: list[str] = []
        try:
            for at, line in enumerate(lines, number):
                if line.strip(b" \t\r"):
                    done.append(self._answer(line, f"{self.where}: line {at}"))
        except Refused:
            yield "".join(done)
            raise
        yield "".join(done)

    def _answer(self, line: bytes, where: str) -> str:
        if len(line) > LONGEST:
            raise _too_long(where)
        cut = checked(parse_json(line, where, REMEDY), where, REMEDY)
        if not self.unknown_as_any:
            require_complete(cut, where)
        try:
            text, decided = self._remembered(tuple(cut.get(name) for name in INPUT_NAMES))
        except Refused as problem:
            raise Refused(f"{where}: {problem}") from None
        self.undecided |= not decided
        return text

    def _of_labels(self, labels: tuple[str | None, ...]) -> tuple[str, bool]:
        """The answer to a cut, None for an input that is missing, and whether it is a decision."""
        cut = {name: label for name, label in zip(INPUT_NAMES, labels, strict=True) if label is not None}
        rule = self.table.lookup(cut) if len(cut) == len(INPUT_NAMES) else None
        if rule is not None:
            return _line(answer_of_rules(rule)), True
        answer = answer_of(self.table, region_of(cut))
        return _line(answer), answer["decision"] is not None


def opened(source: str) -> BinaryIO:
    """A file, or standard input for ``-``, unbuffered: a read returns what is there. Refused if it cannot be read."""
    if source == "-":
        stream = standard_stream()
        try:
            return os.fdopen(os.dup(stream.fileno()), "rb", buffering=0)
        except io.UnsupportedOperation:
            return stream
    try:
        return Path(source).open("rb", buffering=0)
    except (OSError, ValueError) as problem:
        why = (problem.strerror or "").lower() if isinstance(problem, OSError) else str(problem)
        raise Refused(f"{place(source)}: cannot be read: {why}; {REMEDY}") from None


def require_apart(file: BinaryIO, output: Path) -> None:
    """Refused where the answers would overwrite the file that the cuts are read from."""
    try:
        read, written = os.fstat(file.fileno()), output.stat()
    except (OSError, ValueError):
        return
    if stat.S_ISREG(read.st_mode) and os.path.samestat(read, written):
        raise Refused(f"{place(str(output))}: is the file that is read; name another file for the answers")


def _blocks(file: BinaryIO, where: str) -> Iterator[tuple[int, list[bytes]]]:
    """The complete lines of what can be read at once, with the number of the first."""
    number, left = 1, b""
    for chunk in _chunks(file):
        *lines, left = (left + chunk).split(b"\n")
        if lines:
            yield number, lines
        number += len(lines)
        if len(left) > LONGEST:
            raise _too_long(f"{where}: line {number}")
    yield number, [left]


def _chunks(file: BinaryIO) -> Iterator[bytes]:
    """What can be read at once until the end; a stream that does not block is waited for."""
    while (chunk := file.read(CHUNK)) != b"":
        if chunk is None:
            select.select([file], [], [])
        else:
            yield chunk


def _too_long(where: str) -> Refused:
    return Refused(f"{where}: is longer than {LONGEST:,} bytes; {REMEDY}")


def _line(answer: object) -> str:
    return json.dumps(answer, ensure_ascii=False) + "\n"
