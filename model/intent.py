"""What the business wants: an obligation, its versions, and whether it still stands."""

from __future__ import annotations

from z3 import And, If, Not, Or

from model.component import Component, Step, action
from model.kernel import Term, Vocabulary, sets
from model.labels import Approval, Log, Receipt
from model.phases import Phase
from model.table_inputs import Intent


class Intents(Component):
    """Versions of each obligation, and which one the current operation was made for."""

    def declare(self, vocabulary: Vocabulary) -> None:
        ks = self.model.indices("k")
        self.edited = [vocabulary.flag(f"intent.edited[{k}]", "intent") for k in ks]
        self.withdrawn = [vocabulary.flag(f"intent.withdrawn[{k}]", "intent") for k in ks]
        self.bound_to_edit = [vocabulary.flag(f"intent.bound_to_edit[{k}]", "intent") for k in ks]
        """Whether the current operation was made for the edited version."""

    def superseded(self, k: int) -> Term:
        """The current operation states an older version than the obligation does now."""
        return self.edited[k] != self.bound_to_edit[k]

    def now(self, k: int) -> Term:
        """What the obligation says of its current operation."""
        later = If(self.superseded(k), Intent.superseded, Intent.stands)
        return If(self.withdrawn[k], Intent.withdrawn, later)

    @action(owner="intent", fault="edit")
    def edit(self, k: int) -> Step:
        """The business changes its mind about the amount, the payee or the purpose: a new version."""
        return And(Not(self.edited[k]), Not(self.withdrawn[k])), sets(self.edited[k], True)

    @action(owner="intent", fault="withdraw")
    def withdraw(self, k: int) -> Step:
        """The business no longer wants the effect."""
        return Not(self.withdrawn[k]), sets(self.withdrawn[k], True)

    @action(owner="intent", sees=("store", "contract"), needs="generations")
    def next_generation(self, k: int, o: int) -> Step:
        """A new operation for the same obligation: only when its predecessor is closed."""
        m = self.model
        last = m.obligation(o) != k or m.generation(o) == m.setting.generations - 1
        if last:
            return Or(), sets(self.bound_to_edit[k], self.edited[k])
        store = m.stores[k]
        hopeless = Or(*[store.receipt == x for x in (Receipt.refused, Receipt.burned)], store.phase == Phase.ABANDONED)
        wanted = And(Not(self.withdrawn[k]), Or(self.superseded(k), hopeless))
        return (
            And(Not(m.store.down), store.gen == m.generation(o), wanted, self.predecessor_may_be_left(k)),
            sets(self.bound_to_edit[k], self.edited[k]),
            sets(store.gen, m.generation(o) + 1),
            sets(store.phase, Phase.NOT_ADMITTED),
            sets(store.receipt, Receipt.none),
            sets(store.log, self.attempts_carried_over(k)),
            sets(m.approvals[o + 1].state, Approval.asked),
            *m.history.on_phase(k, Phase.NOT_ADMITTED),
        )

    def predecessor_may_be_left(self, k: int) -> Term:
        """A case that is closed; where the practice does not wait, any case without an answer."""
        store = self.model.stores[k]
        early = And(Not(self.model.promises.waits_for_closing), Not(store.quarantined))
        return Or(store.phase == Phase.ABANDONED, And(early, store.phase != Phase.OUTCOME_VERIFIED))

    def attempts_carried_over(self, k: int) -> Term:
        """Attempts are counted for the obligation: a new identity does not make the old ones vanish."""
        store, p = self.model.stores[k], self.model.promises
        kept = If(store.log == Log.none, Log.none, If(store.phase == Phase.ABANDONED, Log.closed, Log.older))
        return If(p.per_obligation, kept, Log.none)
