"""Exhaustive searches of small models, and their states as sets that can be compared.

The system is searched as it is, without putting constants in: for small runs that is quicker, and every
state names every variable.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from model.kernel import System, Term
from model.specialise import Specialised
from model.system import Model
from properties.verdict import Trace
from solver.exploration import Exploration
from solver.explore import Limits, explore
from solver.plain_step import PlainModel
from solver.replayed import replayed_trace


def searched(
    model: Model,
    terms: Mapping[str, Term] | None = None,
    *,
    stop_when: Collection[str] = (),
    max_states: int | None = None,
) -> Exploration:
    """Every state of a model, or all up to a depth where the search was cut off."""
    return explore(model.system(), terms, limits=Limits(max_states), stop_when=stop_when)


def projected(found: Exploration, names: Sequence[str]) -> frozenset[bytes]:
    """The distinct values of these variables, one string of codes for each."""
    codes = np.stack([found.layout.field(found.words, name) for name in names], axis=1)
    return frozenset(row.tobytes() for row in np.unique(codes, axis=0))


def states(found: Exploration) -> frozenset[bytes]:
    """Every state by all its variables, in the order of their names."""
    return projected(found, sorted(found.layout.fields))


def met(found: Exploration) -> frozenset[str]:
    """The names of the terms that hold somewhere."""
    return frozenset(name for name, index in found.first.items() if index is not None)


def whole(system: System) -> Specialised:
    """A system of which nothing was taken out."""
    return Specialised(system, system, {}, ())


def trace_to(found: Exploration, name: str, term: Term) -> Trace:
    """A shortest way to a state where the term holds, each step taken again by the plain model."""
    index = found.first[name]
    assert index is not None, f"{name} was not found in {found.states} states"
    special = whole(found.system)
    return replayed_trace(special, PlainModel(found.system), found, index, name, term)
