"""The resumer: it walks the moves of a recovery with local, possibly stale copies of what it read.

A pause needs no action: a worker may stand at any move while everybody else goes on.
"""

from __future__ import annotations

from dataclasses import dataclass

from z3 import And, If, IntVal, Not, Or

from model.component import Component, Step, action
from model.kernel import Term, Update, Vocabulary, sets
from model.labels import Log, Move, Receipt, Reply, Seen
from model.table_inputs import Admission as Admitted
from model.table_inputs import AttemptState, Effect, Intent, Match, Permission, Postcondition, Precondition
from model.table_inputs import Decision as D


@dataclass(frozen=True, eq=False)
class Worker:
    """One resumer's own variables: where it is, what it holds and what it believes."""

    move: Term
    op: Term
    epoch: Term
    log: Term
    receipt: Term
    diverged: Term
    drift: Term
    fenced: Term
    lost: Term
    seen: Term
    match: Term
    precondition: Term
    postcondition: Term
    admission: Term
    permission: Term
    intent: Term
    young: Term
    repeat: Term
    astray: Term
    reply: Term
    saw: Term
    lawful: Term

    def looks_again(self) -> tuple[Update, ...]:
        """Forget what was observed and answered, so that it is gathered anew."""
        return (
            sets(self.seen, Seen.none),
            sets(self.match, Match.unseen),
            sets(self.precondition, Precondition.unobserved),
            sets(self.postcondition, Postcondition.unobserved),
            sets(self.admission, Admitted.none),
            sets(self.permission, Permission.none),
            sets(self.intent, Intent.stands),
            sets(self.young, False),
            sets(self.repeat, False),
            sets(self.astray, False),
            sets(self.reply, Reply.none),
            sets(self.lawful, False),
        )

    def lets_go(self) -> tuple[Update, ...]:
        """Forget everything: after a crash, and when a case is handed over."""
        return (
            sets(self.move, Move.idle),
            sets(self.op, IntVal(0)),
            sets(self.epoch, IntVal(0)),
            sets(self.log, Log.none),
            sets(self.receipt, Receipt.none),
            sets(self.diverged, False),
            sets(self.drift, False),
            sets(self.fenced, False),
            sets(self.lost, False),
            sets(self.saw, False),
            *self.looks_again(),
        )

    def learns_it_lost(self) -> tuple[Update, ...]:
        """Somebody answered that the claim was superseded: the table says what follows."""
        return (*self.looks_again(), sets(self.move, Move.informed), sets(self.lost, True))


