"""Text that the exporters share: identifiers, templates, the order of assignments and line breaks."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

WIDTH = 110
Template = Callable[[Sequence[str]], str]
"""The text of a term from the texts of its parts."""


class Names:
    """Identifiers for texts such as ``worker[0].move``: never the same one twice, never a reserved word."""

    def __init__(self, reserved: Iterable[str]):
        self._taken = {word.casefold() for word in reserved}

    def fresh(self, text: str) -> str:
        """An identifier that nothing else has, as near to the text as letters, digits and underscores allow."""
        plain = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
        plain = plain if plain[:1].isalpha() else f"x_{plain}"
        name, at = plain, 1
        while name.casefold() in self._taken:
            at += 1
            name = f"{plain}_{at}"
        self._taken.add(name.casefold())
        return name


def joined(operator: str, empty: str = "") -> Template:
    """A template that puts an operator between its parts."""
    return lambda parts: f" {operator} ".join(parts) or empty


def pairwise(differ: str, both: str, empty: str) -> Template:
    """A template that says of every two parts that they differ."""

    def write(parts: Sequence[str]) -> str:
        pairs = [f"{a} {differ} {b}" for i, a in enumerate(parts) for b in parts[i + 1 :]]
        return pairs[0] if len(pairs) == 1 else f" {both} ".join(f"({pair})" for pair in pairs) or empty

    return write


def negation(sign: str, equal: str, differ: str) -> Template:
    """A template that denies its part, and says of two names that they differ rather than that they are not equal."""

    def write(parts: Sequence[str]) -> str:
        names = re.fullmatch(rf"\(([\w()]+) {equal} ([\w()]+)\)", parts[0])
        return f"{names[1]} {differ} {names[2]}" if names else f"{sign}{parts[0]}"

    return write


def bare(text: str) -> str:
    """A text without its parentheses, if they enclose the whole of it."""
    depth = 0
    for at, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return text[1:-1] if char == ")" and at == len(text) - 1 else text
    return text


def words(text: str) -> frozenset[str]:
    """The identifiers that a text mentions."""
    return frozenset(re.findall(r"\w+", text))


@dataclass(frozen=True)
class Assignments:
    """Simultaneous updates one after the other: ``kept`` is computed before any assignment, and assigned last."""

    kept: Mapping[str, str]
    others: Mapping[str, str]


def in_sequence(values: Mapping[str, str], reads: Callable[[str], frozenset[str]]) -> Assignments:
    """An order in which every new value (by the name of its variable) is computed from the state before.

    ``reads`` says which names a text depends on. Values that read each other in a circle are kept.
    """
    pending = {target: reads(text) for target, text in values.items()}
    kept: dict[str, str] = {}
    others: dict[str, str] = {}
    while pending:
        unread = [t for t in pending if not any(t in seen for other, seen in pending.items() if other != t)]
        target = (unread or list(pending))[0]
        (others if unread else kept)[target] = values[target]
        del pending[target]
    return Assignments(kept, others)


def filled(text: str, indent: str = "", more: str = "    ") -> str:
    """A text broken into lines, after connectives only: no line begins with an operator, no comparison is parted."""
    tied = re.sub(r" (==|=|!=|#|<=|<|>=|>|:=|\+|-) ", "\0\\1\0", text)
    tied = re.sub(r" (?=[^\w(\s~!<]+ )", "\0", tied)
    lines = textwrap.wrap(
        tied, WIDTH, initial_indent=indent, subsequent_indent=indent + more,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
    return "\n".join(lines).replace("\0", " ")


def told(text: str) -> str:
    """A text that can stand on one line of a comment in any of the languages."""
    line = "".join(c if c.isascii() and c.isprintable() else "?" for c in " ".join(text.split()))
    for mark in ("*/", "/*", "(*", "*)"):
        line = line.replace(mark, f"{mark[0]} {mark[1]}")
    return line


def comment(lines: Iterable[str], opens: str, each: str = "", closes: str = "") -> str:
    """Lines of prose as a comment; a line that is indented is kept as it is, others are broken where too long."""
    shown: list[str] = []
    for line in lines:
        indent = line[: len(line) - len(line.lstrip())]
        shown += textwrap.wrap(told(line), WIDTH - 4, initial_indent=indent, subsequent_indent=indent) or [""]
    text = "\n".join(f"{each if at else opens}{line}".rstrip() for at, line in enumerate(shown))
    return text + closes
