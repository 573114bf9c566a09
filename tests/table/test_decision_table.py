"""What the shipped table decides, and that its terms say the same as its look-up."""

from __future__ import annotations

import random

import pytest
import z3

from model.decision_table import Rule, Table, TableError, check_cut, decision_term, rule_guard
from model.kernel import Term, no_branching
from model.table_file import load_table, parse_table, shipped_tables
from model.table_inputs import CAUTIOUS, DECISIONS, INPUTS, LABELS, VALUES, Decision
from model.table_regions import size
from tests.table.cuts import ORDINARY, cut, file, row

DECIDED: list[tuple[str, str]] = [
    ("effect=committed", "adopt"),
    ("effect=committed postcondition=echoed", "adopt"),
    ("effect=committed postcondition=unavailable", "adopt"),
    ("effect=committed postcondition=unobserved", "verify"),
    ("effect=committed postcondition=contradicted", "quarantine"),
    ("effect=committed admission=none", "quarantine"),
    ("effect=committed admission=void", "quarantine"),
    ("effect=committed match=drifted", "quarantine"),
    ("effect=committed match=foreign", "quarantine"),
    ("effect=committed match=multiple", "quarantine"),
    ("effect=committed match=unseen", "quarantine"),
    ("effect=committed permission=revoked", "adopt"),
    ("effect=unknown attempt=open readback=none dedup=none", "quarantine"),
    ("effect=unknown attempt=closable readback=none dedup=none", "quarantine"),
    ("effect=unknown attempt=open readback=none dedup=live", "execute"),
    ("effect=unknown attempt=open readback=none dedup=live precondition=moved", "quarantine"),
    ("effect=unknown attempt=none readback=none dedup=none", "execute"),
    ("effect=unknown dedup=spent readback=none", "quarantine"),
    ("effect=unknown permission=expired", "verify"),
    ("effect=unknown permission=expired readback=delayed", "verify"),
    ("effect=unknown permission=expired readback=none admission=none", "reauthorise"),
    ("effect=unknown permission=expired readback=none dedup=none attempt=open", "reauthorise"),
    ("effect=unknown permission=revoked readback=none dedup=none attempt=open admission=void", "reauthorise"),
    ("effect=unknown permission=revoked readback=none dedup=none attempt=open", "quarantine"),
    ("effect=unknown intent=withdrawn readback=none", "quarantine"),
    ("effect=absent attempt=none", "execute"),
    ("effect=absent attempt=none admission=none", "execute"),
    ("effect=absent attempt=none match=unseen", "execute"),
    ("effect=absent attempt=none admission=none permission=expired", "reauthorise"),
    ("effect=absent attempt=none admission=void permission=revoked", "reauthorise"),
    ("effect=absent permission=expired", "execute"),
    ("effect=absent precondition=moved", "quarantine"),
    ("effect=absent attempt=open dedup=none", "quarantine"),
    ("effect=absent attempt=open dedup=spent", "quarantine"),
    ("effect=absent attempt=open dedup=live", "execute"),
    ("effect=absent attempt=closable dedup=none", "verify"),
    ("effect=failed", "execute"),
    ("effect=pending", "verify"),
    ("effect=reserved", "verify"),
    ("effect=pending readback=none", "quarantine"),
    ("effect=refused", "abandon"),
    ("effect=refused attempt=open", "quarantine"),
    ("effect=reversed", "quarantine"),
    ("claim=lost", "stand_down"),
    ("claim=lost effect=committed", "stand_down"),
    ("history=diverged", "quarantine"),
    ("history=diverged effect=committed", "quarantine"),
    ("intent=withdrawn", "abandon"),
    ("intent=superseded attempt=none", "abandon"),
    ("intent=withdrawn attempt=open", "quarantine"),
    ("intent=withdrawn attempt=closable", "verify"),
    ("intent=withdrawn effect=committed undo=automatic", "compensate"),
    ("intent=withdrawn effect=committed undo=automatic attempt=closable", "verify"),
    ("intent=withdrawn effect=committed undo=automatic attempt=open dedup=none", "quarantine"),
    ("intent=withdrawn effect=committed undo=reviewed", "quarantine"),
]


@pytest.fixture(scope="module")
def recovery() -> Table:
    """The shipped table."""
    return load_table("recovery")


@pytest.mark.parametrize(("changes", "decision"), DECIDED)
def test_the_shipped_table_decides_as_the_design_says(recovery: Table, changes: str, decision: str) -> None:
    rule = recovery.lookup(cut(changes))
    assert rule is not None
    assert rule.decision == decision, rule.name


def decided_at(table: Table, decision: str) -> list[Rule]:
    """The rules of a table with this decision."""
    return [rule for rule in table.rules if rule.decision == decision]


def only(rule: Rule, names: str) -> list[str]:
    """The label that each of these inputs must have; a list of labels where there are several."""
    return [", ".join(sorted(rule.cells[name])) for name in names.split()]


