"""The yardstick and the peers find what we find; what they print is read rightly."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from benchmarks import rumur, spin, tlc, yardstick
from benchmarks.measurement import Measurement, checked
from benchmarks.peers import tools
from benchmarks.process import BenchmarkError, Finished, run
from benchmarks.sizes import SIZES
from benchmarks.tuples import tuples
from tests.benchmarks.foreign import needed


@cache
def program(folder: Path, name: str, threads: int) -> Path:
    place = folder / f"{name}{threads}"
    place.mkdir()
    return yardstick.built(SIZES[name].system(), place, threads, optimised="-O1")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("yardstick")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("name", ["s5", "n2bug", "slim"])
def test_the_yardstick_counts_right(folder: Path, name: str, threads: int) -> None:
    needed("gcc")
    size = SIZES[name]
    found, _ = yardstick.searched(program(folder, name, threads), size.states)
    expected = {k: getattr(size, k) for k in ("states", "transitions", "depth", "violating")}
    assert {k: v for k, v in found.items() if k != "seconds"} == expected


def test_a_table_that_is_too_small_is_an_error(folder: Path) -> None:
    needed("gcc")
    with pytest.raises(BenchmarkError, match="full"):
        yardstick.searched(program(folder, "s5", 1), 1000)


def test_spin_counts_right(tmp_path: Path) -> None:
    needed("spin", "gcc")
    assert spin.measured(SIZES["tiny"], tmp_path, 0, "spin").transitions == SIZES["tiny"].transitions


@pytest.mark.parametrize("symmetry", [False, True])
def test_rumur_counts_right(tmp_path: Path, symmetry: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    needed("rumur", "gcc")
    monkeypatch.setattr(rumur, "FLAGS", ("-O0", "-march=native", "-mcx16"))
    found, size = rumur.measured(SIZES["tiny"], tmp_path, 0, 1, symmetry), SIZES["tiny"]
    assert (found.states, found.transitions) == (size.orbits if symmetry else (size.states, size.transitions))


def test_plain_tuples_count_right() -> None:
    space: dict[str, object] = {}
    exec(tuples(SIZES["tiny"].system()), space)
    transitions, initial = space["transitions"], space["INITIAL"]
    assert callable(transitions)
    seen, frontier, steps = {initial}, [initial], 0
    while frontier:
        after = [state for before in frontier for _, state in transitions(before)]
        steps += len(after)
        frontier = list(set(after) - seen)
        seen.update(frontier)
    assert (len(seen), steps) == (SIZES["tiny"].states, SIZES["tiny"].transitions)


SPIN = """State-vector 52 byte, depth reached 68, errors: 0
{states} states, stored
{transitions} transitions (= stored+matched)
  529.465	total actual memory usage
pan: elapsed time 12.9 seconds
"""


def printed(text: str) -> Finished:
    return Finished(13.5, 2**29, text)


def test_spin_tells_eight_digits_of_a_count() -> None:
    size = SIZES["s8b"]
    found = spin.read(size, "spin", 0, 2.0, printed(SPIN.format(states="53660001", transitions="4.2431189e+08")))
    assert checked(found, size).transitions == size.transitions
    assert (found.search, found.wall, found.depth) == (12.9, 15.5, None)
    other = spin.read(size, "spin", 0, 2.0, printed(SPIN.format(states="53660001", transitions="4.2431188e+08")))
    with pytest.raises(BenchmarkError, match="transitions"):
        checked(other, size)


def test_a_search_that_spin_gave_up_is_an_error() -> None:
    text = "error: max search depth too small\n" + SPIN.format(states="53660001", transitions="4.2431189e+08")
    with pytest.raises(BenchmarkError, match="whole"):
        spin.read(SIZES["s8b"], "spin", 0, 2.0, printed(text))


TLC = """631411 states generated, 145673 distinct states found, 0 states left on queue.
The depth of the complete state graph search is 30.
"""


def test_tlc_counts_the_start_and_a_level_more() -> None:
    found = checked(tlc.read(SIZES["s5"], 0, 0.1, printed(TLC)), SIZES["s5"])
    assert (found.transitions, found.depth) == (631_410, 29)


def test_a_count_that_differs_is_an_error() -> None:
    right = Measurement("s5", "somebody", 0, 145_673, 631_410, 29, 0.0, 1.0, 1.0, 10**6, 1.0)
    assert checked(right, SIZES["s5"]) == right
    for wrong in (replace(right, states=145_672), replace(right, transitions=1), replace(right, depth=30)):
        with pytest.raises(BenchmarkError, match="somebody found"):
            checked(wrong, SIZES["s5"])


def test_a_process_that_fails_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BenchmarkError, match="status 3:\nsorry"):
        run(["sh", "-c", "echo sorry; exit 3"], tmp_path)


def test_memory_is_that_of_the_process_itself(tmp_path: Path) -> None:
    assert run(["true"], tmp_path).peak < 30 * 2**20


def test_large_sizes_are_left_to_the_fast() -> None:
    asked = {tool.name for tool in tools() if tool.fits(SIZES["s8b"])}
    assert {"recut, numpy, 1 thread", "yardstick, 2 threads", "spin", "rumur, 2 threads"} <= asked
    assert not {"minicheck", "spin, collapsed", "tlc, 2 workers"} & asked


def test_a_tool_that_is_not_there_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("TLC_JAR", raising=False)
    reasons = {tool.name: tool.missing() for tool in tools()}
    assert reasons["spin"] == "spin is not installed"
    assert reasons["recut, numpy, 1 thread"] is None
