"""Search every run of the shipped policy and store the cuts it reaches: ``python -m solver.reached_search``."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator

from model.contract import DEFAULT_CONTRACT, load_contract
from model.kernel import ModelError
from model.labels import Move
from model.policy import load_policy
from model.setting import Setting
from model.specialise import specialise
from model.system import Model
from model.table_inputs import LABELS
from model.terms import mentions
from solver.case_run import first_cuts
from solver.check import Subject
from solver.coverage import CutValues
from solver.exploration import Exploration
from solver.explore import explore
from solver.plain_step import PlainModel, State
from solver.reached import STORED, Reached, ReachedCut, as_data, owner_of
from solver.replayed import EnginesDisagree, replay
from solver.suite import Case


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
    """Search every run of a subject completely; EnginesDisagree where a way does not replay."""
    cases = subject.cases()
    shortest: dict[CutValues, tuple[str, tuple[str, ...], frozenset[CutValues]]] = {}
    states = 0
    for case in cases:
        run = CutsOfRun(subject, case)
        states += run.found.states
        for cut, actions, passed in run.ways(lambda c, d: c not in shortest or d < len(shortest[c][1])):
            shortest[cut] = case.name, actions, passed
        say(f"{case.name}: {run.found.states:,} states, {len(shortest)} cuts so far")
    order = sorted(shortest)
    number = {cut: at for at, cut in enumerate(order)}
    cuts = [
        ReachedCut(c, shortest[c][0], shortest[c][1], frozenset(number[p] for p in shortest[c][2])) for c in order
    ]
    return Reached(owner_of(subject), subject.policy.table, states, len(cases), tuple(cuts))


class CutsOfRun:
    """One run, searched completely, and the cuts that its workers decide on."""

    def __init__(self, subject: Subject, case: Case) -> None:
        self.model = subject.model(case)
        self.special = specialise(self.model.system())
        self.found: Exploration = explore(self.special.system)
        if not self.found.complete:
            raise RuntimeError(f"{case.name} was cut off by {self.found.cut_off_by}")
        if any(len(v.starts) > 1 for v in self.special.original.variables):
            raise ModelError(f"{case.name} starts in several states, and a stored way has only actions")

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
