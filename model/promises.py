"""What the provider promises and what the caller does: rigid variables, chosen at the start.

One system so covers a whole space of contracts. A *profile* says which values each may take; a
contract file and a policy are turned into one by model/contract_profile.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.kernel import Labels, ModelError, Term, Vocabulary
from model.labels import FenceTold, Lag, OnRepeat, OtherPayload, Recorded, Witness
from model.table_inputs import Undo

Profile = Mapping[str, tuple[str, ...] | tuple[bool, ...]]


@dataclass(frozen=True)
class Clause:
    """A promise of the provider or a practice of the caller: what it says, its labels and its good value."""

    text: str
    good: str | bool
    labels: Labels | None = None


PROMISES: Mapping[str, Clause] = {
    "enforces_fence": Clause("the target refuses requests under an older epoch than it was told", True),
    "checks_claim": Clause("the checkpoint store refuses writes of a superseded claim", True),
    "recognises": Clause("the target recognises a repeated identity and does not execute it again", True),
    "on_repeat": Clause("what a recognised repeat is answered with", "frozen", OnRepeat),
    "other_payload": Clause("what happens to a recognised identity with another payload", "refused", OtherPayload),
    "remembers_errors": Clause("an error is kept as the answer for ever", False),
    "races": Clause("a repeat that arrives while the first is unfinished executes too", False),
    "conditional": Clause("a write is refused when the object has moved since it was read", True),
    "readable": Clause("the target can be asked about the operation", True),
    "reports_governed": Clause("answers state the governed transition, not mere acceptance", True),
    "lag": Clause("how far a readback is behind the world", "zero", Lag),
    "prunes": Clause("the readable record may disappear before recovery is over", False),
    "by_search": Clause("the readback finds effects by search and may find another's", False),
    "settles_late": Clause("an accepted request settles later, or fails", False),
    "copies": Clause("the transport may deliver a request more than once", False),
    "witness": Clause("who confirms the business postcondition", "independent", Witness),
    "grade": Clause("how the effect can be undone", "automatic", Undo),
    "keyed_undo": Clause("an undo carries an identity and is done once", True),
    "judged_at_commit": Clause("the target asks the authority again when the request arrives", False),
    "survives_expiry": Clause("an admission outlives the expiry of its approval", True),
    "survives_revocation": Clause("an admission outlives the revocation of its approval", True),
    "survives_policy": Clause("an admission outlives a change of policy", True),
    "durable_admission": Clause("an admission is recorded where a crash does not lose it", True),
    "single_use": Clause("an approval admits once", True),
}

PRACTICES: Mapping[str, Clause] = {
    "reads": Clause("the resumer asks the target before it decides", True),
    "fence_told": Clause("when the target learns of a new epoch", "before_read", FenceTold),
    "recorded": Clause("when an attempt enters the checkpoint", "before_release", Recorded),
    "waits_out_lag": Clause("the resumer waits one lag before it reads", True),
    "effect_before_authority": Clause("the effect is read before authority is asked", True),
    "verifies": Clause("a postcondition is looked at before a case is completed", True),
    "rechecks": Clause("the age of the identity is checked again when sending", True),
    "sticky_unknown": Clause("an unknown outcome is kept whatever errors follow, and only an answer settles it", True),
    "stable_identity": Clause("the identity is fixed and durable before the first release", True),
    "regenerates": Clause("the payload is generated anew after a crash", False),
    "per_obligation": Clause("attempts are counted for the obligation and not for the identity", True),
    "asks_authority": Clause("nothing is released without an admission", True),
    "checks_copy": Clause("a copy of the checkpoint that is older than the claim is read again", True),
    "raises_epochs": Clause("a restored checkpoint store starts above every epoch it ever gave", True),
    "waits_for_closing": Clause("a next generation waits until its predecessor is closed", True),
}

CLAUSES: Mapping[str, Clause] = {**PROMISES, **PRACTICES}


def good_profile() -> dict[str, tuple[str, ...] | tuple[bool, ...]]:
    """Every clause at its good value."""
    return {name: (c.good,) if isinstance(c.good, bool) else (c.good,) for name, c in CLAUSES.items()}


class Promises:
    """The rigid variables as terms: ``promises.recognises``."""

    def __init__(self, vocabulary: Vocabulary, profile: Profile) -> None:
        unknown = sorted(set(profile) ^ set(CLAUSES))
        if unknown:
            raise ModelError(f"a profile says every clause once: {unknown[0]!r} is missing or unknown")
        self.terms: dict[str, Term] = {
            name: vocabulary.promise(f"promise.{name}", profile[name], clause.labels)
            for name, clause in CLAUSES.items()
        }

    def __getattr__(self, name: str) -> Term:
        try:
            return self.terms[name]
        except KeyError:
            raise AttributeError(name) from None
