"""The labels of the model's variables, in the words of the field.

The labels of the decision table's inputs are in model/table_inputs.py; where a worker keeps a copy of
something the table asks for, it keeps it in those words.
"""

from __future__ import annotations

from model.kernel import Labels

Move = Labels(
    "Move",
    "idle misread claimed telling waiting ready asked reading observed informed confirming renewing admitting admitted "
    "recorded awaiting replied undo_admitted undo_recorded undo_awaiting",
)
"""Where a worker is in the moves of a recovery.

idle: it holds nothing. misread: its copy of the checkpoint turned out to be old. claimed: it holds a new
epoch that the gateway has not been told. telling: the fence message is out. waiting: until a reading can
no longer lag behind the fence. ready: it may gather evidence. asked: authority was asked before the
effect was read. reading: the readback request is out. observed: the reading is in hand. informed: it may
decide. confirming: it looks at the postcondition. renewing: it takes a newer epoch. admitting: it asks
for the durable admission. admitted: it may record the attempt. recorded: it may release. awaiting: the
request is released. replied: the answer is in hand and not in the checkpoint. undo_...: the same for an
undo.
"""

Log = Labels("Log", "none sole own older closed")
"""Attempts of an obligation as recorded: none; exactly one, under the current epoch; several, the last under
the current epoch; only under older epochs; some, and none can land any more."""

Receipt = Labels("Receipt", "none committed refused burned")
"""The answer that the checkpoint keeps: burned is a remembered error, which proves nothing about the effect."""

World = Labels("World", "absent pending committed refused failed reversed")
"""What the target really holds for an operation."""

Memo = Labels("Memo", "none ok accepted error refused")
"""The answer that the target keeps under the operation's key."""

Seen = Labels("Seen", "none absent accepted pending committed refused failed reversed outage")
"""What a readback said, before anybody interprets it."""

Reply = Labels("Reply", "none committed accepted refused error conflict stale")
"""The target's answer to a request."""

Approval = Labels("Approval", "unasked asked granted refused expired revoked outdated")
"""The human decision on one operation; outdated: given under an earlier policy."""

Kind = Labels("Kind", "none execute undo")
"""What a message slot of the network carries."""

FenceTold = Labels("FenceTold", "before_read with_request never")
"""When the target learns of a new epoch."""

Recorded = Labels("Recorded", "before_release after_reply never")
"""When an attempt enters the checkpoint."""

OnRepeat = Labels("OnRepeat", "frozen current drives_forward success_dropped error_proves executes")
"""What a repeat under a recognised identity is answered with."""

OtherPayload = Labels("OtherPayload", "refused first_result dropped executes")
"""What the target does with a recognised identity and another payload."""

Lag = Labels("Lag", "zero finite unbounded")
"""How far a readback may be behind the world."""

Witness = Labels("Witness", "independent same_system none")
"""Who can confirm the business postcondition."""
