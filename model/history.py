"""Ghost history: what really happened, written by the events themselves and read by no guard.

Properties speak about these variables, never about a flag that a guard tests, or they would prove
themselves. A *mark* is set when an event happens that a property forbids; it is never taken back.
"""

from __future__ import annotations

from z3 import And, If, Implies, Not, Or, Sum

from model.component import Component
from model.kernel import Term, Update, Vocabulary, sets
from model.labels import Approval, Log, Move, Receipt, World
from model.phases import Phase, allowed, resting
from model.table_inputs import Admission, Intent, Precondition

MARKS = {
    "accepted_unadmitted": "the target executed a request whose attempt had no standing admission behind it",
    "admitted_unlawfully": "an admission was given although the approval did not hold, or was used up",
    "completed_unsoundly": "a case was completed although the world did not hold exactly one matching effect",
    "completed_unseen": "a case was completed without any statement of the target",
    "adopted_other": "a case was completed on an effect with another identity or payload",
    "adopted_against_answer": "a case was completed although its effect was last said to be not admitted or not wanted",
    "accepted_under_old_epoch": "an enforcing target executed a request of an epoch older than it was told",
    "superseded_second": "a superseded request made a second commit",
    "unknown_left_unseen": "an unknown outcome was left without a new observation",
    "acted_on_moved_ground": "something was sent or executed although the object was known to have moved",
    "successor_too_early": "an operation was admitted while an earlier release of its obligation could land",
    "undid_wrongly": "an undo hit what was not an own committed effect, or had no admission",
    "acted_unrecorded": "a request or an undo was released with no record of it in the checkpoint",
    "bad_edge": "the phase took an edge that is not listed",
    "arrived_after_closing": "an effect came to be after its case was closed",
    "dropped_wanted": "a case was closed without its effect although it was wanted and could still be had",
}


