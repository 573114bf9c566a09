"""Defects in what is concluded from evidence: each replaces one method of model/cut.py."""

from __future__ import annotations

from z3 import And, If, Not, Or

from model.cut import Cut
from model.kernel import Term
from model.labels import Lag, Log, OnRepeat, Receipt, Seen
from model.table_inputs import (
    Admission,
    AttemptState,
    Claim,
    Dedup,
    Effect,
    History,
    Match,
    Permission,
    Precondition,
    Readback,
    Undo,
)


class LaggingAbsenceOutranksReceipt(Cut):
    """A reading of absence is believed although the receipt says committed."""

    def effect(self, w: int) -> Term:
        worker = self.model.workers[w]
        late = And(worker.receipt == Receipt.committed, worker.seen == Seen.absent)
        return If(late, Effect.absent, super().effect(w))


class UnknownIsAbsent(Cut):
    """Where nothing was seen, nothing is assumed to be there."""

    def effect(self, w: int) -> Term:
        found = super().effect(w)
        return If(found == Effect.unknown, Effect.absent, found)


class PendingIsCommitted(Cut):
    """What the target still works on is taken for done."""

    def effect(self, w: int) -> Term:
        return If(self.model.workers[w].seen == Seen.pending, Effect.committed, super().effect(w))


class AcceptedIsCommitted(Cut):
    """That the target took the request is taken for the governed transition."""

    def effect(self, w: int) -> Term:
        return If(self.model.workers[w].seen == Seen.accepted, Effect.committed, super().effect(w))


class ReversalIsOverlooked(Cut):
    """A receipt is believed although the reading says that the effect was reversed since."""

    def effect(self, w: int) -> Term:
        worker = self.model.workers[w]
        return If(worker.receipt == Receipt.committed, Effect.committed, super().effect(w))


class OwnAttemptIsClosed(Cut):
    """The fence is thought to shut out the worker's own earlier request, which has the same epoch."""

    def attempt(self, w: int) -> Term:
        worker = self.model.workers[w]
        return If(And(worker.log != Log.none, worker.fenced), AttemptState.closed, super().attempt(w))


class ClaimIsFence(Cut):
    """A new claim in the checkpoint is thought to keep earlier requests from landing."""

    def attempt(self, w: int) -> Term:
        return If(self.model.workers[w].log == Log.older, AttemptState.closed, super().attempt(w))


class SilenceIsNoAttempt(Cut):
    """An empty log is thought to mean that nothing was released, although releases are recorded later."""

    def attempt(self, w: int) -> Term:
        return If(self.model.workers[w].log == Log.none, AttemptState.none, super().attempt(w))


class NothingIsEverOpen(Cut):
    """Attempts are not looked at: whatever was released is thought to be over."""

    def attempt(self, w: int) -> Term:
        return AttemptState.closed


class UntoldFenceCloses(Cut):
    """Attempts are thought closable although no fence is ever told before the reading."""

    def attempt(self, w: int) -> Term:
        found, p = super().attempt(w), self.model.promises
        return If(And(p.enforces_fence, found == AttemptState.open), AttemptState.closed, found)


class PrunedIsAbsent(Cut):
    """A record that may have been pruned is thought never to have been there."""

    def absence_counts(self, w: int) -> Term:
        p = self.model.promises
        return And(Or(p.lag == Lag.zero, And(p.lag == Lag.finite, p.waits_out_lag)), p.stable_identity)


class FreshIdentityIsConclusive(Cut):
    """The absence of an identity made up just now is thought to say something about the earlier ones."""

    def absence_counts(self, w: int) -> Term:
        p = self.model.promises
        return And(Or(p.lag == Lag.zero, And(p.lag == Lag.finite, p.waits_out_lag)), Not(p.prunes))


class LaggingAbsenceCounts(Cut):
    """A reading that lags without bound is thought to show the world as it is."""

    def absence_counts(self, w: int) -> Term:
        p = self.model.promises
        return And(Not(p.prunes), p.stable_identity)


