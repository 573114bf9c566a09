"""Compiled code finds what numpy finds: the same states, counts, steps and shortest traces."""

from __future__ import annotations

import mmap
import sys
from pathlib import Path

import pytest
import z3
from hypothesis import given, settings

from model.kernel import Action, ModelError, System, Vocabulary, sets
from solver import compiled_states
from solver import engine as engine_module
from solver.engine import Engine, NoCompiler
from solver.explore import Exploration, Limits, explore
from solver.packing import Layout
from tests.kernel.engines import COMPILED, COMPILED_ENGINES, EVERY_ENGINE
from tests.kernel.oracle import walk
from tests.kernel.strategies import random_systems
from tests.kernel.systems import EXAMPLES, counters, die_hard, promising, two_phase_commit, wide
from tests.kernel.test_explore import keys, same, steps

BOTH = pytest.mark.parametrize("system", EXAMPLES.values(), ids=EXAMPLES.keys())


@pytest.fixture(autouse=True)
def many_threads_on_few_states(monkeypatch: pytest.MonkeyPatch) -> None:
    """Small levels are shared by the threads too, and tables grow again and again."""
    monkeypatch.setattr(compiled_states, "_WORTH_A_THREAD", 2)
    monkeypatch.setattr(compiled_states, "_FIRST_ROWS", 1)
    monkeypatch.setattr(compiled_states, "_FIRST_SLOTS", 8)
    monkeypatch.setattr(compiled_states, "_EDGES", 1)


def predicates(system: System) -> dict[str, z3.ExprRef]:
    return {name: term for name, term in system.definitions.items() if z3.is_bool(term)}


@BOTH
@COMPILED_ENGINES
@pytest.mark.parametrize("keep_edges", [False, True])
def test_an_engine_finds_what_numpy_finds(system: System, engine: Engine, keep_edges: bool) -> None:
    expected = explore(system, predicates(system), keep_edges=keep_edges, engine=Engine("numpy"))
    assert same(explore(system, predicates(system), keep_edges=keep_edges, engine=engine), expected)


@given(random_systems())
@settings(max_examples=25)
def test_random_systems_are_explored_like_a_plain_walk(system: System) -> None:
    depth, edges = walk(system)
    for engine in (COMPILED["compiled"], COMPILED["two_threads"]):
        found = explore(system, keep_edges=True, engine=engine)
        assert {key: found.level_of(i) for i, key in enumerate(keys(found))} == depth
        assert steps(found) == edges
        assert set(keys(explore(system, engine=engine))) == set(depth)


@COMPILED_ENGINES
@pytest.mark.parametrize("system", [counters(4, 19), two_phase_commit(6), wide(5)], ids=lambda s: s.name)
def test_many_states_in_several_threads(system: System, engine: Engine) -> None:
    """Threads meet each other's states here: 160,000 counters, 50,816 states of a commit, 248,832 of 7 words."""
    expected = explore(system, engine=Engine("numpy"))
    found = explore(system, engine=engine)
    assert (found.states, found.levels, found.fired) == (expected.states, expected.levels, expected.fired)
    assert (found.words == expected.words).all()


