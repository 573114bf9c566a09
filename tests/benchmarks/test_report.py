"""What is written about measurements: medians, ratios, and what is kept of an interrupted run."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.measurement import Measurement
from benchmarks.peers import Tool
from benchmarks.report import markdown, rows
from benchmarks.rounds import measure, planned, remembered
from benchmarks.sizes import SIZES, Size


def made(tool: str, round_: int, search: float, size: str = "s5", peak: int = 145_673_000) -> Measurement:
    return Measurement(size, tool, round_, 145_673, 631_410, 29, 2.0, search, search + 2.0, peak, search)


RECORDED = [
    *(made("recut, numpy, 1 thread", r, s) for r, s in enumerate((0.5, 0.2, 0.3))),
    *(made("recut, compiled, 2 threads", r, s) for r, s in enumerate((0.1, 0.3, 0.1))),
    *(made("spin", r, s) for r, s in enumerate((1.0, 3.0, 2.0))),
    replace(made("yardstick, 1 thread", 0, 0.05, "n2k2a"), states=1_102_957),
]


def test_figures_are_medians_and_ratios_are_to_our_fastest() -> None:
    by_tool = {row.tool: row for row in rows(RECORDED)}
    assert [by_tool[t].search for t in ("recut, numpy, 1 thread", "spin")] == [0.3, 2.0]
    assert by_tool["spin"].search_ratio == pytest.approx(20)
    assert by_tool["spin"].wall_ratio == pytest.approx(4 / 2.1)
    assert by_tool["recut, numpy, 1 thread"].search_ratio == pytest.approx(3)
    assert by_tool["yardstick, 1 thread"].search_ratio is None


def test_rows_are_ordered_by_size_and_then_by_search() -> None:
    assert [row.tool for row in rows(RECORDED)] == [
        "recut, compiled, 2 threads", "recut, numpy, 1 thread", "spin", "yardstick, 1 thread",
    ]  # fmt: skip


def test_symmetry_is_compared_with_symmetry() -> None:
    reduced = [replace(m, size="n3b", symmetry=True) for m in (made("recut, compiled, 1 thread, symmetry", 0, 0.2),)]
    other = replace(made("rumur, 1 thread, symmetry", 0, 4.0), size="n3b", symmetry=True)
    plain = replace(made("spin", 0, 8.0), size="n3b")
    found = {row.tool: row for row in rows([*reduced, other, plain])}
    assert found["rumur, 1 thread, symmetry"].search_ratio == pytest.approx(20)
    assert found["rumur, 1 thread, symmetry"].states == 1_484_236
    assert found["spin"].search_ratio is None


def test_the_document_names_machine_sizes_and_who_was_absent() -> None:
    text = markdown(rows(RECORDED), ["a machine"], {"tlc": "no jar"})
    assert "* a machine\n" in text
    assert "* tlc: no jar\n" in text
    assert "## s5: 145,673 states, 631,410 transitions, depth 29" in text
    assert "| spin | 3 | 2.000 | 72,836 | 315,705 | 1,000 | 2.00 | 4.00 | 2.00 | 20.00 | 1.90 |" in text


def counting(name: str, calls: list[str], most: int = 10**9) -> Tool:
    def measured(size: Size, folder: Path, round_: int) -> Measurement:
        assert folder.is_dir()
        calls.append(f"{name}{round_}")
        return made(name, round_, 1.0, size.name)

    return Tool(name, measured, most)


def test_tools_alternate_inside_a_round() -> None:
    calls: list[str] = []
    plan = planned([SIZES["s5"]], [counting("a", calls), counting("b", calls), counting("small", calls, 10)], 2)
    assert [(tool.name, round_) for _, tool, round_ in plan] == [("a", 0), ("b", 0), ("a", 1), ("b", 1)]


def test_what_is_finished_is_not_measured_again(tmp_path: Path) -> None:
    calls: list[str] = []
    raw, sizes, pair = tmp_path / "raw.jsonl", [SIZES["s5"]], [counting("a", calls), counting("b", calls)]
    first = measure(list(planned(sizes, pair, 2))[:3], raw, False, lambda _: None)
    raw.write_text(raw.read_text("utf-8") + '{"size": "s5", "to', "utf-8")
    second = measure(planned(sizes, pair, 2), raw, True, lambda _: None)
    assert calls == ["a0", "b0", "a1", "b1"]
    assert second[:3] == first
    assert remembered(raw) == second


def test_a_new_run_forgets_the_old_one(tmp_path: Path) -> None:
    calls: list[str] = []
    raw = tmp_path / "raw.jsonl"
    for _ in range(2):
        measure(planned([SIZES["s5"]], [counting("a", calls)], 1), raw, False, lambda _: None)
    assert calls == ["a0", "a0"]
    assert len(remembered(raw)) == 1


def test_the_command_writes_table_and_raw_results(tmp_path: Path) -> None:
    output, raw = tmp_path / "table.md", tmp_path / "raw.jsonl"
    options = ["--sizes", "tiny", "--rounds", "1", "--tools", "recut, numpy, 1 thread"]
    main([*options, "--output", str(output), "--raw", str(raw)])
    assert "| recut, numpy, 1 thread | 1 |" in output.read_text("utf-8")
    told = json.loads(raw.read_text("utf-8"))
    assert (told["states"], told["transitions"]) == (12_067, 47_555)
    assert 0 < told["search"] < told["wall"] == pytest.approx(told["search"] + told["setup"])
