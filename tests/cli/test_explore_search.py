"""How ``recut explore`` searches: what it runs on, reductions, memory, progress, and going on after a stop."""

from __future__ import annotations

import random
import signal
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest

from model.contract import load_contract
from model.contract_profile import ticks_of
from model.policy import load_policy
from model.setting import Setting
from model.specialise import specialise
from model.terms import free_variables
from recut.searching import Watch, estimate, memory_of
from solver import explore as explore_module
from solver.case_run import decides_on
from solver.check import Subject
from solver.explore import Progress
from solver.packing import Layout
from solver.spilled import SpilledStates
from solver.suite import Case
from tests.cli.front import refused, run, started, valid
from tests.kernel.systems import counters

SMALL = ("explore", "--contract", "smtp", "--workers", 2, "--faults", "crash,loss")
COUNTS = ("states", "transitions", "depth", "levels", "actions", "rows")


def told(*options: object) -> dict[str, Any]:
    result = run(*SMALL, *options, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return valid(result.stdout, "explore")


def counts(document: dict[str, Any]) -> dict[str, Any]:
    return {name: document[name] for name in COUNTS}


def test_what_it_runs_on_makes_no_difference() -> None:
    plain = told("--lowering", "numpy")
    compiled = told("--lowering", "compiled", "--threads", 2)
    assert (plain["lowering"], compiled["lowering"]) == ("numpy", "compiled, 2 threads")
    assert counts(plain) == counts(compiled)
    assert "compiled, 1 thread, " in run(*SMALL, "--lowering", "compiled", "--threads", 1).stdout


def test_workers_that_can_change_places() -> None:
    whole, folded = told(), told("--symmetry", "worker")
    assert folded["symmetry"] == ["worker"] == told("--symmetry", "worker, worker")["symmetry"]
    assert whole["states"] / 2 <= folded["states"] < whole["states"]
    assert folded["rows"] == whole["rows"]


def test_partial_order_is_said() -> None:
    assert told("--partial-order")["private"] == []


def test_states_on_disk_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    whole, written = told(), []
    original = SpilledStates.end_level
    monkeypatch.setattr(SpilledStates, "end_level", lambda self: written.append(original(self)))
    monkeypatch.setattr(explore_module, "left_of", lambda memory: None if memory is None else 1)
    assert counts(told("--memory", "64M")) == counts(whole)
    assert len(written) >= whole["depth"]


def test_a_disk_without_room_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(**_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(explore_module, "left_of", lambda memory: None if memory is None else 36_000)
    monkeypatch.setattr(tempfile, "TemporaryFile", full)
    result = run(*SMALL, "--memory", "64M", "--lowering", "numpy")
    assert result.exit_code == 3 and "cut off by memory" in result.stdout


def test_reductions_keep_what_coverage_reads() -> None:
    read = load_contract("smtp")
    sizes = Setting(workers=2, faults=frozenset(("crash", "loss")), ticks=ticks_of(read))
    model = Subject(read, load_policy("recovery"), sizes).model(Case("coverage", sizes))
    special = specialise(model.system())
    asked = decides_on(model, special)
    terms = [*model.inputs[0].values(), *model.inputs[1].values(), model.workers[0].move, model.workers[1].move]
    assert frozenset[str]().union(*(free_variables(special.term(t)) for t in terms)) == free_variables(asked)


def test_what_cannot_be_done_is_refused(tmp_path: Path) -> None:
    assert "network: release[0][0][0] tells its members apart" in refused(run(*SMALL, "--symmetry", "network"))
    assert "no family 'crowd'" in refused(run(*SMALL, "--symmetry", "crowd"))
    assert "'much' is no size" in refused(run(*SMALL, "--memory", "much"))
    assert "at least 64M" in refused(run(*SMALL, "--memory", "63M"))
    graph = ("--graph", tmp_path / "g.dot")
    assert "--symmetry: has no meaning here" in refused(run(*SMALL, *graph, "--symmetry", "worker"))
    assert "--partial-order: has no meaning here" in refused(run(*SMALL, *graph, "--partial-order"))
    assert "--lowering: has no meaning here" in refused(run("explore", "--situations", "--lowering", "numpy"))
    assert "--resume: has no meaning here" in refused(run(*SMALL, "--export", "murphi", "--resume", tmp_path / "x"))


@pytest.mark.parametrize(
    ("text", "size"), [("64M", 64 << 20), ("2G", 2 << 30), ("1 gib", 1 << 30), ("67108864", 64 << 20), ("1t", 1 << 40)]
)
def test_sizes(text: str, size: int) -> None:
    assert memory_of(text) == size


def test_the_end_is_projected_once_levels_shrink() -> None:
    watch = Watch(Layout.of(counters(2, 3)))
    for depth, frontier in enumerate((100, 400, 200)):
        watch.frontiers[depth] = frontier
    assert "still growing" in watch.line(Progress(2, 700, 100, 200), 1.0)
    watch.frontiers[3] = 100
    line = watch.line(Progress(3, 1_000, 50, 100), 10.0)
    assert line.startswith("1,000 states of 4 bits, 100/s, depth 3: 50 of 100, ")
    assert line.endswith("about 1 s left")


def test_room_is_estimated_before_a_search() -> None:
    said = estimate(Layout.of(counters(2, 3)), 512 << 20)
    assert said.startswith("4 bits in 1 words, about 24 bytes a state: room for 22,369,621 states in 512 MB")
    assert "on disk" in said and "on disk" not in estimate(Layout.of(counters(2, 3)), None)


def test_a_search_goes_on_from_its_file(tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    cut = run(*SMALL, "--max-states", 100, "--resume", kept)
    assert cut.exit_code == 3 and kept.exists()
    assert counts(told("--resume", kept)) == counts(told())
    assert "another model" in refused(run(*SMALL[:-1], "crash", "--resume", kept))


@pytest.mark.slow
def test_stopped_twenty_times_at_random_it_finds_the_same(tmp_path: Path) -> None:
    """Ctrl-C and SIGKILL in turn, at moments from a fixed seed."""
    large = ("explore", "--faults", "crash,pause,loss,delay,errors,prune", "--lowering", "numpy", "--format", "json")
    whole = valid(run(*large).stdout, "explore")
    kept, output, random_ = tmp_path / "kept", tmp_path / "report.json", random.Random(20)
    for turn in range(20):
        output.unlink(missing_ok=True)
        process = started(*large, "--resume", kept, "--output", output)
        time.sleep(random_.uniform(0.5, 5.0))
        process.send_signal(signal.SIGINT if turn % 2 else signal.SIGKILL)
        process.communicate(timeout=120)
    assert counts(valid(run(*large, "--resume", kept).stdout, "explore")) == counts(whole)
