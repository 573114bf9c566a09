"""The typed phases of a case and the only edges between them.

An edge that is not listed fails closed: the component that wrote it leaves a mark in ghost history
(model/history.py), which a property reads.
"""

from __future__ import annotations

from z3 import And, Or

from model.kernel import Labels, Term

Phase = Labels(
    "Phase",
    "NOT_ADMITTED ADMITTED EFFECT_PENDING EFFECT_COMMITTED OUTCOME_VERIFIED UNKNOWN_OUTCOME NEEDS_REAUTHORISATION "
    "ABANDONED",
)

EDGES: dict[tuple[str, str], str] = {
    ("NOT_ADMITTED", "ADMITTED"): "current policy and identity: a durable admission",
    ("NEEDS_REAUTHORISATION", "ADMITTED"): "a new admission after a new decision of the approver",
    ("NOT_ADMITTED", "NEEDS_REAUTHORISATION"): "the authority's answer that nothing is permitted now",
    ("ADMITTED", "NEEDS_REAUTHORISATION"): "the authority's answer that the admission does not stand",
    ("EFFECT_PENDING", "NEEDS_REAUTHORISATION"): "the authority's answer that the admission does not stand",
    ("UNKNOWN_OUTCOME", "NEEDS_REAUTHORISATION"): "the authority's answer that the admission does not stand",
    ("ADMITTED", "EFFECT_PENDING"): "a recorded attempt",
    ("EFFECT_PENDING", "EFFECT_COMMITTED"): "a receipt or readback owned by the target",
    ("UNKNOWN_OUTCOME", "EFFECT_COMMITTED"): "a receipt or readback owned by the target",
    ("NEEDS_REAUTHORISATION", "EFFECT_COMMITTED"): "a receipt or readback owned by the target",
    ("EFFECT_PENDING", "UNKNOWN_OUTCOME"): "an answer that did not come, or a takeover",
    ("UNKNOWN_OUTCOME", "EFFECT_PENDING"): "a new observation that no earlier attempt can land any more",
    ("EFFECT_COMMITTED", "OUTCOME_VERIFIED"): "a matching effect and the postcondition",
    ("UNKNOWN_OUTCOME", "OUTCOME_VERIFIED"): "a matching effect read back, and the postcondition",
    ("EFFECT_PENDING", "OUTCOME_VERIFIED"): "a matching effect read back, and the postcondition",
    ("NEEDS_REAUTHORISATION", "OUTCOME_VERIFIED"): "a matching effect read back, and the postcondition",
    ("ADMITTED", "OUTCOME_VERIFIED"): "a matching effect read back, and the postcondition",
    ("NOT_ADMITTED", "ABANDONED"): "nothing was released and nothing is wanted",
    ("ADMITTED", "ABANDONED"): "nothing was released and nothing is wanted",
    ("EFFECT_PENDING", "ABANDONED"): "definitely no effect, and unable to land",
    ("UNKNOWN_OUTCOME", "ABANDONED"): "definitely no effect, and unable to land",
    ("EFFECT_COMMITTED", "ABANDONED"): "the effect was reversed, and nothing can land",
    ("NEEDS_REAUTHORISATION", "ABANDONED"): "nothing can land and nothing is wanted",
    ("NOT_ADMITTED", "UNKNOWN_OUTCOME"): "handed to a person",
    ("ADMITTED", "UNKNOWN_OUTCOME"): "handed to a person",
    ("EFFECT_COMMITTED", "UNKNOWN_OUTCOME"): "handed to a person",
    ("NEEDS_REAUTHORISATION", "UNKNOWN_OUTCOME"): "handed to a person, or an earlier attempt without an answer",
    ("ABANDONED", "NOT_ADMITTED"): "a next generation was planned",
}
"""Every allowed edge with the evidence it needs."""


def allowed(before: Term, after: Term) -> Term:
    """Whether a write of ``after`` over ``before`` is a listed edge (staying is none)."""
    edges = [And(before == getattr(Phase, a), after == getattr(Phase, b)) for a, b in EDGES]
    return Or(before == after, *edges)


def resting(phase: Term) -> Term:
    """Whether the case is closed in this phase."""
    return Or(phase == Phase.OUTCOME_VERIFIED, phase == Phase.ABANDONED)
