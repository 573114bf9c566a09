"""A trace told as numbered sentences, each with what the step changed."""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import fields

from model.system import Parts
from properties.verdict import Trace

Value = bool | int | str
WIDTH = 80


@functools.cache
def sentences() -> Mapping[str, str]:
    """The name of every action, without its indices, and what it means."""
    return {
        name: " ".join((member.__doc__ or "").split())
        for part in fields(Parts)
        for base in reversed(getattr(Parts(), part.name).__mro__)
        for name, member in vars(base).items()
        if hasattr(member, "mark")
    }


def meaning(action: str) -> str:
    """What an action means, as its docstring says."""
    return sentences().get(action.split("[")[0], "")


def changed(before: Mapping[str, Value], after: Mapping[str, Value]) -> dict[str, tuple[Value, Value]]:
    """The variables that differ, in declared order, each with its value before and after."""
    return {name: (before[name], after[name]) for name in before if before[name] != after[name]}


def told(trace: Trace) -> Iterator[str]:
    """One paragraph a step: its number, the action, what that means and what it changed."""
    for number, (before, step) in enumerate(zip(trace.steps, trace.steps[1:], strict=False), 1):
        yield paragraph(number, step.action or "", before.state, step.state)


def paragraph(number: int, action: str, before: Mapping[str, Value], after: Mapping[str, Value]) -> str:
    """One step, in lines of at most WIDTH characters."""
    changes = changed(before, after).items()
    shown = ", ".join(f"{name} {plain(a)} -> {plain(b)}" for name, (a, b) in changes) or "changes nothing"
    head = textwrap.wrap(f"{number:3}. {action}: {meaning(action)}", WIDTH, subsequent_indent="     ")
    tail = textwrap.wrap(shown, WIDTH, initial_indent="       ", subsequent_indent="       ", break_on_hyphens=False)
    return "\n".join([*head, *tail])


def plain(value: Value) -> str:
    """A value as people write it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
