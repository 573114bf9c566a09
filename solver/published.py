"""The two interruption reports as they were published: only compared with, never copied into an answer."""

from __future__ import annotations

Entry = dict[str, bool | int | str | None]

PUBLISHED_REPORT: dict[str, Entry] = {
    "checkpoint_only_negative": {"external_effects": 2, "workflow_phase": "COMPLETE"},
    "consume_once_claim": {"accepted_resumers": 1, "rejected_resumers": 1},
    "effect_readback_positive": {
        "approval_consumed": True,
        "external_effects": 1,
        "resumed_after_expiry": True,
        "workflow_phase": "COMPLETE",
    },
    "expired_authority_boundary": {
        "external_effects": 0,
        "reason": "approval has expired",
        "workflow_phase": "NEEDS_REAUTHORISATION",
    },
}


def _row(point: str, idempotent: bool, readable: bool, revoked: bool, *found: str | int) -> Entry:
    decision, commits, effect = found
    return {
        "crash_point": point,
        "provider_idempotent": idempotent,
        "provider_readable": readable,
        "authority_revoked": revoked,
        "decision": decision,
        "commits": commits,
        "effect": effect,
    }


PUBLISHED_MATRIX: tuple[Entry, ...] = (
    _row("after authority", True, True, False, "execute", 0, "not started"),
    _row("after remote commit", True, True, False, "adopt", 1, "committed"),
    _row("after remote commit", False, False, False, "quarantine", 1, "unknown"),
    _row("after send", False, False, True, "reauthorise", 0, "unknown"),
)
