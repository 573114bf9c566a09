"""Reading the text files that people write, so that whatever is wrong with one is said in one line."""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterable
from pathlib import Path

LIMIT = 1_000_000
CONTROL = frozenset(map(chr, (*range(9), 11, 12, *range(14, 32), *range(127, 160)))) | {"\u2028", "\u2029"}


def shown(value: str, width: int = 60) -> str:
    """A value from a file as one quoted, printable and bounded piece of a message."""
    short = value if len(value) <= width else value[:width] + "..."
    return '"' + "".join(c if c.isprintable() else "?" for c in short) + '"'


def place(path: str) -> str:
    """A path as the printable start of a one-line message."""
    return "".join(c if c.isprintable() else "?" for c in path) or '""'


def nearest(value: str, known: Iterable[str]) -> str:
    """The remedy for a value that is not known: the nearest one, if any is near, and all of them."""
    options = list(known)
    near = difflib.get_close_matches(value.strip().lower(), options, n=1)
    return (f'did you mean "{near[0]}"? ' if near else "") + f"use one of {', '.join(options)}"


def read_text(path: str, error: type[ValueError], remedy: str) -> str:
    """The text of a file, without its byte order mark; ``error`` with one line if there is none.

    At most LIMIT bytes are read. ``remedy`` ends the message where the file itself is the wrong one.
    """
    return decoded(read_bytes(path, error, remedy), place(path), error, remedy)


def read_bytes(path: str, error: type[ValueError], remedy: str) -> bytes:
    """At most LIMIT + 1 bytes of a file; ``error`` with one line if it cannot be read."""
    try:
        with open(path, "rb") as file:
            return file.read(LIMIT + 1)
    except (OSError, ValueError) as problem:
        raise error(f"{place(path)}: cannot be read: {_reason(problem)}; {remedy}") from None


def _reason(problem: Exception) -> str:
    text = (problem.strerror or str(problem)) if isinstance(problem, OSError) else str(problem)
    return "it is a directory" if isinstance(problem, IsADirectoryError) else text.lower()


def decoded(data: bytes, where: str, error: type[ValueError], remedy: str) -> str:
    """The text of a file's bytes; ``where`` is its printable name, ``error`` is raised with one line."""
    if len(data) > LIMIT:
        raise error(f"{where}: is larger than {LIMIT:,} bytes; {remedy}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        byte = f"0x{data[problem.start]:02x}"
        raise error(f"{where}: line {line}: the byte {byte} is not UTF-8; save the file as UTF-8 text") from None
    for at, character in enumerate(text):
        if character in CONTROL:
            line = text.count("\n", 0, at) + 1
            raise error(f"{where}: line {line}: has the control character U+{ord(character):04X}; {remedy}")
    if not text.strip():
        raise error(f"{where}: is empty; {remedy}")
    return text


def shipped(folder: str, suffix: str) -> dict[str, str]:
    """The files that come with the program in ``model/FOLDER``: name to path, sorted by name."""
    files = Path(__file__).parent / folder
    return {p.stem: str(p) for p in sorted(files.glob(f"*{suffix}"))}


def locate(name_or_path: str, folder: str, suffix: str, error: type[ValueError]) -> str:
    """The path of a shipped name, or the path that was given; ``error`` lists the shipped names."""
    known = shipped(folder, suffix)
    if name_or_path in known:
        return known[name_or_path]
    if "/" in name_or_path or name_or_path.endswith(suffix) or os.path.exists(name_or_path):
        return name_or_path
    raise error(f"{place(name_or_path)}: is neither a shipped name nor a path; {nearest(name_or_path, known)}")
