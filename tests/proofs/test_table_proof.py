"""Is every obligation of the shipped table proved, and is an unsafe edit rejected with its property and rule?"""

from __future__ import annotations

from dataclasses import replace

import pytest
import z3

from model.decision_table import Table
from model.kernel import check_system
from model.table_inputs import DECISIONS, INPUT_NAMES
from model.table_regions import gaps, overlaps
from solver.plain_step import PlainModel
from solver.table_proof import TableProof, holds, prove_table
from solver.table_proof_obligations import Question
from tests.proofs.edits import RECOVERY, deciding, overriding

ACTING = ("execute", "adopt", "abandon", "compensate")
HARMLESS = {("unwanted-close-first", "compensate"), ("unwanted-may-return", "compensate")}
"""Edits that are provably safe: while the effect is there no release can land, so undoing it needs no more."""
UNSAFE = {
    "unknown-unrecognised": ("execute", "no_duplicate_commit", {
        "effect": "unknown", "attempt": "open", "dedup": "none", "history": "consistent", "claim": "held",
        "intent": "stands", "admission": "standing", "precondition": "holds", "match": "unseen"}),
    "absent-unrecognised": ("execute", "no_duplicate_commit", {
        "effect": "absent", "attempt": "open", "dedup": "none", "history": "consistent", "claim": "held",
        "intent": "stands", "admission": "standing", "precondition": "holds", "match": "unseen"}),
    "drifted": ("adopt", "adopted_effects_correspond", {"match": "drifted", "effect": "committed"}),
    "unpermitted": ("execute", "no_initiation_without_admission", {
        "permission": "expired", "admission": "none", "effect": "absent", "attempt": "closed", "intent": "stands",
        "history": "consistent", "claim": "held", "precondition": "holds", "match": "unseen", "dedup": "live"}),
}


def failures(table: Table) -> dict[str, tuple[str, ...]]:
    """The propositions that fail, each with the rules that are responsible."""
    results = list(TableProof(table).proved_propositions())
    assert all(r.verdict != "unknown" for r in results)
    return {r.name: r.rules for r in results if r.verdict == "fails"}


def test_the_shipped_table_is_proved() -> None:
    results = prove_table(RECOVERY)
    assert [r.line for r in results if r.verdict != "holds"] == []
    kinds = {r.kind for r in results}
    assert kinds == {"total", "unique", "dead-row", "initiation", "consecution", "stability", "proposition"}


def test_every_rule_is_about_some_world() -> None:
    proof = TableProof(RECOVERY)
    assumed = [c.term for c in (*proof.invariant, *proof.fits)]
    for rule, guard in proof.guards.items():
        assert proof.prover.refutes([*assumed, guard], z3.BoolVal(False))[0] == "fails", rule


def test_each_clause_can_be_false() -> None:
    proof = TableProof(RECOVERY)
    for clause in (*proof.fits, *proof.invariant, *proof.propositions):
        assert proof.prover.refutes([], clause.term)[0] == "fails", clause.name


def test_the_abstract_world_is_a_sound_system() -> None:
    check_system(TableProof(RECOVERY).world.system())


def test_each_step_can_happen() -> None:
    proof = TableProof(RECOVERY)
    assumed = [c.term for c in (*proof.invariant, *proof.fits)] + [proof.decides]
    for action in proof.world.system().actions:
        assert proof.prover.refutes([*assumed, action.guard], z3.BoolVal(False))[0] == "fails", action.name


@pytest.mark.parametrize("name", UNSAFE)
def test_an_unsafe_region_is_rejected_with_property_and_rule(name: str) -> None:
    decision, prop, labels = UNSAFE[name]
    table = overriding(name, decision, **labels)
    assert not gaps(table) and not overlaps(table)
    assert failures(table)[prop] == (name,)


def test_a_whole_proof_of_an_unsafe_table_names_the_rule() -> None:
    decision, _, labels = UNSAFE["absent-unrecognised"]
    results = prove_table(overriding("mine", decision, **labels))
    bad = [r for r in results if r.verdict == "fails"]
    assert not holds(results)
    assert {r.rules for r in bad} == {("mine",)}
    assert {"consecution", "proposition"} <= {r.kind for r in bad}


