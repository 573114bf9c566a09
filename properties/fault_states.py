"""For each fault a state that nothing else makes reachable: taking the fault away takes it away."""

from __future__ import annotations

from z3 import And, Not, Or

from model.kernel import Term
from model.labels import Approval, Memo, Move, Reply, Seen, World
from model.system import Model
from model.table_inputs import Admission, Match
from properties.reachables import Reachable, at_move, holds_the_claim, request_flying, some_worker, two_flying
from properties.safety import Over


def _approval(label: str) -> Over:
    return lambda model: Or(*[d.state == getattr(Approval, label) for d in model.approvals])


def _abandoned_claim(model: Model) -> Term:
    """A lease is held by nobody who is alive."""
    idle = And(*[x.move == Move.idle for x in model.workers])
    return And(idle, Or(*[s.lease for s in model.stores]))


def _misjudged_age(model: Model) -> Term:
    truth = _young_in_truth(model)
    return at_move("informed", lambda model, w: And(Not(model.workers[w].young), truth))(model)


def _young_in_truth(model: Model) -> Term:
    return And(*[model.clock.young(k, 0) for k in model.indices("k")])


FAULT_STATES: tuple[Reachable, ...] = (
    Reachable("nobody_alive_holds_the_claim", "A claim whose holder died.", _abandoned_claim, "crash"),
    Reachable(
        "lease_lapsed_holder_alive",
        "The lease lapsed and its holder is alive.",
        lambda model: And(
            Not(model.stores[0].lease),
            some_worker(model, lambda w: And(model.workers[w].move != Move.idle, holds_the_claim(model, w))),
        ),
        "pause",
    ),
    Reachable(
        "waits_for_nothing",
        "A worker waits for an answer, and neither request nor answer exists any more.",
        at_move("awaiting", lambda model, w: And(Not(request_flying(model, w)), model.workers[w].reply == Reply.none)),
        "loss",
    ),
    Reachable(
        "request_outlives_its_wait",
        "A worker gave up waiting, and its request of the same epoch is still in flight.",
        lambda model: some_worker(
            model,
            lambda w: And(
                request_flying(model, w),
                Or(*[model.workers[w].move == m for m in (Move.ready, Move.waiting, Move.renewing, Move.reading)]),
            ),
        ),
        "delay",
    ),
    Reachable("two_copies", "Two copies of one request are in flight.", two_flying, "copy", "copying"),
    Reachable(
        "readback_unanswered",
        "A readback was not answered.",
        lambda model: some_worker(model, lambda w: model.workers[w].seen == Seen.outage),
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
        "something_else_done",
        "The effect that exists is not the one that was asked for.",
        lambda model: Or(*[And(g.world == World.committed, g.drifted) for g in model.gateways]),
        "distort",
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
        lambda model: some_worker(model, lambda w: model.workers[w].match == Match.foreign),
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
    Reachable("copy_was_stale", "A stale copy of the checkpoint was noticed.", at_move("misread"), "stale_read"),
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
