"""More rows of the table that decide otherwise, each with the run that shows it."""

from __future__ import annotations

from properties.mutants.mutant import Edit, Mutant, Run

ENDS: tuple[Mutant, ...] = (
    Mutant(
        "executes_an_unpermitted_repeat",
        "A repeat that nothing permits is tried again and again.",
        "table",
        Run(("crash", "void", "expire"), {"enforces_fence": False}),
        ("an_end_stays_reachable",),
        edits=(Edit("absent-open-not-permitted", "execute"),),
    ),
    Mutant(
        "sends_after_a_divergence",
        "What new code would send is sent.",
        "table",
        Run(("crash", "diverge"), {"enforces_fence": False}),
        ("no_initiation_without_admission",),
        edits=(Edit("history-diverged", "execute", {"effect": "absent", "attempt": "none"}),),
    ),
    Mutant(
        "abandons_the_unwanted_unknown",
        "An unwanted effect that may be there is written off.",
        "table",
        Run(("crash", "withdraw"), {"recognises": False, "enforces_fence": False, "readable": False}),
        (
            "unknown_is_not_released_by_time",
            "no_silent_omission",
        ),
        edits=(Edit("unknown-unwanted", "abandon"),),
    ),
    Mutant(
        "abandons_the_burned_unknown",
        "A remembered error is taken for the proof that nothing happened.",
        "table",
        Run(("errors",), {"enforces_fence": False, "readable": False, "remembers_errors": True}, workers=1, messages=1),
        ("no_silent_omission",),
        edits=(Edit("unknown-spent", "abandon"),),
    ),
    Mutant(
        "repeats_beside_an_open_attempt",
        "An absent effect is sent again while an earlier release can land and nothing recognises it.",
        "table",
        Run(("delay",), {"recognises": False, "enforces_fence": False, "lag": "finite"}),
        (
            "no_duplicate_commit",
            "no_completion_without_readback",
            "no_silent_omission",
        ),
        edits=(Edit("absent-open-unrecognised", "execute"),),
    ),
    Mutant(
        "repeats_the_unknown",
        "An unknown effect is sent again although a repeat is not recognised.",
        "table",
        Run(("crash",), {"recognises": False, "enforces_fence": False, "readable": False, "witness": "none"}),
        (
            "no_duplicate_commit",
            "no_completion_without_readback",
            "stale_workers_are_fenced",
            "no_silent_omission",
        ),
        edits=(Edit("unknown-unrecognised", "execute"),),
    ),
    Mutant(
        "reads_for_ever",
        "An unknown effect whose admission was voided is read again and again, though no look will ever tell.",
        "table",
        Run(("crash", "void"), {"recognises": False, "prunes": True, "lag": "finite"}),
        ("an_end_stays_reachable",),
        edits=(Edit("unknown-unrecognised", "verify", {"admission": "void"}),),
    ),
    Mutant(
        "abandons_the_admitted",
        "A wanted and admitted effect is never sent.",
        "table",
        Run(("crash",), {"enforces_fence": False}),
        ("no_silent_omission",),
        edits=(Edit("absent-admitted", "abandon"),),
    ),
    Mutant(
        "sends_a_regenerated_payload",
        "A payload that was generated anew is sent.",
        "table",
        Run(("crash",), {"regenerates": True, "lag": "finite"}),
        ("no_initiation_without_admission",),
        edits=(Edit("history-diverged", "execute", {"effect": "absent"}),),
    ),
)
