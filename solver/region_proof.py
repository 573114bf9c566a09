"""The proof of one changed decision: what fails where cuts of a region are decided so, and everything else as proved.

No step of the environment knows the table, so an edit of a proved table is proved by what its own decision does
on its own cuts.
"""

from __future__ import annotations

from dataclasses import dataclass

import z3

from model.decision_table import Region, Table, region_guard
from model.kernel import Term, no_branching
from model.table_inputs import Decision
from solver.table_proof import RLIMIT, TableProof, after
from solver.table_proof_clauses import Clause
from solver.table_proof_obligations import Verdict


@dataclass(frozen=True)
class Broken:
    """An obligation that is not proved of a decision on a region: a proposition, or a clause after a step."""

    name: str
    verdict: Verdict


class RegionProof:
    """Judges decisions on regions; ``table`` is any table that is proved."""

    def __init__(self, table: Table, rlimit: int = RLIMIT) -> None:
        self.proof = TableProof(table, rlimit)
        self.steps = {
            d: [a for a in self.proof.world.decisions if self._possible(a.guard, d)] for d in Decision.labels
        }

    def judge(self, region: Region, decision: str) -> list[Broken]:
        """The propositions that fail, then the clauses of the invariant that are lost; empty if all is proved."""
        p = self.proof
        with no_branching():
            here = region_guard(region, p.world.cut)
        decided = [here, p.world.decision == getattr(Decision, decision)]
        assumed = [*(c.term for c in p.invariant), *(c.term for c in p.fits), *decided]
        found = [(c.name, p.prover.refutes(assumed, c.term)[0]) for c in p.propositions]
        for action in self.steps[decision]:
            for clause in p.invariant:
                name, goal = f"{clause.name} after {action.name}", after(action, clause.term)
                if not goal.eq(clause.term):
                    found.append((name, p.prover.refutes([*assumed, action.guard], goal)[0]))
        return [Broken(name, verdict) for name, verdict in found if verdict != "holds"]

    def grounds(self, region: Region, decision: str, proposition: Clause) -> tuple[str, ...] | None:
        """The least facts that the proof of a proposition needs here; None where it is not proved.

        Facts are clauses of the invariant and of what a cut lets one conclude. None of those named can be left out,
        though there may be other such sets.
        """
        p = self.proof
        with no_branching():
            here = region_guard(region, p.world.cut)
        decided = [here, p.world.decision == getattr(Decision, decision)]
        left = [*p.fits, *p.invariant]
        if p.prover.refutes([*decided, *(c.term for c in left)], proposition.term)[0] != "holds":
            return None
        for clause in tuple(left):
            fewer = [c for c in left if c is not clause]
            if p.prover.refutes([*decided, *(c.term for c in fewer)], proposition.term)[0] == "holds":
                left = fewer
        return tuple(c.name for c in left)

    def _possible(self, guard: Term, decision: str) -> bool:
        """Whether a step can follow this decision at all."""
        decided = [guard, self.proof.world.decision == getattr(Decision, decision)]
        return self.proof.prover.refutes(decided, z3.BoolVal(False))[0] != "holds"
