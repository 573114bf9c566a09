"""Practices left out, each with the run that shows what it was for."""

from __future__ import annotations

from model.setting import Ticks
from properties.mutants.mutant import Mutant, Run

PRACTICES: tuple[Mutant, ...] = (
    Mutant(
        "records_after_the_reply",
        "Attempts enter the checkpoint when they are answered.",
        "practice",
        Run(("crash",), {"enforces_fence": False}),
        (
            "every_decision_leaves_a_record",
            "phases_move_by_evidence",
        ),
        practice={"recorded": "after_reply"},
    ),
    Mutant(
        "does_not_recheck",
        "The age of the identity is not checked again when sending.",
        "practice",
        Run(("pause", "forget"), {"enforces_fence": False, "readable": False}, ticks=Ticks(3, 1, 2, 0), messages=1),
        (
            "no_duplicate_commit",
            "no_completion_without_readback",
            "stale_workers_are_fenced",
            "no_silent_omission",
        ),
        practice={"rechecks": False},
    ),
    Mutant(
        "skips_verification",
        "A case is completed without a look at the postcondition.",
        "practice",
        Run(("distort",), {"on_repeat": "current", "readable": False}, workers=1, messages=1),
        ("adopted_effects_correspond",),
        practice={"verifies": False},
    ),
    Mutant(
        "restores_low_epochs",
        "A restored store starts from nothing.",
        "practice",
        Run(("crash", "restore"), {"recognises": False, "enforces_fence": False}),
        (
            "no_duplicate_commit",
            "no_completion_without_readback",
            "stale_workers_are_fenced",
            "no_silent_omission",
            "every_decision_leaves_a_record",
            "phases_move_by_evidence",
        ),
        practice={"raises_epochs": False},
    ),
    Mutant(
        "trusts_a_stale_copy",
        "A copy of the checkpoint that lags is taken for the truth.",
        "practice",
        Run(("crash", "stale_read"), {"recognises": False, "readable": False, "enforces_fence": False}),
        (
            "no_duplicate_commit",
            "no_completion_without_readback",
            "stale_workers_are_fenced",
            "unknown_is_not_released_by_time",
            "no_silent_omission",
        ),
        practice={"checks_copy": False},
    ),
    Mutant(
        "takes_an_error_for_a_refusal",
        "An error is taken to settle an unknown outcome.",
        "practice",
        Run(("errors",), {"remembers_errors": True}, workers=1, messages=1),
        ("no_silent_omission",),
        practice={"sticky_unknown": False},
    ),
    Mutant(
        "counts_attempts_per_identity",
        "Attempts are counted for the identity, and a successor does not wait for them.",
        "practice",
        Run(
            ("edit", "delay"),
            {"recognises": False, "enforces_fence": False, "waits_for_closing": False},
            workers=1,
            generations=2,
        ),
        (
            "no_duplicate_commit",
            "no_completion_without_readback",
            "stale_workers_are_fenced",
            "successor_waits_for_predecessor",
            "every_decision_leaves_a_record",
        ),
        practice={"per_obligation": False},
    ),
    Mutant(
        "plans_a_successor_at_once",
        "A next generation does not wait until its predecessor is closed.",
        "practice",
        Run(("edit",), workers=1, generations=2, messages=1),
        (
            "no_duplicate_commit",
            "no_completion_without_readback",
            "no_silent_omission",
            "phases_move_by_evidence",
        ),
        practice={"waits_for_closing": False},
    ),
    Mutant(
        "asks_nobody",
        "Requests are released without an admission.",
        "practice",
        Run(("expire",), {"readable": False}, workers=1),
        ("no_initiation_without_admission",),
        practice={"asks_authority": False},
    ),
)
