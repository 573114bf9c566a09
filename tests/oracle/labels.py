"""The enumerations of docs/model.md, section 3, so that a misspelt label is a typing error."""
from typing import Literal

Move = Literal[
    "idle", "misread", "claimed", "telling", "waiting", "ready", "asked", "reading", "observed", "informed",
    "confirming", "renewing", "admitting", "admitted", "recorded", "awaiting", "replied", "undo_admitted",
    "undo_recorded", "undo_awaiting",
]  # fmt: skip
Phase = Literal[
    "NOT_ADMITTED", "ADMITTED", "EFFECT_PENDING", "EFFECT_COMMITTED", "OUTCOME_VERIFIED", "UNKNOWN_OUTCOME",
    "NEEDS_REAUTHORISATION", "ABANDONED",
]  # fmt: skip
Log = Literal["none", "sole", "own", "older", "closed"]
Receipt = Literal["none", "committed", "refused", "burned"]
World = Literal["absent", "pending", "committed", "refused", "failed", "reversed"]
Memo = Literal["none", "ok", "accepted", "error", "refused"]
Seen = Literal["none", "absent", "accepted", "pending", "committed", "refused", "failed", "reversed", "outage"]
Reply = Literal["none", "committed", "accepted", "refused", "error", "conflict", "stale"]
ApprovalState = Literal["unasked", "asked", "granted", "refused", "expired", "revoked", "outdated"]
Kind = Literal["none", "execute", "undo"]

IntentNow = Literal["stands", "withdrawn", "superseded"]
Attempt = Literal["none", "open", "closable", "closed"]
EffectNow = Literal["absent", "reserved", "pending", "committed", "refused", "failed", "reversed", "unknown"]
Match = Literal["same", "drifted", "foreign", "multiple", "unseen"]
Admission = Literal["none", "standing", "void"]
Permission = Literal["current", "expired", "revoked", "consumed", "none"]
Precondition = Literal["holds", "moved", "unobserved"]
Postcondition = Literal["confirmed", "echoed", "contradicted", "unobserved", "unavailable"]
Dedup = Literal["live", "spent", "none"]
Readback = Literal["available", "delayed", "none"]

FenceTold = Literal["before_read", "with_request", "never"]
Recorded = Literal["before_release", "after_reply", "never"]
OnRepeat = Literal["frozen", "current", "drives_forward", "success_dropped", "error_proves", "executes"]
OtherPayload = Literal["refused", "first_result", "dropped", "executes"]
Lag = Literal["zero", "finite", "unbounded"]
Witness = Literal["independent", "same_system", "none"]
Grade = Literal["automatic", "reviewed", "best_effort", "irreversible"]
