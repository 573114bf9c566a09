"""Who reads what: every action may look only at what its owner can see.

Without this a worker becomes omniscient and every proof is worthless. An action reads the variables of
its guard and of the values it writes; a variable's own old value in its own update is no reading, since
that is how a step leaves it alone. Ghost history may look at everything, for nobody looks at it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.kernel import Action, System, Variable
from model.terms import free_variables, variable_name

NAME = "reads_only_what_its_owner_sees"
SAYS = "Every action reads only variables of its owner and of the parties it is said to see, and never ghost history."
WORKER = "worker"


@dataclass(frozen=True)
class Offence:
    """An action reads a variable that its owner cannot see."""

    action: str
    owner: str
    reads: str
    belongs_to: str


def readings(system: System, action: Action) -> frozenset[str]:
    """The names of the variables that an action reads: its guard's, and those of what it writes outside ghosts."""
    ghosts = {v.name for v in system.variables if v.ghost}
    found = set(free_variables(action.guard))
    for update in action.updates:
        target = variable_name(update.target)
        if target not in ghosts:
            found |= free_variables(update.value) - {target}
    return frozenset(found)


def may_see(action: Action, variable: Variable) -> bool:
    """The variable is of the action's owner or of a party it sees (``worker`` is every worker)."""
    if variable.ghost:
        return False
    parties = {action.owner, *action.bridges}
    return variable.owner in parties or WORKER in parties and variable.owner.startswith(f"{WORKER}[")


def offences(system: System) -> Iterator[Offence]:
    """Every reading that no bridge allows, in the order of the actions and then by name."""
    variables = {v.name: v for v in system.variables}
    for action in system.actions:
        for name in sorted(readings(system, action)):
            if not may_see(action, variables[name]):
                yield Offence(action.name, action.owner, name, variables[name].owner)


def bridges(system: System) -> dict[str, tuple[str, ...]]:
    """For each kind of action the parties it sees beyond its owner, indices dropped, sorted."""
    found: dict[str, set[str]] = {}
    for action in system.actions:
        kind = action.name.partition("[")[0]
        found.setdefault(kind, set()).update(b.partition("[")[0] for b in action.bridges)
    return {kind: tuple(sorted(parties)) for kind, parties in sorted(found.items())}


def unused_bridges(system: System) -> Iterator[tuple[str, str]]:
    """Kinds of action with a party that they are said to see, and neither look at nor change."""
    owners = {v.name: v.owner.partition("[")[0] for v in system.variables if not v.ghost}
    touched: dict[str, set[str]] = {}
    for action in system.actions:
        names = readings(system, action) | {variable_name(u.target) for u in action.updates}
        kind = action.name.partition("[")[0]
        touched.setdefault(kind, set()).update(owners[name] for name in names if name in owners)
    for kind, parties in bridges(system).items():
        yield from ((kind, party) for party in parties if party not in touched[kind])
