"""The explorer finds exactly the reachable states, whatever the block size, and shortest traces to them."""

from __future__ import annotations

import numpy as np
import pytest
import z3
from hypothesis import given, settings

from model.kernel import Action, ModelError, System, Vocabulary, sets
from solver import exploration as exploration_module
from solver import visited_words as visited_words_module
from solver.explore import Exploration, Limits, Progress, explore
from solver.plain_step import PlainModel
from tests.kernel.oracle import Key, walk
from tests.kernel.strategies import random_systems
from tests.kernel.systems import EXAMPLES, counters, die_hard, peterson, promising, two_phase_commit, wide

BOTH = pytest.mark.parametrize("system", EXAMPLES.values(), ids=EXAMPLES.keys())


def keys(found: Exploration) -> list[Key]:
    """The states in the explorer's order."""
    values = [found.layout.field(found.words, v.name).tolist() for v in found.system.variables]
    return list(zip(*values, strict=True))


def steps(found: Exploration) -> set[tuple[Key, str, Key]]:
    assert found.edges is not None
    states, names = keys(found), [a.name for a in found.system.actions]
    rows = zip(found.edges.source.tolist(), found.edges.action.tolist(), found.edges.target.tolist(), strict=True)
    return {(states[s], names[a], states[t]) for s, a, t in rows}


def same(a: Exploration, b: Exploration) -> bool:
    """Whether two explorations found the same, in the same order."""
    edges = [(e.source.tolist(), e.target.tolist(), e.action.tolist()) if e else None for e in (a.edges, b.edges)]
    return (
        a.words.tolist() == b.words.tolist()
        and edges[0] == edges[1]
        and (a.levels, a.fired, a.first, a.holds_count) == (b.levels, b.fired, b.first, b.holds_count)
        and (a.first_edge, a.cut_off_by) == (b.first_edge, b.cut_off_by)
    )


