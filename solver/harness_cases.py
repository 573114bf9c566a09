"""The scenarios of the two interruption reports, and what their contracts say otherwise than the default.

Nothing here says how a scenario ends: who wins, what is decided and what is counted is the model's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from model.contract_rules import Value
from solver.completions import NO_KEY
from solver.scenario import Turn, Until, at, event, sent, walks

FAULTS = ("crash", "pause", "loss", "expire", "revoke")

NO_DEDUP: Mapping[str, Value] = {"idempotency.mechanism": "none", **NO_KEY}
NO_READBACK: Mapping[str, Value] = {"readback.by": "none"}
RECEIPT_COUNTS: Mapping[str, Value] = {"readback.reports": "committed", "readback.postcondition": "none"}
"""The second report adopts on a receipt that the target kept: it is the target's word, and nobody else confirms."""

GRANTED = event("the approver grants", "grant[0]")
LAPSED = event("the lease runs out", "lapse[0]")
EXPIRED = event("the approval expires", "expire[0]")
CRASHED = event("worker 0 crashes", "crash[0]")
COMMITTED = event("the target commits", "commit")
RESUMED = walks(1, "claims the case and walks to its end", at(1, "idle"))


@dataclass(frozen=True)
class Story:
    """A scenario under a policy ("recovery" or "checkpoint-only") and a contract."""

    name: str
    policy: str
    clauses: Mapping[str, Value]
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Interruption:
    """One row of the crash-point matrix: where worker 0 crashes, and in what world worker 1 finds the case."""

    crash_point: str
    provider_idempotent: bool
    provider_readable: bool
    authority_revoked: bool

    @property
    def story(self) -> Story:
        """Worker 0 up to its crash, the approver, and worker 1 up to its decision."""
        dedup = {} if self.provider_idempotent else NO_DEDUP
        readback = {} if self.provider_readable else NO_READBACK
        revoked = (event("the approver revokes", "revoke[0]"),) if self.authority_revoked else ()
        crash = (*CRASH_POINTS[self.crash_point], CRASHED)
        decides = walks(1, "claims the case and walks until it decides", at(1, "informed"))
        turns = (GRANTED, *crash, *revoked, LAPSED, decides)
        return Story(self.title, "recovery", {**RECEIPT_COUNTS, **dedup, **readback}, turns)

    @property
    def title(self) -> str:
        """The row's inputs in words."""
        words = [
            f"{'' if self.provider_idempotent else 'not '}idempotent",
            f"{'' if self.provider_readable else 'not '}readable",
            f"{'' if self.authority_revoked else 'not '}revoked",
        ]
        return f"{self.crash_point}, {', '.join(words)}"


def _first(says: str, until: Until) -> Turn:
    return walks(0, f"claims the case and walks until {says}", until)


ADMITTED = _first("it is admitted", at(0, "admitted"))
SENT = _first("its request is out", sent)
ASKING = _first("it asks for its admission", at(0, "admitting"))

CRASH_POINTS: Mapping[str, tuple[Turn, ...]] = {
    "after authority": (ADMITTED,),
    "after send": (SENT, event("the request is lost", "lose_request")),
    "after remote commit": (SENT, COMMITTED),
}
"""What happens before worker 0 crashes."""

STORIES: tuple[Story, ...] = (
    Story(
        "checkpoint_only_negative",
        "checkpoint-only",
        NO_DEDUP,
        (GRANTED, SENT, COMMITTED, CRASHED, LAPSED, RESUMED),
    ),
    Story(
        "consume_once_claim",
        "recovery",
        {},
        (
            GRANTED,
            ASKING,
            event("worker 0 pauses for longer than its lease", "lapse_in_a_pause[0]"),
            walks(1, "claims the case and walks until it may release", at(1, "recorded")),
            walks(0, "wakes and walks until it decides", at(0, "informed")),
        ),
    ),
    Story(
        "effect_readback_positive",
        "recovery",
        {},
        (GRANTED, SENT, COMMITTED, CRASHED, EXPIRED, LAPSED, RESUMED),
    ),
    Story(
        "expired_authority_boundary",
        "recovery",
        {},
        (GRANTED, ASKING, CRASHED, EXPIRED, LAPSED, RESUMED),
    ),
)

INTERRUPTIONS: tuple[Interruption, ...] = (
    Interruption("after authority", True, True, False),
    Interruption("after remote commit", True, True, False),
    Interruption("after remote commit", False, False, False),
    Interruption("after send", False, False, True),
)
