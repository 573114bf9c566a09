"""JSON files that commands read and write beside their results: bounded, and replaced atomically."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any, BinaryIO

from model.text_file import shown
from recut.failure import Refused, reason
from recut.output import write

LIMIT = 256_000_000


def read_json(path: Path, remedy: str) -> Any:
    """What a JSON file says; Refused in one line if it cannot be read, is too large or is no JSON."""
    try:
        with path.open("rb") as file:
            data = file.read(LIMIT + 1)
    except (OSError, ValueError) as problem:
        cause = reason(problem) if isinstance(problem, OSError) else f"{path}: {problem}"
        raise Refused(f"{cause}: it cannot be read; {remedy}") from None
    if len(data) > LIMIT:
        raise Refused(f"{path}: is larger than {LIMIT:,} bytes; {remedy}")
    return parse_json(data, str(path), remedy)


def parse_json(data: bytes, where: str, remedy: str) -> Any:
    """What some bytes say; Refused if they are no JSON."""
    try:
        return json.loads(data.decode("utf-8-sig"), object_pairs_hook=_once_each)
    except RecursionError:
        raise Refused(f"{where}: is nested too deeply; {remedy}") from None
    except ValueError as problem:
        raise Refused(f"{where}: is not JSON: {problem}; {remedy}") from None


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object; a key that is there twice would silently win over the first."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {shown(key)} is there twice in one object")
        found[key] = value
    return found


def replace_json(path: Path, document: Any) -> None:
    """Write a file so that it is there as a whole or as it was before; Refused if it cannot be."""
    part = path.with_name(path.name + ".part")
    write(part, json.dumps(document))
    try:
        os.replace(part, path)
    except OSError as problem:
        raise Refused(f"{path}: {(problem.strerror or str(problem)).lower()}: it cannot be written") from None


def standard_input(limit: int) -> bytes:
    """What is on standard input, at most ``limit`` bytes and one; Refused if there is none."""
    return standard_stream().read(limit + 1)


def standard_stream() -> BinaryIO:
    """Standard input as bytes; Refused if it is closed."""
    if sys.stdin is None:
        raise Refused("standard input: is closed; give a file, or something to read")
    return sys.stdin.buffer


def slug(name: str) -> str:
    """A name as a part of a file's name."""
    return "".join(c if c.isalnum() or c in "-_" else "-" for c in name)[:60]
