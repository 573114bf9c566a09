"""Cuts on which no worker ever decides, under any contract, practice and fault: proved with facts of its evidence."""

from __future__ import annotations

from collections.abc import Mapping

import z3
from z3 import And, Implies, Not, Or

from model.decision_table import region_guard
from model.kernel import Term
from model.labels import Move, Seen
from model.promises import CLAUSES, Profile
from model.setting import Setting
from model.system import Model
from model.table_file import load_table
from model.table_inputs import Match


def open_profile() -> Profile:
    """Every clause may have any of its values."""
    return {name: c.labels.labels if c.labels else (False, True) for name, c in CLAUSES.items()}


def facts(model: Model, w: int) -> Term:
    """What a worker's evidence always satisfies: readings are compared, and come before decisions.

    They hold at the start, and every step of every model keeps them (tests/model/test_row_proof.py asks z3).
    """
    worker, p = model.workers[w], model.promises
    compared = Implies(worker.seen == Seen.committed, worker.match != Match.unseen)
    late = Or(*[worker.move == move for move in (Move.observed, Move.informed, Move.confirming)])
    looked = Implies(And(p.readable, p.reads, late, Not(worker.lost)), worker.seen != Seen.none)
    return And(compared, looked)


class AnyModel:
    """The model with every contract, every practice and every fault at once."""

    def __init__(self) -> None:
        self.model = Model(Setting(messages=1), open_profile(), load_table("recovery"))
        self.system = self.model.system()

    def never(self, *terms: Term) -> bool:
        """No state at all, reachable or not, satisfies all of them."""
        solver = z3.Solver()
        solver.add(*[v.domain for v in self.system.variables], *terms)
        return bool(solver.check() == z3.unsat)

    def never_decides(self, region: Mapping[str, frozenset[str]]) -> bool:
        """Whether it is proved that no worker ever decides on a cut of the region."""
        m = self.model
        return self.never(m.workers[0].move == Move.informed, region_guard(region, m.inputs[0]), facts(m, 0))
