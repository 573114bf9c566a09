"""One exploration as numbers, and the named situations each looked for where they are possible."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import networkx as nx

from model.kernel import ModelError
from model.specialise import Specialised, specialise
from model.system import Model
from properties.fault_states import FAULT_STATES
from properties.reachables import SEAMS, SITUATIONS, Reachable
from properties.variants import variant_model
from recut.failure import Refused
from recut.searching import Manner, search
from solver.case_run import decides_on, reached_cuts
from solver.coverage import Coverage, coverage
from solver.exploration import Exploration
from solver.explore import explore
from solver.graph import to_networkx
from solver.partial_order import Private


@dataclass(frozen=True)
class Counted:
    """The counts of one exploration; ``fired`` is by action without its indices."""

    levels: list[int]
    states: int
    transitions: int
    complete: bool
    cut_off_by: str | None
    fired: dict[str, int]
    impossible: list[str]
    rows: Coverage
    special: Specialised
    found: Exploration
    private: tuple[Private, ...]


def counted(model: Model, manner: Manner) -> Counted:
    """Explore a model and count; if edges are kept, a graph can be made of it. Raises what ``search`` raises."""
    special = specialise(model.system())
    searched = search(special.system, manner, decides_on(model, special))
    found = searched.found
    fired: dict[str, int] = {}
    for action, count in found.fired.items():
        fired[action.split("[")[0]] = fired.get(action.split("[")[0], 0) + count
    return Counted(
        levels=found.levels,
        states=found.states,
        transitions=found.transitions,
        complete=found.complete,
        cut_off_by=found.cut_off_by,
        fired=dict(sorted(fired.items())),
        impossible=sorted({a.split("[")[0] for a in special.removed_actions} - set(fired)),
        rows=coverage(model.table, reached_cuts(model, special, found)),
        special=special,
        found=found,
        private=searched.private,
    )


def graph_of(counts: Counted, names: list[str]) -> nx.MultiDiGraph:
    """The quotient over some variables; one that never changes is left out. Refused if the search was cut off."""
    changing = {v.name for v in counts.special.system.variables}
    try:
        return to_networkx(counts.found, [name for name in names if name in changing])
    except (ModelError, ValueError) as problem:
        raise Refused(f"there is no graph: {problem}") from None


def situations() -> Iterator[dict[str, Any]]:
    """Every named situation with the length of its shortest trace, and whether it needs its fault."""
    for item in (*SEAMS, *SITUATIONS, *FAULT_STATES):
        depth = _depth(item, faulty=True)
        needed = None if item.fault is None else _depth(item, faulty=False) is None
        yield {
            "name": item.name,
            "says": item.says,
            "variant": item.variant,
            "fault": item.fault,
            "found": depth is not None,
            "depth": depth,
            "only_with_fault": needed,
        }


def _depth(item: Reachable, faulty: bool) -> int | None:
    """The least number of steps to a situation, in its variant with or without its fault."""
    model = variant_model(item.variant, frozenset({item.fault} if item.fault else ()))
    if not faulty and item.fault is not None:
        model = Model(model.setting.without(item.fault), model.profile, model.table)
    special = specialise(model.system())
    found = explore(special.system, {"it": special.term(item.where(model))}, stop_when=["it"])
    index = found.first["it"]
    return None if index is None else found.level_of(index)