def test_a_counterexample_replays() -> None:
    table = deciding("absent-open-unrecognised", "execute")
    proof = TableProof(table)
    [result] = [r for r in proof.proved_propositions() if r.name == "no_duplicate_commit"]
    shown = result.counterexample
    cut = {name: str(shown[name]) for name in INPUT_NAMES}
    rule = table.lookup(cut)
    assert rule is not None and rule.name == "absent-open-unrecognised" and shown["decision"] == "execute"
    assert not shown["covered"] and (shown["landable"] or shown["commits"] or shown["pending"])


def test_a_counterexample_of_consecution_is_a_step_of_the_world() -> None:
    proof = TableProof(deciding("absent-open-unrecognised", "execute"))
    result = next(r for r in proof.consecution() if r.verdict == "fails")
    clause, _, action = result.name.partition(" after ")
    system = proof.world.system()
    by_short = {v.name.rpartition(".")[2]: v for v in system.variables}
    state = {v.name: v.encode(result.counterexample[short]) for short, v in by_short.items()}
    plain = PlainModel(system)
    kept = next(c.term for c in proof.invariant if c.name == clause)
    assert plain.value(kept, state) == 1
    assert plain.value(kept, plain.step(state, action)) == 0


@pytest.mark.parametrize("rule", [r.name for r in RECOVERY.rules])
def test_every_edit_to_an_act_is_rejected_or_harmless(rule: str) -> None:
    for decision in ACTING:
        if decision == RECOVERY.rule(rule).decision:
            continue
        rejected = failures(deciding(rule, decision))
        assert all(rules == (rule,) for rules in rejected.values())
        assert bool(rejected) != ((rule, decision) in HARMLESS), decision


@pytest.mark.slow
def test_harmless_edits_are_proved_whole() -> None:
    for rule, decision in sorted(HARMLESS):
        assert holds(prove_table(deciding(rule, decision)))


def test_a_gap_is_not_total() -> None:
    table = replace(RECOVERY, rules=tuple(r for r in RECOVERY.rules if r.name != "reversed"))
    result = TableProof(table).total()
    assert result.verdict == "fails" and result.counterexample["effect"] == "reversed"


def test_an_overlap_is_not_unique_and_a_covered_row_is_dead() -> None:
    twice = replace(RECOVERY.rule("reversed"), name="again")
    proof = TableProof(replace(RECOVERY, rules=(*RECOVERY.rules, twice)))
    assert (proof.unique().verdict, proof.unique().rules) == ("fails", ("reversed", "again"))
    assert (proof.no_dead_row().verdict, proof.no_dead_row().rules) == ("fails", ("reversed", "again"))


def test_an_overlap_is_judged_as_lookup_decides_it() -> None:
    rule = RECOVERY.rule("absent-open-unrecognised")
    hidden = replace(rule, name="hidden", decision="execute")
    assert failures(replace(RECOVERY, rules=(*RECOVERY.rules, hidden))) == {}
    assert failures(replace(RECOVERY, rules=(hidden, *RECOVERY.rules)))["no_duplicate_commit"] == ("hidden",)


def test_what_z3_does_not_decide_is_unknown() -> None:
    results = prove_table(RECOVERY, rlimit=1)
    assert any(r.verdict == "unknown" for r in results)
    assert not holds(results)


def test_results_do_not_depend_on_time() -> None:
    assert prove_table(RECOVERY) == prove_table(RECOVERY)


def test_each_decision_is_known_to_the_world() -> None:
    proof = TableProof(RECOVERY)
    for decision in DECISIONS:
        happens = [proof.world.decision == proof.world.decision.sort().constructor(DECISIONS.index(decision))()]
        able = [proof.prover.refutes([*happens, a.guard], z3.BoolVal(False))[0] for a in proof.world.decisions]
        assert "fails" in able, decision


def test_what_does_not_depend_on_the_table_is_asked_once() -> None:
    broken = deciding("absent-moved", "execute")
    known, asked = prove_table(RECOVERY), list[Question]()
    shared, alone = TableProof(broken, asked=asked).results(known), prove_table(broken)
    assert [(r.line, r.kind) for r in shared] == [(r.line, r.kind) for r in alone] and not holds(shared)
    assert not any(q.what.startswith(("initiation", "stability")) for q in asked)
    assert any(q.what.startswith("consecution") and "after execute" in q.what for q in asked)
