"""Defects of the authority, the approver, the obligation and of the order of a worker's moves."""

from __future__ import annotations

from z3 import And, If, Not, Or

from model.approval import Approvals
from model.authority import Authority
from model.component import Step
from model.intent import Intents
from model.kernel import Term, sets
from model.labels import Approval, Log, Move, World
from model.phases import Phase
from model.table_inputs import Admission
from model.worker import Workers
from properties.mutants.mutant import instead_of


class _AlsoAdmits(Authority):
    """Admits although the approval is in a state that no longer holds."""

    lapsed = "expired"

    def admissible(self, o: int) -> Term:
        late = self.model.approvals[o].state == getattr(Approval, self.lapsed)
        return Or(super().admissible(o), late)


class AdmitsExpired(_AlsoAdmits):
    """An approval that has run out is admitted."""


class AdmitsRevoked(_AlsoAdmits):
    """An approval that was taken back is admitted."""

    lapsed = "revoked"


class AdmitsOutdated(_AlsoAdmits):
    """An approval given under an earlier policy is admitted."""

    lapsed = "outdated"


class AdmitsUsed(Authority):
    """An approval that was used is admitted once more."""

    def admissible(self, o: int) -> Term:
        return self.model.approvals[o].state == Approval.granted


class AdmitsUnasked(Authority):
    """An operation is admitted before anybody approved it."""

    def admissible(self, o: int) -> Term:
        return self.model.approvals[o].state != Approval.refused


class AdmitsSuperseded(Authority):
    """An admission is given to a worker whose claim was superseded."""

    @instead_of(Authority.admit)
    def admit(self, w: int, o: int) -> Step:
        _, *updates = super().admit(w, o)
        worker = self.model.workers[w]
        return And(worker.move == Move.admitting, worker.op == o, self.admissible(o)), *updates


class AdmissionNotKept(Authority):
    """An admission is given in words and not written down, and the approval is used up."""

    @instead_of(Authority.admit)
    def admit(self, w: int, o: int) -> Step:
        guard, *updates = super().admit(w, o)
        return guard, *[u for u in updates if not u.target.eq(self.admissions[o])]


class AdmitsAnyUndo(Authority):
    """An undo is admitted although the effect is wanted."""

    def unwanted(self, k: int) -> Term:
        return And()


class VoidedAnswersStanding(Authority):
    """The authority answers that an admission stands although it was voided."""

    @instead_of(Authority.answer)
    def answer(self, w: int, o: int, c: int) -> Step:
        guard, *updates = super().answer(w, o, c)
        admission = self.model.workers[w].admission
        told = If(self.admissions[o] == Admission.void, Admission.standing, self.admissions[o])
        return guard, *[sets(admission, told) if u.target.eq(admission) else u for u in updates]


class SecondSubmissionCounts(Approvals):
    """A double click brings back an approval that was used."""

    @instead_of(Approvals.take_second_submission)
    def take_second_submission(self, o: int) -> Step:
        guard, *_ = super().take_second_submission(o)
        d = self.decisions[o]
        return guard, sets(d.resubmitted, False), sets(d.state, Approval.granted), sets(d.used, False)


class PolicyChangeKeepsAdmission(Approvals):
    """An admission outlives a change of policy, although the contract says that it falls."""

    @instead_of(Approvals.change_policy)
    def change_policy(self, o: int) -> Step:
        guard, state, *_ = super().change_policy(o)
        return guard, state


class NeverAsksAgain(Approvals):
    """A case that needs a new decision is put before nobody."""

    @instead_of(Approvals.ask_again)
    def ask_again(self, o: int) -> Step:
        _, *updates = super().ask_again(o)
        return Or(), *updates


class SuccessorTooEarly(Intents):
    """A next generation is planned while its predecessor is not closed."""

    def predecessor_may_be_left(self, k: int) -> Term:
        store = self.model.stores[k]
        return And(Not(store.quarantined), store.phase != Phase.OUTCOME_VERIFIED)


class SuccessorOfCompletion(Intents):
    """A next generation is planned although its predecessor has its effect."""

    def predecessor_may_be_left(self, k: int) -> Term:
        store = self.model.stores[k]
        return Or(store.phase == Phase.ABANDONED, store.phase == Phase.OUTCOME_VERIFIED)


