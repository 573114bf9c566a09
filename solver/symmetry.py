"""Parts of a system that can change places: which they are, and whether nothing tells them apart.

States that differ only in who is who are then searched once. A family is used only if every exchange of
two neighbours turns the actions into the same actions and leaves every predicate as it is; this is
compared term by term, up to the order of what commutes, so a family may be refused without need but
never used without right. Questions about runs that do not end (ends, cycles, edges) are refused.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from model.kernel import Action, System, Term, Variable
from model.terms import OPERATORS, Folder, Handler, code_of, is_constant, op_name, variable_name
from solver.packing import WORD

_BLOCK_FIRST = re.compile(r"(?P<family>\w+)\[(?P<index>\d+)\]\.(?P<part>\w+)")
_BLOCK_LAST = re.compile(r"(?P<family>\w+)\.(?P<part>\w+)\[(?P<index>\d+)\]")
_COMMUTES = ("and", "or", "eq", "distinct", "add")


class NotSymmetric(ValueError):
    """Something tells the members of a family apart; the message is one line and says what."""


@dataclass(frozen=True)
class Family:
    """Members that can change places: the names of each one's variables, in the same order for all."""

    name: str
    members: tuple[tuple[str, ...], ...]

    def exchange(self, i: int, j: int) -> dict[str, str]:
        """The new name of every variable when two members change places."""
        pairs = list(zip(self.members[i], self.members[j], strict=True))
        return dict(pairs) | {b: a for a, b in pairs}


def symmetric_families(system: System, names: Sequence[str], predicates: Mapping[str, Term]) -> tuple[Family, ...]:
    """The families with these names, each shown to be interchangeable in actions, starts and predicates.

    Raises NotSymmetric, which names the first thing that tells members apart.
    """
    families = tuple(_family(system, name) for name in names)
    for family in families:
        _require_alike(system, family)
        for i in range(len(family.members) - 1):
            _require_exchange(system, family, family.exchange(i, i + 1), predicates)
    return families


def families_of(system: System) -> dict[str, Family]:
    """Every family by its name: variables called ``name[i].part`` or ``name.part[i]``, two members or more."""
    found: dict[str, dict[int, dict[str, str]]] = {}
    for v in system.variables:
        match = _BLOCK_FIRST.fullmatch(v.name) or _BLOCK_LAST.fullmatch(v.name)
        if match:
            members = found.setdefault(match["family"], {})
            members.setdefault(int(match["index"]), {})[match["part"]] = v.name
    return {name: _as_family(name, members) for name, members in found.items() if len(members) > 1}


def _as_family(name: str, members: Mapping[int, Mapping[str, str]]) -> Family:
    parts = list(dict.fromkeys(part for member in members.values() for part in member))
    return Family(name, tuple(tuple(m[p] for p in parts if p in m) for _, m in sorted(members.items())))


def _family(system: System, name: str) -> Family:
    known = families_of(system)
    if name not in known:
        raise NotSymmetric(f"{system.name} has no family {name!r} of two members or more: {', '.join(known) or 'none'}")
    return known[name]


def _require_alike(system: System, family: Family) -> None:
    """Members have the same parts with the same ranges and starts."""
    shapes = [[_shape(system.variable(name)) for name in member] for member in family.members]
    if any(shape != shapes[0] for shape in shapes):
        raise NotSymmetric(f"{family.name}: its members have different variables, ranges or starts")
    bits = sum(system.variable(name).bits for name in family.members[0])
    if bits > WORD:
        raise NotSymmetric(f"{family.name}: a member takes {bits} bits, more than the {WORD} that can be compared")


def _shape(v: Variable) -> tuple[str, int, tuple[int, ...], tuple[str, ...], str]:
    part = _BLOCK_FIRST.fullmatch(v.name) or _BLOCK_LAST.fullmatch(v.name)
    return v.kind, v.high, v.starts, v.labels, part["part"] if part else ""


def _require_exchange(
    system: System, family: Family, exchange: Mapping[str, str], predicates: Mapping[str, Term]
) -> None:
    before, after = Normal({}), Normal(exchange)
    known = Counter(before.action(a) for a in system.actions)
    strange = next((a.name for a in system.actions if after.action(a) not in known), None)
    if strange is None and Counter(after.action(a) for a in system.actions) != known:
        strange = "the number of its actions"
    if strange is not None:
        raise NotSymmetric(f"{family.name}: {strange} tells its members apart")
    for name, term in predicates.items():
        if before(term) != after(term):
            raise NotSymmetric(f"{family.name}: the predicate {name!r} tells its members apart")


class Normal(Folder[str]):
    """A digest of a term under other names for variables, the same whatever the order of what commutes."""

    def __init__(self, names: Mapping[str, str]):
        table: dict[str, Handler[str]] = dict.fromkeys(OPERATORS, _digest)
        super().__init__(table | {"variable": lambda term, _: f"variable {_renamed(term, names)!r}"})

    def action(self, action: Action) -> str:
        """A digest of guard and updates; the action's name is not part of it."""
        updates = sorted(f"{self(u.target)} := {self(u.value)}" for u in action.updates)
        return _hashed(f"{self(action.guard)} {updates}")


def _renamed(term: Term, names: Mapping[str, str]) -> str:
    name = variable_name(term)
    return names.get(name, name)


def _digest(term: Term, parts: Sequence[str]) -> str:
    name = op_name(term)
    leaf = code_of(term) if is_constant(term) else ""
    return _hashed(f"{name} {leaf} {' '.join(_ordered(name, parts))}")


def _ordered(name: str, parts: Iterable[str]) -> list[str]:
    return sorted(parts) if name in _COMMUTES else list(parts)


def _hashed(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
