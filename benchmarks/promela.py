"""The race as Promela: a process for the world, and one for each worker, whose place is where its program is.

Spin is faster with this form than with one process and a variable for every place: it looks only at the
statements that leave from where a process is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import z3

from benchmarks.dialects import PROMELA, identifier, in_order, literal, text
from benchmarks.places import Places, step_variables, switched
from model.kernel import Action, System, Term, Update, Variable
from model.terms import code_of, conjunction, free_variables, op_name, variable_name


def promela(system: System) -> str:
    """The model; the property is asserted by every step that could break it."""
    common, places = switched(system, step_variables(system))
    gone = {place.variable.name for place in places}
    lines = [_declaration(v) for v in system.variables if v.name not in gone]
    world = (f":: {_step(system, a.guard, a.updates)}" for a in common)
    lines += ["active proctype World() { end_world: do", *world, "od }"]
    for place in places:
        lines += _process(system, place)
    return "\n".join(lines) + "\n"


def _declaration(variable: Variable) -> str:
    kind = "bool" if variable.kind == "flag" else "byte"
    return f"{kind} {identifier(variable.name)} = {literal(variable.starts[0], variable.term, PROMELA)};"


def _process(system: System, place: Places) -> Iterator[str]:
    """A worker: a label for each place, an end label because it may well stay there."""
    labels = [f"end_{label}" for label in place.variable.labels]
    yield f"active proctype {identifier(place.variable.name)}() {{"
    yield f"goto {labels[place.variable.starts[0]]};"
    for code, actions in place.leaving.items():
        yield f"{labels[code]}: if"
        for action in actions:
            for guard, target in _ways(action, place.variable, code):
                updates = [u for u in action.updates if variable_name(u.target) != place.variable.name]
                yield f"  :: {_step(system, guard, updates)} goto {labels[target]}"
        yield "  fi;"
    yield "}"


def _ways(action: Action, variable: Variable, code: int) -> list[tuple[Term, int]]:
    """Where an action leads, with the guard of each way."""
    moves = [u.value for u in action.updates if variable_name(u.target) == variable.name]
    return _branches(moves[0], [action.guard]) if moves else [(action.guard, code)]


def _branches(value: Term, guards: Sequence[Term]) -> list[tuple[Term, int]]:
    if op_name(value) != "ite":
        return [(conjunction(guards), code_of(value))]
    test, then, other = value.children()
    return _branches(then, [*guards, test]) + _branches(other, [*guards, z3.Not(test)])


def _step(system: System, guard: Term, updates: Sequence[Update]) -> str:
    """One indivisible step."""
    made = [f"{identifier(variable_name(u.target))} = {text(u.value, PROMELA)}" for u in in_order(updates)]
    once = system.definitions["once"]
    if free_variables(once) & {variable_name(u.target) for u in updates}:
        made.append(f"assert({text(once, PROMELA)})")
    return f"d_step {{ {text(guard, PROMELA)} -> {'; '.join(made)} }}" if made else f"{text(guard, PROMELA)} ->"
