"""The records a checkpoint keeps, and what was really so: an observer beside the model.

Before anything leaves, a *decision record* says which worker acts, under which standing admission, on which
rule of the table and with which payload. When a case is closed, an *outcome record* says what the target
did and which path confirmed it. The observer watches actions by name and adds variables that no guard
reads, so a run with it goes through the same steps as one without. Five questions can be answered from the
records alone; ``answers`` says for each that the answer is the truth.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from z3 import And, If, Implies, IntVal, Not, Or

from model.decision_table import rule_guard
from model.kernel import Action, Term, Update, sets
from model.labels import Kind, Move, Recorded
from model.labels import World as Held
from model.phases import Phase, resting
from model.table_inputs import Admission, Effect, Postcondition

if TYPE_CHECKING:
    from model.system import Model

ACTING = ("execute", "compensate")
HOLDING = (Move.admitting, Move.admitted, Move.recorded, Move.undo_admitted, Move.undo_recorded)
"""The moves between a decision to act and its release."""
EXECUTED = ("commit", "commit_something_else", "accept", "fail_with_effect")


@dataclass(frozen=True)
class Attempt:
    """What tells one attempt from another: for which operation, by which worker, on which rule, what payload."""

    o: int
    w: int
    rule: int
    other_payload: bool


class Evidence:
    """Records and truth. Rules that act are numbered from 1, workers from 1; 0 is none."""

    def __init__(self, model: Model) -> None:
        self.model = model
        v, setting = model.vocabulary, model.setting
        self.rules = [r for r in model.table.rules if r.decision in ACTING]
        workers, messages, operations = (model.indices(x) for x in "wmo")
        self.attempts = [
            Attempt(o, w, rule, other)
            for o, w, rule, other in itertools.product(
                operations, workers, range(1, len(self.rules) + 1), self._payloads()
            )
        ]
        self.recorded = {a: v.flag(f"record.attempt{self._key(a)}", "store") for a in self.attempts}
        self.did = {a: v.flag(f"history.did{self._key(a)}", "history", ghost=True) for a in self.attempts}
        self.effect = [v.enum(f"record.effect[{o}]", Effect, "store", "unknown") for o in operations]
        self.path = [v.enum(f"record.path[{o}]", Postcondition, "store", "unobserved") for o in operations]
        rules = len(self.rules)
        self.chosen = [v.count(f"history.chosen[{w}]", rules, "history", ghost=True) for w in workers]
        self.why = [v.count(f"history.why[{m}]", rules, "history", ghost=True) for m in messages]
        self.sender = [v.count(f"history.sender[{m}]", setting.workers, "history", ghost=True) for m in messages]

    def _payloads(self) -> tuple[bool, ...]:
        differ = True in self.model.profile["regenerates"] or self.model.makes_room_for("compensation")
        return (False, True) if differ else (False,)

    def _key(self, a: Attempt) -> str:
        return f"[{a.o}][{a.w}].{self.rules[a.rule - 1].name}" + (".other_payload" if a.other_payload else "")

    def beside(self, action: Action) -> Action:
        """The action, and what becomes of records and truth when it happens."""
        name, *numbers = re.split(r"\[|\]\[|\]", action.name.removesuffix("]"))
        index = tuple(map(int, numbers))
        kept = {str(u.target): u for u in (*self._choices(action, name), *self._messages(action, name, index))}
        return replace(action, updates=(*action.updates, *kept.values(), *self._writes(name, index)))

    def _choices(self, action: Action, name: str) -> Iterator[Update]:
        """Each worker remembers on which rule it acts until it has released, or lets go."""
        for w, worker in enumerate(self.model.workers):
            for update in action.updates:
                if update.target.eq(worker.move):
                    holds = Or(*[update.value == move for move in HOLDING])
                    chosen = self._deciding(w) if name in ("choose_execute", "choose_compensate") else self.chosen[w]
                    yield sets(self.chosen[w], If(holds, chosen, 0))

    def _deciding(self, w: int) -> Term:
        """The number of the acting rule that decides worker w's cut."""
        number: Term = IntVal(0)
        for rule in reversed(self.model.rules_of(w)):
            this = self.rules.index(rule) + 1 if rule in self.rules else 0
            number = If(rule_guard(rule, self.model.inputs[w]), this, number)
        return number

    def _messages(self, action: Action, name: str, index: tuple[int, ...]) -> Iterator[Update]:
        """Each request remembers who sent it, and on which rule."""
        for m, slot in enumerate(self.model.network.slots):
            for update in action.updates:
                if update.target.eq(slot.kind):
                    sender, why = self.sender[m], self.why[m]
                    if name in ("release", "release_undo"):
                        sender, why = IntVal(index[0] + 1), self.chosen[index[0]]
                    elif name == "copy_request":
                        sender, why = self.sender[index[0]], self.why[index[0]]
                    yield sets(self.sender[m], If(update.value == Kind.none, 0, sender))
                    yield sets(self.why[m], If(update.value == Kind.none, 0, why))

    def _writes(self, name: str, index: tuple[int, ...]) -> Iterator[Update]:
        """What a step writes into the records, or does."""
        if name in ("record_attempt", "record_undo"):
            yield from self.on_record(index[0], index[1], undo=name == "record_undo")
        elif name in EXECUTED:
            yield from self._executed(index[0], index[1], And())
        elif name == "reverse":
            yield from self._executed(index[0], index[1], self.model.gateway.fence_lets(index[0], index[1]))
        elif name in ("adopt", "abandon", "quarantine"):
            yield from self.on_outcome(index[0], index[1])

    def on_record(self, w: int, o: int, *, undo: bool) -> Iterator[Update]:
        """The decision record: complete only if it precedes the release and names a standing admission."""
        m, worker = self.model, self.model.workers[w]
        admitted = m.authority.undo_admitted[m.obligation(o)] if undo else m.admissions[o] == Admission.standing
        complete = admitted if undo else And(admitted, m.promises.recorded == Recorded.before_release)
        payload = worker.astray if undo else worker.drift
        for a, record in self.recorded.items():
            if (a.o, a.w) == (o, w):
                yield sets(record, Or(record, And(complete, self.chosen[w] == a.rule, payload == a.other_payload)))

    def on_outcome(self, w: int, o: int) -> Iterator[Update]:
        """The outcome record: what the target did as far as the worker knows, and who confirmed it."""
        yield sets(self.effect[o], self.model.cut.effect(w))
        yield sets(self.path[o], self.model.cut.postcondition(w))

    def _executed(self, m: int, o: int, when: Term) -> Iterator[Update]:
        slot = self.model.network.slots[m]
        for a, did in self.did.items():
            if a.o == o:
                this = And(self.sender[m] == a.w + 1, self.why[m] == a.rule, slot.drift == a.other_payload)
                yield sets(did, Or(did, And(when, this)))

    def answers(self) -> dict[str, Term]:
        """For each of the five questions: what the records answer is what was so."""
        return {
            "who initiated": self._on_record(lambda a, b: (a.o, a.w) == (b.o, b.w)),
            "what exactly was admitted": self._on_record(lambda a, b: replace(a, rule=b.rule) == b),
            "why this branch": self._on_record(lambda a, b: a == b),
            "what the target did": And(*[self._told(o) for o in self.model.indices("o")]),
            "what verified outcome": And(*[self._verified(o) for o in self.model.indices("o")]),
        }

    def _on_record(self, alike: Callable[[Attempt, Attempt], bool]) -> Term:
        """Whatever the target let in, a record of an attempt like it precedes it."""
        found = {a: Or(*[self.recorded[b] for b in self.attempts if alike(a, b)]) for a in self.attempts}
        return And(*[Implies(did, found[a]) for a, did in self.did.items()])

    def _told(self, o: int) -> Term:
        """The outcome record of a case at rest states the world."""
        s = self.model.stores[self.model.obligation(o)]
        world = self.model.gateways[o].world
        alike = [And(self.effect[o] == getattr(Effect, x), world == getattr(Held, x)) for x in Held.labels]
        return Implies(And(resting(s.phase), s.gen == self.model.generation(o)), Or(*alike))

    def _verified(self, o: int) -> Term:
        """A completed case names the path that confirmed it, and one that says confirmed is right."""
        s, e = self.model.stores[self.model.obligation(o)], self.model.gateways[o]
        done = And(s.phase == Phase.OUTCOME_VERIFIED, s.gen == self.model.generation(o))
        named = And(self.path[o] != Postcondition.unobserved, self.path[o] != Postcondition.contradicted)
        right = And(e.world == Held.committed, Not(e.drifted))
        return Implies(done, And(named, Implies(self.path[o] == Postcondition.confirmed, right)))
