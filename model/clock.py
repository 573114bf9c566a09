"""Time as countdowns: there is no horizon, only the order in which deadlines pass.

What only has to be able to happen early or late (a lease, an approval, a settlement) happens at any
moment. What is compared with something else is counted: how long a request may still travel, how long
a key is kept, how long ago an obligation was first attempted.
"""

from __future__ import annotations

from z3 import And, If, Not, Or

from model.component import Component, Step, action
from model.kernel import Term, Update, Vocabulary, sets
from model.labels import Kind, Lag, Log, Memo, Move


class Clock(Component):
    """True time, and how old each obligation's first attempt is."""

    def declare(self, vocabulary: Vocabulary) -> None:
        setting = self.model.setting
        self.age = [vocabulary.count(f"clock.age[{k}]", setting.oldest, "clock") for k in self.model.indices("k")]
        """Ticks since the first recorded attempt of an obligation, counted to just beyond the retention."""

    @action(owner="clock", sees=("network", "store", "gateway", "worker", "contract"))
    def tick(self) -> Step:
        """Time passes, unless a request that is due must arrive or be lost first."""
        return And(self.nothing_is_due(), self.nobody_hurries(), self.something_counts()), *self.countdowns()

    def nothing_is_due(self) -> Term:
        """No request has used up its longest delay, and no case waits for a resumer for longer than agreed."""
        m = self.model
        due = []
        if m.setting.ticks.delay is not None:
            due += [And(n.kind != Kind.none, n.life == 0) for n in m.network.slots]
        resume = m.setting.ticks.resume
        if resume is not None and resume <= m.setting.oldest:
            due += [And(self.age[k] >= resume, m.store.unfinished(k), Not(self.at_work(k))) for k in m.indices("k")]
        return Not(Or(*due)) if due else And()

    def at_work(self, k: int) -> Term:
        """Some worker has taken the case up and is somewhere in its moves."""
        m = self.model
        return Or(*[And(x.move != Move.idle, m.store.concerns(x.op, k)) for x in m.workers])

    def nobody_hurries(self) -> Term:
        """Where workers do not pause, time passes only while each of them waits for something."""
        if "pause" in self.model.setting.faults:
            return And()
        still = (Move.idle, Move.waiting, Move.telling, Move.reading, Move.awaiting, Move.undo_awaiting)
        return And(*[Or(*[w.move == s for s in still]) for w in self.model.workers])

    def something_counts(self) -> Term:
        """Some countdown can still change, so that a tick is a step and not a stutter."""
        m = self.model
        counting = [w.move == Move.waiting for w in m.workers]
        counting += [And(g.behind, m.promises.lag == Lag.finite) for g in m.gateways]
        if m.setting.ticks.retention is not None:
            counting += [And(s.log != Log.none, self.age[k] < m.setting.oldest) for k, s in enumerate(m.stores)]
            counting += [And(g.memo != Memo.none, g.kept > 0) for g in m.gateways]
        if m.setting.ticks.delay is not None:
            counting += [And(n.kind != Kind.none, n.life > 0) for n in m.network.slots]
        return Or(*counting)

    def countdowns(self) -> tuple[Update, ...]:
        """Everything that a tick moves."""
        m = self.model
        updates = [sets(w.move, If(w.move == Move.waiting, Move.ready, w.move)) for w in m.workers]
        updates += [sets(g.behind, And(g.behind, m.promises.lag != Lag.finite)) for g in m.gateways]
        if m.setting.ticks.retention is not None:
            for k, s in enumerate(m.stores):
                grows = And(s.log != Log.none, self.age[k] < m.setting.oldest)
                updates.append(sets(self.age[k], If(grows, self.age[k] + 1, self.age[k])))
            updates += [sets(g.kept, If(g.kept > 0, g.kept - 1, g.kept)) for g in m.gateways]
        if m.setting.ticks.delay is not None:
            updates += [sets(n.life, If(n.life > 0, n.life - 1, n.life)) for n in m.network.slots]
        return tuple(updates)

    def young(self, k: int, error: int) -> Term:
        """Whether, by a clock that is off by ``error``, a request sent now arrives while the key is kept.

        The rule adds the longest delay and the skew that the contract states: the key must be recognised
        at the latest possible arrival.
        """
        ticks = self.model.setting.ticks
        if ticks.retention is None:
            return And()
        if ticks.delay is None:
            return Or()
        return self.age[k] + (error + ticks.skew + ticks.delay) <= ticks.retention

    def errors(self) -> tuple[int, ...]:
        """By how much a worker's clock can be off."""
        skew = self.model.setting.ticks.skew if "skew" in self.model.setting.faults else 0
        return (0,) if skew == 0 else (-skew, skew)
