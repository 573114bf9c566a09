"""One proof obligation at a time: z3 is asked for a counterexample, and every counterexample is replayed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import z3

from model.decision_table import Table
from model.kernel import ModelError, Term, Variable
from model.table_inputs import INPUT_NAMES
from solver.abstract_world import AbstractWorld
from solver.plain_step import compile_plain

Kind = Literal["total", "unique", "dead-row", "initiation", "consecution", "stability", "proposition"]
Verdict = Literal["holds", "fails", "unknown"]
State = dict[str, int]


@dataclass(frozen=True)
class ProofResult:
    """What became of one obligation.

    ``rules`` are the rules of the table that are responsible for a failure: every one that has a
    counterexample of its own. ``counterexample`` gives the inputs of the cut and the abstract world by
    name, ``decision`` what the table decides there. ``seconds`` is only for people.
    """

    name: str
    kind: Kind
    verdict: Verdict
    rules: tuple[str, ...] = ()
    counterexample: Mapping[str, bool | int | str] = field(default_factory=dict)
    seconds: float = field(default=0.0, compare=False)

    @property
    def line(self) -> str:
        """The result in one line."""
        rules = f": {', '.join(self.rules)}" if self.rules else ""
        return f"{self.verdict:8}{self.kind:12}{self.name}{rules}"


@dataclass(frozen=True, eq=False)
class Question:
    """What z3 was asked: whether a goal follows from what is assumed, and what it said.

    ``what`` names the obligation that the question is a part of.
    """

    what: str
    assumed: tuple[Term, ...]
    goal: Term
    answer: Verdict


class Prover:
    """Asks z3 within a resource limit, which unlike wall time gives the same answer everywhere.

    With ``asked``, every question is kept there.
    """

    def __init__(self, world: AbstractWorld, rlimit: int, asked: list[Question] | None = None) -> None:
        self.world = world
        self.asked = asked
        self.solver = z3.Solver()
        self.solver.set("rlimit", rlimit)
        self.solver.add([v.domain for v in world.variables])
        self.names = frozenset(v.name for v in world.variables)

    def refutes(
        self, assumed: Sequence[Term], goal: Term, what: str = "", shows: Callable[[State], bool] | None = None
    ) -> tuple[Verdict, State | None]:
        """Whether the goal follows; if not, a replayed state in which all is assumed and the goal is false.

        The state is evaluated by z3 and as plain Python, or judged by ``shows`` where that says the same.
        """
        found = self._refutes(assumed, goal, shows)
        if self.asked is not None:
            self.asked.append(Question(what, tuple(assumed), goal, found[0]))
        return found

    def _refutes(
        self, assumed: Sequence[Term], goal: Term, shows: Callable[[State], bool] | None
    ) -> tuple[Verdict, State | None]:
        self.solver.push()
        try:
            self.solver.add(*assumed, z3.Not(goal))
            answer = self.solver.check()
            if answer == z3.sat:
                return "fails", self._replayed(self.solver.model(), assumed, goal, shows)
            return ("holds" if answer == z3.unsat else "unknown"), None
        finally:
            self.solver.pop()

    def _replayed(
        self, model: z3.ModelRef, assumed: Sequence[Term], goal: Term, shows: Callable[[State], bool] | None
    ) -> State:
        """The counterexample as codes; ModelError where it shows nothing."""
        state = {v.name: _code(v, model.eval(v.term, model_completion=True)) for v in self.world.variables}
        terms = (*assumed, z3.Not(goal))
        if shows is None:
            by_z3 = all(z3.is_true(model.eval(t, model_completion=True)) for t in terms)
            found = by_z3 and all(compile_plain(terms, self.names)(state))
        else:
            found = shows(state)
        if not found:
            raise ModelError(f"a counterexample does not replay: {self.world.values(state)}")
        return state

    @property
    def effort(self) -> int:
        """What z3 has spent so far, in the unit of its resource limit."""
        return int(dict(iter(self.solver.statistics())).get("rlimit count", 0))

    def shown(self, state: State | None) -> dict[str, bool | int | str]:
        """The counterexample for people."""
        return {} if state is None else self.world.values(state)


def _code(variable: Variable, value: Term) -> int:
    """The code of a value of z3 that a variable has."""
    if variable.kind == "enum":
        return variable.labels.index(str(value.decl().name()))
    return int(value.as_long()) if variable.kind == "count" else int(z3.is_true(value))


def check_lookup(table: Table, shown: Mapping[str, bool | int | str], rule: str) -> None:
    """Raise ModelError unless plain lookup in the table finds the rule that z3 found for a counterexample."""
    cut = {name: str(shown[name]) for name in INPUT_NAMES}
    found = table.lookup(cut)
    name = "" if found is None else found.name
    if name != rule:
        raise ModelError(f"{table.path}: z3 found the rule {rule!r} and lookup finds {name!r} for {cut}")


class Clock:
    """How long an obligation took, for people; nothing depends on it."""

    def __init__(self) -> None:
        self.began = time.perf_counter()

    def seconds(self) -> float:
        """Seconds since it was made."""
        return time.perf_counter() - self.began
