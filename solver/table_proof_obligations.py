"""One proof obligation at a time: z3 is asked for a counterexample, and every counterexample is replayed."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import z3

from model.decision_table import Table
from model.kernel import ModelError, Term
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

    def refutes(self, assumed: Sequence[Term], goal: Term, what: str = "") -> tuple[Verdict, State | None]:
        """Whether the goal follows; if not, a replayed state in which all is assumed and the goal is false."""
        found = self._refutes(assumed, goal)
        if self.asked is not None:
            self.asked.append(Question(what, tuple(assumed), goal, found[0]))
        return found

    def _refutes(self, assumed: Sequence[Term], goal: Term) -> tuple[Verdict, State | None]:
        self.solver.push()
        try:
            self.solver.add(*assumed, z3.Not(goal))
            answer = self.solver.check()
            if answer == z3.sat:
                return "fails", self._replayed(self.solver.model(), assumed, goal)
            return ("holds" if answer == z3.unsat else "unknown"), None
        finally:
            self.solver.pop()

    def _replayed(self, model: z3.ModelRef, assumed: Sequence[Term], goal: Term) -> State:
        """The counterexample as codes, evaluated again by z3 with completion and as plain Python."""
        state = {v.name: _code(model.eval(v.term, model_completion=True)) for v in self.world.variables}
        by_z3 = [z3.is_true(model.eval(t, model_completion=True)) for t in (*assumed, z3.Not(goal))]
        by_python = [bool(x) for x in compile_plain([*assumed, z3.Not(goal)], self.names)(state)]
        if not all(by_z3) or not all(by_python):
            raise ModelError(f"a counterexample does not replay: {self.world.values(state)}")
        return state

    @property
    def effort(self) -> int:
        """What z3 has spent so far, in the unit of its resource limit."""
        return int(dict(iter(self.solver.statistics())).get("rlimit count", 0))

    def shown(self, state: State | None) -> dict[str, bool | int | str]:
        """The counterexample for people."""
        return {} if state is None else self.world.values(state)


def _code(value: Term) -> int:
    """The code of a value of z3."""
    if z3.is_int_value(value):
        return int(value.as_long())
    if z3.is_bool(value):
        return int(z3.is_true(value))
    sort = value.sort()
    return next(i for i in range(sort.num_constructors()) if value.decl().eq(sort.constructor(i)))


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
