"""What must be reachable: named situations that show a search was not about nothing.

A crash seam is a state in which a crash hurts in its own way. A situation that the default contract
excludes names the variant (see properties/variants.py) in which it is looked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from z3 import And, Not, Or

from model.kernel import Term
from model.labels import Approval, Kind, Memo, Move, Receipt, Reply, World
from model.phases import Phase
from model.system import Model
from model.table_inputs import Admission, Permission
from properties.safety import Over


@dataclass(frozen=True)
class Reachable:
    """A named situation, with the fault that alone makes it possible and the variant where it is found."""

    name: str
    says: str
    where: Over
    fault: str | None = None
    variant: str = "default"


def some_worker(model: Model, term: Callable[[int], Term]) -> Term:
    """Some worker for which the term holds."""
    return Or(*[term(w) for w in model.indices("w")])


def holds_the_claim(model: Model, w: int) -> Term:
    """Worker w has the newest epoch of its case."""
    x = model.workers[w]
    return Or(*[And(model.store.concerns(x.op, k), x.epoch == model.stores[k].epoch) for k in model.indices("k")])


def at_move(move: str, more: Callable[[Model, int], Term] = lambda model, w: And()) -> Over:
    """Some worker is at this move, and more."""
    return lambda model: some_worker(model, lambda w: And(model.workers[w].move == getattr(Move, move), more(model, w)))


def request_flying(model: Model, w: int) -> Term:
    """A request of worker w, under its present epoch, is in flight."""
    x = model.workers[w]
    return Or(*[And(n.kind == Kind.execute, n.op == x.op, n.epoch == x.epoch) for n in model.network.slots])


def _committed_unheard(model: Model, w: int) -> Term:
    worker = model.workers[w]
    return Or(
        *[And(worker.op == o, model.gateways[o].world == World.committed, worker.receipt == Receipt.none)
          for o in model.indices("o")]
    )  # fmt: skip


def two_flying(model: Model) -> Term:
    """Two requests are in flight."""
    slots = model.network.slots
    return Or(*[
        And(a.kind == Kind.execute, b.kind == Kind.execute)
        for i, a in enumerate(slots) for b in slots[i + 1 :]
    ])  # fmt: skip


def _retry_after_expiry(model: Model) -> Term:
    expired = Or(*[d.state == Approval.expired for d in model.approvals])
    return And(two_flying(model), expired)


def _untold_successor(model: Model) -> Term:
    """A newer epoch is claimed, and the target would still execute a request of the older one."""
    found = []
    for k, store in enumerate(model.stores):
        for i, n in enumerate(model.network.slots):
            found += [And(model.gateway.executes(i, o), n.epoch < store.epoch) for o in model.history.of(k)]
    return Or(*found)


def _reversed(model: Model) -> Term:
    """The younger of two requests of one operation and epoch has arrived, and the older is still in flight."""
    slots = model.network.slots
    return Or(*[
        And(a.kind == Kind.execute, b.kind == Kind.execute, a.op == b.op, a.epoch == b.epoch, a.life > b.life)
        for i, a in enumerate(slots) for j, b in enumerate(slots) if i != j
    ])  # fmt: skip


def _forgotten_and_flying(model: Model) -> Term:
    return Or(*[
        And(n.kind == Kind.execute, n.op == o, model.gateways[o].memo == Memo.none, model.history.commits[o] >= 1)
        for n in model.network.slots for o in model.indices("o")
    ])  # fmt: skip


def _successor_approved_early(model: Model) -> Term:
    return Or(*[
        And(n.kind == Kind.execute, n.op == o, model.approvals[o + 1].state == Approval.granted)
        for n in model.network.slots for o in model.indices("o") if model.generation(o) + 1 < model.setting.generations
    ])  # fmt: skip


def _pruned_unread(model: Model) -> Term:
    return And(Or(*[g.pruned for g in model.gateways]), at_move("reading")(model), Not(_resting_phase(model)))


def _resting_phase(model: Model) -> Term:
    return Or(*[s.phase == Phase.OUTCOME_VERIFIED for s in model.stores])


SEAMS: tuple[Reachable, ...] = (
    Reachable(
        "seam_admitted_not_dispatched",
        "After the admission, before anything is dispatched.",
        at_move("admitted", lambda model, w: Or(*[a == Admission.standing for a in model.admissions])),
    ),
    Reachable(
        "seam_authority_answered",
        "After authority answered, before the worker acted on it.",
        at_move("informed", lambda model, w: model.workers[w].permission == Permission.current),
    ),
    Reachable("seam_sent", "After the request was sent, while it is in flight.", at_move("awaiting", request_flying)),
    Reachable(
        "seam_committed_no_receipt",
        "After the remote commit, before any receipt.",
        at_move("awaiting", _committed_unheard),
    ),
    Reachable(
        "seam_receipt_not_in_checkpoint",
        "After the receipt arrived, before it is in the checkpoint.",
        at_move("replied", lambda model, w: model.workers[w].reply == Reply.committed),
    ),
    Reachable(
        "seam_lease_lost_still_sending",
        "After the claim was lost, before the worker stops: it is about to release.",
        at_move("recorded", lambda model, w: Not(holds_the_claim(model, w))),
    ),
    Reachable(
        "seam_authority_expired_retry_in_flight",
        "After the approval expired, before a delayed retry arrives.",
        _retry_after_expiry,
        variant="uncollapsed",
    ),
)
"""The crash seams of the design; a check under the default contract must meet every one."""

SITUATIONS: tuple[Reachable, ...] = (
    Reachable(
        "newer_epoch_while_older_accepted",
        "A newer epoch is claimed while the target still accepts the older one.",
        _untold_successor,
    ),
    Reachable(
        "requests_reversed",
        "Two requests of one operation and one epoch are in flight, and the younger can arrive first.",
        _reversed,
        variant="unfenced",
    ),
    Reachable(
        "request_after_key_forgotten",
        "A request is about to be delivered after its key was forgotten.",
        _forgotten_and_flying,
        variant="forgetful",
    ),
    Reachable(
        "successor_approved_predecessor_in_flight",
        "A predecessor is still in flight when its successor is approved.",
        _successor_approved_early,
        variant="successor",
    ),
    Reachable("record_pruned_before_read", "A record is pruned before it is read.", _pruned_unread, variant="pruning"),
)
