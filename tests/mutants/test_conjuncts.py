"""A deleted conjunct is noticed, or somebody said why nothing has to notice it."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.component import Component
from model.kernel import Action
from model.terms import conjunction
from solver import conjuncts
from solver.conjunct_place import Conjunct, Place, action_name
from solver.conjunct_runs import RUNS, SmallRun
from solver.conjunct_text import LONGEST, GuardText
from solver.conjuncts import KILLED, NOTHING, SURVIVES, UNBUILT, Verdict
from solver.explore import explore

SAMPLE = ("quiet", "one crash", "unkeyed", "authority")
OUTCOMES = {
    ("abandon", "decision[0] = abandon"): (KILLED, "quiet", "no_silent_omission"),
    ("adopt", "decision[0] = adopt"): (KILLED, "quiet", "no_completion_without_readback"),
    ("admit", "approval.state[0] = granted"): (KILLED, "authority", "authority_is_not_resurrected"),
    ("commit", "network.kind[0] = execute"): (KILLED, "quiet", "no_initiation_without_admission"),
    ("quarantine", "worker[0].move = informed"): (KILLED, "quiet", "finishes_without_a_person"),
    ("receive", "worker[0].reply != none"): (KILLED, "quiet", "an_end_stays_reachable"),
    ("release", "worker[0].move = recorded"): (KILLED, "quiet", "every_decision_leaves_a_record"),
    ("lose_reading", "worker[0].move = reading"): (KILLED, "unkeyed", "unknown_is_not_released_by_time"),
    ("crash", "crashes_left > 0"): (UNBUILT, "one crash", ""),
    ("lapse", "store.lease[0]"): (NOTHING, "quiet", ""),
    ("tick", "worker[0].move = waiting or gateway.behind[0] and lag = finite"): (NOTHING, "quiet", ""),
    ("void", "authority.admission[0] = standing"): (SURVIVES, "authority", ""),
}


@pytest.fixture(scope="module")
def sample() -> list[Place]:
    return conjuncts.places({name: RUNS[name] for name in SAMPLE})


@pytest.mark.parametrize(("action", "text"), OUTCOMES)
def test_a_deletion_ends_as_it_should(sample: list[Place], action: str, text: str) -> None:
    found = conjuncts.judge(Conjunct(action, text), sample)
    outcome, run, by = OUTCOMES[action, text]
    assert (found.outcome, found.run) == (outcome, run)
    assert by in found.by


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("void", "authority.admission[0] = standing"),
        ("grant", "approval.state[0] = asked"),
        ("lapse", "store.lease[0]"),
    ],
)
def test_growing_finds_what_a_new_search_finds(sample: list[Place], action: str, text: str) -> None:
    place = sample[-1]
    steps = place.freed[Conjunct(action, text)]
    grown = place.ground.regrow(steps, frozenset())
    written = GuardText(place.system)
    loosened = [place.ground.folded(_without(a, text, written)) for a in place.system.actions if _is(a, action)]
    others = [a for a in place.ground.system.actions if not _is(a, action)]
    fresh = explore(place.ground.system.with_actions([*others, *loosened]), keep_edges=True)
    assert fresh.states == place.ground.found.states + grown.added
    assert set(map(tuple, fresh.words.T.tolist())) == set(map(tuple, grown.graph.words.T.tolist()))
    assert fresh.edges is not None and grown.graph.edges is not None
    assert fresh.edges.source.size == grown.graph.edges.source.size


def _is(action: Action, name: str) -> bool:
    return action_name(action.name) == name


def _without(action: Action, text: str, written: GuardText) -> Action:
    kept = [part for words, part in written.conjuncts(action) if words != text]
    return Action(action.name, action.owner, conjunction(kept), action.updates, fault=action.fault)


def test_instances_and_sizes_read_alike(sample: list[Place]) -> None:
    larger = Place("larger", SmallRun(workers=3, messages=3))
    assert set(sample[0].freed) == set(larger.freed)
    assert len(larger.freed[Conjunct("claim", "worker[0].move = idle")]) == 3
    assert all(len(c.text) <= LONGEST for c in larger.freed)


def test_a_sweep_goes_on_where_it_was_torn(sample: list[Place], tmp_path: Path) -> None:
    file = tmp_path / "results"
    wanted = [Conjunct("grant", "approval.state[0] = asked"), Conjunct("lapse", "store.lease[0]")]
    whole = list(conjuncts.sweep(file, wanted, sample))
    lines = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(lines[0].replace(whole[0].outcome.encode(), b"was here") + lines[1][:-9])
    again = list(conjuncts.sweep(file, wanted, sample))
    assert [v.outcome for v in again] == ["was here", NOTHING]
    assert again[1] == whole[1]
    assert file.read_bytes().splitlines(keepends=True)[1] == lines[1]


def test_results_of_other_sources_do_not_count(sample: list[Place], tmp_path: Path) -> None:
    file = tmp_path / "results"
    wanted = [Conjunct("lapse", "store.lease[0]")]
    whole = list(conjuncts.sweep(file, wanted, sample))
    file.write_bytes(file.read_bytes().replace(b'"sources": "', b'"sources": "0'))
    assert conjuncts.read(file, conjuncts.fingerprint()) == []
    assert list(conjuncts.sweep(file, wanted, sample)) == whole


def test_what_is_left_to_explain_is_said() -> None:
    one, two = Verdict("a", "x", SURVIVES), Verdict("a", "y", KILLED, "quiet", "p")
    explained = {(one.conjunct, SURVIVES): "because", (two.conjunct, NOTHING): "because"}
    assert conjuncts.problems([one], {(one.conjunct, SURVIVES): "because"}) == []
    assert conjuncts.problems([one], {}) == ["no explanation: a: x: survives"]
    assert conjuncts.problems([one, two], explained) == [
        "stale explanation (changes nothing): a: y: killed by p in quiet"
    ]
    assert conjuncts.problems([two], {(one.conjunct, SURVIVES): ""}) == ["stale explanation (survives): a: x: is gone"]
    assert len(conjuncts.problems([one], {(one.conjunct, NOTHING): ""})) == 2


def test_explanations_are_sentences() -> None:
    known = conjuncts.explanations()
    assert known
    assert {outcome for _, outcome in known} <= {NOTHING, SURVIVES}
    assert all(because[0].isupper() and because.endswith(".") for because in known.values())


@pytest.mark.slow
def test_every_conjunct_is_noticed_or_explained(tmp_path: Path) -> None:
    where = conjuncts.places()
    wanted = conjuncts.all_conjuncts(where)
    verdicts = list(conjuncts.sweep(tmp_path / "results", wanted, where))
    assert conjuncts.problems(verdicts, conjuncts.explanations()) == []
    assert {c.action for c in wanted} == _guarded_actions()


def _guarded_actions() -> set[str]:
    parts = Component.__subclasses__()
    return {name for part in parts for name, member in vars(part).items() if hasattr(member, "mark")}
