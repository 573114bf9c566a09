"""Defects of the checkpoint and of what is written there."""

from __future__ import annotations

from z3 import And, If, Implies, Not, Or

from model.checkpoint import Checkpoint
from model.component import Step
from model.journal import Journal
from model.kernel import Term, Update, sets
from model.labels import Log, Move, Receipt, Reply
from model.phases import Phase
from properties.mutants.mutant import instead_of


class TellsWithTheRequest(Checkpoint):
    """The resumer reads at once, and its epoch reaches the target only with its request."""

    def first_move(self) -> Term:
        return self.gathering()

    def _claimed(self, w: int, o: int) -> tuple[Update, ...]:
        return (*super()._claimed(w, o), sets(self.model.workers[w].fenced, True))


class SkipsTheLag(Checkpoint):
    """The resumer reads at once, although readings lag."""

    def gathering(self) -> Term:
        return Move.ready


class ClaimsAHeldCase(Checkpoint):
    """A case is claimed although its lease has not run out."""

    def claimable(self, w: int, o: int) -> Term:
        m = self.model
        s = self.records[m.obligation(o)]
        return And(m.workers[w].move == Move.idle, s.gen == m.generation(o), s.phase != Phase.OUTCOME_VERIFIED)


class TakesAnybodysWrites(Checkpoint):
    """The store says that it checks claims, and takes writes of superseded ones."""

    def accepts(self, w: int, o: int) -> Term:
        return And(Not(self.down), self.model.workers[w].op == o)


class ReloadsNothing(Checkpoint):
    """After a claim the recorded attempts and answers are not read."""

    def _loaded(self, w: int, o: int) -> tuple[Update, ...]:
        worker = self.model.workers[w]
        return (sets(worker.log, Log.none), sets(worker.receipt, Receipt.none), sets(worker.diverged, False))


class ReloadsNoAnswers(Checkpoint):
    """After a claim the recorded answers are not read."""

    def _loaded(self, w: int, o: int) -> tuple[Update, ...]:
        worker = self.model.workers[w]
        return tuple(u for u in super()._loaded(w, o) if not u.target.eq(worker.receipt))


class OverlooksDivergence(Checkpoint):
    """History is not replayed after a claim."""

    def _loaded(self, w: int, o: int) -> tuple[Update, ...]:
        worker = self.model.workers[w]
        return tuple(u for u in super()._loaded(w, o) if not u.target.eq(worker.diverged))


class CountsPerIdentity(Checkpoint):
    """Attempts under an earlier identity of the obligation are not counted."""

    def _loaded(self, w: int, o: int) -> tuple[Update, ...]:
        worker, s, p = self.model.workers[w], self.records[self.model.obligation(o)], self.model.promises
        fresh = And(s.log != Log.none, Not(p.stable_identity))
        loaded = super()._loaded(w, o)
        return tuple(sets(u.target, If(fresh, Log.none, u.value)) if u.target.eq(worker.log) else u for u in loaded)


class TimerReleasesUnknown(Checkpoint):
    """A takeover puts an unknown outcome back to pending, since time has passed."""

    @instead_of(Checkpoint.claim)
    def claim(self, w: int, o: int) -> Step:
        guard, *updates = super().claim(w, o)
        k = self.model.obligation(o)
        s = self.records[k]
        phase = If(s.phase == Phase.UNKNOWN_OUTCOME, Phase.EFFECT_PENDING, s.phase)
        own = [sets(s.phase, phase), *self.model.history.on_phase(k, phase)]
        kept = [u for u in updates if not any(u.target.eq(x.target) for x in own)]
        return guard, *kept, *own


class RepeatReleasesUnknown(Journal):
    """A repeat puts an unknown outcome back to pending before it is answered."""

    def _phase_after(self, w: int, o: int) -> Term:
        s = self.model.stores[self.model.obligation(o)]
        pending = Or(s.phase == Phase.ADMITTED, s.phase == Phase.UNKNOWN_OUTCOME)
        return If(pending, Phase.EFFECT_PENDING, s.phase)


class RestoreForgetsQuietly(Checkpoint):
    """A restored store raises its epochs and does not assume the attempts that it cannot remember."""

    @instead_of(Checkpoint.restore_backup)
    def restore_backup(self, k: int) -> Step:
        guard, *updates = super().restore_backup(k)
        log = self.records[k].log
        return guard, *[sets(log, Log.none) if u.target.eq(log) else u for u in updates]


class RenewsInWordsOnly(Checkpoint):
    """A newer epoch is taken, and the acknowledgement of the earlier one is thought to cover it."""

    @instead_of(Checkpoint.renew)
    def renew(self, w: int, o: int) -> Step:
        guard, *updates = super().renew(w, o)
        worker = self.model.workers[w]
        own = {worker.fenced.get_id(): sets(worker.fenced, True), worker.move.get_id(): sets(worker.move, Move.ready)}
        return guard, *[own.get(u.target.get_id(), u) for u in updates]


