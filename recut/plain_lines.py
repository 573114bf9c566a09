"""Lines of JSON as most programs write a cut, read without a parser."""

from __future__ import annotations

import json
from collections.abc import Sequence

from model.table_inputs import INPUT_NAMES
from model.table_lookup import PAIRS, Codes, codes_of_pairs

_TOKENS = {
    f"{space}{json.dumps(name)}{colon}{json.dumps(value)}".encode(): at
    for at, (name, value) in enumerate(PAIRS)
    for space in ("", " ")
    for colon in (":", ": ")
}


def plain_codes(lines: Sequence[bytes]) -> Codes | None:
    """The cuts of lines, shape (lines, inputs), where each is plainly one complete cut; None if one is not.

    A plain line is a brace, every input once with a label of its own, commas between them, and a brace; at most one
    space goes before a name and after a colon. Whatever else is JSON has to be parsed.
    """
    if not all(line.startswith(b"{") and line.endswith(b"}") for line in lines):
        return None
    if any(line.count(b",") != len(INPUT_NAMES) - 1 for line in lines):
        return None
    tokens = b",".join([line[1:-1] for line in lines]).split(b",") if lines else []
    try:
        return codes_of_pairs(bytes(map(_TOKENS.__getitem__, tokens)))
    except KeyError:
        return None
