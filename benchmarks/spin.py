"""Spin: a C program for the model, which is compiled for one kind of search and run."""

from __future__ import annotations

import re
import time
from pathlib import Path

from benchmarks.measurement import Measurement, checked
from benchmarks.process import BenchmarkError, Finished, run
from benchmarks.promela import promela
from benchmarks.sizes import Size

FLAGS = ("-O2", "-DSAFETY", "-DNOREDUCE")
MODES: dict[str, tuple[str, ...]] = {
    "spin": (),
    "spin, collapsed": ("-DCOLLAPSE",),
    "spin, breadth first": ("-DBFS",),
    "spin, 2 cores": ("-DNCORE=2", "-DMEMLIM=12000"),
}
"""The ways that store whole states. Its parallel breadth-first search keeps hashes only and is no such way."""

DEPTH = 20_000
_NUMBER = r"([\d.]+(?:e\+\d+)?)"


def measured(size: Size, folder: Path, round_: int, mode: str) -> Measurement:
    """One measurement of Spin, from the terms to the answer."""
    began = time.perf_counter()
    (folder / "race.pml").write_text(promela(size.system()), "utf-8")
    run(["spin", "-a", "race.pml"], folder)
    run(["gcc", *FLAGS, *MODES[mode], "-o", "pan", "pan.c"], folder)
    setup = time.perf_counter() - began
    finished = run(["./pan", f"-w{(size.states * 3 // 2).bit_length()}", f"-m{DEPTH}"], folder)
    return checked(read(size, mode, round_, setup, finished), size)


def read(size: Size, mode: str, round_: int, setup: float, finished: Finished) -> Measurement:
    """What Spin printed. It counts the start as a transition and gives the first eight digits of a count."""
    printed = finished.output
    if "errors: 0" not in printed or "too small" in printed or "not completed" in printed:
        raise BenchmarkError(f"{mode} did not search the whole of {size.name}:\n{printed[-2000:]}")
    states = _rounded(_found(rf"{_NUMBER} states, stored", printed), size.states)
    transitions = _rounded(_found(rf"{_NUMBER} transitions", printed), size.transitions + 1) - 1
    depth = int(_found(r"depth reached (\d+)", printed)) if "-DBFS" in MODES[mode] else None
    search = float(_found(rf"elapsed time {_NUMBER} seconds", printed))
    counts, times = (states, transitions, depth), (setup, search, setup + finished.seconds)
    return Measurement(size.name, mode, round_, *counts, *times, _memory(finished, printed), finished.cpu)


def _found(pattern: str, printed: str) -> str:
    found = re.search(pattern, printed)
    if not found:
        raise BenchmarkError(f"Spin did not print {pattern}:\n{printed[-2000:]}")
    return found[1]


def _rounded(told: str, expected: int) -> int:
    """A count as told, or the expected one if it is the same as far as it was told."""
    return expected if told == f"{expected:.8g}" else int(float(told))


def _memory(finished: Finished, printed: str) -> int:
    """Peak memory in bytes; two processes share what they count together, and say it themselves."""
    told = float(_found(rf"{_NUMBER}\s+total actual memory usage", printed)) * 2**20
    return max(finished.peak, int(told)) if "cpu0:" in printed else finished.peak