@pytest.mark.parametrize(
    ("system", "states", "depth"),
    [
        (two_phase_commit(3), 288, 10),
        (two_phase_commit(5), 8832, 16),
        (die_hard(), 16, 7),
        (counters(3, 4), 5**3, 12),
        (counters(4, 9), 10**4, 36),
        (wide(3), 12**3, 33),
    ],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_known_numbers(system: System, states: int, depth: int) -> None:
    found = explore(system)
    assert (found.complete, found.states, found.depth, sum(found.levels)) == (True, states, depth, states)


@BOTH
def test_the_states_and_steps_are_those_of_a_plain_walk(system: System) -> None:
    found = explore(system, keep_edges=True)
    depth, edges = walk(system)
    assert {key: found.level_of(i) for i, key in enumerate(keys(found))} == depth
    assert steps(found) == edges
    assert found.transitions == len(edges) == sum(found.fired.values())
    assert found.fired == {a.name: sum(name == a.name for _, name, _ in edges) for a in system.actions}


@given(random_systems())
@settings(max_examples=60)
def test_random_systems_are_explored_like_a_plain_walk(system: System) -> None:
    found = explore(system, keep_edges=True)
    depth, edges = walk(system)
    assert {key: found.level_of(i) for i, key in enumerate(keys(found))} == depth
    assert steps(found) == edges


@BOTH
@pytest.mark.parametrize("block", [1, 7, 64])
def test_the_result_does_not_depend_on_the_block_size(system: System, block: int) -> None:
    predicates = system.definitions if "sum" not in system.definitions else {}
    expected = explore(system, predicates, keep_edges=True)
    assert same(explore(system, predicates, keep_edges=True, block=block), expected)


def test_predicates_hold_first_where_they_hold_soonest() -> None:
    system = die_hard()
    found = explore(system, {"four": system.definitions["four"], "never": z3.BoolVal(False), "ever": z3.BoolVal(True)})
    four = found.evaluate({"four": system.definitions["four"]})["four"]
    assert found.first == {"four": int(np.flatnonzero(four)[0]), "never": None, "ever": 0}
    assert found.holds_count == {"four": int(four.sum()), "never": 0, "ever": 16}
    assert found.level_of(found.first["four"] or 0) == 6


def test_evaluate_gives_codes_of_numbers() -> None:
    system = counters(3, 4)
    total = explore(system).evaluate({"sum": system.definitions["sum"]})["sum"]
    assert np.bincount(total).tolist() == explore(system).levels


@BOTH
def test_traces_are_shortest_and_replay_in_the_plain_model(system: System) -> None:
    found = explore(system)
    model, starts = PlainModel(system), PlainModel(system).initial_states()
    for index in range(0, found.states, max(1, found.states // 40)):
        trace = found.trace(index)
        assert len(trace) == found.level_of(index) + 1
        assert trace[0][0] is None
        assert trace[0][1] in starts
        state = trace[0][1]
        for action, after in trace[1:]:
            assert action is not None
            state = model.step(state, action)
            assert state == after
        assert state == found.valuation(index)
        assert found.index_of(state) == index


@BOTH
def test_a_trace_goes_back_to_the_first_state_and_action(system: System, monkeypatch: pytest.MonkeyPatch) -> None:
    found = explore(system, keep_edges=True)
    assert found.edges is not None
    monkeypatch.setattr(exploration_module, "BLOCK", 5)
    names = [a.name for a in system.actions]
    rows = list(zip(found.edges.target.tolist(), found.edges.source.tolist(), found.edges.action.tolist(), strict=True))
    for index in range(found.levels[0], found.states, max(1, found.states // 40)):
        _, source, action = min(row for row in rows if row[0] == index)
        trace = found.trace(index)
        assert (found.index_of(trace[-2][1]), trace[-1][0]) == (source, names[action])


def test_values_do_not_depend_on_the_block_size(monkeypatch: pytest.MonkeyPatch) -> None:
    system = counters(3, 4)
    total = system.definitions["sum"]
    high = {"high": total >= 9}
    expected = explore(system, high)
    monkeypatch.setattr(exploration_module, "BLOCK", 5)
    found = explore(system, high)
    assert (found.first, found.holds_count) == (expected.first, expected.holds_count)
    assert found.level_of(found.first["high"] or 0) == 9
    assert found.evaluate({"sum": total})["sum"].tolist() == expected.evaluate({"sum": total})["sum"].tolist()


def test_a_step_is_found_with_the_state_before_it() -> None:
    system = peterson(polite=False)
    inside = [v.term == v.value(3) for v in (system.variable("place_0"), system.variable("place_1"))]
    wanted = {
        "both in": (inside[1], "enter_0"),
        "leaves": (z3.BoolVal(True), "leave_0"),
        "never": (inside[0], "enter_1"),
    }
    found = explore(system, edge_predicates=wanted)
    assert found.first_edge["never"] is None
    hit = found.first_edge["both in"]
    assert hit is not None
    trace = found.edge_trace(hit)
    assert [trace[-1][0], trace[-1][1]["place_0"], trace[-1][1]["place_1"]] == ["enter_0", 3, 3]
    assert PlainModel(system).step(trace[-2][1], "enter_0") == trace[-1][1]
    assert len(trace) == 7
    _, edges = walk(system)
    assert found.edge_holds_count["leaves"] == sum(a == "leave_0" for _, a, _ in edges)


def test_a_search_that_was_cut_off_is_not_complete() -> None:
    system = two_phase_commit(4)
    whole = explore(system, {"never": z3.BoolVal(False)})
    found = explore(system, {"never": z3.BoolVal(False)}, limits=Limits(max_states=500))
    assert (found.complete, found.cut_off_by) == (False, "max_states")
    assert found.states <= 500 < sum(whole.levels[: found.depth + 2])
    assert found.levels == whole.levels[: found.depth + 1]
    assert (found.words == whole.words[:, : found.states]).all()
    assert same(found, explore(system, {"never": z3.BoolVal(False)}, limits=Limits(max_states=500), block=3))


def test_a_limit_that_is_just_enough_is_complete() -> None:
    assert explore(two_phase_commit(3), limits=Limits(max_states=288)).complete
    assert not explore(two_phase_commit(3), limits=Limits(max_states=287)).complete


def test_a_timeout_cuts_off() -> None:
    found = explore(two_phase_commit(3), limits=Limits(timeout=0.0))
    assert (found.complete, found.cut_off_by, found.states, found.transitions) == (False, "timeout", 1, 0)


def test_no_room_for_more_states_cuts_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(visited_words_module, "MOST_STATES", 100)
    found = explore(two_phase_commit(3))
    assert (found.complete, found.cut_off_by) == (False, "memory")
    assert found.levels == explore(two_phase_commit(3)).levels[: found.depth + 1]


def test_an_update_that_leaves_its_range_stops_the_search() -> None:
    v = Vocabulary()
    n = v.count("n", 5, "world")
    system = System("runaway", tuple(v.variables), (Action("run", "world", z3.BoolVal(True), (sets(n, n + 1),)),))
    with pytest.raises(ModelError, match="run sets n to 6, outside 0..5"):
        explore(system)


def test_promises_span_every_start() -> None:
    found = explore(promising("low middle high").system)
    assert found.levels[0] == 3
    assert {key[1] for key in keys(found)} == {0, 1, 2}


def test_a_system_without_actions_or_bits() -> None:
    v = Vocabulary()
    v.count("nothing", 0, "world")
    still = System("still", tuple(v.variables), ())
    found = explore(still, {"zero": v.variables[0].term == 0}, keep_edges=True)
    assert (found.complete, found.states, found.transitions, found.first) == (True, 1, 0, {"zero": 0})
    assert found.trace(0) == [(None, {"nothing": 0})]


def test_progress_is_reported() -> None:
    reports: list[Progress] = []
    found = explore(two_phase_commit(3), progress=reports.append, block=50)
    assert [p.depth for p in reports] == sorted(p.depth for p in reports)
    assert max(p.depth for p in reports) == found.depth
    assert reports[-1].states == found.states
    assert all(0 < p.done <= p.frontier for p in reports)
    assert {p.depth: p.frontier for p in reports} == dict(enumerate(found.levels))


def test_there_is_no_state_beyond_the_last() -> None:
    found = explore(die_hard())
    for index in (-1, 16):
        with pytest.raises(IndexError, match="16 were found"):
            found.valuation(index)
    assert found.index_of({"small": 1, "big": 2}) is None
