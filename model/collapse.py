"""Dropping what can no longer matter: a reduction, and it agrees with the unreduced model (tests/model).

A worker is *doomed* once the checkpoint store will refuse all it writes and nothing it still releases
can be executed: it was superseded, the store checks claims, attempts are recorded before they are
released, and it has no recorded attempt left to release (or the target was told of a newer epoch). All it
can do is find that out and stand down. A request is doomed once an enforcing target was told of a newer
epoch, where its sender is doomed with it. Doomed workers are put to rest and doomed requests removed in
the step that dooms them, unless a release of theirs could still be noticed as one without a record.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from z3 import And, BoolVal, If, Not, Or

from model.kernel import Term, Update, sets
from model.labels import Kind, Move, Recorded

if TYPE_CHECKING:
    from model.system import Model
    from model.worker import Worker


class Collapse:
    """The updates that a claim, a fence and a release carry for the sake of the reduction."""

    def __init__(self, model: Model) -> None:
        self.model = model

    def may_release(self, x: int) -> Term:
        """The worker is past the last write of its own that the store would refuse before a release."""
        worker = self.model.workers[x]
        return Or(worker.move == Move.recorded, worker.move == Move.undo_recorded)

    def keeps_record(self, x: int) -> Term:
        """What the worker may release has its record in the log for ever: no later identity starts the log anew."""
        if self.model.setting.generations == 1:
            return BoolVal(True)
        return Or(self.model.workers[x].move != Move.recorded, self.model.promises.per_obligation)

    def bound(self) -> Term:
        """No superseded worker gets as far as a release: the store refuses the record that comes first.

        Where a restored store can start its epochs again, an old claim may equal the newest one day, and
        nobody is doomed.
        """
        p = self.model.promises
        return And(p.checks_claim, p.recorded == Recorded.before_release, self.ranked())

    def ranked(self) -> Term:
        """Epochs are told apart for ever: no restored store gives old ones again."""
        restores = "restore" in self.model.setting.faults
        return self.model.promises.raises_epochs if restores else BoolVal(True)

    def after_claim(self, w: int, k: int) -> tuple[Update, ...]:
        """Another epoch is the newest: every other worker on the case that holds nothing to release is doomed."""
        m = self.model
        updates: list[Update] = []
        for i, x in enumerate(m.workers):
            if i != w:
                on_case = m.store.concerns(x.op, k)
                dooms = And(self.bound(), on_case, Not(self.may_release(i)))
                updates += self._put_to_rest(i, dooms, self._reranked(w, k, x.epoch, on_case))
        for n in m.network.slots:
            updates.append(sets(n.epoch, self._reranked(w, k, n.epoch, m.store.concerns(n.op, k))))
        return (*updates, sets(m.told[k], self._reranked(w, k, m.told[k], BoolVal(True))))

    def after_restore(self, k: int) -> tuple[Update, ...]:
        """A store restored with raised epochs is newer than every claim; one that starts again changes none."""
        raises = self.model.promises.raises_epochs
        return tuple(sets(u.target, If(raises, u.value, u.target)) for u in self.after_claim(-1, k))

    def _reranked(self, w: int, k: int, epoch: Term, on_case: Term) -> Term:
        """The epoch as a rank among those that still matter, which keeps their order."""
        store = self.model.store
        if "restore" in self.model.setting.faults:
            on_case = And(on_case, Not(store.lowered))
        return If(on_case, store.rank(w, k, epoch), epoch)

    def _put_to_rest(self, x: int, dooms: Term, epoch: Term | None) -> list[Update]:
        """Worker x lets everything go if it is doomed; otherwise it keeps all, its epoch as given."""
        worker = self.model.workers[x]
        if not self.model.setting.collapse:
            return [] if epoch is None else [sets(worker.epoch, epoch)]
        rest = worker.lets_go()
        kept = [epoch if epoch is not None and u.target.eq(worker.epoch) else u.target for u in rest]
        return [sets(u.target, If(dooms, u.value, keep)) for u, keep in zip(rest, kept, strict=True)]

    def after_fence(self, w: int, k: int) -> tuple[Update, ...]:
        """The target was told of worker w's epoch: older requests are doomed, and so are their senders."""
        m = self.model
        if not m.setting.collapse:
            return ()
        told = m.workers[w].epoch
        updates: list[Update] = []
        for i, x in enumerate(m.workers):
            if i != w:
                older = And(m.store.concerns(x.op, k), x.move != Move.idle, x.epoch < told)
                updates += self._put_to_rest(i, And(self.bound(), self.keeps_record(i), older), None)
        for n in m.network.slots:
            dead = And(n.kind != Kind.none, m.store.concerns(n.op, k), n.epoch < told, self.bound())
            updates += [sets(u.target, If(dead, u.value, u.target)) for u in n.emptied()]
        return tuple(updates)

    def after_release(self, w: int) -> tuple[Update, ...]:
        """A superseded sender has released its last request: what it is answered, no store will take."""
        m = self.model
        worker = m.workers[w]
        stale = [And(m.store.concerns(worker.op, k), worker.epoch != m.stores[k].epoch) for k in m.indices("k")]
        goes = And(self.bound(), Or(*stale)) if m.setting.collapse else BoolVal(False)
        updates = [sets(u.target, If(goes, u.value, self._sent(worker, u.target))) for u in worker.lets_go()]
        return tuple(updates)

    def _sent(self, worker: Worker, target: Term) -> Term:
        """A variable of a sender that waits for its answer; what it saw before is no observation of it."""
        if target.eq(worker.move):
            return Move.awaiting
        spent = (worker.repeat, worker.lawful, worker.saw)
        return BoolVal(False) if any(target.eq(x) for x in spent) else target
