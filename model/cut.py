"""From evidence to the cut: what a resumer may conclude from what it holds, in the table's words.

Every input is one method over worker w's own copies and the contract. It never claims more than the
evidence says; this is where most real systems go wrong, so mutants replace single methods.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from z3 import And, If, Not, Or

from model.kernel import Term
from model.labels import FenceTold, Lag, Log, OnRepeat, Receipt, Recorded, Seen, Witness
from model.table_inputs import (
    INPUT_NAMES,
    Admission,
    AttemptState,
    Claim,
    Dedup,
    Effect,
    History,
    Match,
    Permission,
    Postcondition,
    Readback,
    Undo,
)

if TYPE_CHECKING:
    from model.system import Model


class Cut:
    """The inputs of the decision table as terms over one worker's copies."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def inputs(self, w: int) -> dict[str, Term]:
        """Every input of the table for worker w, by name."""
        return {name: getattr(self, name)(w) for name in INPUT_NAMES}

    def claim(self, w: int) -> Term:
        """Lost once somebody answered so; before that it may be stale, which is why fences protect the target."""
        return If(self.model.workers[w].lost, Claim.lost, Claim.held)

    def history(self, w: int) -> Term:
        """A payload that was generated anew is a divergence, even under the same identity."""
        worker = self.model.workers[w]
        return If(Or(worker.diverged, worker.drift), History.diverged, History.consistent)

    def intent(self, w: int) -> Term:
        """The obligation as of the last answer."""
        return self.model.workers[w].intent

    def attempt(self, w: int) -> Term:
        """Whether any recorded release can still land.

        A missing record means nothing was released only where attempts are recorded first. Older attempts
        are dead once the target acknowledged a newer epoch before the reading; own ones can be fenced
        off by taking a newer epoch.
        """
        worker, p = self.model.workers[w], self.model.promises
        fences = And(p.enforces_fence, p.fence_told == FenceTold.before_read)
        silent = If(p.recorded == Recorded.before_release, AttemptState.none, AttemptState.open)
        alive = If(fences, AttemptState.closable, AttemptState.open)
        older = If(And(worker.log == Log.older, worker.fenced), AttemptState.closed, alive)
        return If(worker.log == Log.none, silent, If(worker.log == Log.closed, AttemptState.closed, older))

    def absence_counts(self, w: int) -> Term:
        """A reading of absence is worth something: not lagging, not pruned, and of the one identity used."""
        p = self.model.promises
        timely = Or(p.lag == Lag.zero, And(p.lag == Lag.finite, p.waits_out_lag))
        return And(timely, Not(p.prunes), p.stable_identity)

    def effect(self, w: int) -> Term:
        """A join over all evidence: positive statements outrank absence, acceptance is not commitment."""
        worker = self.model.workers[w]
        seen, receipt = worker.seen, worker.receipt
        never = self.attempt(w) == AttemptState.none
        gone = Or(never, And(seen == Seen.absent, self.absence_counts(w)))
        rest = If(gone, Effect.absent, Effect.unknown)
        rest = If(seen == Seen.failed, Effect.failed, rest)
        rest = If(Or(receipt == Receipt.refused, seen == Seen.refused), Effect.refused, rest)
        rest = If(Or(seen == Seen.accepted, seen == Seen.pending), Effect.pending, rest)
        rest = If(Or(receipt == Receipt.committed, seen == Seen.committed), Effect.committed, rest)
        return If(seen == Seen.reversed, Effect.reversed, rest)

    def match(self, w: int) -> Term:
        """What was observed is this operation's, unless the reading says otherwise."""
        worker = self.model.workers[w]
        receipt = And(worker.receipt == Receipt.committed, worker.match != Match.drifted)
        return If(receipt, Match.same, worker.match)

    def admission(self, w: int) -> Term:
        """Where authority is judged at commit, an admission without a current approval entitles to nothing."""
        worker, p = self.model.workers[w], self.model.promises
        late = And(p.judged_at_commit, worker.permission != Permission.current)
        return If(And(worker.admission == Admission.standing, late), Admission.void, worker.admission)

    def permission(self, w: int) -> Term:
        """The authority's last answer."""
        return self.model.workers[w].permission

    def precondition(self, w: int) -> Term:
        """What the last reading said of the governed object."""
        return self.model.workers[w].precondition

    def postcondition(self, w: int) -> Term:
        """Confirmed only by a path that does not pass the target; its own word is an echo."""
        worker, p = self.model.workers[w], self.model.promises
        echo = If(self.effect(w) == Effect.committed, Postcondition.echoed, Postcondition.unobserved)
        said = If(p.witness == Witness.same_system, echo, worker.postcondition)
        return If(Or(p.witness == Witness.none, Not(p.verifies)), Postcondition.unavailable, said)

    def dedup(self, w: int) -> Term:
        """Live only if the identity is recognised until the last copy is dead, and states the same payload.

        An identity whose first answer was an error, or an acceptance that came to nothing, is spent: a repeat
        is answered and not executed.
        """
        worker, p = self.model.workers[w], self.model.promises
        driven = p.on_repeat == OnRepeat.drives_forward
        failed = And(worker.seen == Seen.failed, Not(driven))
        burned = Or(And(worker.receipt == Receipt.burned, Not(driven)), failed)
        recognises = And(p.recognises, p.on_repeat != OnRepeat.executes, p.stable_identity)
        live = And(recognises, Not(p.races), worker.young, Not(worker.drift))
        return If(And(recognises, burned), Dedup.spent, If(live, Dedup.live, Dedup.none))

    def readback(self, w: int) -> Term:
        """Whether a further look can settle it: an absence that proves nothing and mere acceptance never will."""
        worker, p = self.model.workers[w], self.model.promises
        idle = Or(And(worker.seen == Seen.absent, Not(self.absence_counts(w))), worker.seen == Seen.accepted)
        soon = Or(worker.seen == Seen.outage, worker.seen == Seen.pending)
        asked = If(idle, Readback.none, If(soon, Readback.delayed, Readback.available))
        return If(And(p.readable, p.reads), asked, Readback.none)

    def undo(self, w: int) -> Term:
        """The contract's grade; an undo that may be done twice, or that nobody can see done, is not automatic."""
        p = self.model.promises
        sure = And(p.keyed_undo, p.readable, p.reads)
        return If(And(p.grade == Undo.automatic, Not(sure)), Undo.best_effort, p.grade)
