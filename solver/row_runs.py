"""Small runs that together decide by every row of the shipped table that any run can reach."""

from __future__ import annotations

from model.setting import Ticks
from properties.mutants.mutant import Run
from solver.conjunct_runs import RUNS

UNKEYED: dict[str, str | bool] = {"recognises": False}
UNFENCED: dict[str, str | bool] = {"enforces_fence": False}
UNREADABLE: dict[str, str | bool] = {**UNFENCED, "readable": False}

ROW_RUNS: dict[str, Run] = {
    "quiet": Run(),
    "unkeyed": Run(("crash", "loss"), UNKEYED),
    "unfenced": Run(("crash", "pause", "delay"), {**UNFENCED, **UNKEYED}),
    "unreadable": Run(("crash", "delay"), UNREADABLE),
    "superseded": Run(("crash", "pause"), UNKEYED, collapse=False, messages=1),
    "undone": Run(("withdraw", "delay", "pause"), UNKEYED, messages=1),
    "successor": Run(("edit", "delay", "refusals"), {"grade": "irreversible"}, generations=2),
    "errors": Run(("crash", "errors", "refusals"), {"remembers_errors": True}),
    "authority": Run(("expire", "revoke", "void", "deny"), workers=1),
    "moved": Run(("expire", "move", "crash"), {"judged_at_commit": True}),
    "settling": Run(("crash", "refusals"), {"settles_late": True, **UNKEYED}),
    "lagging": Run(("crash", "outage"), {"lag": "finite", **UNKEYED}),
    "diverged": Run(("crash", "diverge"), {"regenerates": True, "other_payload": "first_result"}),
    "searching": Run(("crash", "lookalike", "distort"), {"by_search": True}),
    "pruning": Run(("crash", "prune"), {"prunes": True, **UNKEYED}),
    "aging": Run(("crash", "forget", "skew"), UNFENCED, Ticks(4, 1, 1, 1), messages=1),
    "unrecorded": Run(("crash",), {"recorded": "never", **UNFENCED}),
    "echo": Run((), {"witness": "same_system"}),
    "no witness": Run((), {"witness": "none"}),
    "moved repeat": Run(("crash", "move"), {**UNFENCED, "conditional": False}, messages=1),
    "voided repeat": Run(("crash", "void"), UNFENCED, messages=1),
    "burned repeat": Run(("crash", "errors"), {**UNFENCED, "remembers_errors": True}, messages=1),
    "contradicted": Run(("distort",), {"on_repeat": "current", "readable": False}, workers=1),
    "refused beside another": Run(("refusals", "crash", "delay"), {**UNFENCED, **UNKEYED}),
    "accepted": Run(("crash",), {"settles_late": True, "reports_governed": False}),
    "expired unknown": Run(("crash", "expire"), {**UNREADABLE, **UNKEYED}),
    "revoked unknown": Run(("crash", "revoke"), {**UNREADABLE, **UNKEYED}),
    "revoked with its admission": Run(("crash", "revoke"), {**UNREADABLE, **UNKEYED, "survives_revocation": False}),
    "moved unknown": Run(("crash", "move"), {**UNFENCED, **UNKEYED, "conditional": False, "prunes": True}),
    "voided unknown": Run(("crash", "void"), UNREADABLE, messages=1),
    "burned unknown": Run(("errors",), {**UNREADABLE, "remembers_errors": True}),
    "unwanted unknown": Run(("crash", "withdraw"), {**UNREADABLE, **UNKEYED}),
    "unwanted open": Run(("delay", "withdraw"), {**UNFENCED, **UNKEYED}),
    "unwanted recognised": Run(("delay", "withdraw"), UNFENCED),
    "reversed": Run(("edit", "pause"), UNKEYED, generations=2, messages=1, collapse=False),
}

UNREACHED: dict[str, str] = {
    "reserved-readable": "No contract of the model reserves: the world has no reservation.",
    "unknown-unsent-admitted": "Where nothing was ever released the effect is absent and not unknown.",
    "unknown-unsent-permitted": "Where nothing was ever released the effect is absent and not unknown.",
    "unknown-unsent-not-permitted": "Where nothing was ever released the effect is absent and not unknown.",
    "unknown-unwanted-unsent": "Where nothing was ever released the effect is absent and not unknown.",
    "committed-unseen": "Whoever states that the effect is there states whose it is.",
    "unknown-readable": "A worker decides after its reading, and one that left it unknown has to be waited for.",
}
"""Rows that no run reaches, for the cuts that people write by hand; each with the reason."""

IMPOSSIBLE = ("reserved-readable", *(name for name in UNREACHED if "unsent" in name))
"""Those whose guard no valuation of a worker's variables fulfils."""

EDIT_RUNS: dict[str, Run] = {
    **{name: run for name, run in ROW_RUNS.items() if name not in ("unrecorded", "superseded", "reversed")},
    "superseded": Run(("pause",), UNKEYED, collapse=False, messages=1),
    "superseded, recognised": Run(("pause",), collapse=False, messages=1),
    "superseded, unfenced": Run(("pause",), {**UNFENCED, **UNKEYED}, collapse=False, messages=1),
    "reversed": Run(("edit",), UNKEYED, generations=2, messages=1, collapse=False),
}
"""The same as small as it takes for the graphs of all tables, where the proof's premises hold."""

WIDER_RUNS: dict[str, Run] = {
    "reversed, larger": ROW_RUNS["reversed"],
    "pending and withdrawn": Run(("withdraw", "delay"), {"settles_late": True}),
    "late and withdrawn": Run(("outage", "withdraw"), {"lag": "finite"}),
    **{name: RUNS[name] for name in ("settling", "errors", "store and errors")},
    "superseded, unchecked": Run(("pause",), {**UNKEYED, "checks_claim": False}, messages=1, collapse=False),
    "reversed, unchecked": Run(
        ("edit", "pause"), {**UNKEYED, "checks_claim": False}, generations=2, messages=1, collapse=False
    ),
    **{name: RUNS[name] for name in ("unchecked undo cases", "hasty successor")},
}
"""Runs that are searched anew for an edit to which only the proof objects: larger ones, and ones that drop a guard."""
