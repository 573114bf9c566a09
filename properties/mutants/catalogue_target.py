"""Defects of the target, the transport and the clocks, each with the run that shows it."""

from __future__ import annotations

from model.setting import Ticks
from model.system import Parts
from properties.mutants import target
from properties.mutants.mutant import Mutant, Run, replaced

TARGET: tuple[Mutant, ...] = (
    replaced(
        "forgets_to_compare_epochs",
        "model",
        Parts(gateway=target.ForgetsToCompareEpochs),
        Run(("crash",), {"recognises": False}, collapse=False),
        "no_duplicate_commit",
        "no_completion_without_readback",
        "stale_workers_are_fenced",
        "no_silent_omission",
    ),
    replaced(
        "forgets_to_compare_versions",
        "model",
        Parts(gateway=target.ForgetsToCompareVersions),
        Run(("move",), workers=1, messages=1),
        "acts_on_current_ground",
    ),
    replaced(
        "forgets_to_ask_authority",
        "model",
        Parts(gateway=target.ForgetsToAskAuthority),
        Run(("expire",), {"judged_at_commit": True, "lag": "finite"}, workers=1, messages=1),
        "no_initiation_without_admission",
    ),
    replaced(
        "recognises_too_late",
        "model",
        Parts(gateway=target.RecognisesTooLate),
        Run(("crash",), {"enforces_fence": False, "lag": "finite"}),
        "no_duplicate_commit",
        "no_completion_without_readback",
        "stale_workers_are_fenced",
        "no_silent_omission",
    ),
    replaced(
        "acknowledges_untold",
        "model",
        Parts(ledger=target.AcknowledgesUntold),
        Run(("crash",), {"recognises": False, "witness": "none"}, collapse=False),
        "no_duplicate_commit",
        "no_completion_without_readback",
        "stale_workers_are_fenced",
        "no_silent_omission",
    ),
    replaced(
        "forgets_early",
        "model",
        Parts(ledger=target.ForgetsEarly),
        Run(("crash", "forget"), {"enforces_fence": False, "readable": False}, ticks=Ticks(3, 1, 2, 0)),
        "no_duplicate_commit",
        "no_completion_without_readback",
        "stale_workers_are_fenced",
        "no_silent_omission",
    ),
    replaced(
        "sends_twice",
        "model",
        Parts(network=target.SendsTwice),
        Run(("crash",), {"recognises": False}),
        "no_duplicate_commit",
        "no_initiation_without_admission",
        "no_completion_without_readback",
        "stale_workers_are_fenced",
        "no_silent_omission",
        "an_end_stays_reachable",
    ),
    replaced(
        "clocks_agree",
        "model",
        Parts(clock=target.ClocksAgree),
        Run(("crash", "forget", "skew"), {"enforces_fence": False, "readable": False}, ticks=Ticks(4, 1, 1, 1)),
        "no_duplicate_commit",
        "no_completion_without_readback",
        "stale_workers_are_fenced",
        "no_silent_omission",
    ),
    replaced(
        "arrives_at_once",
        "model",
        Parts(clock=target.ArrivesAtOnce),
        Run(("crash", "forget", "delay"), {"enforces_fence": False, "readable": False}, ticks=Ticks(3, 1, 2, 0)),
        "no_duplicate_commit",
        "no_completion_without_readback",
        "stale_workers_are_fenced",
        "no_silent_omission",
    ),
)
