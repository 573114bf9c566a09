"""The race as plain Python over tuples, which the checkers written in Python explore."""

from __future__ import annotations

from benchmarks.dialects import PYTHON, identifier, literal, text
from model.kernel import Action, System
from model.terms import variable_name


def tuples(system: System) -> str:
    """A module with FIELDS, INITIAL, ``transitions`` (of a tuple) and ``once`` (of a dictionary)."""
    names = [identifier(v.name) for v in system.variables]
    starts = ", ".join(literal(v.starts[0], v.term, PYTHON) for v in system.variables)
    lines = [f"FIELDS = {tuple(names)!r}", f"INITIAL = ({starts},)", "def transitions(state):"]
    lines += [f"    {', '.join(names)}, = state", "    found = []"]
    lines += [f"    {_step(action, names)}" for action in system.actions]
    once = text(system.definitions["once"], PYTHON, lambda name: f"state[{identifier(name)!r}]")
    return "\n".join([*lines, "    return found", "def once(state):", f"    return {once}"]) + "\n"


def _step(action: Action, names: list[str]) -> str:
    changed = {identifier(variable_name(u.target)): text(u.value, PYTHON) for u in action.updates}
    after = ", ".join(changed.get(name, name) for name in names)
    return f"if {text(action.guard, PYTHON)}: found.append(({action.name!r}, ({after},)))"
