"""Requests in flight: lost, delayed, duplicated, reordered; they outlive their sender, claim and key.

A slot holds one request from its release to its arrival. Slots are emptied in any order, so requests
of one epoch arrive reversed. Fence messages and readbacks belong to a worker that waits for them; when
it dies they die with it, since a fence that arrives late can only make the target stricter.
"""

from __future__ import annotations

from dataclasses import dataclass

from z3 import And, If, IntVal, Not, Or

from model.component import Component, Step, action
from model.kernel import Term, Update, Vocabulary, sets
from model.labels import FenceTold, Kind, Move, Reply, Seen


@dataclass(frozen=True, eq=False)
class Slot:
    """One request in flight; ``life`` is how many ticks it may still travel."""

    kind: Term
    op: Term
    epoch: Term
    life: Term
    drift: Term
    lawful: Term

    def emptied(self) -> tuple[Update, ...]:
        """The request is gone."""
        return (
            sets(self.kind, Kind.none),
            sets(self.op, IntVal(0)),
            sets(self.epoch, IntVal(0)),
            sets(self.life, IntVal(0)),
            sets(self.drift, False),
            sets(self.lawful, False),
        )


class Network(Component):
    """Carries requests to the target and answers back."""

    def declare(self, vocabulary: Vocabulary) -> None:
        setting, v = self.model.setting, vocabulary
        self.slots = [
            Slot(
                kind=v.enum(f"network.kind[{m}]", Kind, "network", "none"),
                op=v.count(f"network.op[{m}]", setting.operations - 1, "network"),
                epoch=v.count(f"network.epoch[{m}]", setting.epochs, "network"),
                life=v.count(f"network.life[{m}]", setting.ticks.delay or 0, "network"),
                drift=v.flag(f"network.drift[{m}]", "network"),
                lawful=v.flag(f"network.lawful[{m}]", "network", ghost=True),
            )
            for m in self.model.indices("m")
        ]

    def takes(self, m: int) -> Term:
        """Slot m is the first free one."""
        before = [self.slots[i].kind != Kind.none for i in range(m)]
        return And(self.slots[m].kind == Kind.none, *before)

    def carried(self, m: int, w: int, kind: Term, drift: Term, lawful: Term) -> tuple[Update, ...]:
        """Worker w's request is now in slot m."""
        slot, worker = self.slots[m], self.model.workers[w]
        return (
            sets(slot.kind, kind),
            sets(slot.op, worker.op),
            sets(slot.epoch, worker.epoch),
            sets(slot.life, IntVal(self.model.setting.ticks.delay or 0)),
            sets(slot.drift, drift),
            sets(slot.lawful, lawful),
        )

    @action(owner="network", sees=("worker[{w}]", "clock", "store", "contract"))
    def release(self, w: int, m: int, c: int) -> Step:
        """The request leaves, if by the worker's clock its identity will be recognised when it arrives."""
        model = self.model
        worker = model.workers[w]
        return (
            And(worker.move == Move.recorded, self.takes(m), self.in_time(w, c)),
            *model.collapse.after_release(w),
            *self.carried(m, w, Kind.execute, worker.drift, worker.lawful),
            *model.history.on_release(w),
        )

    def in_time(self, w: int, c: int) -> Term:
        """Nothing depends on the age of the identity, or it is young enough, or nobody checks.

        Where delays are unbounded no identity ever counts as recognised, so nobody repeats, and the first
        sending depends on nothing.
        """
        model = self.model
        p = model.promises
        bounded = model.setting.ticks.delay is not None
        fenced = And(p.enforces_fence, p.fence_told == FenceTold.before_read, Not(model.workers[w].repeat))
        depends = And(bounded, p.recognises, p.rechecks, Not(fenced))
        young = [And(model.store.concerns(model.workers[w].op, k), model.clock.young(k, c)) for k in model.indices("k")]
        return Or(Not(depends), *young)

    @action(owner="worker[{w}]", sees=("clock", "contract"), needs="repeats")
    def withhold(self, w: int, c: int) -> Step:
        """It has become too late to send under this identity: look again."""
        worker = self.model.workers[w]
        return (
            And(worker.move == Move.recorded, Not(self.in_time(w, c))),
            *worker.looks_again(),
            sets(worker.move, self.model.store.gathering()),
        )

    @action(owner="network", sees=("worker[{w}]",), needs="compensation")
    def release_undo(self, w: int, m: int) -> Step:
        """The undo leaves."""
        worker = self.model.workers[w]
        return (
            And(worker.move == Move.undo_recorded, self.takes(m)),
            sets(worker.move, Move.undo_awaiting),
            *self.carried(m, w, Kind.undo, worker.astray, And()),
            *self.model.history.on_release_undo(w),
        )

    @action(owner="network", fault="loss")
    def lose_request(self, m: int) -> Step:
        """A request never arrives."""
        return self.slots[m].kind != Kind.none, *self.slots[m].emptied()

    @action(owner="network", sees=("contract",), fault="copy", needs="copies")
    def copy_request(self, m: int, n: int) -> Step:
        """The transport makes a second copy of a request, where the contract does not exclude it."""
        if m == n:
            return Or(), sets(self.slots[m].kind, self.slots[m].kind)
        one, two = self.slots[m], self.slots[n]
        guard = And(self.model.promises.copies, one.kind != Kind.none, two.kind == Kind.none)
        pairs = zip(vars(one).values(), vars(two).values(), strict=True)
        return guard, *[sets(b, a) for a, b in pairs]

    @action(owner="network", sees=("worker[{w}]",), fault="loss")
    def lose_reply(self, w: int) -> Step:
        """An answer never arrives."""
        worker = self.model.workers[w]
        return And(worker.move == Move.awaiting, worker.reply != Reply.none), sets(worker.reply, Reply.none)

    @action(owner="network", sees=("worker[{w}]",), fault="loss")
    def lose_fence(self, w: int) -> Step:
        """The fence message never arrives, and is sent again."""
        worker = self.model.workers[w]
        return worker.move == Move.telling, sets(worker.move, Move.claimed)

    @action(owner="network", sees=("worker[{w}]", "contract"), fault="outage")
    def lose_reading(self, w: int) -> Step:
        """The readback is not answered."""
        worker = self.model.workers[w]
        return (
            worker.move == Move.reading,
            sets(worker.move, self.model.worker.seen_it()),
            sets(worker.seen, Seen.outage),
        )

    def answered(self, m: int, reply: Term) -> tuple[Update, ...]:
        """The answer to slot m is on its way, if its sender still waits for it."""
        slot = self.slots[m]
        waiting = [And(x.move == Move.awaiting, x.op == slot.op, x.epoch == slot.epoch) for x in self.model.workers]
        return tuple(
            sets(x.reply, If(waits, reply, x.reply)) for x, waits in zip(self.model.workers, waiting, strict=True)
        )
