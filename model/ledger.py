"""What the target does by itself or when asked: settle, forget, prune, answer, take a fence."""

from __future__ import annotations

from z3 import And, If, Not, Or

from model.component import Component, Step, action
from model.kernel import Term, sets
from model.labels import Lag, Memo, Move, Seen, World
from model.table_inputs import Match, Precondition


class Ledger(Component):
    """The gateway's steps that no request drives."""

    @action(owner="gateway", sees=("worker", "network", "contract"))
    def take_fence(self, w: int, o: int) -> Step:
        """The target is told of a newer epoch and acknowledges it."""
        m = self.model
        worker, told = m.workers[w], m.told[m.obligation(o)]
        return (
            And(worker.move == Move.telling, worker.op == o, worker.epoch >= told),
            sets(told, worker.epoch),
            sets(worker.fenced, True),
            sets(worker.move, m.store.gathering()),
            *m.collapse.after_fence(w, m.obligation(o)),
        )

    @action(owner="gateway", sees=("worker", "network", "contract"), fault="loss")
    def take_fence_unheard(self, w: int, o: int) -> Step:
        """The target is told, but the worker does not learn that it was."""
        m = self.model
        worker, told = m.workers[w], m.told[m.obligation(o)]
        return (
            And(worker.move == Move.telling, worker.op == o, worker.epoch >= told),
            sets(told, worker.epoch),
            sets(worker.move, Move.claimed),
            *m.collapse.after_fence(w, m.obligation(o)),
        )

    @action(owner="gateway", sees=("worker[{w}]",))
    def refuse_fence(self, w: int, o: int) -> Step:
        """The target already knows a newer epoch."""
        m = self.model
        worker = m.workers[w]
        return (
            And(worker.move == Move.telling, worker.op == o, worker.epoch < m.told[m.obligation(o)]),
            *worker.learns_it_lost(),
        )

    def statement(self, o: int) -> Term:
        """What a readback of operation o says now."""
        e, governed = self.model.gateways[o], self.model.promises.reports_governed
        committed = If(governed, Seen.committed, Seen.accepted)
        pending = If(governed, Seen.pending, Seen.accepted)
        said = Seen.absent
        for world, seen in (
            (World.reversed, Seen.reversed),
            (World.failed, Seen.failed),
            (World.refused, Seen.refused),
            (World.pending, pending),
            (World.committed, committed),
        ):
            said = If(e.world == world, seen, said)
        return If(Or(e.behind, e.pruned), Seen.absent, said)

    @action(owner="gateway", sees=("worker[{w}]", "others", "contract"))
    def answer_reading(self, w: int, o: int) -> Step:
        """The target says what it holds; the answer is a copy, and ages from here on."""
        m = self.model
        worker, e = m.workers[w], m.gateways[o]
        said = self.statement(o)
        shows = Or(*[said == x for x in (Seen.committed, Seen.accepted, Seen.pending, Seen.reversed)])
        moved = If(m.resource.moved[m.obligation(o)], Precondition.moved, Precondition.holds)
        return (
            And(worker.move == Move.reading, worker.op == o),
            sets(worker.move, m.worker.seen_it()),
            sets(worker.seen, said),
            sets(worker.match, If(shows, If(e.drifted, Match.drifted, Match.same), Match.unseen)),
            sets(worker.precondition, moved),
            sets(worker.saw, True),
        )

    @action(owner="gateway", sees=("worker[{w}]", "contract"), fault="lookalike", needs="by_search")
    def find_a_lookalike(self, w: int, o: int) -> Step:
        """A search by attributes finds another action's effect."""
        m = self.model
        worker = m.workers[w]
        governed = m.promises.reports_governed
        return (
            And(worker.move == Move.reading, worker.op == o, m.promises.by_search),
            sets(worker.move, m.worker.seen_it()),
            sets(worker.seen, If(governed, Seen.committed, Seen.accepted)),
            sets(worker.match, Match.foreign),
            sets(worker.saw, True),
        )

    @action(owner="gateway", needs="settles_late")
    def settle(self, o: int) -> Step:
        """A pending effect becomes real, with or without a worker."""
        e = self.model.gateways[o]
        return (
            e.world == World.pending,
            sets(e.world, World.committed),
            *self.model.history.on_commit(o, None),
        )

    @action(owner="gateway", fault="refusals", needs="settles_late")
    def settle_as_failed(self, o: int) -> Step:
        """A pending effect comes to nothing."""
        e = self.model.gateways[o]
        return e.world == World.pending, sets(e.world, World.failed)

    @action(owner="gateway", sees=("contract",), needs="lag")
    def catch_up(self, o: int) -> Step:
        """Readers that lagged now see the change."""
        e = self.model.gateways[o]
        return And(e.behind, self.model.promises.lag != Lag.zero), sets(e.behind, False)

    @action(owner="gateway", fault="forget", needs="retention")
    def forget_key(self, o: int) -> Step:
        """The retention of an identity has passed, and the target no longer knows it."""
        e = self.model.gateways[o]
        return And(e.memo != Memo.none, e.kept == 0), sets(e.memo, Memo.none)

    @action(owner="gateway", sees=("contract",), fault="prune", needs="prunes")
    def prune_record(self, o: int) -> Step:
        """The readable record of an effect disappears; the effect does not."""
        e = self.model.gateways[o]
        return (
            And(self.model.promises.prunes, e.world == World.committed, Not(e.pruned)),
            sets(e.pruned, True),
        )