class Workers(Component):
    """The moves that need nobody else, and what becomes of each decision."""

    def declare(self, vocabulary: Vocabulary) -> None:
        self.locals = [self._declare_one(vocabulary, w) for w in self.model.indices("w")]
        crashes = self.model.setting.crashes
        self.crashes_left = vocabulary.count("crashes_left", crashes or 0, "clock", crashes or 0)

    def _declare_one(self, v: Vocabulary, w: int) -> Worker:
        own = f"worker[{w}]"
        return Worker(
            move=v.enum(f"{own}.move", Move, own, "idle"),
            op=v.count(f"{own}.op", self.model.setting.operations - 1, own),
            epoch=v.count(f"{own}.epoch", self.model.setting.epochs, own),
            log=v.enum(f"{own}.log", Log, own, "none"),
            receipt=v.enum(f"{own}.receipt", Receipt, own, "none"),
            diverged=v.flag(f"{own}.diverged", own),
            drift=v.flag(f"{own}.drift", own),
            fenced=v.flag(f"{own}.fenced", own),
            lost=v.flag(f"{own}.lost", own),
            seen=v.enum(f"{own}.seen", Seen, own, "none"),
            match=v.enum(f"{own}.match", Match, own, "unseen"),
            precondition=v.enum(f"{own}.precondition", Precondition, own, "unobserved"),
            postcondition=v.enum(f"{own}.postcondition", Postcondition, own, "unobserved"),
            admission=v.enum(f"{own}.admission", Admitted, own, "none"),
            permission=v.enum(f"{own}.permission", Permission, own, "none"),
            intent=v.enum(f"{own}.intent", Intent, own, "stands"),
            young=v.flag(f"{own}.young", own),
            repeat=v.flag(f"{own}.repeat", own),
            astray=v.flag(f"{own}.astray", own),
            reply=v.enum(f"{own}.reply", Reply, own, "none"),
            saw=v.flag(f"{own}.saw", own, ghost=True),
            lawful=v.flag(f"{own}.lawful", own, ghost=True),
        )

    def decides(self, w: int, decision: Term) -> Term:
        """Worker w has what it needs, and the table says this."""
        return And(self.model.workers[w].move == Move.informed, self.model.decision[w] == decision)

    @action(owner="clock", sees=("worker[{w}]",), fault="crash")
    def crash(self, w: int) -> Step:
        """The process dies; what it had sent stays on its way."""
        worker = self.model.workers[w]
        if self.model.setting.crashes is None:
            return worker.move != Move.idle, *worker.lets_go()
        left = self.crashes_left
        return And(worker.move != Move.idle, left > 0), *worker.lets_go(), sets(left, left - 1)

    @action(owner="worker[{w}]", sees=("contract",))
    def stand_down(self, w: int) -> Step:
        """The claim is lost: externalise nothing."""
        return self.decides(w, D.stand_down), *self.model.workers[w].lets_go()

    @action(owner="worker[{w}]", sees=("contract",))
    def choose_execute(self, w: int) -> Step:
        """Act: with the admission that stands, or after asking for one."""
        m = self.model
        worker, cut = m.workers[w], m.cut
        needs = And(m.promises.asks_authority, worker.admission != Admitted.standing)
        unsettled = Or(
            cut.effect(w) == Effect.unknown,
            cut.attempt(w) == AttemptState.open,
            cut.attempt(w) == AttemptState.closable,
        )
        rest = [u for u in worker.looks_again() if not u.target.eq(worker.repeat)]
        return (
            self.decides(w, D.execute),
            sets(worker.move, If(needs, Move.admitting, Move.admitted)),
            sets(worker.repeat, unsettled),
            *rest,
            *m.history.on_choice(w),
        )

    @action(owner="worker[{w}]", sees=("contract",))
    def choose_verify(self, w: int) -> Step:
        """Change an input without acting: look at the postcondition, take a newer epoch, or read again."""
        m = self.model
        worker, cut = m.workers[w], m.cut
        confirm = And(cut.effect(w) == Effect.committed, cut.postcondition(w) == Postcondition.unobserved)
        renew = And(cut.attempt(w) == AttemptState.closable, Not(confirm))
        after = If(confirm, Move.confirming, If(renew, Move.renewing, m.store.gathering()))
        keep = [sets(u.target, If(confirm, u.target, u.value)) for u in worker.looks_again()]
        return self.decides(w, D.verify), sets(worker.move, after), *keep

    @action(owner="worker[{w}]", sees=("contract",), needs="compensation")
    def choose_compensate(self, w: int) -> Step:
        """Undo the effect, under an admission of its own."""
        m = self.model
        worker = m.workers[w]
        rest = [u for u in worker.looks_again() if not u.target.eq(worker.astray)]
        return (
            self.decides(w, D.compensate),
            sets(worker.move, Move.undo_admitted),
            sets(worker.astray, m.cut.match(w) != Match.same),
            *rest,
        )

    @action(owner="worker[{w}]")
    def tell(self, w: int) -> Step:
        """Send the new epoch to the target, before anything is read."""
        worker = self.model.workers[w]
        return worker.move == Move.claimed, sets(worker.move, Move.telling)

    @action(owner="worker[{w}]", sees=("contract",))
    def ask_effect(self, w: int) -> Step:
        """Ask the target about the operation."""
        worker, p = self.model.workers[w], self.model.promises
        asks = And(p.readable, p.reads, worker.move == self.looking())
        return asks, sets(worker.move, Move.reading)

    @action(owner="worker[{w}]", sees=("contract",))
    def go_on_unseen(self, w: int) -> Step:
        """There is nothing to ask, or the practice does not ask."""
        worker, p = self.model.workers[w], self.model.promises
        blind = And(Not(And(p.readable, p.reads)), worker.move == self.looking())
        return blind, sets(worker.move, self.seen_it())

    def looking(self) -> Term:
        """The move from which the effect is read: before authority is asked, or after."""
        return If(self.model.promises.effect_before_authority, Move.ready, Move.asked)

    def seen_it(self) -> Term:
        """The move after the reading."""
        return If(self.model.promises.effect_before_authority, Move.observed, Move.informed)

    @action(owner="worker[{w}]")
    def receive(self, w: int) -> Step:
        """The answer arrives, and is not yet in the checkpoint."""
        worker = self.model.workers[w]
        return (
            And(worker.move == Move.awaiting, worker.reply != Reply.none),
            sets(worker.move, Move.replied),
            sets(worker.saw, True),
        )

    @action(owner="worker[{w}]")
    def learn_of_successor(self, w: int) -> Step:
        """The target answered that a newer epoch was told."""
        worker = self.model.workers[w]
        return And(worker.move == Move.replied, worker.reply == Reply.stale), *worker.learns_it_lost()
