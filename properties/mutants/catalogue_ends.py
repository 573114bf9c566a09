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
)
