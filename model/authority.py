"""The authority: what it answers when asked, and the durable admission of exactly one operation."""

from __future__ import annotations

from z3 import And, If, Implies, Not, Or

from model.component import Component, Step, action
from model.kernel import Term, Vocabulary, sets
from model.labels import Approval, Log, Move
from model.phases import Phase
from model.table_inputs import Admission


class Authority(Component):
    """Admissions, each recorded in one step with the use of its approval."""

    def declare(self, vocabulary: Vocabulary) -> None:
        v = vocabulary
        self.admissions = [
            v.enum(f"authority.admission[{o}]", Admission, "authority", "none") for o in self.model.indices("o")
        ]
        self.undo_admitted = [v.flag(f"authority.undo_admitted[{k}]", "authority") for k in self.model.indices("k")]

    @action(owner="authority", sees=("worker[{w}]", "approver", "intent", "clock", "contract"))
    def answer(self, w: int, o: int, c: int) -> Step:
        """The resumer asks what is admitted and permitted, what the obligation says, and looks at its clock.

        Where authority is asked before the effect is read, the answer is the older of the two.
        """
        m = self.model
        worker, k, p = m.workers[w], m.obligation(o), m.promises
        asks = If(p.effect_before_authority, worker.move == Move.observed, worker.move == Move.ready)
        return (
            And(asks, worker.op == o),
            sets(worker.move, If(p.effect_before_authority, Move.informed, Move.asked)),
            sets(worker.admission, self.admissions[o]),
            sets(worker.permission, m.approval.permission(o)),
            sets(worker.intent, m.intents.now(k)),
            sets(worker.young, Or(worker.log == Log.none, m.clock.young(k, c))),
        )

    def admissible(self, o: int) -> Term:
        """The approval holds, is not used up, and this operation is the one it was given for."""
        d = self.model.approvals[o]
        unused = Implies(self.model.promises.single_use, Not(d.used))
        return And(d.state == Approval.granted, unused)

    @action(owner="authority", sees=("worker[{w}]", "approver", "store", "contract"))
    def admit(self, w: int, o: int) -> Step:
        """Admit exactly this operation to the holder of the claim, and use the approval up in the same step."""
        m = self.model
        worker = m.workers[w]
        return (
            And(worker.move == Move.admitting, m.store.accepts(w, o), self.admissible(o)),
            sets(worker.move, Move.admitted),
            sets(self.admissions[o], Admission.standing),
            sets(m.approvals[o].used, True),
            *m.history.on_admission(o),
        )

    @action(owner="authority", sees=("worker[{w}]", "approver", "store", "contract"))
    def refuse_admission(self, w: int, o: int) -> Step:
        """What was permitted when the resumer asked is no longer: it has to look again."""
        worker = self.model.workers[w]
        return (
            And(worker.move == Move.admitting, self.model.store.accepts(w, o), Not(self.admissible(o))),
            *worker.looks_again(),
            sets(worker.move, self.model.store.gathering()),
        )

    @action(owner="authority", fault="void")
    def void(self, o: int) -> Step:
        """The authority takes an admission back."""
        return self.admissions[o] == Admission.standing, sets(self.admissions[o], Admission.void)

    @action(owner="authority", sees=("worker[{w}]", "intent", "store", "contract"), needs="compensation")
    def admit_undo(self, w: int, o: int) -> Step:
        """An undo is an effect of its own: it is admitted because the obligation no longer wants the first."""
        m = self.model
        worker, k = m.workers[w], m.obligation(o)
        return (
            And(worker.move == Move.undo_admitted, m.store.accepts(w, o), Not(self.undo_admitted[k]), self.unwanted(k)),
            sets(self.undo_admitted[k], True),
        )

    def unwanted(self, k: int) -> Term:
        """The obligation was withdrawn, or now says something else."""
        return Or(self.model.intents.withdrawn[k], self.model.intents.superseded(k))

    @action(owner="store", sees=("worker[{w}]", "contract"))
    def note_admission(self, w: int, o: int) -> Step:
        """The checkpoint learns that the operation is admitted."""
        m = self.model
        worker, s = m.workers[w], m.stores[m.obligation(o)]
        early = Or(s.phase == Phase.NOT_ADMITTED, s.phase == Phase.NEEDS_REAUTHORISATION)
        return (
            And(worker.move == Move.admitted, m.store.accepts(w, o), early),
            sets(s.phase, Phase.ADMITTED),
            *m.history.on_phase(m.obligation(o), Phase.ADMITTED),
        )
