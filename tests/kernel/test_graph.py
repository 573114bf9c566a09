"""Questions about the graph, against definitions that are slow and obvious."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from model.kernel import Action, ModelError, System, Vocabulary, sets
from solver.exploration import Exploration
from solver.explore import Limits, explore
from solver.graph import can_reach, deadlocks, dominators, to_networkx, trapped
from tests.kernel.systems import counters, die_hard, peterson, two_phase_commit

Arrow = tuple[int, str, int]


def machine(arrows: list[Arrow], starts: int = 1) -> Exploration:
    """A system whose states are numbers and whose steps are these arrows, explored; action names are shared.

    Actions are deterministic, so the arrows of one name must leave different states. The first
    ``starts`` numbers can be reached from 0 in one step of ``jump`` and never again.
    """
    v = Vocabulary()
    here = v.count("here", 9, "machine")
    fresh = v.flag("fresh", "machine", True)
    picks = [
        Action(f"jump_{i}", "machine", fresh, (sets(here, i), sets(fresh, False))) for i in range(starts)
    ]
    actions = []
    for name in sorted({name for _, name, _ in arrows}):
        mine = [(a, b) for a, n, b in arrows if n == name]
        value = here
        for a, b in mine:
            value = z3.If(here == a, z3.IntVal(b), value)
        guard = z3.And(z3.Not(fresh), z3.Or(*(here == a for a, _ in mine)))
        actions.append(Action(name, "machine", guard, (sets(here, value),)))
    return explore(System("machine", tuple(v.variables), (*picks, *actions)), keep_edges=True)


def at(found: Exploration, *numbers: int) -> np.ndarray:
    """The states after the jump with these numbers."""
    here = found.layout.field(found.words, "here")
    fresh = found.layout.field(found.words, "fresh")
    return np.isin(here, numbers) & (fresh == 0)


def numbers(found: Exploration, mask: np.ndarray) -> list[int]:
    here = found.layout.field(found.words, "here")
    return sorted(here[mask & (found.layout.field(found.words, "fresh") == 0)].tolist())


def test_reaching_a_goal() -> None:
    found = machine([(0, "a", 1), (1, "a", 2), (1, "b", 3), (3, "a", 3)])
    assert numbers(found, can_reach(found, at(found, 2))) == [0, 1, 2]
    assert numbers(found, can_reach(found, at(found))) == []
    assert numbers(found, can_reach(found, at(found, 3))) == [0, 1, 3]


def test_deadlocks_have_no_step() -> None:
    found = machine([(0, "a", 1), (1, "a", 2), (1, "b", 3), (3, "a", 3)])
    assert numbers(found, deadlocks(found)) == [2]
    assert deadlocks(explore(counters(3, 4), keep_edges=True)).sum() == 1


@pytest.mark.parametrize(
    ("arrows", "fair", "expected"),
    [
        ([(0, "a", 1), (1, "a", 0)], [], [0, 1]),
        ([(0, "a", 1), (1, "a", 9)], [], []),
        ([(0, "a", 1)], [], [1]),
        ([(0, "idle", 0), (0, "go", 9)], [], [0]),
        ([(0, "idle", 0), (0, "go", 9)], ["go"], []),
        ([(0, "idle", 0), (0, "go", 9)], ["idle"], [0]),
        ([(0, "a", 1), (1, "a", 0), (0, "go", 9)], ["go"], [0, 1]),
        ([(0, "a", 1), (1, "a", 0), (0, "go", 9), (1, "go", 9)], ["go"], []),
        ([(0, "a", 1), (1, "a", 0), (0, "go", 9), (1, "go", 0)], ["go"], [0, 1]),
        ([(0, "a", 1), (1, "a", 0), (0, "go", 9), (1, "go", 2), (2, "a", 9)], ["go"], []),
        ([(0, "a", 1), (1, "a", 0), (0, "b", 9), (1, "c", 9)], ["b", "c"], [0, 1]),
        ([(0, "a", 9), (9, "a", 9)], [], []),
        ([(0, "a", 9), (9, "a", 0)], [], []),
    ],
)
def test_where_a_fair_run_can_stay_away_from_nine(arrows: list[Arrow], fair: list[str], expected: list[int]) -> None:
    found = machine(arrows)
    assert numbers(found, trapped(found, at(found, 9), fair)) == expected


ARROWS = st.lists(
    st.tuples(st.integers(0, 5), st.sampled_from("abc"), st.integers(0, 5)),
    min_size=1,
    max_size=14,
    unique_by=lambda arrow: arrow[:2],
)


@given(ARROWS, st.sets(st.integers(0, 5)), st.sets(st.sampled_from("abc")))
def test_random_graphs_agree_with_definitions(arrows: list[Arrow], goals: set[int], fair: set[str]) -> None:
    found = machine(arrows, starts=6)
    graph = nx.MultiDiGraph()
    graph.add_nodes_from(range(6))
    graph.add_edges_from((a, b, name) for a, name, b in arrows)
    used = fair & {name for _, name, _ in arrows}
    reached = {n for g in goals for n in nx.ancestors(graph, g) | {g}}
    assert set(numbers(found, can_reach(found, at(found, *goals)))) == reached
    assert set(numbers(found, trapped(found, at(found, *goals), used))) == _trapped(arrows, goals, used)


def _trapped(arrows: list[Arrow], goals: set[int], fair: set[str]) -> set[int]:
    """By definition: states of every set of states that some fair run can visit for ever, and deadlocks."""
    result = {n for n in set(range(6)) - goals if all(a != n for a, _, _ in arrows)}
    for size in range(1, 7):
        for chosen in itertools.combinations(sorted(set(range(6)) - goals), size):
            inner = [(a, name, b) for a, name, b in arrows if a in chosen and b in chosen]
            graph = nx.MultiDiGraph()
            graph.add_nodes_from(chosen)
            graph.add_edges_from((a, b) for a, _, b in inner)
            if inner and nx.is_strongly_connected(graph) and all(_fair(arrows, inner, chosen, f) for f in fair):
                result |= set(chosen)
    return result


def _fair(arrows: list[Arrow], inner: list[Arrow], chosen: tuple[int, ...], action: str) -> bool:
    enabled = {a for a, name, _ in arrows if name == action}
    return not enabled >= set(chosen) or any(name == action for _, name, _ in inner)


def test_fairness_lets_a_process_in() -> None:
    system = peterson()
    found = explore(system, keep_edges=True)
    inside = found.layout.field(found.words, "place_0") == 3
    assert trapped(found, inside, []).any()
    assert not trapped(found, inside, ["raise_0", "yield_0", "enter_0"]).any()


def test_a_projection_shows_every_step_once() -> None:
    system = two_phase_commit(3)
    found = explore(system, keep_edges=True)
    graph = to_networkx(found, ["manager", "commit_sent"])
    assert set(graph) == {("init", False), ("committed", True), ("aborted", False)}
    assert sum(states for _, states in graph.nodes(data="states")) == found.states
    assert sum(number for *_, number in graph.edges(data="transitions")) == found.transitions
    assert [node for node, initial in graph.nodes(data="initial") if initial] == [("init", False)]
    assert graph.has_edge(("init", False), ("committed", True), key="commit")
    assert not graph.has_edge(("committed", True), ("aborted", False))


def test_the_full_projection_is_the_graph() -> None:
    found = explore(die_hard(), keep_edges=True)
    graph = to_networkx(found, ["small", "big"])
    assert (graph.number_of_nodes(), graph.number_of_edges()) == (found.states, found.transitions)
    lengths = nx.single_source_shortest_path_length(graph, (0, 0))
    assert max(lengths.values()) == found.depth


def test_dominators_say_what_every_way_passes() -> None:
    found = explore(peterson(), keep_edges=True)
    graph = to_networkx(found, ["place_0"])
    before = dominators(graph, ("idle",))
    assert before == {("flagged",): ("idle",), ("waiting",): ("flagged",), ("critical",): ("waiting",)}
    with pytest.raises(ModelError, match="no node"):
        dominators(graph, ("nowhere",))


def test_a_part_of_a_graph_answers_nothing() -> None:
    system = two_phase_commit(3)
    cut = explore(system, keep_edges=True, limits=Limits(max_states=50))
    without = explore(system)
    for ask in (deadlocks, lambda found: to_networkx(found, ["manager"])):
        with pytest.raises(ModelError, match="was cut off by max_states"):
            ask(cut)
        with pytest.raises(ModelError, match="did not keep its edges"):
            ask(without)
    found = explore(system, keep_edges=True)
    with pytest.raises(ModelError, match="not shape"):
        can_reach(found, np.zeros(3, np.bool_))
    with pytest.raises(ModelError, match="no action 'nap'"):
        trapped(found, np.zeros(found.states, np.bool_), ["nap"])
