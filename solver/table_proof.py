"""The proof of a decision table: an inductive invariant over an abstract world, discharged one obligation at a time.

A table alone proves nothing, since its execute only sends. So the proof shows that the table is total
and unique, that an invariant of the world holds at the start and is kept by every step of the
environment and by every decision, that what execute relies on stays true until the request is dead
(the stability lemma), and that each proposition follows. z3 may only ever be asked for a
counterexample, and what it does not decide is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property, partial

import z3

from model.decision_table import Rule, Table, decision_term, meet, rule_guard
from model.kernel import Action, Term, no_branching
from model.table_inputs import Decision
from solver.abstract_world import AbstractWorld
from solver.table_proof_clauses import Clause, fits, invariant, propositions
from solver.table_proof_obligations import (
    Clock,
    Kind,
    ProofResult,
    Prover,
    Question,
    State,
    Verdict,
    check_lookup,
)

RLIMIT = 20_000_000
RELIED_ON = ("chosen_has_room", "chosen_is_not_undone", "an_effect_shuts_the_door", "one_release_unless_recognised")
"""What execute relies on, while it is chosen and until its request is dead."""


def prove_table(table: Table, rlimit: int = RLIMIT, asked: list[Question] | None = None) -> list[ProofResult]:
    """Every obligation of the table in a fixed order; ``rlimit`` bounds z3's effort for each.

    With ``asked``, what z3 was asked is kept there, in order.

    Nothing is promised about a table unless every result holds. Raises ModelError when a counterexample
    of z3 does not replay, which is a defect of the prover.
    """
    return TableProof(table, rlimit, asked).results()


def holds(results: Sequence[ProofResult]) -> bool:
    """Whether everything is proved: unknown is not."""
    return all(r.verdict == "holds" for r in results)


class TableProof:
    """The obligations of one table over one abstract world."""

    def __init__(self, table: Table, rlimit: int = RLIMIT, asked: list[Question] | None = None) -> None:
        self.table = table
        self.world = AbstractWorld()
        self.prover = Prover(self.world, rlimit, asked)
        with no_branching():
            w, cut = self.world.world, self.world.cut
            self.fits = fits(cut, w)
            self.invariant = invariant(w)
            self.propositions = propositions(cut, w, self.world.decision)
            self.decides = self.world.decision == decision_term(table, cut, Decision.quarantine)

    def results(self, known: Sequence[ProofResult] = ()) -> list[ProofResult]:
        """All of them; ``known`` are those of another table, whose environment is the same and is not asked again."""
        of_table = tuple(f" after {action.name}" for action in self.world.decisions)
        steps = [r for r in _of_kind(known, "consecution") if not r.name.endswith(of_table)]
        return [
            self.total(), self.unique(), self.no_dead_row(), *(_of_kind(known, "initiation") or self.initiation()),
            *(steps or self.kept_by_environment()), *self.kept_by_decisions(),
            *(_of_kind(known, "stability") or self.stability()), *self.proved_propositions(),
        ]

    @cached_property
    def own(self) -> dict[str, Term]:
        """For each rule the cuts that it covers."""
        return {rule.name: rule_guard(rule, self.world.cut) for rule in self.table.rules}

    @cached_property
    def guards(self) -> dict[str, Term]:
        """For each rule the cuts that lookup decides by it: those of no earlier rule that overlaps."""
        guards: dict[str, Term] = {}
        earlier: list[tuple[Rule, Term]] = []
        for rule in self.table.rules:
            own = self.own[rule.name]
            over = [g for r, g in earlier if meet(r.cells, rule.cells)]
            guards[rule.name] = z3.And(own, z3.Not(z3.Or(*over))) if over else own
            earlier.append((rule, own))
        return guards

    def total(self) -> ProofResult:
        """Every cut has a rule."""
        clock = Clock()
        covered = z3.Or(*self.own.values())
        verdict, state = self.prover.refutes([], covered, "total")
        return ProofResult("total", "total", verdict, (), self.prover.shown(state), clock.seconds())

    def unique(self) -> ProofResult:
        """No cut has two rules; the rules of the first pair that overlaps are named."""
        clock = Clock()
        for i, first in enumerate(self.table.rules):
            for second in self.table.rules[i + 1 :]:
                if not meet(first.cells, second.cells):
                    continue
                both = z3.And(self.own[first.name], self.own[second.name])
                verdict, state = self.prover.refutes([both], z3.BoolVal(False), f"unique: {first.name}, {second.name}")
                if verdict != "holds":
                    names = (first.name, second.name)
                    return ProofResult("unique", "unique", verdict, names, self.prover.shown(state), clock.seconds())
        return ProofResult("unique", "unique", "holds", seconds=clock.seconds())

    def no_dead_row(self) -> ProofResult:
        """Every row decides some cut that no other row decides."""
        clock = Clock()
        dead, worst = [], "holds"
        for rule in self.table.rules:
            others = [r for r in self.table.rules if r is not rule and meet(r.cells, rule.cells)]
            covered, what = z3.Or(*[self.own[r.name] for r in others]), f"dead row: {rule.name}"
            verdict, _ = self.prover.refutes([self.own[rule.name]], covered, what, partial(self._alone, rule, others))
            if verdict != "fails":
                dead.append(rule.name)
                worst = "fails" if verdict == "holds" or worst == "fails" else "unknown"
        return ProofResult("no_dead_row", "dead-row", _verdict(worst), tuple(dead), {}, clock.seconds())

    def _alone(self, rule: Rule, others: Sequence[Rule], state: State) -> bool:
        """Whether a row, and none of the others, covers the cut of a state."""
        shown = self.prover.shown(state)
        cut = {name: str(shown[name]) for name in rule.cells}
        return rule.covers(cut) and not any(other.covers(cut) for other in others)

    def initiation(self) -> Iterator[ProofResult]:
        """Each clause of the invariant holds at the start."""
        start = z3.And(*[z3.Or(*[v.term == v.value(c) for c in v.starts]) for v in self.world.variables])
        for clause in self.invariant:
            clock = Clock()
            verdict, state = self.prover.refutes([start], clause.term, f"initiation: {clause.name}")
            yield ProofResult(clause.name, "initiation", verdict, (), self.prover.shown(state), clock.seconds())

    def consecution(self) -> Iterator[ProofResult]:
        """Each clause is kept by each step of the environment and by each decision of the table."""
        yield from self.kept_by_environment()
        yield from self.kept_by_decisions()

    def kept_by_environment(self) -> Iterator[ProofResult]:
        """Each clause is kept by each step of the environment, which does not know the table."""
        for action in self.world.environment:
            for clause in self.invariant:
                yield self._kept(action, clause, [])

    def kept_by_decisions(self) -> Iterator[ProofResult]:
        """Each clause is kept by each decision of the table."""
        for action in self.world.decisions:
            for clause in self.invariant:
                yield self._kept_by_decision(action, clause)

    def keeps_invariant(self) -> bool:
        """Whether every decision of the table keeps every clause, so that the invariant speaks of its runs."""
        more = [*[c.term for c in self.fits], self.decides]
        kept = (self._kept(a, c, more) for a in self.world.decisions for c in self.invariant)
        return all(result.verdict == "holds" for result in kept)

    def stability(self) -> Iterator[ProofResult]:
        """What execute relies on stays true until the request is dead, whatever the environment does."""
        relied = z3.And(*[c.term for c in self.invariant if c.name in RELIED_ON])
        clause = Clause("ground_of_execute", "It is decided in one step and arrives in another.", relied)
        for action in self.world.environment:
            yield self._kept(action, clause, [], "stability")

    def proved_propositions(self) -> Iterator[ProofResult]:
        """Invariant, fit and decision imply each proposition; a failure names every rule that has a counterexample."""
        assumed = [*self._kept_terms, *[c.term for c in self.fits]]
        for p in self.propositions:
            clock = Clock()
            verdict, state = self.prover.refutes([*assumed, self.decides], p.term, f"proposition: {p.name}")
            rules, found = self._responsible(assumed, p.term, p.name) if verdict == "fails" else ((), state)
            yield ProofResult(p.name, "proposition", verdict, rules, self.prover.shown(found), clock.seconds())

    @cached_property
    def _kept_terms(self) -> list[Term]:
        return [c.term for c in self.invariant]

    def _kept(self, action: Action, clause: Clause, more: Sequence[Term], kind: Kind = "consecution") -> ProofResult:
        """A clause after a step; where the step touches none of its variables it holds as it did before."""
        clock, name = Clock(), f"{clause.name} after {action.name}"
        goal = after(action, clause.term)
        if goal.eq(clause.term):
            return ProofResult(name, kind, "holds", seconds=clock.seconds())
        verdict, state = self.prover.refutes([*self._kept_terms, *more, action.guard], goal, f"{kind}: {name}")
        return ProofResult(name, kind, verdict, (), self.prover.shown(state), clock.seconds())

    def _kept_by_decision(self, action: Action, clause: Clause) -> ProofResult:
        clock = Clock()
        fit = [c.term for c in self.fits]
        result = self._kept(action, clause, [*fit, self.decides])
        if result.verdict != "fails":
            return result
        assumed = [*self._kept_terms, *fit, action.guard]
        rules, found = self._responsible(assumed, after(action, clause.term), result.name)
        return ProofResult(result.name, result.kind, "fails", rules, self.prover.shown(found), clock.seconds())

    def _responsible(self, assumed: Sequence[Term], goal: Term, name: str) -> tuple[tuple[str, ...], State | None]:
        """Every rule under which the goal fails, and the first counterexample; lookup must agree with z3."""
        names, first = [], None
        for rule in self.table.rules:
            decided = self.world.decision == getattr(Decision, rule.decision)
            here, what = self.guards[rule.name], f"{name}: rule {rule.name}"
            verdict, state = self.prover.refutes([*assumed, here, decided], goal, what)
            if verdict == "fails":
                check_lookup(self.table, self.prover.shown(state), rule.name)
                first = state if first is None else first
                names.append(rule.name)
        return tuple(names), first


def after(action: Action, term: Term) -> Term:
    """The term in the state after the action, over the state before."""
    return z3.substitute(term, *[(u.target, u.value) for u in action.updates])


def _verdict(text: str) -> Verdict:
    return "holds" if text == "holds" else "fails" if text == "fails" else "unknown"


def _of_kind(results: Sequence[ProofResult], kind: Kind) -> list[ProofResult]:
    return [r for r in results if r.kind == kind]