class SuccessorForgetsAttempts(Intents):
    """Attempts of the predecessor are not counted for the next generation."""

    def attempts_carried_over(self, k: int) -> Term:
        return Log.none


class SkipsAdmission(Workers):
    """A worker acts without asking for an admission."""

    @instead_of(Workers.choose_execute)
    def choose_execute(self, w: int) -> Step:
        guard, *updates = super().choose_execute(w)
        move = self.model.workers[w].move
        return guard, *[sets(move, Move.admitted) if u.target.eq(move) else u for u in updates]


class SendsBeforeRecording(Workers):
    """A worker sends first and writes the attempt down when it is answered."""

    @instead_of(Workers.choose_execute)
    def choose_execute(self, w: int) -> Step:
        guard, *updates = super().choose_execute(w)
        move, asks = self.model.workers[w].move, self.model.workers[w].admission != Admission.standing
        return guard, *[
            sets(move, If(asks, Move.admitting, Move.recorded)) if u.target.eq(move) else u for u in updates
        ]


class CallsARepeatFirst(Workers):
    """A worker does not note that it sends although the outcome is unknown."""

    @instead_of(Workers.choose_execute)
    def choose_execute(self, w: int) -> Step:
        guard, *updates = super().choose_execute(w)
        return guard, *[u for u in updates if not u.target.eq(self.model.workers[w].repeat)]


class ThinksItTold(Workers):
    """A worker sends the fence message, does not wait for the acknowledgement, and the message is lost."""

    @instead_of(Workers.tell)
    def tell(self, w: int) -> Step:
        guard, _ = super().tell(w)
        worker = self.model.workers[w]
        return guard, sets(worker.move, Move.ready), sets(worker.fenced, True)


class ReadsBeforeTelling(Workers):
    """A worker may read the effect before it tells its epoch, and keeps the reading."""

    @instead_of(Workers.ask_effect)
    def ask_effect(self, w: int) -> Step:
        guard, *updates = super().ask_effect(w)
        worker, p = self.model.workers[w], self.model.promises
        early = And(p.readable, p.reads, worker.move == Move.claimed)
        return Or(guard, early), *updates, sets(worker.fenced, True)


class IgnoresTheSuccessor(Workers):
    """A worker that is answered that a newer epoch was told goes on as before."""

    @instead_of(Workers.learn_of_successor)
    def learn_of_successor(self, w: int) -> Step:
        guard, *_ = super().learn_of_successor(w)
        worker = self.model.workers[w]
        return guard, *worker.looks_again(), sets(worker.move, self.model.store.gathering())


class KeepsOldAdmission(Workers):
    """A worker verifies on and on with the evidence of its first look."""

    @instead_of(Workers.choose_verify)
    def choose_verify(self, w: int) -> Step:
        guard, move, *_ = super().choose_verify(w)
        return guard, move


class NeverConfirms(Workers):
    """A worker reads again instead of looking at the postcondition."""

    @instead_of(Workers.choose_verify)
    def choose_verify(self, w: int) -> Step:
        guard, _, *_ = super().choose_verify(w)
        worker = self.model.workers[w]
        return guard, sets(worker.move, self.model.store.gathering()), *worker.looks_again()


class NeverRenews(Workers):
    """A worker reads again instead of taking a newer epoch."""

    @instead_of(Workers.choose_verify)
    def choose_verify(self, w: int) -> Step:
        guard, move, *updates = super().choose_verify(w)
        worker = self.model.workers[w]
        after = If(move.value == Move.renewing, self.model.store.gathering(), move.value)
        return guard, sets(worker.move, after), *updates


class PeeksAtTheTarget(Workers):
    """A worker decides to act by looking into the target's own state."""

    @instead_of(Workers.choose_execute)
    def choose_execute(self, w: int) -> Step:
        guard, *updates = super().choose_execute(w)
        absent = And(*[g.world == World.absent for g in self.model.gateways])
        return And(guard, absent), *updates


class ReadsGhostHistory(Workers):
    """A worker decides to act by what really happened, which nobody can see."""

    @instead_of(Workers.choose_execute)
    def choose_execute(self, w: int) -> Step:
        guard, *updates = super().choose_execute(w)
        return And(guard, *[c == 0 for c in self.model.history.commits]), *updates
