"""What must always hold: named sentences over ghost history and state.

Each has a *premise*, the situation the sentence is about. Where a complete search never meets the
premise, the sentence is not applicable there and does not count as holding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from z3 import And, Implies, Not, Or

from model.kernel import Term
from model.labels import Approval, Kind, Move
from model.phases import Phase, resting
from model.system import Model

Over = Callable[[Model], Term]


@dataclass(frozen=True)
class Property:
    """A sentence that must hold in every reachable state, and the situation it is about."""

    name: str
    says: str
    holds: Over
    premise: Over
    about: str


def _each(model: Model, term: Callable[[int], Term]) -> Term:
    return And(*[term(k) for k in model.indices("k")])


def _some(model: Model, term: Callable[[int], Term]) -> Term:
    return Or(*[term(k) for k in model.indices("k")])


def _unmarked(*marks: str) -> Over:
    """No obligation carries one of these marks of ghost history."""
    return lambda model: And(*[Not(flag) for mark in marks for flag in model.history.marks[mark]])


def _in_phase(*phases: str) -> Over:
    return lambda model: Or(*[s.phase == getattr(Phase, p) for s in model.stores for p in phases])


def _committed(model: Model) -> Term:
    return Or(*[c >= 1 for c in model.history.commits])


def _in_flight(model: Model) -> Term:
    return Or(*[slot.kind == Kind.execute for slot in model.network.slots])


def _one_commit(model: Model) -> Term:
    h = model.history
    identities = [h.commits[o] - h.undos[o] <= 1 for o in model.indices("o")]
    return And(_each(model, lambda k: h.net(k) <= 1), *identities)


def _lapsed(model: Model) -> Term:
    over = (Approval.expired, Approval.revoked, Approval.outdated)
    return Or(*[Or(d.used, *[d.state == x for x in over]) for d in model.approvals])


def _superseded(model: Model) -> Term:
    """A worker or a request carries an epoch that is no longer the newest."""
    stale = []
    for k in model.indices("k"):
        epoch = model.stores[k].epoch
        concerns = model.store.concerns
        stale += [And(x.move != Move.idle, concerns(x.op, k), x.epoch != epoch) for x in model.workers]
        stale += [And(n.kind != Kind.none, concerns(n.op, k), n.epoch != epoch) for n in model.network.slots]
    return Or(*stale)


def _nothing_omitted(model: Model) -> Term:
    h = model.history

    def accounted(k: int) -> Term:
        phase = model.stores[k].phase
        done = Implies(phase == Phase.OUTCOME_VERIFIED, h.net(k) == 1)
        return And(done, Implies(phase == Phase.ABANDONED, h.net(k) <= 0))

    return And(_each(model, accounted), _unmarked("arrived_after_closing", "dropped_wanted")(model))


def _resting(model: Model) -> Term:
    return _some(model, lambda k: resting(model.stores[k].phase))


def _undos_bounded(model: Model) -> Term:
    once = [u <= 1 for u in model.history.undos]
    return And(*once, _unmarked("undid_wrongly")(model))


def _on_record(model: Model) -> Term:
    """Where a run keeps whole records (model/evidence.py), the five questions are answered by them."""
    answered = model.evidence.answers().values() if model.evidence is not None else ()
    return And(_unmarked("acted_unrecorded")(model), *answered)


def _evidence_behind_phases(model: Model) -> Term:
    def proven(k: int) -> Term:
        committed = Or(*[model.history.commits[o] >= 1 for o in model.history.of(k)])
        return Implies(model.stores[k].phase == Phase.EFFECT_COMMITTED, committed)

    return And(_each(model, proven), _unmarked("bad_edge")(model))


PROPERTIES: tuple[Property, ...] = (
    Property(
        "no_duplicate_commit",
        "Commits minus completed undos are at most one for an obligation, and for each identity.",
        _one_commit,
        _committed,
        "an effect is committed",
    ),
    Property(
        "no_initiation_without_admission",
        "What the target executes had a standing admission of exactly this operation when its attempt was recorded.",
        _unmarked("accepted_unadmitted"),
        _in_flight,
        "a request is in flight",
    ),
    Property(
        "no_completion_without_readback",
        "A case is completed only on a statement of the target, while the world holds exactly one matching effect.",
        _unmarked("completed_unsoundly", "completed_unseen"),
        _in_phase("OUTCOME_VERIFIED"),
        "a case is completed",
    ),
    Property(
        "authority_is_not_resurrected",
        "Nothing is admitted after the approval expired, was revoked, was outdated or was used up.",
        _unmarked("admitted_unlawfully"),
        _lapsed,
        "an approval lapsed or was used",
    ),
    Property(
        "stale_workers_are_fenced",
        "An enforcing target executes nothing under an older epoch than it was told, and nowhere does a superseded "
        "request make a second commit.",
        _unmarked("accepted_under_old_epoch", "superseded_second"),
        _superseded,
        "a worker or a request was superseded",
    ),
    Property(
        "unknown_is_not_released_by_time",
        "An unknown outcome is left only on a new observation or by a person.",
        _unmarked("unknown_left_unseen"),
        _in_phase("UNKNOWN_OUTCOME"),
        "an outcome is unknown",
    ),
    Property(
        "adopted_effects_correspond",
        "What is adopted has the identity and the payload of the intent, is still wanted and was admitted.",
        _unmarked("adopted_other", "adopted_against_answer"),
        _in_phase("OUTCOME_VERIFIED"),
        "a case is completed",
    ),
    Property(
        "no_silent_omission",
        "A completed case has its effect exactly once, a closed one has none, nothing arrives after closing and "
        "nothing wanted is dropped.",
        _nothing_omitted,
        _resting,
        "a case is closed",
    ),
    Property(
        "acts_on_current_ground",
        "Nothing is executed on an object that is known, to the target or to the sender, to have moved.",
        _unmarked("acted_on_moved_ground"),
        lambda model: Or(*model.resource.moved),
        "others moved the object",
    ),
    Property(
        "successor_waits_for_predecessor",
        "No next generation is admitted while an earlier release of its obligation can still land.",
        _unmarked("successor_too_early"),
        lambda model: Or(*[s.gen >= 1 for s in model.stores]),
        "a next generation is planned",
    ),
    Property(
        "compensation_is_bounded",
        "At most one undo for an effect, of an own committed effect only, and with an admission of its own.",
        _undos_bounded,
        lambda model: Or(*[slot.kind == Kind.undo for slot in model.network.slots]),
        "an undo is in flight",
    ),
    Property(
        "every_decision_leaves_a_record",
        "No request is released before its attempt is in the checkpoint; in runs that keep whole records, these alone "
        "say what was so.",
        _on_record,
        _in_flight,
        "a request is in flight",
    ),
    Property(
        "phases_move_by_evidence",
        "Phases take only listed edges, and an effect is called committed only when it is.",
        _evidence_behind_phases,
        lambda model: _some(model, lambda k: model.stores[k].phase != Phase.NOT_ADMITTED),
        "a case has moved on",
    ),
)
"""Every safety property, in the order of the design."""


def property_named(name: str) -> Property:
    """The safety property with this name; KeyError if there is none."""
    return {p.name: p for p in PROPERTIES}[name]
