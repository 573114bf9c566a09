"""Search every run of the shipped policy and store the cuts it reaches: ``python -m solver.reached_search``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace

from model.contract import DEFAULT_CONTRACT, load_contract
from model.contract_profile import profile_of
from model.kernel import ModelError
from model.labels import Move
from model.policy import load_policy
from model.setting import Setting
from model.specialise import specialise
from model.system import Model
from model.table_inputs import LABELS
from model.terms import mentions
from properties.mutants.mutant import model_of, profile_with
from solver.case_run import first_cuts
from solver.check import Subject
from solver.coverage import CutValues
from solver.exploration import Exploration
from solver.explore import explore
from solver.plain_step import PlainModel, State
from solver.reached import STORED, Reached, ReachedCut, as_data, owner_of
from solver.replayed import EnginesDisagree, replay
from solver.row_runs import ROW_RUNS


def shipped_subject() -> Subject:
    """The shipped policy under the default contract, in the sizes of ``recut check``."""
    contract = load_contract(DEFAULT_CONTRACT)
    return Subject(contract, load_policy("recovery"), Setting(workers=contract.recovery.workers))


def main() -> None:
    """Search and store."""
    found = reached_by(shipped_subject(), lambda line: print(line, file=sys.stderr, flush=True))
    STORED.parent.mkdir(exist_ok=True)
    lines = json.dumps(as_data(found), indent=0, separators=(",", ":")).replace(",\n", ",")
    STORED.write_text(lines.replace("],[\"", "],\n[\"") + "\n", "utf-8")


def reached_by(subject: Subject, say: Callable[[str], None]) -> Reached:
    """Search every run of a subject completely, then runs elsewhere; EnginesDisagree where a way does not replay."""
    cases = subject.cases()
    found = _Shortest(say)
    states = sum(found.add(subject.model(case), False) for case in cases)
    for name, run in ROW_RUNS.items():
        found.add(model_of(run, subject.policy.table, name), True)
    order = sorted(found.ways)
    number = {cut: at for at, cut in enumerate(order)}
    needs = _Needs(subject)
    ways = [found.ways[cut] for cut in order]
    cuts = [
        replace(way, passed=frozenset(number[p] for p in passed), only_if=needs.of(way) if way.elsewhere else ())
        for way, passed in ways
    ]
    return Reached(owner_of(subject), subject.policy.table, states, len(cases), tuple(cuts))


class _Shortest:
    """For each cut the shortest way there so far, with the cuts that it passes."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.say = say
        self.ways: dict[CutValues, tuple[ReachedCut, frozenset[CutValues]]] = {}

    def add(self, model: Model, elsewhere: bool) -> int:
        """Search a run, whose cuts count only where no other kind of run has them; how many states it has."""
        run = CutsOfRun(model)
        for cut, actions, passed in run.ways(lambda cut, depth: self._wanted(cut, depth, elsewhere)):
            self.ways[cut] = ReachedCut(cut, model.name, actions, frozenset(), elsewhere), passed
        self.say(f"{model.name}: {run.found.states:,} states, {len(self.ways)} cuts so far")
        return run.found.states

    def _wanted(self, cut: CutValues, depth: int, elsewhere: bool) -> bool:
        if cut not in self.ways:
            return True
        known = self.ways[cut][0]
        return known.elsewhere == elsewhere and depth < len(known.actions)


class _Needs:
    """Which promises and practices of a run elsewhere a way needs, and which it has without need."""

    def __init__(self, subject: Subject) -> None:
        self.table = subject.policy.table
        self.mine = profile_of(subject.contract, subject.policy.practices)
        self.walks: dict[tuple[str, frozenset[str]], Walk] = {}

    def of(self, way: ReachedCut) -> tuple[str, ...]:
        """The least clauses, dropping one after the other as long as the way can still be walked."""
        theirs = profile_with(ROW_RUNS[way.run].profile)
        needed = [name for name in theirs if theirs[name] != self.mine[name]]
        for name in tuple(needed):
            fewer = [other for other in needed if other != name]
            if len(self.mine[name]) == 1 and self._walked(way, frozenset(fewer)):
                needed = fewer
        return tuple(f"{name} = {str(theirs[name][0]).lower()}" for name in needed)

    def _walked(self, way: ReachedCut, clauses: frozenset[str]) -> bool:
        """Whether the way leads to its cut where only these clauses are the run's."""
        walk = self._walk(way.run, clauses)
        start = {v.name: v.starts[0] for v in walk.plain.system.variables}
        try:
            last = replay(walk.plain, start, way.actions)[-1]
        except ModelError:
            return False
        return any(walk.cut(w, last) == way.cut for w in walk.model.indices("w"))

    def _walk(self, name: str, clauses: frozenset[str]) -> Walk:
        if (name, clauses) not in self.walks:
            run = ROW_RUNS[name]
            theirs = profile_with(run.profile)
            profile = {**self.mine, **{clause: theirs[clause] for clause in clauses}}
            model = Model(run.setting, profile, self.table, name=name)
            self.walks[name, clauses] = Walk(model, PlainModel(model.system()))
        return self.walks[name, clauses]


class CutsOfRun:
    """One run, searched completely, and the cuts that its workers decide on."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.special = specialise(self.model.system())
        self.found: Exploration = explore(self.special.system)
        if not self.found.complete:
            raise RuntimeError(f"{model.name} was cut off by {self.found.cut_off_by}")
        if any(len(v.starts) > 1 for v in self.special.original.variables):
            raise ModelError(f"{model.name} starts in several states, and a stored way has only actions")

    def ways(
        self, wanted: Callable[[CutValues, int], bool]
    ) -> Iterator[tuple[CutValues, tuple[str, ...], frozenset[CutValues]]]:
        """For each cut that is wanted at its depth the actions that lead there, and the cuts decided on before."""
        plain = PlainModel(self.special.original)
        walk = Walk(self.model, plain)
        for cut, (w, index) in first_cuts(self.model, self.special, self.found).items():
            if not wanted(cut, self.found.level_of(index)):
                continue
            trace = self.found.trace(index)
            actions = tuple(action for action, _ in trace if action is not None)
            states = replay(plain, self.special.valuation(trace[0][1]), actions)
            if walk.cut(w, states[-1]) != cut:
                raise EnginesDisagree(f"{self.model.name}: no worker decides on {cut} after {', '.join(actions)}")
            yield cut, actions, frozenset(walk.passed(states, actions))


class Walk:
    """Reads cuts off the states of the plain model."""

    def __init__(self, model: Model, plain: PlainModel) -> None:
        self.model, self.plain = model, plain
        self.deciding = {w: set(_deciding_actions(model, w)) for w in model.indices("w")}

    def cut(self, w: int, state: State) -> CutValues | None:
        """The cut on which worker w decides in this state, if it does."""
        if not self.plain.value(self.model.workers[w].move == Move.informed, state):
            return None
        return tuple(
            LABELS[n].labels[self.plain.value(term, state)] for n, term in self.model.inputs[w].items()
        )

    def passed(self, states: list[State], actions: tuple[str, ...]) -> Iterator[CutValues]:
        """The cuts that some worker decides on along the way."""
        for state, action in zip(states, actions, strict=False):
            for w, deciding in self.deciding.items():
                cut = self.cut(w, state) if action in deciding else None
                if cut is not None:
                    yield cut


def _deciding_actions(model: Model, w: int) -> Iterator[str]:
    """The actions that depend on what worker w decides."""
    for action in model.system().actions:
        if any(mentions(term, model.decision[w]) for term in (action.guard, *(u.value for u in action.updates))):
            yield action.name


if __name__ == "__main__":
    main()
