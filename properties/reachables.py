"""What must be reachable: named situations that show a search was not about nothing.

A crash seam is a state in which a crash hurts in its own way; a *fault state* is one that only its
fault makes reachable. A situation that the default contract excludes names the variant (see
properties/variants.py) in which it is looked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from z3 import And, Not, Or

from model.kernel import Term
from model.labels import Approval, Kind, Memo, Move, Receipt, Reply, Seen, World
from model.phases import Phase
from model.system import Model
from model.table_inputs import Admission, Match, Permission
from properties.safety import Over


@dataclass(frozen=True)
class Reachable:
    """A named situation, with the fault that alone makes it possible and the variant where it is found."""

    name: str
    says: str
    where: Over
    fault: str | None = None
    variant: str = "default"


def _worker(model: Model, term: Callable[[int], Term]) -> Term:
    return Or(*[term(w) for w in model.indices("w")])


def _holds(model: Model, w: int) -> Term:
    """Worker w has the newest epoch of its case."""
    x = model.workers[w]
    return Or(*[And(model.store.concerns(x.op, k), x.epoch == model.stores[k].epoch) for k in model.indices("k")])


def _at(move: str, more: Callable[[Model, int], Term] = lambda model, w: And()) -> Over:
    """Some worker is at this move, and more."""
    return lambda model: _worker(model, lambda w: And(model.workers[w].move == getattr(Move, move), more(model, w)))


def _flying(model: Model, w: int) -> Term:
    x = model.workers[w]
    return Or(*[And(n.kind == Kind.execute, n.op == x.op, n.epoch == x.epoch) for n in model.network.slots])


def _committed_unheard(model: Model, w: int) -> Term:
    worker = model.workers[w]
    return Or(
        *[And(worker.op == o, model.gateways[o].world == World.committed, worker.receipt == Receipt.none)
          for o in model.indices("o")]
    )  # fmt: skip


def _two_flying(model: Model) -> Term:
    slots = model.network.slots
    return Or(*[
        And(a.kind == Kind.execute, b.kind == Kind.execute)
        for i, a in enumerate(slots) for b in slots[i + 1 :]
    ])  # fmt: skip


def _retry_after_expiry(model: Model) -> Term:
    expired = Or(*[d.state == Approval.expired for d in model.approvals])
    return And(_two_flying(model), expired)


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
    return And(Or(*[g.pruned for g in model.gateways]), _at("reading")(model), Not(_resting_phase(model)))


def _resting_phase(model: Model) -> Term:
    return Or(*[s.phase == Phase.OUTCOME_VERIFIED for s in model.stores])


def _approval(label: str) -> Over:
    return lambda model: Or(*[d.state == getattr(Approval, label) for d in model.approvals])


def _abandoned_claim(model: Model) -> Term:
    """A lease is held by nobody who is alive."""
    idle = And(*[x.move == Move.idle for x in model.workers])
    return And(idle, Or(*[s.lease for s in model.stores]))


def _misjudged_age(model: Model) -> Term:
    truth = _young_in_truth(model)
    return _at("informed", lambda model, w: And(Not(model.workers[w].young), truth))(model)


def _young_in_truth(model: Model) -> Term:
    return And(*[model.clock.young(k, 0) for k in model.indices("k")])


SEAMS: tuple[Reachable, ...] = (
    Reachable(
        "seam_admitted_not_dispatched",
        "After the admission, before anything is dispatched.",
        _at("admitted", lambda model, w: Or(*[a == Admission.standing for a in model.admissions])),
    ),
    Reachable(
        "seam_authority_answered",
        "After authority answered, before the worker acted on it.",
        _at("informed", lambda model, w: model.workers[w].permission == Permission.current),
    ),
    Reachable("seam_sent", "After the request was sent, while it is in flight.", _at("awaiting", _flying)),
    Reachable(
        "seam_committed_no_receipt",
        "After the remote commit, before any receipt.",
        _at("awaiting", _committed_unheard),
    ),
    Reachable(
        "seam_receipt_not_in_checkpoint",
        "After the receipt arrived, before it is in the checkpoint.",
        _at("replied", lambda model, w: model.workers[w].reply == Reply.committed),
    ),
    Reachable(
        "seam_lease_lost_still_sending",
        "After the claim was lost, before the worker stops: it is about to release.",
        _at("recorded", lambda model, w: Not(_holds(model, w))),
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

FAULT_STATES: tuple[Reachable, ...] = (
    Reachable("nobody_alive_holds_the_claim", "A claim whose holder died.", _abandoned_claim, "crash"),
    Reachable(
        "lease_lapsed_holder_alive",
        "The lease lapsed and its holder is alive.",
        lambda model: And(
            Not(model.stores[0].lease),
            _worker(model, lambda w: And(model.workers[w].move != Move.idle, _holds(model, w))),
        ),
        "pause",
    ),
    Reachable(
        "waits_for_nothing",
        "A worker waits for an answer, and neither request nor answer exists any more.",
        _at("awaiting", lambda model, w: And(Not(_flying(model, w)), model.workers[w].reply == Reply.none)),
        "loss",
    ),
    Reachable(
        "request_outlives_its_wait",
        "A worker gave up waiting, and its request of the same epoch is still in flight.",
        lambda model: _worker(
            model,
            lambda w: And(
                _flying(model, w),
                Or(*[model.workers[w].move == m for m in (Move.ready, Move.waiting, Move.renewing, Move.reading)]),
            ),
        ),
        "delay",
    ),
    Reachable("two_copies", "Two copies of one request are in flight.", _two_flying, "copy", "copying"),
    Reachable(
        "readback_unanswered",
        "A readback was not answered.",
        lambda model: _worker(model, lambda w: model.workers[w].seen == Seen.outage),
        "outage",
    ),
    Reachable(
        "error_remembered",
        "An error is kept as the answer under a key.",
        lambda model: Or(*[g.memo == Memo.error for g in model.gateways]),
        "errors",
    ),
    Reachable(
        "refused_for_good",
        "The target refused for good.",
        lambda model: Or(*[g.world == World.refused for g in model.gateways]),
        "refusals",
    ),
    Reachable(
        "key_forgotten",
        "The effect exists and its key is forgotten.",
        lambda model: Or(*[And(g.world == World.committed, g.memo == Memo.none) for g in model.gateways]),
        "forget",
        "forgetful",
    ),
    Reachable(
        "record_pruned",
        "The effect exists and its record is gone.",
        lambda model: Or(*[g.pruned for g in model.gateways]),
        "prune",
        "pruning",
    ),
    Reachable(
        "lookalike_found",
        "A search found another action's effect.",
        lambda model: _worker(model, lambda w: model.workers[w].match == Match.foreign),
        "lookalike",
        "searching",
    ),
    Reachable("approval_expired", "An approval expired.", _approval("expired"), "expire"),
    Reachable("approval_revoked", "An approval was revoked.", _approval("revoked"), "revoke"),
    Reachable("approval_outdated", "The policy changed after an approval.", _approval("outdated"), "policy"),
    Reachable(
        "admission_voided",
        "An admission was voided while its approval holds.",
        lambda model: Or(
            *[
                And(a == Admission.void, d.state == Approval.granted)
                for a, d in zip(model.admissions, model.approvals, strict=True)
            ]
        ),
        "void",
    ),
    Reachable("approval_denied", "The approver refused.", _approval("refused"), "deny"),
    Reachable(
        "submitted_twice",
        "One approval was submitted twice.",
        lambda model: Or(*[d.resubmitted for d in model.approvals]),
        "resubmit",
    ),
    Reachable("intent_edited", "The intent has a new version.", lambda model: Or(*model.intents.edited), "edit"),
    Reachable("intent_withdrawn", "The intent was withdrawn.", lambda model: Or(*model.intents.withdrawn), "withdraw"),
    Reachable("object_moved", "Others moved the object.", lambda model: Or(*model.resource.moved), "move"),
    Reachable("store_refuses", "The store refuses writes.", lambda model: model.store.down, "store_down"),
    Reachable("copy_was_stale", "A stale copy of the checkpoint was noticed.", _at("misread"), "stale_read"),
    Reachable(
        "store_restored",
        "A backup was restored whose epochs start again.",
        lambda model: model.store.lowered,
        "restore",
        "rolled_back",
    ),
    Reachable(
        "history_diverged",
        "The workflow's code changed under recorded history.",
        lambda model: Or(*[s.diverged for s in model.stores]),
        "diverge",
    ),
    Reachable(
        "age_misjudged",
        "By a worker's clock an identity is too old, and in truth it is not.",
        _misjudged_age,
        "skew",
        "aging",
    ),
)
"""For each fault a state that nothing else makes reachable."""
