"""Partial-order reduction: where a party's next steps concern nobody else, nobody else need step first.

A party (the actions of one owner) is *private* at a place if every step that it could take there reads and
writes only what no other party writes, writes nothing that another party or a predicate reads, and leads
on. Other parties then cannot enable, disable or notice its steps, so that searching only these steps loses
no predicate that holds somewhere. Places that private steps could go round in are left out. The result is
a system like any other, with guards that say who may step.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import networkx as nx
import z3

from model.folding import Simplifier, simplifier
from model.kernel import Action, System, Term, Variable
from model.terms import code_of, conjunction, free_variables, is_constant, key_of, op_name, variable_name


@dataclass(frozen=True)
class Private:
    """The places at which a party is private: values of one of its variables, and the steps it could take there."""

    party: str
    variable: str
    places: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Reduced:
    """A system of which fewer states are searched, and why that is enough."""

    system: System
    private: tuple[Private, ...]


def reduced(system: System, predicates: Iterable[Term]) -> Reduced:
    """The same system, in which nobody steps before a party that is private.

    A predicate among ``predicates`` holds in a reachable state of the result exactly if it holds in one of
    ``system``; shortest traces may become longer. Questions about ends, cycles and steps are not answered by it.
    """
    seen = frozenset[str]().union(*(free_variables(p) for p in predicates))
    parties = _parties(system)
    found = [_private(system, party, actions, seen) for party, actions in parties.items()]
    private = tuple(p for p in found if p is not None)
    waits = [(p.party, z3.Or(*_moves(system, p, parties[p.party]))) for p in private]
    actions = tuple(replace(a, guard=_waiting(a, waits)) for a in system.actions)
    return Reduced(system.with_actions(actions), private)


def _parties(system: System) -> dict[str, list[Action]]:
    parties: dict[str, list[Action]] = {}
    for action in system.actions:
        parties.setdefault(action.owner, []).append(action)
    return parties


def _private(system: System, party: str, actions: Sequence[Action], seen: frozenset[str]) -> Private | None:
    """The variable of a party with the most private places, or None if there is none."""
    own = [v for v in system.variables if v.owner == party and v.kind != "flag"]
    if not own:
        return None
    others = [a for a in system.actions if a.owner != party]
    written = frozenset[str]().union(*(_writes(a) for a in others))
    read = seen.union(*(_reads(a) for a in others))
    own = [v for v in own if v.name not in written]
    found = [Private(party, v.name, _places(v, actions, written, read)) for v in own]
    best = max(found, key=lambda p: len(p.places), default=None)
    return best if best is not None and best.places else None


def _places(v: Variable, actions: Sequence[Action], written: frozenset[str], read: frozenset[str]) -> tuple[int, ...]:
    """The values of a variable at which everything that its party could do is private and leads on."""
    leads: dict[int, set[int]] = {}
    for code in range(v.high + 1):
        simplify = simplifier({v.name: v.value(code)})
        possible = [a for a in (_at(a, simplify) for a in actions) if op_name(a.guard) != "false"]
        private = all(not (_reads(a) | _writes(a)) & written and not _writes(a) & read for a in possible)
        if possible and private:
            leads[code] = set().union(*(_next(a, v, code) for a in possible))
    graph = nx.DiGraph([(place, to) for place, onwards in leads.items() for to in onwards if to in leads])
    round_about = {p for part in nx.strongly_connected_components(graph) for p in part if _cycles(graph, part, p)}
    return tuple(place for place in sorted(leads) if place not in round_about)


def _cycles(graph: nx.DiGraph, part: set[int], place: int) -> bool:
    return len(part) > 1 or bool(graph.has_edge(place, place))


def _at(action: Action, simplify: Simplifier) -> Action:
    """An action with the value of a variable put in."""
    guard = simplify(action.guard)
    if op_name(guard) == "false":
        return replace(action, guard=guard)
    return replace(action, guard=guard, updates=tuple(replace(u, value=simplify(u.value)) for u in action.updates))


def _next(action: Action, v: Variable, code: int) -> set[int]:
    """The values that a variable can have after an action."""
    for u in action.updates:
        if key_of(u.target) == key_of(v.term):
            return {code_of(u.value)} if is_constant(u.value) else set(range(v.high + 1))
    return {code}


def _reads(action: Action) -> frozenset[str]:
    return free_variables(action.guard).union(*(free_variables(u.value) for u in action.updates))


def _writes(action: Action) -> frozenset[str]:
    return frozenset(variable_name(u.target) for u in action.updates)


def _moves(system: System, private: Private, actions: Sequence[Action]) -> list[Term]:
    """When the party is private and can step, as one formula for each of its places and steps."""
    v = system.variable(private.variable)
    here = {place: v.term == v.value(place) for place in private.places}
    guards = {p: [simplifier({v.name: v.value(p)})(a.guard) for a in actions] for p in here}
    return [z3.And(here[p], z3.Or(*(g for g in guards[p] if op_name(g) != "false"))) for p in here]


def _waiting(action: Action, waits: Sequence[tuple[str, Term]]) -> Term:
    """The guard of an action that waits for every private party but its own, and for its own if that is later."""
    names = [party for party, _ in waits]
    mine = names.index(action.owner) if action.owner in names else len(names)
    before = [z3.Not(moves) for _, moves in waits[:mine]]
    after = [z3.Not(moves) for _, moves in waits[mine + 1 :]]
    if mine == len(names):
        return conjunction([action.guard, *before])
    return conjunction([action.guard, *before, *([z3.Or(waits[mine][1], conjunction(after))] if after else [])])
