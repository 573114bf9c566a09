"""Graphs as files that other programs read: GraphML, DOT and node-link JSON."""

from __future__ import annotations

import json
from collections.abc import Callable

import networkx as nx


def graph_text(graph: nx.MultiDiGraph, suffix: str) -> str:
    """A graph in the format that goes with the ending of a file's name, one of SUFFIXES."""
    return SUFFIXES[suffix](_plain(graph))


def _plain(graph: nx.MultiDiGraph) -> nx.MultiDiGraph:
    """The same graph with numbered nodes whose values are attributes."""
    variables = graph.graph["variables"]
    number = {node: f"n{at}" for at, node in enumerate(graph)}
    plain = nx.MultiDiGraph()
    for node, data in graph.nodes(data=True):
        values = {name: str(value) for name, value in zip(variables, node, strict=True)}
        plain.add_node(number[node], label=", ".join(values.values()), **values, **data)
    for source, target, action, data in graph.edges(keys=True, data=True):
        plain.add_edge(number[source], number[target], key=action, action=action, **data)
    return plain


def _graphml(graph: nx.MultiDiGraph) -> str:
    return "\n".join(nx.generate_graphml(graph)) + "\n"


def _json(graph: nx.MultiDiGraph) -> str:
    return json.dumps(nx.node_link_data(graph, edges="edges"), indent=1) + "\n"


def _dot(graph: nx.MultiDiGraph) -> str:
    lines = ["digraph recut {"]
    for node, data in graph.nodes(data=True):
        shape = "doublecircle" if data["initial"] else "ellipse"
        lines.append(f"  {node} [label={json.dumps(data['label'])}, shape={shape}];")
    for source, target, action in graph.edges(keys=True):
        lines.append(f"  {source} -> {target} [label={json.dumps(action)}];")
    return "\n".join([*lines, "}"]) + "\n"


SUFFIXES: dict[str, Callable[[nx.MultiDiGraph], str]] = {".graphml": _graphml, ".dot": _dot, ".json": _json}
"""What each ending means."""
