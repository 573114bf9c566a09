"""The abstract state of one obligation, as a record of terms: variables of its own, or terms over the model."""

from __future__ import annotations

from dataclasses import dataclass, fields

from z3 import If, IntVal, Or

from model.kernel import Labels, Term, Update, Vocabulary

Step = tuple[Term, *tuple[Update, ...]]

CasePhase = Labels("CasePhase", "open waiting verified abandoned")
"""Where the case is: waiting is for the approver or for a person."""

Stage = Labels("Stage", "deciding admitting chosen undoing")
"""Where the resumer with the current claim is; ``deciding`` also stands for nobody."""

ENVIRONMENT = "environment"
RESUMER = "resumer"


@dataclass(frozen=True, eq=False)
class World:
    """The abstract state as terms: variables here, and terms over the model in solver/abstraction.py."""

    commits: Term
    """Effects of the obligation minus those that were undone, 0 to 2."""
    pending: Term
    """An effect is accepted and may still come to be."""
    landable: Term
    """Releases, in flight or recorded by a paused sender, that may still be executed and not recognised, 0 to 2."""
    covered: Term
    """Of the outstanding copies and one more, the target executes one and recognises the rest until they are dead."""
    admitted: Term
    """Truly, lawfully and standing."""
    valid: Term
    """The authority would admit now."""
    wanted: Term
    """The obligation wants this operation now."""
    hopeless: Term
    """This identity can never have the effect: it was refused, came to nothing, or is answered with an error."""
    moved: Term
    """Others moved the governed object."""
    matches: Term
    """What exists in the world is this intent's."""
    faithful: Term
    """What the resumer would send is what was decided and admitted."""
    undone: Term
    """The effect was there and was undone."""
    undo_out: Term
    """An undo is recorded or in flight."""
    exact: Term
    """The contract has an exact inverse with an identity of its own."""
    asked_admitted: Term
    """The authority held a standing admission when this resumer asked."""
    asked_valid: Term
    """The authority would have admitted when this resumer asked."""
    phase: Term
    stage: Term

    @property
    def effects(self) -> Term:
        """Effects that exist or are under way."""
        return self.commits + If(self.pending, IntVal(1), IntVal(0))

    @property
    def chosen(self) -> Term:
        """The resumer has decided to execute and has not recorded its attempt yet."""
        return Or(self.stage == Stage.admitting, self.stage == Stage.chosen)

    @property
    def room(self) -> Term:
        """One more release makes no second effect."""
        return Or(self.covered, self.effects + self.landable == 0)


def declared(v: Vocabulary) -> World:
    """The abstract state as variables: nothing has happened, and the obligation is wanted."""
    flags = {f.name: f"world.{f.name}" for f in fields(World)}
    true = {"wanted", "matches", "faithful"}
    terms: dict[str, Term] = {
        "commits": v.count("world.commits", 2, ENVIRONMENT),
        "landable": v.count("world.landable", 2, ENVIRONMENT),
        "phase": v.enum("world.phase", CasePhase, ENVIRONMENT, "open"),
        "stage": v.enum("world.stage", Stage, RESUMER, "deciding"),
        "exact": v.promise("world.exact", (False, True)),
    }
    rest = {n: v.flag(name, ENVIRONMENT, n in true) for n, name in flags.items() if n not in terms}
    return World(**{**terms, **rest})
