"""The human decision on an operation: asked, granted, refused; it expires, is revoked, and is used once."""

from __future__ import annotations

from dataclasses import dataclass

from z3 import And, If, Not, Or

from model.component import Component, Step, action
from model.kernel import Term, Update, Vocabulary, sets
from model.labels import Approval
from model.phases import Phase
from model.table_inputs import Admission, Permission


@dataclass(frozen=True, eq=False)
class Decision:
    """What the approver decided on one operation, and whether an admission has used it."""

    state: Term
    used: Term
    resubmitted: Term


class Approvals(Component):
    """The approver, who decides at any time and is asked again for a case that needs it."""

    def declare(self, vocabulary: Vocabulary) -> None:
        v, m = vocabulary, self.model
        self.decisions = [
            Decision(
                state=v.enum(
                    f"approval.state[{o}]", Approval, "approver", "asked" if m.generation(o) == 0 else "unasked"
                ),
                used=v.flag(f"approval.used[{o}]", "approver"),
                resubmitted=v.flag(f"approval.resubmitted[{o}]", "approver"),
            )
            for o in m.indices("o")
        ]

    def permission(self, o: int) -> Term:
        """What is permitted now, in the table's words."""
        d = self.decisions[o]
        standing = self.model.admissions[o] == Admission.standing
        spent = And(d.used, self.model.promises.single_use, Not(standing))
        granted = If(spent, Permission.consumed, Permission.current)
        late = Or(d.state == Approval.expired, d.state == Approval.outdated)
        other = If(d.state == Approval.revoked, Permission.revoked, Permission.none)
        return If(d.state == Approval.granted, granted, If(late, Permission.expired, other))

    def lost(self, o: int, survives: Term) -> tuple[Update, ...]:
        """The approval ends, and the admission falls with it, unless the contract lets it survive."""
        admission = self.model.admissions[o]
        falls = And(admission == Admission.standing, Not(survives))
        return sets(admission, If(falls, Admission.void, admission)), *self.model.history.on_lapse(o)

    @action(owner="approver")
    def grant(self, o: int) -> Step:
        """The approver allows the operation."""
        return self.decisions[o].state == Approval.asked, sets(self.decisions[o].state, Approval.granted)

    @action(owner="approver", fault="deny")
    def deny(self, o: int) -> Step:
        """The approver refuses the operation."""
        d = self.decisions[o]
        return d.state == Approval.asked, sets(d.state, Approval.refused), *self.model.history.on_lapse(o)

    @action(owner="approver", sees=("authority", "contract"), fault="expire")
    def expire(self, o: int) -> Step:
        """The approval runs out by the authority's own clock."""
        d, p = self.decisions[o], self.model.promises
        return (
            d.state == Approval.granted,
            sets(d.state, Approval.expired),
            *self.lost(o, p.survives_expiry),
        )

    @action(owner="approver", sees=("authority", "contract"), fault="revoke")
    def revoke(self, o: int) -> Step:
        """The approver takes the approval back."""
        d, p = self.decisions[o], self.model.promises
        return d.state == Approval.granted, sets(d.state, Approval.revoked), *self.lost(o, p.survives_revocation)

    @action(owner="approver", sees=("authority", "contract"), fault="policy")
    def change_policy(self, o: int) -> Step:
        """A new policy revision: approvals given under the old one no longer count."""
        d, p = self.decisions[o], self.model.promises
        return d.state == Approval.granted, sets(d.state, Approval.outdated), *self.lost(o, p.survives_policy)

    @action(owner="approver", sees=("store",))
    def ask_again(self, o: int) -> Step:
        """A case that needs a new decision is put before the approver."""
        d, s = self.decisions[o], self.model.stores[self.model.obligation(o)]
        waiting = And(s.phase == Phase.NEEDS_REAUTHORISATION, s.gen == self.model.generation(o))
        over = Or(*[d.state == getattr(Approval, x) for x in ("expired", "revoked", "outdated", "unasked")])
        consumed = And(d.state == Approval.granted, d.used)
        asked = self.model.history.on_asked_again(o)
        return And(waiting, Or(over, consumed)), sets(d.state, Approval.asked), sets(d.used, False), *asked

    @action(owner="approver", fault="resubmit")
    def submit_twice(self, o: int) -> Step:
        """A double click, a redelivery: the same approval arrives once more."""
        d = self.decisions[o]
        return And(d.used, Not(d.resubmitted)), sets(d.resubmitted, True)

    @action(owner="approver", sees=("contract",), needs="resubmit")
    def take_second_submission(self, o: int) -> Step:
        """A second submission of one approval is the same approval, unless approvals are not counted."""
        d, single = self.decisions[o], self.model.promises.single_use
        return (
            d.resubmitted,
            sets(d.resubmitted, False),
            sets(d.used, And(single, d.used)),
        )