def test_the_shipped_table_never_acts_where_a_principle_forbids_it(recovery: Table) -> None:
    for rule in decided_at(recovery, "execute"):
        cells = rule.cells
        assert only(rule, "claim history intent") == ["held", "consistent", "stands"]
        assert cells["effect"] <= {"absent", "failed", "unknown"}
        assert "moved" not in cells["precondition"]
        assert "open" not in cells["attempt"] or cells["dedup"] == {"live"}
        assert cells["admission"] == {"standing"} or cells["permission"] == {"current"}
    for rule in decided_at(recovery, "adopt"):
        assert only(rule, "effect match admission") == ["committed", "same", "standing"]
    for rule in decided_at(recovery, "compensate"):
        assert only(rule, "effect match undo") == ["committed", "same", "automatic"]
    for rule in decided_at(recovery, "abandon"):
        assert rule.cells["attempt"] <= {"none", "closed"}


def test_every_decision_is_used_and_every_reason_is_a_sentence(recovery: Table) -> None:
    assert {rule.decision for rule in recovery.rules} == set(DECISIONS)
    for rule in (rule for name in shipped_tables() for rule in load_table(name).rules):
        assert rule.because[0].isupper()
        assert rule.because.endswith(".")


def test_cautious_values_never_act(recovery: Table) -> None:
    held = {**CAUTIOUS, "claim": "held", "history": "consistent", "match": "unseen"}
    for intent in VALUES["intent"]:
        rule = recovery.lookup({**held, "intent": intent})
        assert rule is not None
        assert rule.decision == "quarantine"


def constants() -> dict[str, Term]:
    """A z3 constant for every input."""
    return {name: z3.Const(name, labels.sort) for name, labels in LABELS.items()}


def value(cut: dict[str, str]) -> list[tuple[Term, Term]]:
    """The cut as a substitution of the constants."""
    return [(term, getattr(LABELS[name], cut[name])) for name, term in constants().items()]


@pytest.mark.parametrize("name", shipped_tables())
def test_terms_say_what_the_look_up_says(name: str) -> None:
    table, rng = load_table(name), random.Random(7)
    with no_branching():
        decided = decision_term(table, constants(), Decision.quarantine)
        guards = [rule_guard(rule, constants()) for rule in table.rules]
    near = [{i: rng.choice(sorted(rule.cells[i])) for i in VALUES} for rule in table.rules for _ in range(3)]
    far = [{i: rng.choice(values) for i, values in VALUES.items()} for _ in range(50)]
    for some in near + far:
        rule = table.lookup(some)
        assert rule is not None
        assert str(z3.simplify(z3.substitute(decided, *value(some)))) == rule.decision
        holding = [
            r
            for r, g in zip(table.rules, guards, strict=True)
            if z3.is_true(z3.simplify(z3.substitute(g, *value(some))))
        ]
        assert holding == [rule]


def test_a_gap_is_decided_by_the_default() -> None:
    table = parse_table(file(row("one", claim="held")), "x")
    decided = decision_term(table, constants(), Decision.abandon)
    assert str(z3.simplify(z3.substitute(decided, *value(cut("claim=lost"))))) == "abandon"
    assert table.lookup(cut("claim=lost")) is None


def test_z3_finds_the_shipped_table_total_and_unique(recovery: Table) -> None:
    guards = [rule_guard(rule, constants()) for rule in recovery.rules]
    solver = z3.Solver()
    solver.add(z3.Or(z3.Not(z3.Or(*guards)), z3.Not(z3.AtMost(*guards, 1))))
    assert solver.check() == z3.unsat


def test_a_guard_has_only_the_inputs_that_the_rule_asks_for() -> None:
    table = parse_table(file(row("any"), row("one", claim="held"), row("most", effect="not(absent, unknown)")), "x")
    texts = [str(rule_guard(rule, constants())).replace("\n", "") for rule in table.rules]
    assert texts == ["True", "claim == held", "Not(Or(effect == absent, effect == unknown))"]


def test_labels_that_several_inputs_share_stay_apart() -> None:
    dedup, readback = constants()["dedup"], constants()["readback"]
    assert not z3.eq(LABELS["dedup"].none, LABELS["readback"].none)
    solver = z3.Solver()
    solver.add(dedup == LABELS["dedup"].none, readback != LABELS["readback"].none)
    assert solver.check() == z3.sat


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"claim": "lots"}, '"lots"; did you mean "lost"?'),
        ({"clam": "held"}, '"clam"; did you mean "claim"?'),
        ({"undo": ""}, "undo is"),
    ],
)
def test_a_cut_that_says_what_no_input_says_is_refused(change: dict[str, str], words: str) -> None:
    with pytest.raises(TableError) as caught:
        check_cut({**ORDINARY, **change})
    assert words in str(caught.value)


def test_a_cut_without_an_input_is_refused_by_name() -> None:
    with pytest.raises(TableError, match="the cut has no dedup; use one of live, spent, none"):
        check_cut({name: value for name, value in ORDINARY.items() if name != "dedup"})


def test_every_input_has_a_cautious_value_and_a_meaning() -> None:
    for one in INPUTS:
        assert one.cautious in one.values
        assert one.meaning.endswith(".")
        assert len(set(one.values)) == len(one.values)


def test_a_rule_is_found_by_its_name(recovery: Table) -> None:
    assert size(recovery.rule("claim-lost").cells) == 7_776_000
    with pytest.raises(TableError, match='has no rule "claim-last"; did you mean "claim-lost"'):
        recovery.rule("claim-last")