@BOTH
@COMPILED_ENGINES
def test_traces_are_the_same(system: System, engine: Engine) -> None:
    expected, found = explore(system, engine=Engine("numpy")), explore(system, engine=engine)
    for index in range(0, found.states, max(1, found.states // 20)):
        assert found.trace(index) == expected.trace(index)


@EVERY_ENGINE
def test_values_are_the_same(engine: Engine) -> None:
    system = counters(3, 4)
    terms = {"sum": system.definitions["sum"], "high": system.definitions["sum"] >= 9}
    expected = explore(system, engine=Engine("numpy")).evaluate(terms)
    found = explore(system, engine=engine).evaluate(terms)
    assert {n: v.tolist() for n, v in found.items()} == {n: v.tolist() for n, v in expected.items()}
    assert found["high"].dtype == bool


@EVERY_ENGINE
def test_limits_leave_the_same(engine: Engine) -> None:
    limits = Limits(max_states=500)
    expected = explore(two_phase_commit(4), limits=limits, engine=Engine("numpy"))
    found = explore(two_phase_commit(4), limits=limits, engine=engine)
    assert (found.cut_off_by, found.levels, found.fired) == ("max_states", expected.levels, expected.fired)
    assert (found.words == expected.words).all()


@COMPILED_ENGINES
def test_no_room_for_more_states_cuts_off(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_states, "MOST_STATES", 2_000)
    found = explore(two_phase_commit(5), engine=engine)
    assert (found.complete, found.cut_off_by) == (False, "memory")
    assert found.levels == explore(two_phase_commit(5)).levels[: found.depth + 1]


@EVERY_ENGINE
@pytest.mark.parametrize(("by", "code"), [(3, 4), (-2, -1)])
def test_an_update_that_leaves_its_range_is_named(engine: Engine, by: int, code: int) -> None:
    v = Vocabulary()
    n, m = v.count("n", 3, "world", start=1), v.count("m", 60, "world")
    still = Action("wait", "world", m < 60, (sets(m, m + 1),))
    drift = Action("drift", "world", m == 50, (sets(n, n + by),))
    with pytest.raises(ModelError, match=f"drift sets n to {code}, outside 0..3"):
        explore(System("drifting", tuple(v.variables), (still, drift)), engine=engine)


@EVERY_ENGINE
def test_a_word_whose_bits_are_all_used(engine: Engine) -> None:
    """64 bits leave no code for an empty slot, so that the state itself cannot be its own entry."""
    v = Vocabulary()
    flags = [v.flag(f"f{i}", "world") for i in range(64)]
    upto = [Action(f"set_{i}", "world", z3.And(*flags[:i]), (sets(f, True),)) for i, f in enumerate(flags)]
    system = System("full", tuple(v.variables), tuple(upto))
    assert Layout.of(system).used == (64,)
    found = explore(system, {"all": z3.And(*flags)}, engine=engine)
    assert (found.states, found.depth, found.first["all"]) == (65, 64, 64)


@EVERY_ENGINE
def test_promises_span_every_start(engine: Engine) -> None:
    found = explore(promising("low middle high").system, engine=engine)
    assert (found.levels[0], {key[1] for key in keys(found)}) == (3, {0, 1, 2})


@EVERY_ENGINE
def test_a_system_without_actions_or_bits(engine: Engine) -> None:
    v = Vocabulary()
    v.count("nothing", 0, "world")
    still = System("still", tuple(v.variables), ())
    for keep_edges in (False, True):
        found = explore(still, {"zero": v.variables[0].term == 0}, keep_edges=keep_edges, engine=engine)
        assert (found.complete, found.states, found.transitions, found.first) == (True, 1, 0, {"zero": 0})


def test_a_search_goes_on_with_another_engine(tmp_path: Path) -> None:
    system, path = two_phase_commit(5), tmp_path / "search"
    engines = [Engine("numpy"), *COMPILED.values(), Engine("numpy")]
    for limit, engine in zip((50, 200, 900, 3_000, None), engines, strict=True):
        found = explore(system, limits=Limits(limit), checkpoint_path=path, engine=engine)
    assert same(found, explore(system))


def test_the_engine_is_said() -> None:
    def name(found: Exploration) -> str:
        return found.lowering.name

    assert name(explore(die_hard())) == "numpy"
    assert name(explore(die_hard(), engine=Engine("compiled", 1))) == "compiled, 1 thread"
    assert name(explore(counters(3, 4), engine=Engine("auto", 2, large=20))) == "compiled, 2 threads"


def test_a_compiler_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "solver.compiled_lowering", None)
    assert explore(counters(3, 4), engine=Engine("auto", large=20)).lowering.name == "numpy"
    with pytest.raises(NoCompiler, match="cannot be loaded"):
        explore(die_hard(), engine=Engine("compiled"))


class Rigid(mmap.mmap):
    """Memory of a system that cannot move pages."""

    def resize(self, newsize: int) -> None:
        raise SystemError("mmap: resizing not available--no mremap()")


def test_memory_grows_without_moving_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    monkeypatch.setattr(compiled_states, "_mapped", lambda words: Rigid(-1, words * 8, flags=flags))
    system = two_phase_commit(5)
    assert same(explore(system, engine=Engine("compiled", 2)), explore(system))


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "has_compiler", lambda: False)
    assert explore(counters(3, 4), engine=Engine("auto", large=20)).lowering.name == "numpy"
    with pytest.raises(NoCompiler, match=r"pip install recovery-cut\[fast\]"):
        explore(die_hard(), engine=Engine("compiled"))
