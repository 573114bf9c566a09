"""What recovery can do under one definite contract: what breaks, and from where it ends without a person."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from z3 import Not

from model.decision_table import Table
from model.kernel import ModelError, System, Variable
from model.promises import CLAUSES, Profile
from model.setting import Setting, Ticks
from model.specialise import specialise
from model.system import Model
from properties.safety import PROPERTIES
from properties.verdict import Trace
from solver.definite import Definite
from solver.explore import Limits, explore
from solver.interruptions import FAULTS, Point, broken_late, points_of
from solver.plain_step import PlainModel
from solver.replayed import replayed_trace

MOST_STATES = 5_000_000
RUN = "one crash"
STALE = "stale workers"
STALE_FAULTS = ("pause", "loss", "delay")
STILL = Ticks()


@dataclass(frozen=True)
class Summary:
    """One definite contract under a table: the properties that some run breaks, and how interruptions end.

    ``states`` are those of both searches: a crash at any step, and workers that pause beyond their lease.
    ``interruptions`` are the states right after a crash, from ``alone`` of which every fair run closes the case
    without a person. ``late`` is what breaks only where somebody releases a request later than the contract's
    longest resumption allows, which is no fault of the contract.
    """

    states: int
    broken: tuple[str, ...]
    late: tuple[str, ...]
    interruptions: int
    alone: int

    @property
    def automatic(self) -> bool:
        """Whether nothing breaks, and every interruption ends without a person."""
        return not self.broken and self.alone == self.interruptions > 0


@dataclass(frozen=True)
class Searched:
    """A complete search of one run: what breaks, with shortest traces, and the kinds of interruption.

    ``late`` is what breaks only where a request is released too late.
    """

    broken: Mapping[str, Trace]
    late: frozenset[str]
    states: int
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Assessment:
    """Both searches of one definite contract."""

    crash: Searched
    stale: Searched

    @property
    def summary(self) -> Summary:
        """The same in numbers."""
        names = {*self.crash.broken, *self.stale.broken}
        late = self.crash.late - {*self.stale.broken}
        broken = tuple(p.name for p in PROPERTIES if p.name in names - late)
        points = self.crash.points
        ends = sum(p.states for p in points), sum(p.alone for p in points)
        only_late = tuple(p.name for p in PROPERTIES if p.name in late)
        return Summary(self.crash.states + self.stale.states, broken, only_late, *ends)


class Assessor:
    """Searches definite contracts under one table; systems are built once for each order of durations."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.open: dict[tuple[str, Ticks], tuple[Model, System]] = {}
        self.stale: dict[Definite, Searched] = {}

    def assess(self, definite: Definite) -> Assessment:
        """Search both runs; raises MemoryError where one has more than MOST_STATES states."""
        still = replace(definite, ticks=STILL)
        if still not in self.stale:
            self.stale[still] = self.search(still, STALE)
        return Assessment(self.search(definite, RUN), self.stale[still])

    def search(self, definite: Definite, run: str) -> Searched:
        """One run: properties with shortest traces, and the points of interruption of the run with a crash."""
        model, system = self._open(run, definite.ticks)
        special = specialise(replace(system, variables=tuple(_fixed(v, definite.profile) for v in system.variables)))
        terms = {p.name: Not(p.holds(model)) for p in PROPERTIES}
        predicates = {name: special.term(term) for name, term in terms.items()}
        found = explore(special.system, predicates, limits=Limits(MOST_STATES), keep_edges=run == RUN)
        if not found.complete:
            raise MemoryError(f"{definite.key}: more than {MOST_STATES:,} states")
        reached = {name: at for name in terms if (at := found.first[name]) is not None}
        plain = PlainModel(special.original) if reached else None
        broken = {
            name: replayed_trace(special, plain, found, at, f"{name} is broken", terms[name])
            for name, at in reached.items()
            if plain is not None
        }
        points = points_of(model, special, found, self.table) if run == RUN else ()
        late = broken_late(model, special, found, {n: predicates[n] for n in broken}) if run == RUN else frozenset()
        return Searched(broken, late, found.states, points)

    def _open(self, run: str, ticks: Ticks) -> tuple[Model, System]:
        """One system for every contract with these durations: all clauses are left open."""
        if (run, ticks) not in self.open:
            model = Model(setting_of(run, ticks), every_value(), self.table, name=run)
            self.open[run, ticks] = model, model.system()
        return self.open[run, ticks]


def setting_of(run: str, ticks: Ticks) -> Setting:
    """The sizes and faults of a run; while workers pause, time stands still."""
    if run == RUN:
        return Setting(workers=2, crashes=1, faults=frozenset(FAULTS), ticks=ticks)
    return Setting(workers=2, faults=frozenset(STALE_FAULTS), ticks=STILL)


def every_value() -> Profile:
    """Every clause at every value it can have."""
    return {n: (False, True) if c.labels is None else tuple(c.labels.labels) for n, c in CLAUSES.items()}


def _fixed(variable: Variable, profile: Profile) -> Variable:
    """A rigid variable with the one value it has in a profile."""
    if not variable.rigid:
        return variable
    (value,) = profile[variable.name.removeprefix("promise.")]
    code = int(value) if isinstance(value, bool) else variable.labels.index(value)
    if code not in variable.starts:
        raise ModelError(f"{variable.name} cannot be {value}")
    return replace(variable, starts=(code,))
