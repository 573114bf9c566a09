"""Defects of the target, of the transport and of the clocks."""

from __future__ import annotations

from z3 import And, Or

from model.clock import Clock
from model.component import Step
from model.gateway import Gateway
from model.kernel import Term, sets
from model.labels import Memo, Move
from model.ledger import Ledger
from model.network import Network
from properties.mutants.mutant import instead_of


class ForgetsToCompareEpochs(Gateway):
    """The target takes requests of any epoch, whatever it was told."""

    def fence_lets(self, m: int, o: int) -> Term:
        return And()


class ForgetsToCompareVersions(Gateway):
    """A conditional write is carried out although the object has moved."""

    def ground_holds(self, o: int) -> Term:
        return And()


class ForgetsToAskAuthority(Gateway):
    """Where authority is judged at commit, the target does not ask."""

    def authority_holds(self, o: int) -> Term:
        return And()


class RecognisesTooLate(Gateway):
    """An identity is remembered only once its first answer was an error."""

    def recognised(self, o: int) -> Term:
        return And(super().recognised(o), self.effects[o].memo == Memo.error)


class UndoesAnything(Gateway):
    """An undo is carried out although a newer epoch was told, and again although it carries an identity."""

    @instead_of(Gateway.reverse)
    def reverse(self, m: int, o: int) -> Step:
        guard, *updates = super().reverse(m, o)
        marks = self.model.history.on_undo(m, o, And())
        marked = [u.target for u in marks]
        rest = [u for u in updates if not any(u.target.eq(t) for t in marked)]
        return guard, *rest, *marks


class AcknowledgesUntold(Ledger):
    """The target acknowledges a fence and does not keep it."""

    @instead_of(Ledger.take_fence)
    def take_fence(self, w: int, o: int) -> Step:
        guard, *updates = super().take_fence(w, o)
        told = self.model.told[self.model.obligation(o)]
        return guard, *[u for u in updates if not u.target.eq(told)]


class TakesOlderFence(Ledger):
    """A fence message lowers what the target was told before."""

    @instead_of(Ledger.take_fence)
    def take_fence(self, w: int, o: int) -> Step:
        _, *updates = super().take_fence(w, o)
        worker = self.model.workers[w]
        return And(worker.move == Move.telling, worker.op == o), *updates


class ForgetsEarly(Ledger):
    """The target forgets a key before its retention has passed."""

    @instead_of(Ledger.forget_key)
    def forget_key(self, o: int) -> Step:
        _, *updates = super().forget_key(o)
        return self.model.gateways[o].memo != Memo.none, *updates


class SendsTwice(Network):
    """The sender's own library repeats a request, although the contract excludes copies."""

    @instead_of(Network.release)
    def release(self, w: int, m: int, c: int) -> Step:
        guard, *updates = super().release(w, m, c)
        move = self.model.workers[w].move
        return guard, *[sets(move, Move.recorded) if u.target.eq(move) else u for u in updates]


class ClocksAgree(Clock):
    """The age of a key is judged by one's own clock alone."""

    def young(self, k: int, error: int) -> Term:
        ticks = self.model.setting.ticks
        if ticks.retention is None or ticks.delay is None:
            return super().young(k, error)
        return self.age[k] + (error + ticks.delay) <= ticks.retention


class ArrivesAtOnce(Clock):
    """The age of a key is judged as if the request arrived at once."""

    def young(self, k: int, error: int) -> Term:
        ticks = self.model.setting.ticks
        if ticks.retention is None or ticks.delay is None:
            return super().young(k, error)
        return self.age[k] + (error + ticks.skew) <= ticks.retention


class AnyTimeIsEarly(Clock):
    """Keys are thought to be kept for ever."""

    def young(self, k: int, error: int) -> Term:
        return Or(True)
