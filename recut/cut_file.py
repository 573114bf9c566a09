"""Reading one cut: the table's inputs by name, as TOML or JSON."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from model.decision_table import EVERYTHING, Region
from model.table_inputs import INPUT_NAMES, VALUES
from model.text_file import nearest, place, read_text, shown
from recut.failure import Refused
from recut.files import parse_json, standard_input

LIMIT = 1_000_000
REMEDY = "give a TOML or JSON file with the table's inputs by name"


def read_cut(source: str) -> Mapping[str, str]:
    """The labels that a file, or standard input for ``-``, gives to inputs; Refused in one line."""
    text = _standard() if source == "-" else read_text(source, Refused, REMEDY)
    where = named(source)
    return checked(_parsed(text, where, source), where)


def named(source: str) -> str:
    """A source as the start of a one-line message: its path, or standard input for ``-``."""
    return "standard input" if source == "-" else place(source)


def checked(document: object, where: str, remedy: str = REMEDY) -> Mapping[str, str]:
    """A document as labels by input; Refused where it is something else, or says what no input can be."""
    if not isinstance(document, Mapping):
        raise Refused(f"{where}: is not a table of inputs; {remedy}")
    for name, value in document.items():
        if name not in VALUES:
            raise Refused(f"{where}: has an input {shown(str(name))}; {nearest(str(name), INPUT_NAMES)}")
        if not isinstance(value, str):
            raise Refused(f"{where}: {name} is no text; use one of {', '.join(VALUES[name])}, in quotes")
        if value not in VALUES[name]:
            raise Refused(f"{where}: {name} is {shown(value)}; {nearest(value, VALUES[name])}")
    return {str(name): str(value) for name, value in document.items()}


def region_of(cut: Mapping[str, str]) -> Region:
    """All cuts that agree with this one: an input that is missing has any value."""
    return {name: frozenset({cut[name]}) if name in cut else EVERYTHING[name] for name in INPUT_NAMES}


def require_complete(cut: Mapping[str, str], where: str) -> None:
    """Refused, with the first input that is missing; ``where`` starts the message."""
    for name, values in VALUES.items():
        if name not in cut:
            raise Refused(f"{where}: {name} is missing; use one of {', '.join(values)}, or give --unknown-as-any")


def _standard() -> str:
    data = standard_input(LIMIT)
    if len(data) > LIMIT:
        raise Refused(f"standard input: is larger than {LIMIT:,} bytes; {REMEDY}")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(f"standard input: is not UTF-8 text; {REMEDY}") from None


def _parsed(text: str, where: str, source: str) -> object:
    """JSON where it starts like JSON, else TOML."""
    if text.lstrip().startswith(("{", "[{")) or source.endswith(".json"):
        return parse_json(text.encode(), where, REMEDY)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        reason = " ".join(str(problem).split()) or "too deep"
        raise Refused(f"{where}: is not TOML: {reason}; {REMEDY}") from None
