"""The checkpoint store: epoch, lease, typed phase, attempt log and receipt of each obligation.

Epochs are ranks: a claim takes the next rank above every epoch that still matters (of a worker, of a
message in flight, of what the target was told), so there can be any number of claims.
"""

from __future__ import annotations

from dataclasses import dataclass

from z3 import And, If, Implies, IntVal, Not, Or, Sum

from model.component import Component, Step, action
from model.kernel import Term, Update, Vocabulary, sets
from model.labels import Approval, FenceTold, Lag, Log, Move, Receipt
from model.phases import Phase, resting
from model.table_inputs import Admission

NOBODY = -1
"""No worker: a restored store has taken an epoch that none of them holds."""


@dataclass(frozen=True, eq=False)
class Store:
    """The durable record of one obligation."""

    epoch: Term
    lease: Term
    gen: Term
    phase: Term
    log: Term
    receipt: Term
    quarantined: Term
    diverged: Term
    undo_logged: Term


class Checkpoint(Component):
    """Claims by compare-and-swap, and the faults of the store."""

    def declare(self, vocabulary: Vocabulary) -> None:
        setting, v = self.model.setting, vocabulary
        self.records = [
            Store(
                epoch=v.count(f"store.epoch[{k}]", setting.epochs, "store"),
                lease=v.flag(f"store.lease[{k}]", "store"),
                gen=v.count(f"store.gen[{k}]", setting.generations - 1, "store"),
                phase=v.enum(f"store.phase[{k}]", Phase, "store", "NOT_ADMITTED"),
                log=v.enum(f"store.log[{k}]", Log, "store", "none"),
                receipt=v.enum(f"store.receipt[{k}]", Receipt, "store", "none"),
                quarantined=v.flag(f"store.quarantined[{k}]", "store"),
                diverged=v.flag(f"store.diverged[{k}]", "store"),
                undo_logged=v.flag(f"store.undo_logged[{k}]", "store"),
            )
            for k in self.model.indices("k")
        ]
        self.down = v.flag("store.down", "store")
        self.lowered = v.flag("store.lowered", "store")
        """Whether a backup was restored whose epochs start again below those given before."""

    def unfinished(self, k: int) -> Term:
        """Somebody may still take this case up without a person."""
        s = self.records[k]
        return Not(Or(resting(s.phase), s.quarantined, s.phase == Phase.NEEDS_REAUTHORISATION))

    def current(self, w: int, o: int) -> Term:
        """Worker w's claim is the newest one, and on the current operation."""
        k = self.model.obligation(o)
        s, worker = self.records[k], self.model.workers[w]
        return And(worker.op == o, worker.epoch == s.epoch, s.gen == self.model.generation(o))

    def accepts(self, w: int, o: int) -> Term:
        """The store is up and takes a write of worker w (where it checks claims, only the newest)."""
        worker = self.model.workers[w]
        claimed = Implies(self.model.promises.checks_claim, self.current(w, o))
        return And(Not(self.down), worker.op == o, claimed)

    def refuses(self, w: int, o: int) -> Term:
        """The store answers worker w that its claim was superseded."""
        worker = self.model.workers[w]
        return And(Not(self.down), worker.op == o, self.model.promises.checks_claim, Not(self.current(w, o)))

    def next_epoch(self, w: int, k: int) -> Term:
        """The rank above every epoch that still matters, worker w's old one aside."""
        if "restore" in self.model.setting.faults:
            counted = If(self.records[k].epoch < self.model.setting.epochs, self.records[k].epoch + 1, 1)
            return If(self.lowered, counted, self.rank(w, k, IntVal(self.model.setting.epochs)) + 1)
        return self.rank(w, k, IntVal(self.model.setting.epochs)) + 1

    def rank(self, w: int, k: int, epoch: Term) -> Term:
        """How many distinct epochs that still matter are at most ``epoch``."""
        live = self.live_epochs(w, k)
        levels = range(1, self.model.setting.epochs + 1)
        return Sum([If(And(u <= epoch, Or(*[e == u for e in live])), 1, 0) for u in levels])

    def live_epochs(self, w: int, k: int) -> list[Term]:
        """Epochs that somebody still holds: other workers, messages, the target; 0 where nobody does."""
        m = self.model
        others = [x.epoch for i, x in enumerate(m.workers) if i != w]
        return [*others, *[n.epoch for n in m.network.slots], m.told[k]]

    def concerns(self, op: Term, k: int) -> Term:
        """The operation belongs to obligation k."""
        return Or(*[op == o for o in self.model.indices("o") if self.model.obligation(o) == k])

    def claimable(self, w: int, o: int) -> Term:
        """A case that nobody holds, that is not closed and waits neither for its approver nor for a person."""
        m = self.model
        s, approval = self.records[m.obligation(o)], m.approvals[o].state
        again = And(s.phase == Phase.NEEDS_REAUTHORISATION, approval != Approval.granted)
        waits = Or(approval == Approval.asked, approval == Approval.unasked, again)
        free = And(Not(self.down), Not(s.lease), s.gen == m.generation(o))
        return And(free, m.workers[w].move == Move.idle, Not(resting(s.phase)), Not(s.quarantined), Not(waits))

    @action(owner="store", sees=("worker", "network", "gateway", "authority", "approver", "contract"))
    def claim(self, w: int, o: int) -> Step:
        """Compare-and-swap on the checkpoint: the resumer takes a new epoch and reads what is recorded."""
        return self.claimable(w, o), *self._claimed(w, o), *self._loaded(w, o)

    @action(
        owner="store",
        sees=("worker", "network", "gateway", "authority", "approver", "contract"),
        fault="stale_read",
    )
    def claim_and_misread(self, w: int, o: int) -> Step:
        """The claim succeeds, but what is read with it comes from a copy that has seen nothing yet.

        A resumer that compares the copy with its own claim notices; another takes it for the truth.
        """
        worker = self.model.workers[w]
        checks = self.model.promises.checks_copy
        after = If(checks, Move.misread, self.first_move())
        return (
            self.claimable(w, o),
            *[u for u in self._claimed(w, o) if not u.target.eq(worker.move)],
            sets(worker.move, after),
        )

    @action(owner="store", sees=("worker[{w}]", "contract"))
    def read_again(self, w: int, o: int) -> Step:
        """The resumer reads the checkpoint until it sees its own claim."""
        worker = self.model.workers[w]
        guard = And(worker.move == Move.misread, worker.op == o, Not(self.down))
        return guard, sets(worker.move, self.first_move()), *self._loaded(w, o)

    def first_move(self) -> Term:
        """After the claim: tell the target, or wait out the lag, or gather evidence at once."""
        p = self.model.promises
        tells = And(p.enforces_fence, p.fence_told == FenceTold.before_read)
        return If(tells, Move.claimed, self.gathering())

    def gathering(self) -> Term:
        """Where evidence is gathered: after one lag, where readings lag and the practice waits."""
        p = self.model.promises
        return If(And(p.lag == Lag.finite, p.readable, p.waits_out_lag), Move.waiting, Move.ready)

    def _claimed(self, w: int, o: int) -> tuple[Update, ...]:
        m = self.model
        k, worker = m.obligation(o), m.workers[w]
        s = self.records[k]
        unanswered = And(s.phase == Phase.EFFECT_PENDING, s.log != Log.none)
        phase = If(unanswered, Phase.UNKNOWN_OUTCOME, s.phase)
        kept = Or(m.promises.durable_admission, m.admissions[o] != Admission.standing)
        return (
            *self._identified(w, o),
            sets(m.admissions[o], If(kept, m.admissions[o], Admission.none)),
            sets(worker.drift, And(m.promises.regenerates, s.epoch > 0)),
            sets(worker.epoch, self.next_epoch(w, k)),
            sets(worker.move, self.first_move()),
            sets(s.epoch, self.next_epoch(w, k)),
            sets(s.lease, True),
            sets(s.log, older(s.log)),
            sets(s.phase, phase),
            *m.collapse.after_claim(w, k),
            *m.history.on_phase(k, phase),
        )

    def _identified(self, w: int, o: int) -> tuple[Update, ...]:
        """The identity to send under: the recorded one, or a fresh one where none was kept."""
        m = self.model
        s, worker = self.records[m.obligation(o)], m.workers[w]
        if m.generation(o) == m.setting.generations - 1:
            return (sets(worker.op, o),)
        fresh = And(s.log != Log.none, Not(m.promises.stable_identity))
        following = m.approvals[o + 1].state
        return (
            sets(worker.op, If(fresh, IntVal(o + 1), IntVal(o))),
            sets(s.gen, If(fresh, IntVal(m.generation(o) + 1), s.gen)),
            sets(following, If(fresh, Approval.asked, following)),
        )

    def _loaded(self, w: int, o: int) -> tuple[Update, ...]:
        s, worker = self.records[self.model.obligation(o)], self.model.workers[w]
        return (
            sets(worker.log, older(s.log)),
            sets(worker.receipt, s.receipt),
            sets(worker.diverged, s.diverged),
        )

    @action(owner="store", sees=("worker[{w}]", "worker", "network", "gateway", "contract"))
    def renew(self, w: int, o: int) -> Step:
        """The holder takes a newer epoch, so that its own earlier requests can be fenced off."""
        m = self.model
        k, worker = m.obligation(o), m.workers[w]
        s = self.records[k]
        return (
            And(worker.move == Move.renewing, self.accepts(w, o)),
            sets(worker.epoch, self.next_epoch(w, k)),
            sets(s.epoch, self.next_epoch(w, k)),
            sets(worker.move, self.first_move()),
            sets(worker.fenced, False),
            sets(worker.log, older(worker.log)),
            sets(s.log, older(s.log)),
            *m.collapse.after_claim(w, k),
        )

    def held_by_the_living(self, k: int) -> Term:
        """Some worker is at work under the newest epoch."""
        s = self.records[k]
        return Or(*[And(x.move != Move.idle, x.epoch == s.epoch, self.concerns(x.op, k)) for x in self.model.workers])

    @action(owner="store", sees=("worker",))
    def lapse(self, k: int) -> Step:
        """The lease runs out after its holder died or let go."""
        s = self.records[k]
        return And(s.lease, Not(self.held_by_the_living(k))), sets(s.lease, False)

    @action(owner="store", sees=("worker",), fault="pause")
    def lapse_in_a_pause(self, k: int) -> Step:
        """The holder stands still for longer than its lease."""
        s = self.records[k]
        return And(s.lease, self.held_by_the_living(k)), sets(s.lease, False)

    @action(owner="store", fault="store_down")
    def refuse_writes(self) -> Step:
        """The store stops taking writes."""
        return Not(self.down), sets(self.down, True)

    @action(owner="store", needs="store_down")
    def take_writes_again(self) -> Step:
        """The store takes writes again."""
        return self.down, sets(self.down, False)

    @action(owner="store", fault="diverge")
    def change_code(self, k: int) -> Step:
        """A release changes the workflow so that recorded results no longer fit its steps."""
        return Not(self.records[k].diverged), sets(self.records[k].diverged, True)

    @action(owner="store", sees=("worker", "network", "gateway", "contract"), fault="restore")
    def restore_backup(self, k: int) -> Step:
        """The store comes back from a backup that has seen nothing: attempts, receipt and epoch are gone.

        Where the practice raises epochs, the restored store starts above all it ever gave and assumes
        attempts it cannot remember; elsewhere it starts from nothing.
        """
        s, m = self.records[k], self.model
        raises = m.promises.raises_epochs
        once = Not(self.lowered)
        lost = Or(s.log != Log.none, s.receipt != Receipt.none)
        phase = If(raises, Phase.UNKNOWN_OUTCOME, Phase.NOT_ADMITTED)
        return (
            And(once, lost, Not(s.quarantined)),
            sets(s.log, If(raises, Log.older, Log.none)),
            sets(s.receipt, Receipt.none),
            sets(s.phase, phase),
            sets(s.lease, False),
            sets(s.epoch, If(raises, self.next_epoch(NOBODY, k), 0)),
            sets(self.lowered, Not(raises)),
            *m.collapse.after_restore(k),
        )


def older(log: Term) -> Term:
    """The log under a newer epoch: what was the current epoch's is now an older one's."""
    return If(Or(log == Log.sole, log == Log.own), Log.older, log)
