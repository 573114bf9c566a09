"""All small edits of a table judged twice: by the proof, and by exploring small runs that reach all of its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.decision_table import Table
from model.table_inputs import INPUT_NAMES, Decision
from properties import endings
from properties.mutants.mutant import Run, profile_with
from solver.abstraction import not_given
from solver.coverage import CutValues
from solver.explore import Limits
from solver.open_graph import OpenGraph
from solver.open_model import OpenModel
from solver.region_proof import RegionProof
from solver.table_edits import GAP, TableEdit

MOST_STATES = 4_000_000


@dataclass(frozen=True)
class Judgement:
    """What both engines say of an edit.

    ``proof`` and ``explored`` are the sentences that each finds broken by the edit. ``reached`` says whether any run
    gets to a changed cut; ``run`` and ``way`` show the shortest counterexample, replayed, to a sentence of safety if
    one is broken. Where only an end is out of reach the way leads to where that is so, which may be the start.
    """

    edit: str
    shape: str | None
    proof: tuple[str, ...]
    explored: tuple[str, ...]
    reached: bool
    run: str = ""
    way: tuple[str, ...] = ()


class TableRun:
    """One run's open graph and what the table that is edited does in it."""

    def __init__(self, name: str, graph: OpenGraph, decide: Mapping[CutValues, str]) -> None:
        self.name, self.graph = name, graph
        self.number = {cut: at for at, cut in enumerate(graph.cuts)}
        self.choice = graph.choice(lambda cut: decide[cut])
        self.reach = graph.reach([self.choice])
        self.broken = frozenset(graph.broken(self.reach))
        self.known: dict[bytes, dict[str, tuple[str, ...]]] = {}

    def breaks(self, changed: Mapping[CutValues, str]) -> dict[str, tuple[str, ...]] | None:
        """What the edit breaks here and did not break before, with the way; None where no changed cut is reached."""
        mine = {self.number[cut]: decision for cut, decision in changed.items() if cut in self.number}
        if not mine.keys() & self.reach.cuts:
            return None
        choice = self.choice.copy()
        for at, decision in mine.items():
            choice[at] = Decision.labels.index(decision)
        key = choice.tobytes()
        if key not in self.known:
            self.known[key] = self._judged(choice)
        return self.known[key]

    def _judged(self, choice: npt.NDArray[np.int8]) -> dict[str, tuple[str, ...]]:
        reach = self.graph.reach([choice])
        found = self.graph.broken(reach)
        names = dict(zip(self.graph.cuts, (Decision.labels[d] for d in choice), strict=True))
        return {
            name: self.graph.replayed(self.graph.way(reach, at), [lambda cut: names[cut]], name)
            for name, at in found.items()
            if name not in self.broken
        }


class Judge:
    """Judges edits of one table."""

    def __init__(self, table: Table, graphs: Iterable[tuple[str, OpenGraph]]) -> None:
        self.table = table
        self.prover = RegionProof(table)
        found = list(graphs)
        self.cuts = {cut: dict(zip(INPUT_NAMES, cut, strict=True)) for _, graph in found for cut in graph.cuts}
        rules = {cut: table.lookup(named) for cut, named in self.cuts.items()}
        self.rule = {cut: rule.name if rule else "" for cut, rule in rules.items()}
        self.decide = {cut: rule.decision if rule else GAP for cut, rule in rules.items()}
        self.runs = [TableRun(name, graph, self.decide) for name, graph in found]
        self.proved: dict[object, tuple[str, ...]] = {}

    def judge(self, edit: TableEdit) -> Judgement:
        """Both verdicts on an edit."""
        changed = dict(self._changed(edit))
        found = {run.name: run.breaks(changed) for run in self.runs}
        ways = [
            (broken == endings.NAME, len(way), name, way, broken)
            for name, breaks in found.items()
            for broken, way in (breaks or {}).items()
        ]
        explored = tuple(sorted({broken for *_, broken in ways}))
        reached = any(breaks is not None for breaks in found.values())
        _, _, run, way, _ = min(ways, default=(False, 0, "", (), ""))
        return Judgement(edit.name, edit.shape, self._proof(edit), explored, reached, run, way)

    def _changed(self, edit: TableEdit) -> Iterator[tuple[CutValues, str]]:
        after = next(r for r in edit.table.rules if r.name == edit.row)
        for cut, named in self.cuts.items():
            if self.rule[cut] == edit.row or after.covers(named):
                decision = edit.decide(named)
                if decision != self.decide[cut]:
                    yield cut, decision

    def _proof(self, edit: TableEdit) -> tuple[str, ...]:
        found: list[str] = []
        for change in edit.changes:
            key = (change.decision, *(tuple(sorted(change.region[n])) for n in INPUT_NAMES))
            if key not in self.proved:
                self.proved[key] = tuple(b.name for b in self.prover.judge(change.region, change.decision))
            found += self.proved[key]
        return tuple(dict.fromkeys(found))


def open_graphs(runs: Mapping[str, Run], say: Callable[[str], None]) -> Iterator[tuple[str, OpenGraph]]:
    """The open graph of every run that the proof speaks of and that is not too large; says which are left out."""
    for name, run in runs.items():
        model = OpenModel(run.setting, profile_with(run.profile), name)
        try:
            graph = OpenGraph(model, Limits(MOST_STATES))
        except MemoryError as problem:
            say(f"left out: {problem}")
            continue
        false = not_given(profile_with(run.profile), run.setting)
        if false:
            say(f"left out: {name}, since the proof takes for granted that {false[0]}")
        else:
            yield name, graph