class AcknowledgementIsReceipt(Journal):
    """That the target took the request is filed as if the effect were there."""

    def _receipt_after(self, w: int, receipt: Term) -> Term:
        accepted = self.model.workers[w].reply == Reply.accepted
        return If(accepted, Receipt.committed, super()._receipt_after(w, receipt))


class ErrorIsRefusal(Journal):
    """A remembered error is filed as a refusal, although the effect may be there."""

    def _receipt_after(self, w: int, receipt: Term) -> Term:
        failed = And(self.model.workers[w].reply == Reply.error, receipt != Receipt.committed)
        return If(failed, Receipt.refused, super()._receipt_after(w, receipt))


class ConflictIsRefusal(Journal):
    """An answer that says not now is filed as a refusal for good."""

    def _receipt_after(self, w: int, receipt: Term) -> Term:
        turned = And(self.model.workers[w].reply == Reply.conflict, receipt != Receipt.committed)
        return If(turned, Receipt.refused, super()._receipt_after(w, receipt))


class LaterErrorErases(Journal):
    """A later error takes the place of a positive receipt."""

    def _receipt_after(self, w: int, receipt: Term) -> Term:
        failed = self.model.workers[w].reply == Reply.error
        return If(failed, Receipt.burned, super()._receipt_after(w, receipt))


class LaterAttemptIsSole(Journal):
    """A repeat beside an attempt that can still land is written down as if it were alone."""

    def _log_after(self, w: int) -> Term:
        return Log.sole


class AnswerClosesAll(Journal):
    """A final answer to one attempt is taken to end all others."""

    @instead_of(Journal.file_reply)
    def file_reply(self, w: int, o: int) -> Step:
        guard, *updates = super().file_reply(w, o)
        worker, s = self.model.workers[w], self.model.stores[self.model.obligation(o)]
        logs = (worker.log, s.log)
        return guard, *[sets(u.target, Log.closed) if any(u.target.eq(x) for x in logs) else u for u in updates]


class RecordsWithoutAdmission(Journal):
    """An attempt is recorded without a look at whether its admission still stands."""

    def _may_release(self, w: int, o: int) -> Term:
        return self.model.workers[w].op == o


class RecordsUnderAnyPhase(Journal):
    """An attempt is recorded before the checkpoint says that the operation is admitted."""

    def _noted(self, w: int, o: int) -> Term:
        return self.model.store.accepts(w, o)

    def _phase_after(self, w: int, o: int) -> Term:
        return Phase.EFFECT_PENDING


class ErrorStartsAfresh(Journal):
    """After an error the case goes back to where nothing was admitted."""

    def _phase_by_reply(self, w: int, o: int) -> Term:
        failed = self.model.workers[w].reply == Reply.error
        return If(failed, Phase.NOT_ADMITTED, super()._phase_by_reply(w, o))


class ErrorIsCommitment(Journal):
    """An error is taken for the proof that the effect is there."""

    def _phase_by_reply(self, w: int, o: int) -> Term:
        failed = self.model.workers[w].reply == Reply.error
        return If(failed, Phase.EFFECT_COMMITTED, super()._phase_by_reply(w, o))


class UndoesUnadmitted(Journal):
    """An undo is recorded without an admission of its own."""

    @instead_of(Journal.record_undo)
    def record_undo(self, w: int, o: int) -> Step:
        _, *updates = super().record_undo(w, o)
        worker = self.model.workers[w]
        return And(worker.move == Move.undo_admitted, self.model.store.accepts(w, o)), *updates


class NeverGivesUp(Journal):
    """A worker waits for an answer that nothing will bring."""

    def _gives_up(self, w: int, o: int, when: Term) -> Step:
        guard, *updates = super()._gives_up(w, o, when)
        return And(guard, self.still_flying(w)), *updates


class WritesWithoutRecord(Journal):
    """A request is released before its attempt is in the checkpoint."""

    @instead_of(Journal.record_attempt)
    def record_attempt(self, w: int, o: int) -> Step:
        guard, *updates = super().record_attempt(w, o)
        log = self.model.stores[self.model.obligation(o)].log
        return guard, *[u for u in updates if not u.target.eq(log)]


class ClosesAnyClaim(Journal):
    """The end of a case is written whoever holds it."""

    def _closes(self, w: int, o: int, decision: Term, phase: Term, *more: Update) -> Step:
        guard, *updates = super()._closes(w, o, decision, phase, *more)
        m = self.model
        taken = And(m.worker.decides(w, decision), m.workers[w].op == o, Implies(m.store.down, Or()))
        return taken, *updates
