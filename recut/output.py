"""Where results go: to standard output or to a file, as text that fits 80 columns, or in a format."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from rich.console import Console, RenderableType

from recut.failure import Refused, reason

WIDTH = 80


def emit(text: str, output: Path | None) -> bool:
    """Write a result; Refused if the file cannot be written. Whether anybody still reads: if not, that is no error."""
    if output is not None:
        write(output, text)
        return True
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return False
    return True


def write(path: Path, text: str) -> None:
    """Write a file; Refused in one line if it cannot be."""
    try:
        path.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as problem:
        raise Refused(_unwritable(path, problem)) from None


def write_bytes(path: Path, data: bytes) -> None:
    """Write a binary file; Refused in one line if it cannot be."""
    try:
        path.write_bytes(data)
    except (OSError, ValueError) as problem:
        raise Refused(_unwritable(path, problem)) from None


def append(path: Path, text: str) -> None:
    """Add to the end of a file, which need not exist; Refused in one line if it cannot be written."""
    try:
        with path.open("a", encoding="utf-8") as file:
            file.write(text)
    except (OSError, ValueError) as problem:
        raise Refused(_unwritable(path, problem)) from None


def ready(output: Path | None) -> None:
    """Refuse an output file that cannot be written before the work is done instead of after it."""
    if output is None:
        return
    try:
        existed = output.exists()
        output.open("ab").close()
        if not existed:
            output.unlink()
    except (OSError, ValueError) as problem:
        raise Refused(_unwritable(output, problem)) from None


def folder(path: Path | None) -> None:
    """Make a folder for files that are written later; Refused if it cannot be."""
    if path is None:
        return
    try:
        path.mkdir(parents=True, exist_ok=True)
        ready(path / ".recut")
    except (OSError, ValueError) as problem:
        raise Refused(_unwritable(path, problem)) from None


def as_json(document: Any) -> str:
    """A document as a JSON file."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def as_text(parts: Iterable[RenderableType], output: Path | None) -> str:
    """Rich parts one below the other; in colour only for a terminal that did not ask for none."""
    terminal = output is None and sys.stdout.isatty()
    console = Console(
        file=io.StringIO(),
        force_terminal=terminal,
        no_color=None if terminal else True,
        width=WIDTH,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )
    for part in parts:
        console.print(part)
    text: str = console.file.getvalue()  # type: ignore[attr-defined]
    return "".join(line.rstrip() + "\n" for line in text.splitlines()) if not terminal else text


def _unwritable(path: Path, problem: Exception) -> str:
    text = reason(problem) if isinstance(problem, OSError) else f"{path}: {problem}"
    return f"{text}: it cannot be written; name another file or folder"