class ForeignIsOurs(Cut):
    """What a search found is adopted as the operation's own effect."""

    def match(self, w: int) -> Term:
        found = super().match(w)
        return If(found == Match.foreign, Match.same, found)


class DriftedIsSame(Cut):
    """What was read is not compared with the payload of the intent."""

    def match(self, w: int) -> Term:
        found = super().match(w)
        return If(found == Match.drifted, Match.same, found)


class DriftIsNoDivergence(Cut):
    """A payload that was generated anew is thought to be the one that was decided."""

    def history(self, w: int) -> Term:
        return If(self.model.workers[w].diverged, History.diverged, History.consistent)


class VoidStands(Cut):
    """An admission that was voided is thought to stand."""

    def admission(self, w: int) -> Term:
        found = super().admission(w)
        return If(found == Admission.void, Admission.standing, found)


class ExpiryIsOverlooked(Cut):
    """Any answer of the authority is thought to permit the operation now."""

    def permission(self, w: int) -> Term:
        return Permission.current


class MovedGroundHolds(Cut):
    """The version of the object is not compared with the recorded one."""

    def precondition(self, w: int) -> Term:
        return Precondition.holds


class ForgottenKeyIsLive(Cut):
    """A key is thought to be recognised however old it is."""

    def dedup(self, w: int) -> Term:
        worker, p = self.model.workers[w], self.model.promises
        found = super().dedup(w)
        old = And(p.recognises, p.on_repeat != OnRepeat.executes, Not(worker.young))
        return If(And(old, found == Dedup.none), Dedup.live, found)


class RaceIsRecognised(Cut):
    """A key is thought to be recognised while the first request under it is unfinished."""

    def dedup(self, w: int) -> Term:
        p = self.model.promises
        return If(And(p.races, p.recognises), Dedup.live, super().dedup(w))


class ExecutingRepeatIsRecognised(Cut):
    """A target that executes repeats again is thought to recognise them."""

    def dedup(self, w: int) -> Term:
        executes = self.model.promises.on_repeat == OnRepeat.executes
        return If(executes, Dedup.live, super().dedup(w))


class BurnedKeyIsLive(Cut):
    """A key under which an error is remembered is thought to be good for another try."""

    def dedup(self, w: int) -> Term:
        found = super().dedup(w)
        return If(found == Dedup.spent, Dedup.live, found)


class FreshIdentityIsRecognised(Cut):
    """A repeat under a new identity is thought to be recognised."""

    def dedup(self, w: int) -> Term:
        p = self.model.promises
        return If(And(p.recognises, Not(p.stable_identity)), Dedup.live, super().dedup(w))


class LostClaimIsHeld(Cut):
    """The answer that the claim was superseded is not taken to heart."""

    def claim(self, w: int) -> Term:
        return Claim.held


class UnkeyedUndoIsAutomatic(Cut):
    """An undo without an identity is thought to be done once."""

    def undo(self, w: int) -> Term:
        return self.model.promises.grade


class UnseenUndoIsAutomatic(Cut):
    """An undo that nobody can see done is thought to be as good as one that can be read back."""

    def undo(self, w: int) -> Term:
        p = self.model.promises
        return If(And(p.grade == Undo.automatic, Not(p.keyed_undo)), Undo.best_effort, p.grade)


class AnotherLookAlwaysHelps(Cut):
    """An absence that proves nothing is read again and again."""

    def readback(self, w: int) -> Term:
        return Readback.available


class AcceptanceCanBeReadAgain(Cut):
    """Where answers state mere acceptance, a further look is thought to tell more."""

    def readback(self, w: int) -> Term:
        accepted = self.model.workers[w].seen == Seen.accepted
        return If(accepted, Readback.delayed, super().readback(w))


class DivergenceIsOverlooked(Cut):
    """Code that no longer fits the recorded history is run all the same."""

    def history(self, w: int) -> Term:
        return If(self.model.workers[w].drift, History.diverged, History.consistent)
