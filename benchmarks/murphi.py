"""The race in Murphi's language, as it is and with workers that may be exchanged."""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchmarks.dialects import MURPHI, Read, identifier, in_order, literal, text
from model.kernel import Action, System, Variable
from model.terms import free_variables, variable_name

_WORKER = re.compile(r"worker\[(\d+)\]\.(\w+)")


def murphi(system: System) -> str:
    """Every variable for itself, and a rule for every action."""
    starts = " ".join(_start(v, identifier) for v in system.variables)
    lines = ["var", *(f"  {_declaration(v, identifier)}" for v in system.variables), f"startstate {starts} end;"]
    lines += [_rule(action, identifier) for action in system.actions]
    return "\n".join([*lines, _invariant(system)]) + "\n"


def murphi_symmetric(system: System) -> str:
    """Workers as a scalarset: a checker may take states that differ in an exchange of workers for one."""
    first = [v for v in system.variables if _worker(v.name) == 0]
    shared = [v for v in system.variables if _worker(v.name) is None]
    workers = sum(v.name.endswith(".step") for v in system.variables)
    fields = " ".join(_declaration(v, _field) for v in first)
    starts = " ".join(_start(v, identifier) for v in shared)
    each = " ".join(_start(v, _indexed) for v in first)
    lines = [f"type Worker : scalarset({workers});", "var", *(f"  {_declaration(v, identifier)}" for v in shared)]
    lines += [f"  workers : array [Worker] of record {fields} end;"]
    lines += [f"startstate {starts} for w : Worker do {each} end; end;"]
    lines += [_rule(a, identifier) for a in system.actions if _who(a) == set()]
    lines += ["ruleset w : Worker do", *(_rule(a, _indexed) for a in system.actions if _who(a) == {0}), "end;"]
    return "\n".join([*lines, _invariant(system)]) + "\n"


def _worker(name: str) -> int | None:
    found = _WORKER.match(name)
    return int(found[1]) if found else None


def _field(name: str) -> str:
    found = _WORKER.match(name)
    return found[2] if found else identifier(name)


def _indexed(name: str) -> str:
    found = _WORKER.match(name)
    return f"workers[w].{found[2]}" if found else identifier(name)


def _who(action: Action) -> set[int]:
    """The workers that an action is about."""
    return {worker for worker in map(_worker, _names(action)) if worker is not None}


def _names(action: Action) -> Iterator[str]:
    yield from free_variables(action.guard)
    for u in action.updates:
        yield from {variable_name(u.target)} | free_variables(u.value)


def _declaration(variable: Variable, read: Read) -> str:
    kind = "boolean" if variable.kind == "flag" else f"0..{variable.high}"
    return f"{read(variable.name)} : {kind};"


def _start(variable: Variable, read: Read) -> str:
    return f"{read(variable.name)} := {literal(variable.starts[0], variable.term, MURPHI)};"


def _rule(action: Action, read: Read) -> str:
    made = (f"{read(variable_name(u.target))} := {text(u.value, MURPHI, read)};" for u in in_order(action.updates))
    body = " ".join(made)
    return f'rule "{action.name}" {text(action.guard, MURPHI, read)} ==> begin {body} end;'


def _invariant(system: System) -> str:
    return f'invariant "once" {text(system.definitions["once"], MURPHI)};'
