"""Small runs that together have every action: where a deleted conjunct is looked for.

Each mixes few faults, so that it is searched in seconds; together they hold old requests, old workers, two
operations and two cases at once, whatever the contract promises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from model.setting import Setting, Ticks
from model.system import Model, Parts
from model.table_file import load_table
from properties.mutants.mutant import Run, profile_with


@dataclass(frozen=True)
class SmallRun(Run):
    """A small run, of several cases or under another shipped table; ``undefined`` clauses may be true or false."""

    obligations: int = 1
    table: str = "recovery"
    undefined: tuple[str, ...] = ()

    @property
    def setting(self) -> Setting:
        """The bounds of the run."""
        return replace(super().setting, obligations=self.obligations)

    def model(self, name: str) -> Model:
        """The model of the run: every clause that is not changed is at its good value."""
        profile = profile_with(self.profile)
        profile |= dict.fromkeys(self.undefined, (False, True))
        return Model(self.setting, profile, load_table(self.table), Parts(), name)


Runs = Mapping[str, SmallRun]

UNKEYED = {"recognises": False}
UNFENCED = {"enforces_fence": False}
BLIND = {"enforces_fence": False, "recognises": False, "readable": False}
AGING = Ticks(retention=4, delay=1, resume=1, skew=1)

GOOD: Runs = {
    "quiet": SmallRun(),
    "one crash": SmallRun(("crash",), crashes=1),
    "two cases": SmallRun(messages=1, obligations=2),
    "unkeyed": SmallRun(("crash", "loss", "outage"), UNKEYED),
    "unfenced": SmallRun(("crash", "pause", "delay", "loss"), {"recognises": False, "enforces_fence": False}),
    "blind": SmallRun(("crash", "pause", "delay"), BLIND),
    "moving": SmallRun(("move", "crash", "delay"), UNKEYED),
    "told late": SmallRun(("crash", "delay"), {"fence_told": "with_request", "recognises": False}, messages=1),
    "uncollapsed": SmallRun(("crash", "pause"), UNKEYED, messages=1, collapse=False),
    "uncollapsed errors": SmallRun(("pause", "errors", "refusals"), UNKEYED, messages=1, collapse=False),
    "uncollapsed approval": SmallRun(("pause", "expire"), messages=1, collapse=False),
    "uncollapsed store": SmallRun(("pause", "store_down"), messages=1, collapse=False),
    "claimed cases": SmallRun(("crash", "stale_read", "loss"), UNKEYED, workers=1, messages=1, obligations=2),
    "unfenced cases": SmallRun(
        ("crash", "stale_read", "delay"), {**UNFENCED, **UNKEYED}, workers=1, messages=1, obligations=2
    ),
    "undefined record": SmallRun(("crash", "prune"), UNKEYED, undefined=("prunes",)),
    "uncollapsed loss": SmallRun(("crash", "pause", "loss"), UNKEYED, messages=1, collapse=False),
    "undefined": SmallRun(
        ("crash", "prune", "lookalike", "copy"), undefined=("prunes", "by_search", "copies", "settles_late")
    ),
    "unread": SmallRun(("crash", "delay"), {"reads": False, "enforces_fence": False}),
}
"""Contracts that keep their word, and what they forgive."""

WISHES: Runs = {
    "undo": SmallRun(("withdraw", "delay", "pause", "loss"), UNKEYED),
    "uncollapsed undo": SmallRun(("withdraw", "pause", "delay"), messages=1, collapse=False),
    "unkeyed undo": SmallRun(("withdraw", "delay"), {"keyed_undo": False}),
    "unfenced undo": SmallRun(("withdraw", "delay", "crash", "loss"), UNFENCED),
    "undo in a flaky store": SmallRun(("withdraw", "store_down", "void", "move")),
    "successor": SmallRun(("edit", "withdraw", "delay", "refusals"), {"grade": "irreversible"}, generations=2),
    "uncollapsed successor": SmallRun(("pause", "refusals"), generations=2, messages=1, collapse=False),
    "stale successor": SmallRun(("stale_read", "edit", "refusals"), generations=2, messages=1),
    "hasty successor": SmallRun(
        ("edit", "delay"), {"waits_for_closing": False, "recognises": False}, generations=2, messages=1
    ),
    "lapsing successor": SmallRun(("expire", "edit", "void", "refusals"), generations=2, messages=1),
    "successor in a flaky store": SmallRun(("store_down", "edit", "refusals"), generations=2),
    "fresh identities": SmallRun(("crash",), {"stable_identity": False, "recognises": False}, generations=2),
    "unchecked successor": SmallRun(("edit", "refusals"), {"checks_claim": False}, generations=2, messages=1),
}
"""What the business asks for changes."""

AUTHORITY: Runs = {
    "authority": SmallRun(("expire", "revoke", "policy", "void", "deny", "crash"), {"survives_expiry": False}),
    "authority first": SmallRun(
        ("expire", "void", "withdraw", "crash"), {"effect_before_authority": False, "witness": "none"}
    ),
    "resubmitted": SmallRun(("void", "resubmit", "expire")),
    "counted": SmallRun(("void", "resubmit", "crash"), {"single_use": False}),
    "at commit": SmallRun(("expire", "move", "crash"), {"judged_at_commit": True, "enforces_fence": False}),
    "unasked": SmallRun(("crash", "void"), {"asks_authority": False, "durable_admission": False}),
}
"""Approvals and admissions come to an end."""

TARGET: Runs = {
    "errors": SmallRun(("crash", "errors", "refusals"), {"remembers_errors": True}),
    "driven": SmallRun(
        ("crash", "errors"), {"remembers_errors": True, "on_repeat": "drives_forward", "readable": False}
    ),
    "acceptance": SmallRun(("crash", "errors", "delay"), {"reports_governed": False, "enforces_fence": False}),
    "settling": SmallRun(("crash", "errors", "refusals", "move", "delay"), {"settles_late": True, "recognises": False}),
    "settling repeats": SmallRun(("crash", "errors", "refusals", "delay"), {"settles_late": True, **UNFENCED}),
    "settling first result": SmallRun(
        ("delay", "refusals"), {"settles_late": True, "regenerates": True, "other_payload": "first_result", **UNFENCED}
    ),
    "uncollapsed settling": SmallRun(
        ("crash", "errors", "refusals", "delay"),
        {"settles_late": True, "recognises": False},
        messages=1,
        collapse=False,
    ),
    "racing": SmallRun(("crash", "errors", "refusals", "delay"), {"settles_late": True, "races": True, **UNFENCED}),
    "judged settling": SmallRun(
        ("expire", "move", "refusals", "delay", "errors", "distort"), {"settles_late": True, "judged_at_commit": True}
    ),
    "settling successor": SmallRun(("edit", "refusals", "crash"), {"settles_late": True}, generations=2, messages=1),
    "distorted": SmallRun(("crash", "errors", "refusals", "distort"), UNKEYED, messages=1, collapse=False),
    "distorted copies": SmallRun(
        ("crash", "errors", "refusals", "distort", "copy"), {"copies": True, "remembers_errors": True, **UNFENCED}
    ),
    "lagging": SmallRun(("crash", "outage"), {"lag": "finite", "recognises": False}),
    "lagging for ever": SmallRun(("crash", "delay"), {"lag": "unbounded", "enforces_fence": False}),
    "searching": SmallRun(("crash", "lookalike", "distort"), {"by_search": True}),
    "pruning": SmallRun(("crash", "prune"), {"prunes": True, "recognises": False}),
    "copying": SmallRun(("copy", "loss"), {"copies": True}),
    "payload": SmallRun(("crash", "diverge"), {"regenerates": True, "other_payload": "first_result"}),
    "judged payload": SmallRun(
        ("crash", "expire", "move", "delay"), {"judged_at_commit": True, "regenerates": True, "enforces_fence": False}
    ),
    "executed payload": SmallRun(
        ("crash",), {"regenerates": True, "other_payload": "executes", "enforces_fence": False}
    ),
    "two bad targets": SmallRun(
        ("errors", "distort", "lookalike", "withdraw"),
        {"by_search": True, "remembers_errors": True},
        workers=1,
        messages=1,
        obligations=2,
    ),
    "aging in step": SmallRun(("crash", "forget"), UNFENCED, Ticks(3, 1, 1), messages=1),
    "aging and paused": SmallRun(
        ("pause", "forget", "crash"), {"enforces_fence": False, "readable": False}, Ticks(2, 1, None), messages=1
    ),
    "aging": SmallRun(
        ("crash", "forget", "skew", "delay"), {"enforces_fence": False, "readable": False}, AGING, messages=1
    ),
    "aging and read": SmallRun(("crash", "forget", "skew"), UNFENCED, AGING, messages=1),
}
"""Targets that say less, remember less or do something else."""

STORE: Runs = {
    "store": SmallRun(("crash", "store_down", "stale_read", "pause", "delay", "loss"), UNKEYED),
    "store and wishes": SmallRun(("crash", "store_down", "withdraw", "void", "refusals"), UNKEYED),
    "store and errors": SmallRun(("crash", "store_down", "errors", "expire", "diverge"), UNFENCED),
    "stale and closed": SmallRun(("crash", "stale_read", "store_down", "expire", "diverge", "refusals")),
    "unchecked copy": SmallRun(("crash", "stale_read", "delay"), {"checks_copy": False, "enforces_fence": False}),
    "backup": SmallRun(("crash", "restore", "void", "withdraw", "errors"), UNKEYED),
    "low backup": SmallRun(("crash", "restore"), {"raises_epochs": False}, messages=1),
    "unrecorded": SmallRun(("crash", "pause"), {"recorded": "never", "enforces_fence": False}),
    "recorded late": SmallRun(("crash", "pause"), {"recorded": "after_reply", "recognises": False}),
    "unchecked": SmallRun(("pause", "crash"), {"checks_claim": False}, messages=1),
    "unchecked cases": SmallRun(
        ("crash", "delay"), {"checks_claim": False, "recognises": False}, workers=1, messages=1, obligations=2
    ),
    "unchecked stale cases": SmallRun(
        ("stale_read", "expire", "diverge"), {"checks_claim": False}, workers=1, messages=1, obligations=2
    ),
    "unchecked undo cases": SmallRun(
        ("withdraw", "delay", "loss"), {"checks_claim": False}, workers=1, messages=1, obligations=2
    ),
    "unchecked record": SmallRun(
        ("void",), {"checks_claim": False, "recorded": "never", "enforces_fence": False}, messages=1, obligations=2
    ),
}
"""Checkpoint stores that fail, forget or do not check."""

NAIVE: Runs = {
    "key only": SmallRun(
        ("crash", "loss", "move", "expire"),
        {"regenerates": True, "judged_at_commit": True, **UNFENCED},
        table="key-only",
    ),
    "key only, uncollapsed": SmallRun(
        ("crash", "loss"), {"regenerates": True, "reads": False}, messages=1, collapse=False, table="key-only"
    ),
    "key only cases": SmallRun(
        ("crash",),
        {"regenerates": True, "reads": False, **UNFENCED},
        workers=1,
        messages=1,
        obligations=2,
        table="key-only",
    ),
    "key only, executing": SmallRun(
        ("crash", "copy"),
        {"regenerates": True, "copies": True, "on_repeat": "executes", **UNFENCED},
        messages=1,
        table="key-only",
    ),
    "key only, other payload": SmallRun(
        ("crash", "delay"), {"regenerates": True, "other_payload": "executes", **UNFENCED}, table="key-only"
    ),
    "key only, racing": SmallRun(
        ("crash", "delay", "refusals", "errors"),
        {"regenerates": True, "races": True, "settles_late": True, **UNFENCED},
        table="key-only",
    ),
    "key only, forgotten": SmallRun(
        ("crash", "delay", "refusals", "errors"), {"settles_late": True, **UNFENCED, **UNKEYED}, table="key-only"
    ),
    "saga": SmallRun(("crash", "withdraw", "refusals"), {"regenerates": True, **UNFENCED}, messages=1, table="saga"),
}
"""Shipped tables that send again although they should not: what the target then has to stand."""

RUNS: Runs = {**GOOD, **WISHES, **AUTHORITY, **TARGET, **STORE, **NAIVE}
"""All of them by name, in the order in which a deletion is looked for."""
