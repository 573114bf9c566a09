"""Text from files inside Markdown, where none of it may become Markdown or HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

MOST_SHOWN = 200
BAR = chr(92) + "|"


def code(text: str, width: int = MOST_SHOWN) -> str:
    """Text as a code span in one line; at most ``width`` characters of it."""
    short = text if len(text) <= width else text[:width] + "..."
    line = "".join(c if c.isprintable() else "?" for c in short) or " "
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", line)), default=0))
    edge = " " if line.startswith("`") or line.endswith("`") or line.strip() != line else ""
    return f"{fence}{edge}{line}{edge}{fence}"


def words(text: str) -> str:
    """Text as plain words in one line: what Markdown or HTML could read as its own is escaped."""
    line = "".join(c if c.isprintable() else " " for c in text)
    return re.sub(r"([\\`*_\[\]<>&#~!])", r"\\\1", line)


def table(names: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table of cells that are Markdown in one line already."""
    lines = [names, ["---"] * len(names), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', BAR) for cell in line)} |\n" for line in lines)
