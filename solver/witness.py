"""Whether a system gets into a region of cuts: yes with a trace, no after a complete search, or unknown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from z3 import And, Or

from model.decision_table import Region, region_guard
from model.kernel import ModelError, Term
from model.labels import Move
from model.specialise import specialise
from model.system import Model
from model.table_diff import differences
from properties.mutants.mutant import model_of
from properties.verdict import Outcome, Trace
from solver.check import Subject
from solver.explore import Limits, Progress, explore
from solver.impossible_cuts import AnyModel
from solver.plain_step import PlainModel
from solver.reached import Reached
from solver.replayed import EnginesDisagree, as_trace, replay, replayed_trace
from solver.row_runs import ROW_RUNS
from solver.suite import Case

DECIDES = "a worker decides in this region"


@dataclass(frozen=True)
class Witness:
    """Whether some run gets into a region: holds with a trace, fails if none does, or unknown; ``how`` says why.

    Where none does, ``only_if`` are promises or practices, with other values than the subject's, under which one
    does, and ``run`` and ``trace`` show it; or it is ``impossible`` under any contract.
    """

    outcome: Outcome
    how: str
    run: str = ""
    trace: Trace | None = None
    only_if: tuple[str, ...] = ()
    impossible: bool = False


class StoredWitnesses:
    """Answers out of a complete search under another table.

    Up to the first cut that both tables decide differently their runs are the same. So a stored way that passes
    no such cut is a way under this table too, and where no such cut is reached at all, the same cuts are.
    """

    def __init__(self, subject: Subject, reached: Reached) -> None:
        self.subject, self.reached = subject, reached
        self.models: dict[str, tuple[Model, PlainModel]] = {}

    @cached_property
    def changed(self) -> frozenset[int]:
        """The positions of the reached cuts that this table decides differently."""
        changes = differences(self.reached.table, self.subject.policy.table)
        both = (False, True)
        return frozenset(at for c in changes for other in both for at in self.reached.within(c.region, other))

    def of(self, region: Region) -> Witness:
        """Whether this region is reached under this table."""
        inside = self.reached.within(region)
        for at in inside:
            if not self.reached.cuts[at].passed & self.changed:
                return self._replayed(at, region)
        if inside or self.changed_here:
            return Witness(Outcome.UNKNOWN, "reached, if at all, only past another change; --search goes beyond it")
        return self._elsewhere(
            region, f"complete search of {self.reached.runs} runs, {self.reached.states:,} states"
        )

    def _elsewhere(self, region: Region, how: str) -> Witness:
        """Where no run of the subject gets there: another contract that does, or that none can."""
        for at in self.reached.within(region, elsewhere=True):
            if not self.reached.cuts[at].passed & self.changed:
                shown = self._replayed(at, region)
                return replace(shown, outcome=Outcome.FAILS, how=how, only_if=self.reached.cuts[at].only_if)
        return Witness(Outcome.FAILS, how, impossible=self.any_model.never_decides(region))

    @cached_property
    def any_model(self) -> AnyModel:
        """Every contract at once."""
        return AnyModel()

    @property
    def changed_here(self) -> bool:
        """Whether the subject reaches a cut that this table decides differently."""
        return any(not self.reached.cuts[at].elsewhere for at in self.changed)

    def _replayed(self, at: int, region: Region) -> Witness:
        way = self.reached.cuts[at]
        model, plain = self._model(way.run)
        start = {v.name: v.starts[0] for v in plain.system.variables}
        try:
            states = replay(plain, start, way.actions)
        except ModelError as problem:
            raise EnginesDisagree(f"{way.run}: a stored way cannot be walked: {problem}") from None
        if not plain.value(decides_in(model, region), states[-1]):
            raise EnginesDisagree(f"{way.run}: no worker decides in the region after {', '.join(way.actions)}")
        return Witness(Outcome.HOLDS, "replayed", way.run, as_trace(plain.system, states, way.actions, DECIDES))

    def _model(self, run: str) -> tuple[Model, PlainModel]:
        if run not in self.models:
            if run in ROW_RUNS:
                model = model_of(ROW_RUNS[run], self.subject.policy.table, run)
            else:
                model = self.subject.model(next(c for c in self.subject.cases() if c.name == run))
            self.models[run] = model, PlainModel(model.system())
        return self.models[run]


@dataclass(frozen=True)
class RegionRun:
    """What one run showed of some regions: shortest traces by the region's number; ``cut_off_by`` None is complete."""

    run: str
    states: int
    cut_off_by: str | None
    traces: Mapping[int, Trace]


def search_run(
    subject: Subject,
    case: Case,
    regions: Mapping[int, Region],
    limits: Limits | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> RegionRun:
    """Search one run for regions, until all were met or there is nothing left."""
    model = subject.model(case)
    special = specialise(model.system())
    terms = {f"region {at}": decides_in(model, region) for at, region in regions.items()}
    predicates = {name: special.term(term) for name, term in terms.items()}
    found = explore(special.system, predicates, limits=limits, progress=progress, stop_when=list(predicates))
    plain = PlainModel(special.original)
    first = {at: found.first[f"region {at}"] for at in regions}
    traces = {
        at: replayed_trace(special, plain, found, index, DECIDES, terms[f"region {at}"])
        for at, index in first.items()
        if index is not None
    }
    return RegionRun(case.name, found.states, None if found.cut_off_by == "found" else found.cut_off_by, traces)


def searched(runs: Sequence[RegionRun], region: int) -> Witness:
    """What several runs together say of a region."""
    met = [(run.traces[region], run.run) for run in runs if region in run.traces]
    if met:
        trace, name = min(met, key=lambda pair: len(pair[0].steps))
        return Witness(Outcome.HOLDS, "found by search, replayed", name, trace)
    cut = [f"{run.run}: cut off by {run.cut_off_by}" for run in runs if run.cut_off_by]
    if cut or not runs:
        return Witness(Outcome.UNKNOWN, "; ".join(cut) or "not searched")
    return Witness(Outcome.FAILS, f"complete search of {len(runs)} runs, {sum(r.states for r in runs):,} states")


def decides_in(model: Model, region: Region) -> Term:
    """That some worker decides on a cut of the region."""
    inside = [And(model.workers[w].move == Move.informed, region_guard(region, model.inputs[w])) for w in
              model.indices("w")]
    return Or(*inside)
