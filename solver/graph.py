"""Questions about the graph of all states and steps: what stays reachable, where a run can be stuck.

All of them need a complete exploration with its edges: on a part of the graph an answer would be
about the part. Reachability and fair cycles are judged on the concrete graph; a projection is for
looking at, and only transfers what holds of every run.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Hashable, Sequence
from dataclasses import replace
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse import csgraph

from model.kernel import ModelError
from solver.edges import Edges
from solver.exploration import Exploration

Mask = npt.NDArray[np.bool_]
"""One truth value a state, shape (states,)."""


def can_reach(exploration: Exploration, goal: Mask) -> Mask:
    """The states from which some run reaches a goal state (goal states included)."""
    edges = _edges(exploration, goal)
    everywhere = exploration.states
    goals = np.flatnonzero(goal)
    source = np.concatenate((edges.target, np.full(goals.size, everywhere)))
    target = np.concatenate((edges.source, goals))
    backwards = _matrix(source, target, everywhere + 1)
    reached = csgraph.breadth_first_order(backwards, everywhere, return_predecessors=False)
    mask = np.zeros(everywhere + 1, np.bool_)
    mask[reached] = True
    return mask[:-1]


def restricted(exploration: Exploration, actions: Collection[str]) -> Exploration:
    """The same states with only the steps of these actions."""
    edges = _edges(exploration)
    kept = np.isin(edges.action, _indices(exploration, actions))
    return replace(exploration, edges=Edges(edges.source[kept], edges.target[kept], edges.action[kept]))


def least_faults(exploration: Exploration, goal: Mask) -> list[frozenset[str]]:
    """The least sets of faults with which some way leads from a start to a goal state, fewest first.

    The faults of such a set suffice, and none of them can be spared. Empty if no goal state is reached; only
    the empty set if no fault is needed. It is about the faults that happen on the way: a fault of the run
    may also let others happen more freely (``pause`` lets time pass). Looks at every set of the run's
    faults that contains no smaller answer.
    """
    edges = _edges(exploration, goal)
    of_action = [action.fault for action in exploration.system.actions]
    faults = sorted({fault for fault in of_action if fault is not None})
    number = np.array([-1 if fault is None else faults.index(fault) for fault in of_action])[edges.action]
    found: list[frozenset[str]] = []
    for size in range(len(faults) + 1):
        for chosen in itertools.combinations(range(len(faults)), size):
            allowed = frozenset(faults[i] for i in chosen)
            if any(smaller <= allowed for smaller in found):
                continue
            if goal[_reached(exploration, edges, np.isin(number, (-1, *chosen)))].any():
                found.append(allowed)
    return found


def _reached(exploration: Exploration, edges: Edges, allowed: Mask) -> npt.NDArray[np.int32]:
    """The states that are reached from a start by these edges."""
    root = exploration.states
    starts = np.arange(exploration.levels[0])
    source = np.concatenate((edges.source[allowed], np.full(starts.size, root)))
    target = np.concatenate((edges.target[allowed], starts))
    reached = csgraph.breadth_first_order(_matrix(source, target, root + 1), root, return_predecessors=False)
    states: npt.NDArray[np.int32] = reached[reached != root]
    return states


def deadlocks(exploration: Exploration) -> Mask:
    """The states in which no action is enabled."""
    edges = _edges(exploration)
    mask = np.ones(exploration.states, np.bool_)
    mask[edges.source] = False
    return mask


def trapped(exploration: Exploration, goal: Mask, fair_actions: Collection[str]) -> Mask:
    """The states in which a run can stay for ever without the goal, although it is fair.

    They are the deadlocks outside the goal, and the strongly connected components outside the goal in
    which a run can go round so that every action of ``fair_actions`` is disabled somewhere on the way
    or is taken (weak fairness). A step that changes nothing counts as a step taken. A component is judged
    whole: a run that visits all of it is the fairest there is.
    """
    edges = _edges(exploration, goal)
    inside = ~goal[edges.source]  # a goal state that is never left is on no cycle
    n = exploration.states
    count, component = csgraph.connected_components(
        _matrix(edges.source[inside], edges.target[inside], n), directed=True, connection="strong"
    )
    within = inside & (component[edges.source] == component[edges.target])
    fair = np.bincount(component[edges.source[within]], minlength=count) > 0
    for index in _indices(exploration, fair_actions):
        fair &= _fair_to(edges, index, component, within, count)
    stuck: Mask = fair[component] | (deadlocks(exploration) & ~goal)
    return stuck


def _fair_to(edges: Edges, action: int, component: npt.NDArray[np.int32], within: Mask, count: int) -> Mask:
    """Per component: the action is disabled in some state of it, or some step of it stays inside."""
    taken = edges.action == action
    enabled = np.bincount(component[edges.source[taken]], minlength=count)
    stays = np.bincount(component[edges.source[taken & within]], minlength=count)
    fair: Mask = (enabled < np.bincount(component, minlength=count)) | (stays > 0)
    return fair


def to_networkx(exploration: Exploration, quotient: Sequence[str]) -> nx.MultiDiGraph:
    """The graph projected onto some variables, for looking at.

    A node is the tuple of the variables' values as a person reads them; it has ``states`` (how many
    it stands for) and ``initial``. An edge has the action's name as key and ``transitions``.
    """
    edges = _edges(exploration)
    codes = np.stack([exploration.layout.field(exploration.words, name) for name in quotient])
    nodes, of_state, sizes = np.unique(codes, axis=1, return_inverse=True, return_counts=True)
    of_state = of_state.reshape(-1)
    graph = nx.MultiDiGraph(variables=tuple(quotient))
    names = _names(exploration, quotient, nodes)
    initial = set(of_state[: exploration.levels[0]].tolist())
    for i, name in enumerate(names):
        graph.add_node(name, states=int(sizes[i]), initial=i in initial)
    steps = np.stack((of_state[edges.source], of_state[edges.target], edges.action.astype(np.int64)))
    kinds, counts = np.unique(steps, axis=1, return_counts=True)
    for (source, target, action), number in zip(kinds.T.tolist(), counts.tolist(), strict=True):
        key = exploration.system.actions[action].name
        graph.add_edge(names[source], names[target], key=key, transitions=number)
    return graph


def _names(
    exploration: Exploration, quotient: Sequence[str], nodes: npt.NDArray[np.uint8]
) -> list[tuple[bool | int | str, ...]]:
    variables = [exploration.system.variable(name) for name in quotient]
    return [tuple(v.decode(c) for v, c in zip(variables, codes, strict=True)) for codes in nodes.T.tolist()]


def dominators(graph: nx.MultiDiGraph, initial: Hashable) -> dict[Hashable, Hashable]:
    """For each node reachable from ``initial`` the last node that every way to it passes; not for ``initial``."""
    if initial not in graph:
        raise ModelError(f"the graph has no node {initial!r}")
    found = nx.immediate_dominators(nx.DiGraph(graph), initial)
    return {node: before for node, before in found.items() if node != initial}


def _edges(exploration: Exploration, goal: Mask | None = None) -> Edges:
    """The edges, if the question makes sense."""
    if not exploration.complete:
        raise ModelError(f"the exploration was cut off by {exploration.cut_off_by}: its graph answers nothing")
    if exploration.edges is None:
        raise ModelError("the exploration did not keep its edges: explore with keep_edges=True")
    if goal is not None and goal.shape != (exploration.states,):
        raise ModelError(f"a goal has one truth value for each of {exploration.states} states, not shape {goal.shape}")
    return exploration.edges


def _indices(exploration: Exploration, actions: Collection[str]) -> list[int]:
    names = [a.name for a in exploration.system.actions]
    unknown = sorted(set(actions) - set(names))
    if unknown:
        raise ModelError(f"{exploration.system.name} has no action {unknown[0]!r}")
    return [names.index(name) for name in sorted(actions)]


def _matrix(source: npt.NDArray[Any], target: npt.NDArray[Any], n: int) -> sparse.csr_array:
    """The adjacency matrix."""
    return sparse.csr_array((np.ones(source.size, np.bool_), (source, target)), shape=(n, n))