class History(Component):
    """Counts of commits and undos for each operation, and the marks of each obligation."""

    def declare(self, vocabulary: Vocabulary) -> None:
        v = vocabulary
        operations, obligations = self.model.indices("o"), self.model.indices("k")
        self.commits = [v.count(f"history.commits[{o}]", 2, "history", ghost=True) for o in operations]
        self.undos = [v.count(f"history.undos[{o}]", 2, "history", ghost=True) for o in operations]
        self.spent = [v.flag(f"history.spent[{o}]", "history", ghost=True) for o in operations]
        """Whether an admission was given on the latest decision of the approver."""
        self.lapsed = [v.flag(f"history.lapsed[{o}]", "history", ghost=True) for o in operations]
        """Whether that decision was a refusal, or has ended."""
        self.marks = {
            mark: [v.flag(f"history.{mark}[{k}]", "history", ghost=True) for k in obligations] for mark in MARKS
        }

    def of(self, k: int) -> list[int]:
        """The operations of obligation k."""
        return [o for o in self.model.indices("o") if self.model.obligation(o) == k]

    def net(self, k: int) -> Term:
        """Commits minus completed undos of an obligation (each counted up to two)."""
        return Sum([self.commits[o] - self.undos[o] for o in self.of(k)])

    def _mark(self, name: str, k: int, when: Term) -> Update:
        mark = self.marks[name][k]
        return sets(mark, Or(mark, when))

    def admitted(self, o: int) -> Term:
        """Truly: a standing admission of this operation, made while authority was valid."""
        unlawful = self.marks["admitted_unlawfully"][self.model.obligation(o)]
        return And(self.model.admissions[o] == Admission.standing, Not(unlawful))

    def on_admission(self, o: int) -> tuple[Update, ...]:
        """An operation is admitted."""
        m, k = self.model, self.model.obligation(o)
        d = m.approvals[o]
        unspent = Implies(m.promises.single_use, Not(self.spent[o]))
        lawful = And(d.state == Approval.granted, Not(self.lapsed[o]), unspent)
        return (
            sets(self.spent[o], True),
            self._mark("admitted_unlawfully", k, Not(lawful)),
            self._mark("successor_too_early", k, self.predecessor_can_land(o)),
        )

    def on_asked_again(self, o: int) -> tuple[Update, ...]:
        """An operation is put before the approver for a new decision."""
        return sets(self.spent[o], False), sets(self.lapsed[o], False)

    def on_lapse(self, o: int) -> tuple[Update, ...]:
        """The approver's latest decision on an operation is a refusal, or holds no longer."""
        return (sets(self.lapsed[o], True),)

    def predecessor_can_land(self, o: int) -> Term:
        """Another operation's request, in flight or held by a paused sender, would still be executed."""
        m = self.model
        others = [x for x in self.of(m.obligation(o)) if x != o]
        flying = [m.gateway.executes(i, x) for i in m.indices("m") for x in others]
        told = m.told[m.obligation(o)]
        held = [
            And(x.move == Move.recorded, x.op == p, Implies(m.promises.enforces_fence, x.epoch >= told))
            for x in m.workers
            for p in others
        ]
        return Or(*flying, *held)

    def on_choice(self, w: int) -> tuple[Update, ...]:
        """A worker chose to act, and the store does not stop it from doing so."""
        m, worker = self.model, self.model.workers[w]
        moved = worker.precondition == Precondition.moved
        return tuple(
            self._mark(
                "acted_on_moved_ground",
                k,
                And(m.store.concerns(worker.op, k), moved, Not(And(m.collapse.bound(), worker.epoch != s.epoch))),
            )
            for k, s in enumerate(m.stores)
        )

    def on_release(self, w: int) -> tuple[Update, ...]:
        """A request leaves."""
        m = self.model
        worker = m.workers[w]
        marks = [
            self._mark("acted_unrecorded", k, And(m.store.concerns(worker.op, k), m.stores[k].log == Log.none))
            for k in m.indices("k")
        ]
        return tuple(marks)

    def on_release_undo(self, w: int) -> tuple[Update, ...]:
        """An undo leaves."""
        m = self.model
        op = m.workers[w].op
        return tuple(
            self._mark("acted_unrecorded", k, And(m.store.concerns(op, k), Not(m.stores[k].undo_logged)))
            for k in m.indices("k")
        )

    def on_accept(self, m: int, o: int) -> tuple[Update, ...]:
        """The target executes a request."""
        model, k = self.model, self.model.obligation(o)
        slot, p = model.network.slots[m], model.promises
        invalid = And(p.judged_at_commit, model.approvals[o].state != Approval.granted)
        old = And(p.enforces_fence, slot.epoch < model.told[k])
        moved = And(p.conditional, model.resource.moved[k])
        return (
            self._mark("accepted_unadmitted", k, Or(Not(slot.lawful), invalid)),
            self._mark("accepted_under_old_epoch", k, old),
            self._mark("acted_on_moved_ground", k, moved),
        )

    def on_commit(self, o: int, epoch: Term | None) -> tuple[Update, ...]:
        """An effect comes to be (``epoch`` is that of the request, where a request did it).

        One that is executed while another is pending stands beside it: the pending one settles too.
        """
        m, k = self.model, self.model.obligation(o)
        s = m.stores[k]
        beside = m.gateways[o].world == World.pending if epoch is not None else Or()
        updates = [
            sets(self.commits[o], If(Or(self.commits[o] >= 1, beside), 2, 1)),
            self._mark("arrived_after_closing", k, Or(resting(s.phase), s.gen != m.generation(o))),
        ]
        if epoch is not None:
            second = And(epoch != s.epoch, Or(self.net(k) >= 1, beside))
            updates.append(self._mark("superseded_second", k, second))
        return tuple(updates)

    def on_completion(self, w: int, o: int) -> tuple[Update, ...]:
        """A case is completed by adopting what the worker believes to exist."""
        m, k = self.model, self.model.obligation(o)
        worker, e = m.workers[w], m.gateways[o]
        one = And(self.net(k) == 1, e.world == World.committed)
        told = Or(worker.saw, worker.receipt == Receipt.committed)
        orphan = And(m.promises.asks_authority, worker.admission != Admission.standing)
        return (
            self._mark("completed_unsoundly", k, Not(one)),
            self._mark("completed_unseen", k, Not(told)),
            self._mark("adopted_other", k, Or(e.drifted, e.world == World.absent)),
            self._mark("adopted_against_answer", k, Or(orphan, worker.intent != Intent.stands)),
        )

    def on_abandon(self, w: int, o: int) -> tuple[Update, ...]:
        """An operation is closed without an effect."""
        m, k = self.model, self.model.obligation(o)
        world = m.gateways[o].world
        never = Or(world == World.refused, world == World.failed, m.stores[k].receipt == Receipt.burned)
        wanted = And(m.intents.now(k) == Intent.stands, Not(never))
        return (self._mark("dropped_wanted", k, wanted),)

    def on_undo(self, m: int, o: int, undoes: Term) -> tuple[Update, ...]:
        """An undo is carried out, or hits nothing."""
        model, k = self.model, self.model.obligation(o)
        slot, world = model.network.slots[m], model.gateways[o].world
        own = And(world == World.committed, Not(slot.drift), model.authority.undo_admitted[k])
        count = self.undos[o]
        return (
            sets(count, If(And(undoes, count < 2), count + 1, count)),
            self._mark("undid_wrongly", k, And(undoes, Not(own))),
        )

    def on_phase(self, k: int, after: Term, w: int | None = None) -> tuple[Update, ...]:
        """The phase of a case is written, by worker w or by nobody who could have looked."""
        s = self.model.stores[k]
        looked: Term = Or()
        if w is not None:
            looked = Or(self.model.workers[w].saw, s.receipt != Receipt.none)
        stays = Or(after == Phase.UNKNOWN_OUTCOME, after == Phase.NEEDS_REAUTHORISATION)
        left = And(s.phase == Phase.UNKNOWN_OUTCOME, Not(stays), Not(looked))
        return (
            self._mark("bad_edge", k, Not(allowed(s.phase, after))),
            self._mark("unknown_left_unseen", k, left),
        )
