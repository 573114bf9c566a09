"""What the table proof assumes, keeps and concludes: named clauses, each with a sentence that says why.

*Fits* says what each input of the table lets one conclude about the world: it is the contract of
model/cut.py, and solver/abstraction.py has exploration look for a reachable state that breaks it. The
*invariant* is about the world alone. A *proposition* is about a decision in a world that fits its cut.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from z3 import And, Implies, Not, Or

from model.kernel import Term
from model.table_inputs import (
    Admission,
    AttemptState,
    Claim,
    Decision,
    Dedup,
    Effect,
    History,
    Intent,
    Match,
    Readback,
    Undo,
)
from model.table_inputs import Permission as Allowed
from model.table_inputs import Postcondition as Result
from model.table_inputs import Precondition as Ground
from solver.abstract_state import CasePhase, Stage, World

Cut = Mapping[str, Term]


@dataclass(frozen=True, eq=False)
class Clause:
    """A named formula and why it should hold."""

    name: str
    because: str
    term: Term


def fits(cut: Cut, w: World) -> tuple[Clause, ...]:
    """The consistency relation: which worlds a cut of a resumer with the current claim can be taken in."""
    shut = Or(cut["attempt"] == AttemptState.none, cut["attempt"] == AttemptState.closed)
    none = And(w.effects == 0)
    gone = Or(*[cut["effect"] == e for e in (Effect.absent, Effect.refused, Effect.failed, Effect.reversed)])
    ours = And(cut["effect"] == Effect.committed, cut["match"] == Match.same)
    needed = Or(cut["attempt"] == AttemptState.open, cut["readback"] == Readback.none)
    recognised = And(cut["dedup"] == Dedup.live, cut["attempt"] != AttemptState.none, needed)
    return (
        Clause("shut_attempts_cannot_land", "Attempts are recorded first, and closed ones are fenced off or answered "
               "for good.", Implies(shut, w.landable == 0)),
        Clause("never_sent_has_no_effect", "Where no attempt is recorded nothing was released.",
               Implies(cut["attempt"] == AttemptState.none, none)),
        Clause("stable_absence", "An absence read after all releases were shut out stays.",
               Implies(And(gone, shut), none)),
        Clause("final_refusal", "A refusal counts only if it is final, and no other release could succeed.",
               Implies(And(cut["effect"] == Effect.refused, shut), w.hopeless)),
        Clause("committed_is_there", "A positive statement of the target that matches was true, and only an undo ends "
               "it.", Implies(ours, And(w.matches, Not(w.pending), Or(w.commits == 1, w.undone)))),
        Clause("live_is_recognised", "A live identity is recognised until its last copy is dead, where a repeat could "
               "be asked for: no step of ours shuts the others out, or no look tells.",
               Implies(recognised, w.covered)),
        Clause("spent_is_hopeless", "A remembered error is the answer for ever.",
               Implies(cut["dedup"] == Dedup.spent, w.hopeless)),
        Clause("standing_was_not_undone", "Only what is not wanted is undone, and the same operation is never wanted "
               "again.", Implies(cut["intent"] == Intent.stands, And(Not(w.undone), Not(w.undo_out)))),
        Clause("unwanted_stays_unwanted", "The same operation is never wanted again.",
               Implies(cut["intent"] != Intent.stands, Not(w.wanted))),
        Clause("standing_admission_stood", "The authority's own record was read when it was asked.",
               Implies(cut["admission"] == Admission.standing, w.asked_admitted)),
        Clause("current_permission_was_valid", "The authority answered from its own state; admitting looks again.",
               Implies(cut["permission"] == Allowed.current, w.asked_valid)),
        Clause("consistent_is_faithful", "A payload generated anew counts as a divergence.",
               Implies(cut["history"] == History.consistent, w.faithful)),
        Clause("moved_has_moved", "The version was read at the target.",
               Implies(cut["precondition"] == Ground.moved, w.moved)),
        Clause("automatic_is_exact", "The grade is the contract's, and an undo without an identity is not automatic.",
               Implies(cut["undo"] == Undo.automatic, w.exact)),
    )


def invariant(w: World) -> tuple[Clause, ...]:
    """What stays true whatever the environment does and whatever the table decides."""
    none = And(w.effects == 0, w.landable == 0)
    undoing = Or(w.undo_out, w.stage == Stage.undoing)
    closed = Or(w.phase == CasePhase.verified, w.phase == CasePhase.abandoned)
    verified, abandoned = w.phase == CasePhase.verified, w.phase == CasePhase.abandoned
    once = And(w.commits == 1, Not(w.pending), w.matches, Not(w.undo_out), Not(w.undone))
    return (
        Clause("at_most_one_effect", "The business owes it once.", w.effects <= 1),
        Clause("an_effect_shuts_the_door", "Once there is an effect no release can make a second one.",
               Implies(w.effects > 0, w.landable == 0)),
        Clause("one_release_unless_recognised", "Two releases may be out only if one makes the other a repeat.",
               Or(w.landable <= 1, w.covered)),
        Clause("chosen_has_room", "What was decided on still holds when the attempt is recorded.",
               Implies(w.chosen, w.room)),
        Clause("chosen_is_not_undone", "Nothing is sent for what was undone.",
               Implies(w.chosen, Not(Or(w.undone, w.undo_out)))),
        Clause("chosen_states_the_intent", "What is sent is what was decided and admitted.",
               Implies(w.chosen, w.faithful)),
        Clause("verified_has_one_matching_effect", "A case reported complete has its effect exactly once.",
               Implies(verified, once)),
        Clause("abandoned_has_no_effect", "An abandoned operation has no effect and none can land.",
               Implies(abandoned, none)),
        Clause("abandoned_is_not_missed", "A wanted effect is given up only if this identity can never have it.",
               Implies(abandoned, Or(Not(w.wanted), w.hopeless))),
        Clause("closed_cases_rest", "Nobody acts on a closed case.", Implies(closed, w.stage == Stage.deciding)),
        Clause("undo_is_exact_and_own", "Only an own effect that nobody wants is undone, and by an exact inverse.",
               Implies(undoing, And(w.exact, w.matches, Not(w.wanted)))),
        Clause("undo_has_an_effect", "An undo is for an effect that is or was there.",
               Implies(undoing, Or(And(w.commits == 1, Not(w.pending)), w.undone))),
        Clause("undone_is_gone", "What was undone does not come back.", Implies(w.undone, none)),
    )


def propositions(cut: Cut, w: World, decision: Term) -> tuple[Clause, ...]:
    """What must hold of a decision in every world of the invariant that fits the cut."""
    d, effect = decision, cut["effect"]
    execute, adopt, abandon = d == Decision.execute, d == Decision.adopt, d == Decision.abandon
    compensate, verify = d == Decision.compensate, d == Decision.verify
    none = And(w.effects == 0, w.landable == 0)
    stands, admitted = cut["intent"] == Intent.stands, cut["admission"] == Admission.standing
    seen = Or(*[cut["postcondition"] == p for p in
                (Result.confirmed, Result.echoed, Result.unavailable)])
    first = cut["attempt"] == AttemptState.none
    unknown = effect == Effect.unknown
    there = Or(effect == Effect.committed, effect == Effect.reversed)
    on_unknown = Or(first, cut["dedup"] == Dedup.live)
    return (
        Clause("no_duplicate_commit", "One more release makes no second effect.", Implies(execute, w.room)),
        Clause("no_initiation_without_admission", "What is sent is what was admitted, or what may be admitted now.",
               Implies(execute, And(w.faithful, Or(w.asked_admitted, w.asked_valid)))),
        Clause("no_completion_without_readback", "The effect is there once, and its result is seen or unobservable.",
               Implies(adopt, And(effect == Effect.committed, w.commits == 1, Not(w.pending), seen))),
        Clause("authority_is_not_resurrected", "Without a standing admission only a current permission admits.",
               Implies(And(execute, Not(admitted)), cut["permission"] == Allowed.current)),
        Clause("adopted_effects_correspond", "What is adopted is this intent's, admitted, wanted and as decided.",
               Implies(adopt, And(w.matches, w.faithful, w.asked_admitted, stands))),
        Clause("no_silent_omission", "No case is closed over a wanted effect or over one that can still come.",
               And(Implies(abandon, And(w.landable == 0, Or(Not(w.wanted), w.hopeless))),
                   Implies(adopt, And(w.landable == 0, Not(w.undo_out))))),
        Clause("acts_on_current_ground", "Nothing is sent for an intent or an object that is known to have changed.",
               Implies(execute, And(stands, cut["precondition"] != Ground.moved))),
        Clause("successor_waits_for_predecessor", "An operation is closed when it has no effect and none can land.",
               Implies(abandon, none)),
        Clause("compensation_is_bounded", "Undone once: an own effect that nobody wants and that cannot come back.",
               Implies(compensate, And(w.matches, w.exact, Not(w.wanted), w.landable == 0,
                                       Or(And(w.commits == 1, Not(w.pending)), w.undone)))),
        Clause("phases_move_by_evidence", "A new authorisation is asked for what is owed, not for what is there "
               "or was undone.", Implies(d == Decision.reauthorise, Not(there))),
        Clause("stale_workers_are_fenced", "Who lost the claim externalises nothing.",
               Implies(cut["claim"] == Claim.lost, d == Decision.stand_down)),
        Clause("unknown_is_not_released_by_time", "Only a look, a recognised repeat or a first try leads on.",
               And(Implies(And(execute, unknown), on_unknown), Implies(And(verify, unknown), can_change(cut)))),
        Clause("an_end_stays_reachable", "Looking again can change something, repeating can be answered, and only a "
               "lost claim is left without a word.",
               And(Implies(verify, can_change(cut)), Implies(execute, cut["dedup"] != Dedup.spent),
                   Implies(d == Decision.stand_down, cut["claim"] == Claim.lost))),
    )


def can_change(cut: Cut) -> Term:
    """A further step of ours, or time, can change an input: a look, a newer epoch, or the postcondition."""
    looks = cut["readback"] != Readback.none
    closes = cut["attempt"] == AttemptState.closable
    confirms = And(cut["effect"] == Effect.committed, cut["postcondition"] == Result.unobserved)
    return Or(looks, closes, confirms)
