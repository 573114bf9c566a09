"""Policies: a decision table together with the practices it is run with."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from model.decision_table import Table, TableError
from model.table_file import load_table, shipped_tables
from model.text_file import locate, nearest, place, read_text, shipped, shown

REMEDY = "give a TOML file with name, table, summary and [practices]"


class PolicyError(ValueError):
    """A policy that cannot be used; the message is one line: file, key, value and remedy."""


@dataclass(frozen=True)
class Practices:
    """What the caller does around the table; rigid in a run. The fields are the keys of ``[practices]``."""

    reads: bool
    """Asks the target about the effect at all."""
    fence_told: str
    """When the target learns of a new epoch: before-read, with-request or never."""
    attempt_recorded: str
    """When a release enters the checkpoint: before-release, after-reply or never."""
    read_before_authority: bool
    """Reads the effect before it asks for permission."""
    verifies_before_completing: bool
    """Completes only on an observation of the target, not on a reply alone."""
    rechecks_when_sending: bool
    """Looks again, when it sends, at what the decision relied on."""
    sticky_unknown: bool
    """Keeps an unknown outcome until an observation settles it, whatever errors follow."""
    identity: str
    """The identity that a repeat uses: what the contract says, or a fresh one each try."""
    attempts_counted: str
    """Whether earlier releases count per-obligation or per-identity."""
    asks_authority: bool
    """Sends only what was admitted."""


@dataclass(frozen=True)
class Policy:
    """A named policy: what decides and what is done around it."""

    name: str
    summary: str
    table: Table
    practices: Practices
    path: str


FLAG = ("true", "false")
CHOICES: Mapping[str, tuple[str, ...]] = {
    "fence_told": ("before-read", "with-request", "never"),
    "attempt_recorded": ("before-release", "after-reply", "never"),
    "identity": ("contract", "fresh-each-try"),
    "attempts_counted": ("per-obligation", "per-identity"),
}
PRACTICES: Mapping[str, tuple[str, ...]] = {f.name: CHOICES.get(f.name, FLAG) for f in fields(Practices)}
TEXTS = ("name", "table", "summary")


def shipped_policies() -> tuple[str, ...]:
    """The names of the policies that come with the program, the one to use first."""
    return tuple(sorted(shipped("policies", ".toml"), key=lambda name: (name != "recovery", name)))


def load_policy(name_or_path: str) -> Policy:
    """The shipped policy with this name, or the policy in this file (a path has a slash or ends in .toml).

    Its table is a shipped name, or a path relative to the policy's file. Raises PolicyError with one
    line, also for what is wrong with the table.
    """
    path = locate(name_or_path, "policies", ".toml", PolicyError)
    document = _parsed(read_text(path, PolicyError, REMEDY), path)
    _known(document, (*TEXTS, "practices"), "", path)
    texts = {key: _text(document[key], key, path) for key in TEXTS}
    practices = _practices(document["practices"], path)
    return Policy(texts["name"], texts["summary"], _table(texts["table"], path), practices, path)


def _parsed(text: str, path: str) -> dict[str, object]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        reason = " ".join(str(problem).split())
        raise PolicyError(f"{place(path)}: is not TOML: {shown(reason, 120)}; {REMEDY}") from None


def _known(section: Mapping[str, object], keys: tuple[str, ...], prefix: str, path: str) -> None:
    for key in section:
        if key not in keys:
            raise PolicyError(f"{place(path)}: has the unknown key {shown(prefix + key)}; {nearest(key, keys)}")
    for key in keys:
        if key not in section:
            wanted = " or ".join(PRACTICES[key]) if prefix else REMEDY
            raise PolicyError(f"{place(path)}: {prefix}{key} is missing; {'give ' * bool(prefix)}{wanted}")


def _text(value: object, key: str, path: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise PolicyError(f"{place(path)}: {key} is {_written(value)}; give a text")
    return " ".join(value.split())


def _practices(section: object, path: str) -> Practices:
    if not isinstance(section, dict):
        raise PolicyError(f"{place(path)}: practices is {_written(section)}; make it a section, [practices]")
    _known(section, tuple(PRACTICES), "practices.", path)
    for key, allowed in PRACTICES.items():
        value = section[key]
        fits = isinstance(value, bool) if allowed is FLAG else isinstance(value, str) and value in allowed
        if not fits:
            raise PolicyError(f"{place(path)}: practices.{key} is {_written(value)}; give {' or '.join(allowed)}")
    return Practices(**section)


def _written(value: object) -> str:
    """A value for a message; of what is neither text nor flag only the kind, since it may be very long."""
    if isinstance(value, bool):
        return str(value).lower()
    return shown(value) if isinstance(value, str) else f"of the kind {type(value).__name__}"


def _table(name: str, path: str) -> Table:
    try:
        return load_table(name if name in shipped_tables() else _beside(name, path))
    except TableError as problem:
        raise PolicyError(f"{place(path)}: table is {shown(name)}: {problem}") from None


def _beside(name: str, path: str) -> str:
    is_path = "/" in name or name.endswith(".csv")
    return str(Path(path).parent / name) if is_path else name
