"""Many cuts as JSON Lines: one answer a line, in order, as they come in."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import BinaryIO

from model.decision_table import Table, TableError
from model.table_inputs import INPUT_NAMES
from model.table_lookup import Lookup
from model.text_file import place
from recut.cut_file import REMEDY, checked
from recut.failure import Refused
from recut.files import parse_json

CHUNK = 1 << 20
LONGEST = 1 << 20


def answers(table: Table, source: str) -> Iterator[str]:
    """The answers to the lines of a file, or of standard input for ``-``, a block as soon as it was read.

    Raises Refused for a line that is no complete cut or that no rule decides, after the answers before it.
    """
    known = _Answers(table, "standard input" if source == "-" else place(source))
    with _opened(source) as file:
        for number, lines in _blocks(file, known.where):
            yield from known.of(number, lines)


class _Answers:
    """The table ready to answer, each rule's answer written once."""

    def __init__(self, table: Table, where: str) -> None:
        self.lookup, self.where = Lookup(table), where
        self.texts = [
            json.dumps({"decision": r.decision, "rule": r.name, "because": r.because}, ensure_ascii=False) + "\n"
            for r in self.lookup.rules
        ]

    def of(self, number: int, lines: Sequence[bytes]) -> Iterator[str]:
        """The answers to some lines, of which the first has this number."""
        found = self._all_at_once([line.strip() for line in lines])
        if found is None:
            yield from self._one_by_one(number, lines)
        else:
            yield "".join([self.texts[at] for at in found])

    def _all_at_once(self, lines: Sequence[bytes]) -> list[int] | None:
        """The rules of lines that are plainly one complete cut each; None where each has to be looked at.

        Each begins and ends like an object and all together have as many braces, so each is one object. All have
        the thirteen inputs and together no more colons, so none has an input twice.
        """
        text = b",".join(lines)
        signs = {b"{": 1, b"}": 1, b":": len(INPUT_NAMES)}
        if any(text.count(sign) != times * len(lines) for sign, times in signs.items()):
            return None
        if not all(line.startswith(b"{") and line.endswith(b"}") for line in lines):
            return None
        try:
            numbers: list[int] = self.lookup.numbers(self.lookup.codes(json.loads(b"[%s]" % text))).tolist()
        except (ValueError, RecursionError):
            return None
        return None if -1 in numbers else numbers

    def _one_by_one(self, number: int, lines: Sequence[bytes]) -> Iterator[str]:
        """The same line by line, so that the one that is wrong is named after the answers before it."""
        for at, line in enumerate(lines, number):
            where = f"{self.where}: line {at}"
            cut: Mapping[str, str] = checked(parse_json(line, where, REMEDY), where)
            try:
                (found,) = self.lookup.numbers(self.lookup.codes([cut])).tolist()
            except TableError as problem:
                raise Refused(f"{where}: {str(problem).partition(': ')[2]}") from None
            if found < 0:
                raise Refused(f"{where}: the table has no rule for this cut; run recut table check")
            yield self.texts[found]


def _opened(source: str) -> BinaryIO:
    """Unbuffered, so that a read returns what is there."""
    try:
        if source == "-":
            return os.fdopen(os.dup(sys.stdin.fileno()), "rb", buffering=0)
        return Path(source).open("rb", buffering=0)
    except io.UnsupportedOperation:
        return sys.stdin.buffer
    except (OSError, ValueError) as problem:
        why = (problem.strerror or "").lower() if isinstance(problem, OSError) else str(problem)
        raise Refused(f"{place(source)}: cannot be read: {why}; {REMEDY}") from None


def _blocks(file: BinaryIO, where: str) -> Iterator[tuple[int, list[bytes]]]:
    """The complete lines of what can be read at once, with the number of the first; empty ones are left out."""
    number, left = 1, b""
    while chunk := file.read(CHUNK):
        *lines, left = (left + chunk).split(b"\n")
        if len(left) > LONGEST:
            raise Refused(f"{where}: line {number + len(lines)}: is longer than {LONGEST:,} bytes; {REMEDY}")
        yield from _runs(number, lines)
        number += len(lines)
    yield from _runs(number, [left])


def _runs(number: int, lines: Sequence[bytes]) -> Iterator[tuple[int, list[bytes]]]:
    """Lines that say something, in runs without an empty one between them."""
    run: list[bytes] = []
    for at, line in enumerate(lines, number):
        if line.strip():
            run.append(line)
            continue
        if run:
            yield at - len(run), run
        run = []
    if run:
        yield number + len(lines) - len(run), run
