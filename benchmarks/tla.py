"""The race as flat TLA+, with the configuration that TLC reads."""

from __future__ import annotations

from benchmarks.dialects import TLA, identifier, literal, text
from model.kernel import Action, System
from model.terms import variable_name

CONFIGURATION = "INIT Init\nNEXT Next\nINVARIANT Once\n"


def tla(system: System, module: str) -> str:
    """The module: a definition for every action, and what an action leaves alone said to be unchanged."""
    names = [identifier(v.name) for v in system.variables]
    starts = (f"{identifier(v.name)} = {literal(v.starts[0], v.term, TLA)}" for v in system.variables)
    lines = [f"---- MODULE {module} ----", "EXTENDS Naturals", f"VARIABLES {', '.join(names)}"]
    lines += [f"Init == {_all(*starts)}", *(_action(a, names) for a in system.actions)]
    lines += ["Next == " + " \\/ ".join(_called(a) for a in system.actions)]
    return "\n".join([*lines, f"Once == {text(system.definitions['once'], TLA)}", "===="]) + "\n"


def _called(action: Action) -> str:
    return f"A_{identifier(action.name)}"


def _action(action: Action, names: list[str]) -> str:
    changed = {identifier(variable_name(u.target)): text(u.value, TLA) for u in action.updates}
    kept = f"UNCHANGED <<{', '.join(n for n in names if n not in changed)}>>"
    primed = (f"{name}' = {value}" for name, value in changed.items())
    return f"{_called(action)} == {_all(text(action.guard, TLA), *primed, kept)}"


def _all(*parts: str) -> str:
    return " /\\ ".join(parts)
