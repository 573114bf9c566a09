from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import networkx as nx

from tests.cli.front import refused, run, valid

SMALL = ("explore", "--contract", "smtp", "--workers", 1, "--faults", "crash,loss")


def test_counts_by_depth_and_coverage(tmp_path: Path) -> None:
    result = run(*SMALL, "--format", "json", "--graph", tmp_path / "g.graphml")
    assert result.exit_code == 0, result.stderr
    document = valid(result.stdout, "explore")
    assert sum(document["levels"]) == document["states"] and document["complete"]
    assert document["actions"]["fired"]["grant"] >= 1 and document["rows"]["exercised"]
    graph = nx.read_graphml(tmp_path / "g.graphml")
    assert sum(data["states"] for _, data in graph.nodes(data=True)) == document["states"]
    assert ElementTree.parse(tmp_path / "g.graphml")


def test_graphs_in_other_formats(tmp_path: Path) -> None:
    assert run(*SMALL, "--graph", tmp_path / "g.dot", "--project", "store.phase[0]").exit_code == 0
    assert 'label="UNKNOWN_OUTCOME"' in (tmp_path / "g.dot").read_text("utf-8")
    assert run(*SMALL, "--graph", tmp_path / "g.json").exit_code == 0
    assert json.loads((tmp_path / "g.json").read_text("utf-8"))["nodes"]


def test_a_search_that_is_cut_off_is_unknown() -> None:
    result = run(*SMALL, "--max-states", 3)
    assert result.exit_code == 3 and "cut off by max_states" in result.stdout


def test_options_that_make_no_run_are_refused(tmp_path: Path) -> None:
    assert "there is no fault 'flood'" in refused(run("explore", "--faults", "flood"))
    assert "no known ending" in refused(run("explore", "--graph", tmp_path / "g.png"))
    assert "no variable" in refused(run(*SMALL, "--graph", tmp_path / "g.dot", "--project", "sky"))
    assert "leave it out" in refused(run(*SMALL, "--project", "store.phase[0]"))
    assert "--contract" in refused(run("explore", "--situations", "--contract", "smtp"))


def test_there_is_no_graph_of_a_search_that_was_cut_off(tmp_path: Path) -> None:
    result = run(*SMALL, "--graph", tmp_path / "g.dot", "--max-states", 3)
    assert result.exit_code == 3 and "cut off" in result.stderr
    assert "states" in result.stdout and not list(tmp_path.iterdir())
