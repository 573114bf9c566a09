"""What is wrong with a contract file, in one line: the place, the value and what to do about it."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time

from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from model.contract_sections import Evidence, allowed_values, provider_clauses, remedy

WIDTH = 80
CONTRADICTION = "contradiction"
"""The type of the one error for all contradictions between clauses."""
Path = tuple[str, ...]


class ContractError(ValueError):
    """A contract file that cannot be used; its text is one line: file, place, value and remedy.

    ``others`` are more such lines, where more is wrong with the file.
    """

    def __init__(self, text: str, others: Sequence[str] = ()) -> None:
        super().__init__(text)
        self.others = tuple(others)


def shown(value: object) -> str:
    """A value as a TOML file would write it: printable, on one line and bounded."""
    if isinstance(value, Mapping):
        return "a table"
    if isinstance(value, (date, datetime, time)):
        return value.isoformat()
    text = json.dumps(value, ensure_ascii=False, default=str)
    text = "".join(c if c.isprintable() else f"\\u{ord(c):04x}" for c in text)
    return text if len(text) <= WIDTH else text[:WIDTH] + "..."


def all_faults(data: Mapping[str, object], error: ValidationError, contract: type[BaseModel]) -> list[str]:
    """Every fault once, as the file runs; what is missing comes after what is there."""
    found = sorted(error.errors(), key=lambda e: (_place(data, e["loc"]), e["type"] != "extra_forbidden"))
    of_place: dict[Path, list[str]] = {}
    for fault in found:
        of_place.setdefault(_path(fault["loc"]), _said(data, fault, contract))
    return list(dict.fromkeys(line for lines in of_place.values() for line in lines))


def _said(data: Mapping[str, object], fault: ErrorDetails, contract: type[BaseModel]) -> list[str]:
    """A fault in a sentence; contradictions are one fault of the whole file and several sentences."""
    return list(fault["ctx"]["all"]) if fault["type"] == CONTRADICTION else [_sentence(data, fault, contract)]


def _sentence(data: Mapping[str, object], fault: ErrorDetails, contract: type[BaseModel]) -> str:
    path = _path(fault["loc"])
    if fault["loc"][-1:] == ("[key]",):
        return _no_evidence(path)
    if fault["type"] == "missing":
        return f"{_name(path)} is missing; {_remedy(path, contract)}"
    if fault["type"] == "extra_forbidden":
        return _no_such_key(path, _at(data, path), contract)
    return f"{_name(path)} is {shown(_at(data, path))}; {_remedy(path, contract)}{_nearest(data, fault, contract)}"


def _path(place: tuple[int | str, ...]) -> Path:
    """The keys of the file in a place that the validator names, which goes deeper into unions and lists."""
    keys = tuple(str(part) for part in place)
    return keys[: 3 if keys[:1] == ("evidence",) and keys[2:3] != ("[key]",) else 2]


def _place(data: Mapping[str, object], place: tuple[int | str, ...]) -> tuple[int, ...]:
    """Where in the file a place is, key by key, so that places compare as the file runs."""
    order: list[int] = []
    here: object = data
    for key in place:
        if key == "[key]":
            order.append(-1)
        elif isinstance(here, Mapping):
            order.append(list(here).index(key) if key in here else len(here))
            here = here.get(key)
    return (*order, 0)


def _at(data: object, path: Path) -> object:
    for key in path:
        data = data[key] if isinstance(data, Mapping) else None
    return data


def _name(path: Path) -> str:
    """The place as one would write it in the file."""
    keys = tuple(key if re.fullmatch("[A-Za-z0-9_-]+", key) else shown(key) for key in path)
    return f"[{keys[0]}]" if len(keys) == 1 else ".".join(keys)


def _section(name: str, contract: type[BaseModel]) -> Mapping[str, FieldInfo]:
    """The keys of a section; () for what is no section."""
    if name == "evidence":
        return Evidence.model_fields
    section = contract.model_fields[name].annotation if name in contract.model_fields else None
    return section.model_fields if isinstance(section, type) and issubclass(section, BaseModel) else {}


def _remedy(path: Path, contract: type[BaseModel]) -> str:
    keys = _section(path[0], contract)
    if path == ("evidence",):
        return 'give a table [evidence] of "section.key" = { source, date, confidence }'
    if len(path) == 1:
        return f"give a table [{path[0]}] with the keys {', '.join(keys)}"
    if path[0] == "evidence" and len(path) == 2:
        return "give a table { source, date, confidence }"
    return remedy(keys[path[-1]])


def _nearest(data: Mapping[str, object], fault: ErrorDetails, contract: type[BaseModel]) -> str:
    """The allowed word that was probably meant."""
    path = _path(fault["loc"])
    field = _section(path[0], contract).get(path[-1])
    value = _at(data, path)
    if field is None or not isinstance(value, str):
        return ""
    words = [v for v in allowed_values(field) if isinstance(v, str)]
    near = difflib.get_close_matches(value.strip().lower(), words, n=1)
    return f' (nearest: "{near[0]}")' if near else ""


def _no_such_key(path: Path, value: object, contract: type[BaseModel]) -> str:
    known = list(contract.model_fields) if len(path) == 1 else list(_section(path[0], contract))
    near = difflib.get_close_matches(path[-1].lower(), known, n=1)
    prefix = ".".join(path[:-1])
    elsewhere = [f"{s}.{path[-1]}" for s in contract.model_fields if path[-1] in _section(s, contract)]
    meant = [_name((*path[:-1], near[0]))] if near else elsewhere[:1]
    if meant and prefix != "evidence":
        return f"{_name(path)} is {shown(value)}, but there is no such key; did you mean {meant[0]}?"
    return f"{_name(path)} is {shown(value)}, but there is no such key; remove it or use one of {', '.join(known)}"


def _no_evidence(path: Path) -> str:
    """Evidence for something that is not a provider's clause."""
    clauses = provider_clauses()
    near = difflib.get_close_matches(path[1].lower(), clauses, n=1)
    meant = near or [c for c in clauses if path[1].lower() in c.split(".")]
    hint = f'did you mean "{meant[0]}"?' if meant else f'such as "{clauses[0]}"'
    return f'evidence names {shown(path[1])}; give a provider clause as "section.key" in quotes, {hint}'
