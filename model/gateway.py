"""The target: what it holds, what it remembers of an identity, and which epoch it was told.

The world of an operation is absent, pending, committed, refused, failed or reversed. A request that
passes the gate is recognised as a repeat and answered from memory, or executed.
"""

from __future__ import annotations

from dataclasses import dataclass

from z3 import And, If, Implies, IntVal, Not, Or

from model.component import Component, Step, action
from model.kernel import Term, Update, Vocabulary, sets
from model.labels import Approval, FenceTold, Kind, Lag, Memo, Move, OnRepeat, OtherPayload, Reply, World


@dataclass(frozen=True, eq=False)
class Effect:
    """What the target holds for one operation identity: ``drifted`` says that the effect is not the one intended,
    ``fingerprint`` that the payload kept for comparison is a regenerated one."""

    world: Term
    memo: Term
    kept: Term
    drifted: Term
    fingerprint: Term
    behind: Term
    pruned: Term


class Gateway(Component):
    """Accepts, recognises, commits, settles, forgets, and answers questions."""

    def declare(self, vocabulary: Vocabulary) -> None:
        v, setting = vocabulary, self.model.setting
        self.effects = [
            Effect(
                world=v.enum(f"gateway.world[{o}]", World, "gateway", "absent"),
                memo=v.enum(f"gateway.memo[{o}]", Memo, "gateway", "none"),
                kept=v.count(f"gateway.kept[{o}]", self.keeping(), "gateway"),
                drifted=v.flag(f"gateway.drifted[{o}]", "gateway"),
                fingerprint=v.flag(f"gateway.fingerprint[{o}]", "gateway"),
                behind=v.flag(f"gateway.behind[{o}]", "gateway"),
                pruned=v.flag(f"gateway.pruned[{o}]", "gateway"),
            )
            for o in self.model.indices("o")
        ]
        self.told = [v.count(f"gateway.told[{k}]", setting.epochs, "gateway") for k in self.model.indices("k")]

    def arrives(self, m: int, o: int, kind: Term) -> Term:
        """Slot m brings a request of this kind for operation o."""
        slot = self.model.network.slots[m]
        return And(slot.kind == kind, slot.op == o)

    def fence_lets(self, m: int, o: int) -> Term:
        """The request's epoch is not older than the one the target was told."""
        told = self.told[self.model.obligation(o)]
        return Implies(self.model.promises.enforces_fence, self.model.network.slots[m].epoch >= told)

    def ground_holds(self, o: int) -> Term:
        """A conditional write finds the version it was made for."""
        return Not(And(self.model.promises.conditional, self.model.resource.moved[self.model.obligation(o)]))

    def authority_holds(self, o: int) -> Term:
        """Where authority is judged at commit, the approval is still good."""
        good = self.model.approvals[o].state == Approval.granted
        return Implies(self.model.promises.judged_at_commit, good)

    def gate(self, m: int, o: int) -> Term:
        """The target is willing to look at the request."""
        return And(self.fence_lets(m, o), self.ground_holds(o), self.authority_holds(o))

    def recognised(self, o: int) -> Term:
        """The target remembers this identity."""
        p, e = self.model.promises, self.effects[o]
        unfinished = And(p.races, e.world == World.pending)
        return And(p.recognises, p.on_repeat != OnRepeat.executes, e.memo != Memo.none, Not(unfinished))

    def same_payload(self, m: int, o: int) -> Term:
        """The request states what the first one under this identity stated."""
        return self.model.network.slots[m].drift == self.effects[o].fingerprint

    def under_way(self, o: int) -> Term:
        """The effect exists, or will."""
        world = self.effects[o].world
        return Or(world == World.committed, world == World.pending)

    def drives_on(self, o: int) -> Term:
        """A repeat takes up unfinished work instead of repeating an error."""
        unfinished = And(self.effects[o].memo == Memo.error, Not(self.under_way(o)))
        return And(self.model.promises.on_repeat == OnRepeat.drives_forward, unfinished)

    def executes(self, m: int, o: int) -> Term:
        """The request passes the gate and is not answered from memory."""
        other = self.model.promises.other_payload == OtherPayload.executes
        fresh = Or(Not(self.recognised(o)), If(self.same_payload(m, o), self.drives_on(o), other))
        return And(self.arrives(m, o, Kind.execute), self.gate(m, o), fresh)

    def learns_epoch(self, m: int, o: int) -> tuple[Update, ...]:
        """The target learns of an epoch from the request that carries it."""
        k = self.model.obligation(o)
        told, epoch, p = self.told[k], self.model.network.slots[m].epoch, self.model.promises
        learns = And(p.enforces_fence, p.fence_told != FenceTold.never, epoch > told)
        return (sets(told, If(learns, epoch, told)),)

    def done_with(self, m: int, reply: Term) -> tuple[Update, ...]:
        """The request is consumed and its answer sent."""
        network = self.model.network
        return (*network.slots[m].emptied(), *network.answered(m, reply))

    def stated(self, world: Term) -> Term:
        """The answer that states the world of an operation, as far as answers state the governed transition."""
        governed = self.model.promises.reports_governed
        final = Or(world == World.refused, world == World.failed)
        committed = If(governed, Reply.committed, Reply.accepted)
        return If(world == World.committed, committed, If(final, Reply.refused, Reply.accepted))

    def remembered(self, o: int) -> Term:
        """The answer that a recognised identity gets: the first one again, or what has become of it."""
        e, p = self.effects[o], self.model.promises
        ok = If(p.reports_governed, Reply.committed, Reply.accepted)
        first = If(e.memo == Memo.ok, ok, If(e.memo == Memo.refused, Reply.refused, Reply.accepted))
        first = If(e.memo == Memo.error, Reply.error, first)
        told = And(p.on_repeat == OnRepeat.current, e.memo != Memo.error)
        driven = And(p.on_repeat == OnRepeat.drives_forward, Or(e.memo != Memo.error, self.under_way(o)))
        return If(Or(told, driven), self.stated(e.world), first)

    def remembers(self, o: int, memo: Term) -> tuple[Update, ...]:
        """The first answer under an identity is kept for the retention."""
        e, p = self.effects[o], self.model.promises
        keeps = p.recognises
        return (sets(e.memo, If(keeps, memo, e.memo)), sets(e.kept, If(keeps, IntVal(self.keeping()), e.kept)))

    def keeping(self) -> int:
        """For how many ticks an identity is kept: its retention, and it is not forgotten on the very last."""
        retention = self.model.setting.ticks.retention
        return 0 if retention is None else retention + 1

    def changes(self, m: int, o: int, world: Term) -> tuple[Update, ...]:
        """The world of an operation changes; readers that lag do not see it yet."""
        e = self.effects[o]
        return (
            sets(e.world, world),
            sets(e.drifted, self.model.network.slots[m].drift),
            sets(e.fingerprint, self.model.network.slots[m].drift),
            sets(e.behind, self.model.promises.lag != Lag.zero),
            sets(e.pruned, False),
        )

    @action(owner="gateway", sees=("network", "approver", "others", "worker", "contract"))
    def turn_away(self, m: int, o: int) -> Step:
        """A superseded epoch, a moved object or a lapsed authority: nothing happens."""
        reply = If(self.fence_lets(m, o), Reply.conflict, Reply.stale)
        return And(self.arrives(m, o, Kind.execute), Not(self.gate(m, o))), *self.done_with(m, reply)

    @action(owner="gateway", sees=("network", "approver", "others", "worker", "contract"))
    def repeat(self, m: int, o: int) -> Step:
        """A recognised repeat changes nothing and is answered as the contract says."""
        guard = And(
            self.arrives(m, o, Kind.execute),
            self.gate(m, o),
            self.recognised(o),
            self.same_payload(m, o),
            Not(self.drives_on(o)),
        )
        return guard, *self.done_with(m, self.remembered(o)), *self.learns_epoch(m, o)

    @action(owner="gateway", sees=("network", "approver", "others", "worker", "contract"), needs="regenerates")
    def repeat_with_other_payload(self, m: int, o: int) -> Step:
        """A recognised identity with another payload is refused, or answered as if it were the first."""
        p = self.model.promises
        guard = And(
            self.arrives(m, o, Kind.execute),
            self.gate(m, o),
            self.recognised(o),
            Not(self.same_payload(m, o)),
            p.other_payload != OtherPayload.executes,
        )
        reply = If(p.other_payload == OtherPayload.refused, Reply.conflict, self.remembered(o))
        return guard, *self.done_with(m, reply), *self.learns_epoch(m, o)

    @action(owner="gateway", sees=("network", "approver", "others", "worker", "contract"))
    def commit(self, m: int, o: int) -> Step:
        """The request is executed and its effect exists."""
        return (
            self.executes(m, o),
            *self.changes(m, o, World.committed),
            *self.remembers(o, Memo.ok),
            *self.done_with(m, self.stated(World.committed)),
            *self.learns_epoch(m, o),
            *self.model.history.on_accept(m, o),
            *self.model.history.on_commit(o, self.model.network.slots[m].epoch),
        )

    @action(owner="gateway", sees=("network", "approver", "others", "worker", "contract"), fault="distort")
    def commit_something_else(self, m: int, o: int) -> Step:
        """The target does something other than it was asked (another amount, say), and answers: accepted."""
        e = self.effects[o]
        changes = [u for u in self.changes(m, o, World.committed) if not u.target.eq(e.drifted)]
        return (
            self.executes(m, o),
            *changes,
            sets(e.drifted, True),
            *self.remembers(o, Memo.accepted),
            *self.done_with(m, Reply.accepted),
            *self.learns_epoch(m, o),
            *self.model.history.on_accept(m, o),
            *self.model.history.on_commit(o, self.model.network.slots[m].epoch),
        )

    @action(owner="gateway", sees=("network", "approver", "others", "worker", "contract"), needs="settles_late")
    def accept(self, m: int, o: int) -> Step:
        """The request is accepted, and settles later."""
        late = self.model.promises.settles_late
        world = self.effects[o].world
        fresh = And(world != World.committed, world != World.pending)
        return (
            And(self.executes(m, o), late, fresh),
            *self.changes(m, o, World.pending),
            *self.remembers(o, Memo.accepted),
            *self.done_with(m, Reply.accepted),
            *self.learns_epoch(m, o),
            *self.model.history.on_accept(m, o),
        )

    @action(owner="gateway", sees=("network", "approver", "others", "worker", "contract"), fault="refusals")
    def decline(self, m: int, o: int) -> Step:
        """The business answer is no, for good."""
        fresh = Or(self.effects[o].world == World.absent, self.effects[o].world == World.failed)
        return (
            And(self.executes(m, o), fresh),
            *self.changes(m, o, World.refused),
            *self.remembers(o, Memo.refused),
            *self.done_with(m, Reply.refused),
            *self.learns_epoch(m, o),
        )

    @action(owner="gateway", sees=("network", "approver", "others", "worker", "contract"), fault="errors")
    def fail_without_effect(self, m: int, o: int) -> Step:
        """An error instead of an effect; kept as the answer where errors are remembered."""
        p, e = self.model.promises, self.effects[o]
        return (
            And(self.executes(m, o), e.world == World.absent),
            sets(e.memo, If(And(p.recognises, p.remembers_errors), Memo.error, e.memo)),
            sets(e.kept, If(And(p.recognises, p.remembers_errors), IntVal(self.keeping()), e.kept)),
            sets(e.fingerprint, self.model.network.slots[m].drift),
            *self.done_with(m, Reply.error),
            *self.learns_epoch(m, o),
        )

    @action(owner="gateway", sees=("network", "approver", "others", "worker", "contract"), fault="errors")
    def fail_with_effect(self, m: int, o: int) -> Step:
        """The effect exists, and the answer is an error all the same."""
        memo = If(self.model.promises.remembers_errors, Memo.error, Memo.ok)
        return (
            self.executes(m, o),
            *self.changes(m, o, World.committed),
            *self.remembers(o, memo),
            *self.done_with(m, Reply.error),
            *self.learns_epoch(m, o),
            *self.model.history.on_accept(m, o),
            *self.model.history.on_commit(o, self.model.network.slots[m].epoch),
        )

    @action(owner="gateway", sees=("network", "worker", "contract"), needs="compensation")
    def reverse(self, m: int, o: int) -> Step:
        """An undo arrives: a committed effect is reversed, once where undos carry an identity."""
        model, slot = self.model, self.model.network.slots[m]
        e, p = self.effects[o], model.promises
        lets = self.fence_lets(m, o)
        undoes = And(lets, Or(e.world == World.committed, And(e.world == World.reversed, Not(p.keyed_undo))))
        waiting = [And(x.move == Move.undo_awaiting, x.op == slot.op, x.epoch == slot.epoch) for x in model.workers]
        return (
            self.arrives(m, o, Kind.undo),
            sets(e.world, If(And(lets, e.world == World.committed), World.reversed, e.world)),
            *slot.emptied(),
            *[
                sets(x.move, If(hears, model.store.gathering(), x.move))
                for x, hears in zip(model.workers, waiting, strict=True)
            ],
            *model.history.on_undo(m, o, undoes),
        )
