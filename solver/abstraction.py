"""The link between the table proof and the model: the abstract world as terms over the model's variables.

``alpha`` reads ghost truth and real variables. If the consistency relation holds of every deciding
resumer with the current claim, and the invariant of every state, then what was proved of the abstract
world was proved about this model. ``coverage_terms`` says exactly that, for exploration to disagree with.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from z3 import And, BoolVal, If, Implies, IntVal, Not, Or, Sum, is_true, substitute

from model.folding import simplifier
from model.kernel import Term, Vocabulary, no_branching
from model.labels import Kind, Memo, Move, OnRepeat, OtherPayload, Receipt, Recorded
from model.labels import World as Held
from model.phases import Phase
from model.promises import Profile, Promises
from model.setting import Setting
from model.system import Model
from model.table_inputs import Admission, Intent, Permission, Undo
from solver.abstract_state import CasePhase, Stage, World
from solver.table_proof import TableProof
from solver.table_proof_clauses import fits, invariant


def premises(promises: Promises, setting: Setting) -> dict[str, Term]:
    """What the table proof takes for granted: practices around the table and limits of the target, by name.

    Where one does not hold the proof says nothing and only exploration judges.
    """
    p, faults = promises, setting.faults
    keyed = And(p.recognises, p.on_repeat != OnRepeat.executes, Not(p.races))
    kept = BoolVal(setting.ticks.retention is None)
    return {
        "claims are checked": p.checks_claim,
        "attempts are recorded before release": p.recorded == Recorded.before_release,
        "attempts are counted per obligation": p.per_obligation,
        "identities are stable": p.stable_identity,
        "unknown is sticky": p.sticky_unknown,
        "copies of the checkpoint are checked": Or(BoolVal("stale_read" not in faults), p.checks_copy),
        "restored stores raise epochs": Or(BoolVal("restore" not in faults), p.raises_epochs),
        "a next generation waits for closing": p.waits_for_closing,
        "the age of an identity is checked when sending": Or(kept, p.rechecks),
        "transport copies are recognised": Or(BoolVal("copy" not in faults), Not(p.copies), keyed),
    }


def not_given(profile: Profile, setting: Setting) -> tuple[str, ...]:
    """The premises that do not hold for certain under a profile, with the faults and durations of a setting."""
    vocabulary = Vocabulary()
    given = premises(Promises(vocabulary, profile), setting)
    fold = simplifier({v.name: v.value(v.starts[0]) for v in vocabulary.variables if len(v.starts) == 1})
    return tuple(name for name, term in given.items() if not is_true(fold(term)))


def coverage_terms(model: Model) -> dict[str, Term]:
    """Named formulas that hold in every reachable state of the model if the proof covers it.

    ``fits[w, k]: clause`` is about the cut of worker w while it decides on obligation k under the current
    claim, ``invariant[k]: clause`` about obligation k. A state where one is false is one that the proof
    does not speak of, whatever it says about the table. There are none for a table whose decisions do
    not keep the invariant: of its runs nothing was proved.
    """
    if not TableProof(model.table).keeps_invariant():
        return {}
    with no_branching():
        given = And(*premises(model.promises, model.setting).values())
        terms: dict[str, Term] = {}
        for k in model.indices("k"):
            view = Abstraction(model, k)
            for c in invariant(view.world()):
                terms[f"invariant[{k}]: {c.name}"] = Implies(given, c.term)
            for w in model.indices("w"):
                deciding = And(given, model.workers[w].move == Move.informed, view.current(w))
                for c in fits(model.inputs[w], view.world(w)):
                    terms[f"fits[{w}, {k}]: {c.name}"] = Implies(deciding, c.term)
    return terms


class Abstraction:
    """The abstract world of obligation k."""

    def __init__(self, model: Model, k: int) -> None:
        self.model, self.k = model, k
        self.store = model.stores[k]
        self.operations: list[int] = model.history.of(k)

    def world(self, w: int | None = None) -> World:
        """The world; what a resumer was told is that of worker w, or of whoever holds the current claim."""
        m, k = self.model, self.k
        resumers = list(m.indices("w")) if w is None else [w]
        net = m.history.net(k)
        return World(
            commits=_between(net, 0, 2),
            pending=Or(*[m.gateways[o].world == Held.pending for o in self.operations]),
            landable=_between(Sum([If(x, IntVal(1), IntVal(0)) for x in self._landing()]), 0, 2),
            covered=self.covered(),
            admitted=self.of_current(m.history.admitted),
            valid=self.of_current(lambda o: m.approval.permission(o) == Permission.current),
            wanted=m.intents.now(k) == Intent.stands,
            hopeless=Or(self.store.receipt == Receipt.burned, self.of_current(self._came_to_nothing)),
            moved=m.resource.moved[k],
            matches=self.of_current(lambda o: Not(m.gateways[o].drifted)),
            faithful=self._told(resumers, lambda x: Not(Or(m.workers[x].drift, m.workers[x].diverged)), True),
            undone=self.of_current(lambda o: m.gateways[o].world == Held.reversed),
            undo_out=Or(*self._undos()),
            exact=And(m.promises.grade == Undo.automatic, m.promises.keyed_undo),
            asked_admitted=self._told(resumers, lambda x: m.workers[x].admission == Admission.standing, False),
            asked_valid=self._told(resumers, lambda x: m.workers[x].permission == Permission.current, False),
            phase=self._phase(),
            stage=self._stage(),
        )

    def current(self, w: int) -> Term:
        """Worker w holds the newest claim of the case."""
        m = self.model
        claims = [m.store.current(w, o) for o in self.operations]
        return And(m.workers[w].move != Move.idle, Or(*claims))

    def of_current(self, read: Callable[[int], Term]) -> Term:
        """Something of the operation that the case is at."""
        m = self.model
        return Or(*[And(self.store.gen == m.generation(o), read(o)) for o in self.operations])

    def _told(self, resumers: Sequence[int], read: Callable[[int], Term], otherwise: bool) -> Term:
        held = [self.current(w) for w in resumers]
        told = Or(*[And(h, read(w)) for h, w in zip(held, resumers, strict=True)])
        return Or(told, Not(Or(*held))) if otherwise else told

    def _landing(self) -> list[Term]:
        """For each request in flight and each recorded one: it may still be executed and not recognised."""
        m = self.model
        flying = [self.flying(i, o) for i in m.indices("m") for o in self.operations]
        return [*flying, *[self.held(w, o) for w in m.indices("w") for o in self.operations]]

    def flying(self, i: int, o: int) -> Term:
        """The request in slot i passes the fence, and will not be recognised for as long as it travels."""
        m = self.model
        slot, e = m.network.slots[i], m.gateways[o]
        kept = BoolVal(True) if self._for_ever() else e.kept > slot.life
        bounded = BoolVal(self._for_ever() or m.setting.ticks.delay is not None)
        recognised = And(self.recognised(o, m.gateway.same_payload(i, o)), kept, bounded)
        return And(m.gateway.arrives(i, o, Kind.execute), m.gateway.fence_lets(i, o), m.gateway.ground_holds(o),
                   Not(recognised))

    def held(self, w: int, o: int) -> Term:
        """Worker w recorded a request and may still release it; the target would neither fence nor recognise it."""
        m = self.model
        worker, p = m.workers[w], m.promises
        fence = Implies(p.enforces_fence, worker.epoch >= m.told[self.k])
        in_time = Or(*[m.network.in_time(w, c) for c in m.indices("c")])
        kept = self.recognised(o, worker.drift == m.gateways[o].fingerprint)
        return And(worker.move == Move.recorded, worker.op == o, fence, m.gateway.ground_holds(o), in_time,
                   Not(And(kept, self.checked_when_sent(w, repeat=False))))

    def recognised(self, o: int, same: Term) -> Term:
        """The target remembers the identity now and answers this payload from memory."""
        m = self.model
        payload = Or(same, m.promises.other_payload != OtherPayload.executes)
        return And(m.gateway.recognised(o), payload, Not(m.gateway.drives_on(o)))

    def checked_when_sent(self, w: int, *, repeat: bool) -> Term:
        """Worker w releases nothing under an identity that may be forgotten before the request is dead.

        Read off the model's own guard: with the attempt at its oldest it would not be released.
        """
        m = self.model
        if self._for_ever():
            return And()
        oldest = (m.clock.age[self.k], IntVal(m.setting.oldest))
        values = [oldest, (m.workers[w].repeat, BoolVal(True))] if repeat else [oldest]
        sent = Or(*[m.network.in_time(w, c) for c in m.indices("c")])
        return Not(substitute(sent, *values))

    def _for_ever(self) -> bool:
        return self.model.setting.ticks.retention is None

    def covered(self) -> Term:
        """All copies are of the current operation, and all but the first to be executed will be recognised."""
        m, p = self.model, self.model.promises
        able = And(p.recognises, p.on_repeat != OnRepeat.executes, p.stable_identity, Not(p.races))
        payload = Or(p.other_payload != OtherPayload.executes, Not(p.regenerates))
        flying = [And(self.flying(i, o), m.gateways[o].memo != Memo.none, Not(m.gateway.drives_on(o)))
                  for i in m.indices("m") for o in self.operations]
        others = [And(self.store.gen != m.generation(o), self._lands(o)) for o in self.operations]
        checked = [self.checked_when_sent(w, repeat=True) for w in m.indices("w")]
        return And(able, payload, *checked, Not(Or(*flying)), Not(Or(*others)))

    def _lands(self, o: int) -> Term:
        m = self.model
        return Or(*[self.flying(i, o) for i in m.indices("m")], *[self.held(w, o) for w in m.indices("w")])

    def _came_to_nothing(self, o: int) -> Term:
        """The target refused for good, or what it had accepted did not settle."""
        world = self.model.gateways[o].world
        return Or(world == Held.refused, world == Held.failed)

    def _undos(self) -> list[Term]:
        """Undos of the current operation that are recorded or in flight."""
        m = self.model
        flying = [self.of_current(lambda o, i=i: m.gateway.arrives(i, o, Kind.undo)) for i in m.indices("m")]  # type: ignore[misc]
        held = [self.of_current(lambda o, x=x: And(x.move == Move.undo_recorded, x.op == o)) for x in m.workers]  # type: ignore[misc]
        return [*flying, *held]

    def _phase(self) -> Term:
        s = self.store
        waits = Or(s.quarantined, s.phase == Phase.NEEDS_REAUTHORISATION)
        rest = If(waits, CasePhase.waiting, CasePhase.open)
        rest = If(s.phase == Phase.ABANDONED, CasePhase.abandoned, rest)
        return If(s.phase == Phase.OUTCOME_VERIFIED, CasePhase.verified, rest)

    def _stage(self) -> Term:
        m = self.model
        stage: Term = Stage.deciding
        at = ((Move.undo_admitted, Stage.undoing), (Move.admitted, Stage.chosen), (Move.admitting, Stage.admitting))
        for move, name in at:
            stage = If(Or(*[And(self.current(w), m.workers[w].move == move) for w in m.indices("w")]), name, stage)
        return stage


def _between(number: Term, low: int, high: int) -> Term:
    return If(number < low, IntVal(low), If(number > high, IntVal(high), number))
