"""One graph for every table: what is read off it is what a search under that table finds."""

from __future__ import annotations

import functools

import pytest

from model.decision_table import Table
from model.mixed import MixedModel
from model.table_inputs import DECISIONS, INPUT_NAMES, Decision
from properties import endings
from properties.mutants.mutant import model_of, profile_with
from properties.safety import PROPERTIES
from solver.abstraction import coverage_terms
from solver.case_run import CaseRun, Questions, run_case
from solver.coverage import CutValues
from solver.explore import Limits
from solver.open_graph import OpenGraph
from solver.open_model import OpenModel, marked
from solver.replayed import EnginesDisagree
from solver.row_runs import ROW_RUNS
from solver.table_proof import holds, prove_table
from tests.proofs.edits import RECOVERY, deciding

SMALL = ("quiet", "unkeyed", "refused beside another", "authority", "errors")
QUICK = {("quiet", "gives up"), ("unkeyed", "waits for ever"), ("authority", "resurrects"), ("unkeyed", "as it is")}
TABLES = {
    "as it is": RECOVERY,
    "repeats": deciding("absent-open-unrecognised", "execute"),
    "resurrects": deciding("absent-not-permitted", "execute"),
    "gives up": deciding("absent-admitted", "abandon"),
    "waits for ever": deciding("absent-admitted", "verify"),
    "asks again": deciding("committed-orphan", "reauthorise"),
    "undoes": deciding("committed-confirmed", "compensate"),
}


@functools.cache
def graph(name: str) -> OpenGraph:
    run = ROW_RUNS[name]
    return OpenGraph(OpenModel(run.setting, profile_with(run.profile), name), Limits())


def decisions(table: Table, cut: CutValues) -> str:
    rule = table.lookup(dict(zip(INPUT_NAMES, cut, strict=True)))
    assert rule is not None
    return rule.decision


def broken(found: CaseRun) -> dict[str, int]:
    """What a search finds broken, with the length of the way there; stuck states have no shortest way."""
    lengths = {name: len(trace.actions) for name, trace in found.violations.items()}
    return lengths if found.stuck is None else {**lengths, endings.NAME: -1}


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        pytest.param(name, edit, marks=() if (name, edit) in QUICK else pytest.mark.slow)
        for name in SMALL
        for edit in TABLES
    ],
)
def test_a_graph_says_of_a_table_what_a_search_says(name: str, edit: str) -> None:
    table, opened = TABLES[edit], graph(name)
    searched = run_case(name, "", model_of(ROW_RUNS[name], table, name), Questions(PROPERTIES))
    reach = opened.reach([opened.choice(lambda cut: decisions(table, cut))])
    assert {opened.cuts[at] for at in reach.cuts} == searched.cuts
    ways = {n: opened.way(reach, at) for n, at in opened.broken(reach).items()}
    lengths = {n: -1 if n == endings.NAME else len(way) for n, way in ways.items()}
    assert lengths == broken(searched)
    for sentence, way in ways.items():
        opened.replayed(way, [lambda cut: decisions(table, cut)], sentence)


@pytest.mark.slow
def test_the_edits_of_this_test_are_rejected_somewhere() -> None:
    """Were nothing broken anywhere, the comparison above would say little."""
    for edit, table in TABLES.items():
        found = [graph(n).broken(graph(n).reach([graph(n).choice(lambda c, t=table: decisions(t, c))])) for n in SMALL]
        assert any(found) == (edit not in ("as it is",)), edit


@pytest.mark.parametrize("name", ["unkeyed"])
def test_workers_with_two_tables_are_those_of_the_mixed_model(name: str) -> None:
    opened, new, run = graph(name), TABLES["gives up"], ROW_RUNS[name]
    choices = [opened.choice(lambda cut, t=t: decisions(t, cut)) for t in (RECOVERY, new)]
    reach = opened.reach(choices)
    mixed = MixedModel(run.setting, profile_with(run.profile), (RECOVERY, new), name=name)
    searched = run_case(name, "", mixed, Questions(PROPERTIES))
    assert set(opened.broken(reach)) == set(broken(searched))
    assert {opened.cuts[at] for at in reach.cuts} == searched.cuts
    both = [lambda cut: decisions(RECOVERY, cut), lambda cut: decisions(new, cut)]
    for sentence, at in opened.broken(reach).items():
        opened.replayed(opened.way(reach, at), both, sentence)


def test_two_proved_tables_are_safe_together_and_stay_within_their_proof() -> None:
    run, new = ROW_RUNS["unkeyed"], deciding("absent-admitted", "quarantine")
    assert holds(prove_table(RECOVERY)) and holds(prove_table(new))
    mixed = MixedModel(run.setting, profile_with(run.profile), (RECOVERY, new))
    found = run_case("mixed", "", mixed, Questions(PROPERTIES, consistency=coverage_terms))
    assert found.complete and not found.violations and found.stuck is None
    assert {len(mixed.rules_of(w)) for w in (0, 1)} == {len(RECOVERY.rules)}
    assert mixed.rules_of(0)[0].name != mixed.rules_of(1)[0].name


def test_a_decision_that_the_table_does_not_take_does_not_replay() -> None:
    opened, table = graph("unkeyed"), TABLES["gives up"]
    reach = opened.reach([opened.choice(lambda cut: decisions(table, cut))])
    sentence, at = next(iter(opened.broken(reach).items()))
    with pytest.raises(EnginesDisagree, match="is not what the table decides"):
        opened.replayed(opened.way(reach, at), [lambda cut: decisions(RECOVERY, cut)], sentence)


def test_a_way_that_breaks_nothing_does_not_replay() -> None:
    opened = graph("quiet")
    reach = opened.reach([opened.choice(lambda cut: decisions(RECOVERY, cut))])
    way = opened.way(reach, len(reach.states) - 1)
    with pytest.raises(EnginesDisagree, match="is not broken after"):
        opened.replayed(way, [lambda cut: decisions(RECOVERY, cut)], PROPERTIES[0].name)


def test_a_graph_that_is_too_large_is_no_graph() -> None:
    run = ROW_RUNS["errors"]
    with pytest.raises(MemoryError, match="errors: cut off by max_states"):
        OpenGraph(OpenModel(run.setting, profile_with(run.profile), "errors"), Limits(max_states=1000))


def test_every_decision_is_open_and_marked() -> None:
    run = ROW_RUNS["quiet"]
    names = [a.name for a in OpenModel(run.setting, profile_with(run.profile), "quiet").system().actions]
    assert {marked(name)[1] for name in names} == {None, *DECISIONS}
    assert marked("choose_execute[0] as execute") == ("choose_execute[0]", "execute")
    assert len(Decision.labels) == len(DECISIONS)
