"""What a worker writes into the checkpoint: attempts before they are released, answers, and the end of a case.

Each write is a compare-and-swap against the worker's own claim.
"""

from __future__ import annotations

from z3 import And, If, Implies, Not, Or

from model.component import Component, Step, action
from model.kernel import Term, Update, sets
from model.labels import Kind, Log, Move, Receipt, Recorded, Reply
from model.phases import Phase
from model.table_inputs import Admission, AttemptState
from model.table_inputs import Decision as D


class Journal(Component):
    """The store's steps that serve a worker."""

    @action(owner="store", sees=("worker[{w}]", "authority", "contract"))
    def record_attempt(self, w: int, o: int) -> Step:
        """The attempt is in the log before it is released, if the admission still stands there.

        Admissions and attempts are kept in one durable place, so this is one write. A repeat leaves the
        phase unknown until its answer.
        """
        m = self.model
        worker, s, p = m.workers[w], m.stores[m.obligation(o)], m.promises
        first = p.recorded == Recorded.before_release
        log, phase = self._log_after(w), self._phase_after(w, o)
        return (
            And(worker.move == Move.admitted, self._may_release(w, o), Or(Not(first), self._noted(w, o))),
            sets(worker.move, Move.recorded),
            sets(worker.log, log),
            sets(s.log, If(first, log, s.log)),
            sets(s.phase, If(first, phase, s.phase)),
            sets(worker.lawful, And(m.history.admitted(o), Not(worker.drift), Not(worker.diverged))),
            *m.history.on_phase(m.obligation(o), If(first, phase, s.phase), w),
        )

    def _noted(self, w: int, o: int) -> Term:
        """The store takes the write, and the phase says that the operation is admitted."""
        m = self.model
        s = m.stores[m.obligation(o)]
        early = Or(s.phase == Phase.NOT_ADMITTED, s.phase == Phase.NEEDS_REAUTHORISATION)
        return And(m.store.accepts(w, o), Not(early))

    def _may_release(self, w: int, o: int) -> Term:
        m = self.model
        stands = Implies(m.promises.asks_authority, m.admissions[o] == Admission.standing)
        return And(m.workers[w].op == o, stands)

    def _log_after(self, w: int) -> Term:
        """One attempt that can land, or one more beside others that still can."""
        attempt = self.model.cut.attempt(w)
        alone = Or(attempt == AttemptState.none, attempt == AttemptState.closed)
        return If(alone, Log.sole, Log.own)

    def _phase_after(self, w: int, o: int) -> Term:
        s, worker = self.model.stores[self.model.obligation(o)], self.model.workers[w]
        settled = And(s.phase == Phase.UNKNOWN_OUTCOME, Not(worker.repeat))
        return If(Or(s.phase == Phase.ADMITTED, settled), Phase.EFFECT_PENDING, s.phase)

    @action(owner="store", sees=("worker[{w}]", "authority", "contract"))
    def admission_is_gone(self, w: int, o: int) -> Step:
        """The admission was voided before dispatch: nothing is released, and the resumer looks again."""
        m = self.model
        worker = m.workers[w]
        return (
            And(worker.move == Move.admitted, worker.op == o, Not(self._may_release(w, o))),
            *worker.looks_again(),
            sets(worker.move, m.store.gathering()),
        )

    @action(owner="store", sees=("worker[{w}]", "contract"))
    def file_reply(self, w: int, o: int) -> Step:
        """The answer enters the checkpoint: a receipt, a refusal, or an error that proves nothing."""
        m = self.model
        worker, s = m.workers[w], m.stores[m.obligation(o)]
        final = Or(worker.reply == Reply.committed, worker.reply == Reply.refused)
        only = And(worker.log == Log.sole, Not(m.promises.copies))
        log = If(And(final, only), Log.closed, worker.log)
        phase = self._phase_by_reply(w, o)
        return (
            And(worker.move == Move.replied, worker.reply != Reply.stale, m.store.accepts(w, o)),
            *worker.looks_again(),
            sets(worker.move, m.store.gathering()),
            sets(worker.log, log),
            sets(worker.receipt, self._receipt_after(w, worker.receipt)),
            sets(s.log, If(m.promises.recorded == Recorded.never, s.log, log)),
            sets(s.receipt, self._receipt_after(w, s.receipt)),
            sets(s.phase, phase),
            *m.history.on_phase(m.obligation(o), phase, w),
        )

    def _receipt_after(self, w: int, receipt: Term) -> Term:
        """A positive answer outranks all others, and a remembered error never erases one."""
        p, reply = self.model.promises, self.model.workers[w].reply
        remembers, recognises = p.remembers_errors, p.recognises
        positive = receipt == Receipt.committed
        burned = And(reply == Reply.error, remembers, recognises, receipt == Receipt.none)
        other = If(burned, Receipt.burned, receipt)
        taken_for_refusal = And(reply == Reply.error, Not(self.model.promises.sticky_unknown))
        refused = And(Or(reply == Reply.refused, taken_for_refusal), Not(positive))
        return If(reply == Reply.committed, Receipt.committed, If(refused, Receipt.refused, other))

    def _phase_by_reply(self, w: int, o: int) -> Term:
        s, reply = self.model.stores[self.model.obligation(o)], self.model.workers[w].reply
        open_phases = (Phase.EFFECT_PENDING, Phase.UNKNOWN_OUTCOME, Phase.NEEDS_REAUTHORISATION)
        commits = And(reply == Reply.committed, Or(*[s.phase == x for x in open_phases]))
        doubts = And(reply == Reply.error, s.phase == Phase.EFFECT_PENDING)
        return If(commits, Phase.EFFECT_COMMITTED, If(doubts, Phase.UNKNOWN_OUTCOME, s.phase))

    def waits_unanswered(self, w: int) -> Term:
        """A request was sent, and no answer is there."""
        worker = self.model.workers[w]
        return And(Or(worker.move == Move.awaiting, worker.move == Move.undo_awaiting), worker.reply == Reply.none)

    def still_flying(self, w: int) -> Term:
        """A request of this worker's epoch is on its way."""
        worker = self.model.workers[w]
        return Or(
            *[And(n.kind != Kind.none, n.op == worker.op, n.epoch == worker.epoch) for n in self.model.network.slots]
        )

    def _gives_up(self, w: int, o: int, when: Term) -> Step:
        """The outcome is unknown, and that is written down."""
        m = self.model
        worker, s = m.workers[w], m.stores[m.obligation(o)]
        phase = If(s.phase == Phase.EFFECT_PENDING, Phase.UNKNOWN_OUTCOME, s.phase)
        return (
            And(self.waits_unanswered(w), when, m.store.accepts(w, o)),
            *worker.looks_again(),
            sets(worker.move, m.store.gathering()),
            sets(s.phase, phase),
            *m.history.on_phase(m.obligation(o), phase, w),
        )

    @action(owner="store", sees=("worker[{w}]", "network", "contract"))
    def give_up_waiting(self, w: int, o: int) -> Step:
        """Request or answer was lost, and no answer will come: the time to wait for one runs out."""
        return self._gives_up(w, o, Not(self.still_flying(w)))

    @action(owner="store", sees=("worker[{w}]", "network", "contract"), fault="delay")
    def give_up_too_early(self, w: int, o: int) -> Step:
        """The time to wait for an answer runs out while the request is still on its way."""
        return self._gives_up(w, o, self.still_flying(w))

    @action(owner="store", sees=("worker[{w}]", "network", "contract"))
    def refuse_stale_write(self, w: int, o: int) -> Step:
        """A compare-and-swap fails: the worker learns that its claim was superseded."""
        m = self.model
        worker = m.workers[w]
        moves = (Move.replied, Move.renewing, Move.admitting, Move.undo_admitted, Move.misread)
        writing = Or(*[worker.move == x for x in moves])
        logging = And(worker.move == Move.admitted, m.promises.recorded == Recorded.before_release)
        waiting = And(self.waits_unanswered(w), Not(self.still_flying(w)))
        deciding = Or(*[m.worker.decides(w, d) for d in (D.adopt, D.quarantine, D.abandon, D.reauthorise)])
        return (
            And(Or(writing, logging, waiting, deciding), m.store.refuses(w, o)),
            *worker.learns_it_lost(),
        )

    def _closes(self, w: int, o: int, decision: Term, phase: Term, *more: Update) -> Step:
        """A decision that ends this worker's part: the outcome record, the phase, and the claim let go."""
        m = self.model
        worker, s = m.workers[w], m.stores[m.obligation(o)]
        return (
            And(m.worker.decides(w, decision), m.store.accepts(w, o)),
            *worker.lets_go(),
            sets(s.phase, phase),
            sets(s.lease, False),
            *more,
            *m.history.on_phase(m.obligation(o), phase, w),
        )

    @action(owner="store", sees=("worker[{w}]", "contract"))
    def adopt(self, w: int, o: int) -> Step:
        """A matching effect exists and is verified: complete without acting."""
        return self._closes(w, o, D.adopt, Phase.OUTCOME_VERIFIED, *self.model.history.on_completion(w, o))

    @action(owner="store", sees=("worker[{w}]", "contract"))
    def abandon(self, w: int, o: int) -> Step:
        """Close this operation: definitely without effect, and unable to land."""
        s = self.model.stores[self.model.obligation(o)]
        log = If(s.log == Log.none, Log.none, Log.closed)
        return self._closes(w, o, D.abandon, Phase.ABANDONED, sets(s.log, log), *self.model.history.on_abandon(w, o))

    @action(owner="store", sees=("worker[{w}]", "contract"))
    def quarantine(self, w: int, o: int) -> Step:
        """Hand the case to a person, with what is known and what would release it."""
        s = self.model.stores[self.model.obligation(o)]
        return self._closes(w, o, D.quarantine, Phase.UNKNOWN_OUTCOME, sets(s.quarantined, True))

    @action(owner="store", sees=("worker[{w}]", "contract"))
    def reauthorise(self, w: int, o: int) -> Step:
        """Ask for a new decision on the same identity; nothing is sent."""
        return self._closes(w, o, D.reauthorise, Phase.NEEDS_REAUTHORISATION)

    @action(owner="store", sees=("worker[{w}]", "authority", "contract"), needs="compensation")
    def record_undo(self, w: int, o: int) -> Step:
        """The undo is in the log before it is released."""
        m = self.model
        worker, s, k = m.workers[w], m.stores[m.obligation(o)], m.obligation(o)
        return (
            And(worker.move == Move.undo_admitted, m.authority.undo_admitted[k], m.store.accepts(w, o)),
            sets(worker.move, Move.undo_recorded),
            sets(s.undo_logged, True),
        )

    @action(owner="store", sees=("worker[{w}]", "authority", "intent", "contract"), needs="compensation")
    def undo_not_admitted(self, w: int, o: int) -> Step:
        """Nobody allows the undo: look again."""
        m = self.model
        worker, k = m.workers[w], m.obligation(o)
        denied = And(Not(m.authority.undo_admitted[k]), Not(m.authority.unwanted(k)))
        return (
            And(worker.move == Move.undo_admitted, worker.op == o, denied),
            *worker.looks_again(),
            sets(worker.move, m.store.gathering()),
        )
