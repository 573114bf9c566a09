"""Rumur: a C program for a model in Murphi's language."""

from __future__ import annotations

import re
import time
from pathlib import Path

from benchmarks.measurement import Measurement, checked
from benchmarks.murphi import murphi, murphi_symmetric
from benchmarks.process import BenchmarkError, Finished, run
from benchmarks.sizes import Size

FLAGS = ("-O3", "-march=native", "-mcx16")


def measured(size: Size, folder: Path, round_: int, threads: int, symmetry: bool = False) -> Measurement:
    """One measurement of Rumur, from the terms to the answer."""
    began = time.perf_counter()
    write = murphi_symmetric if symmetry else murphi
    (folder / "race.m").write_text(write(size.system()), "utf-8")
    run(["rumur", *_options(size, threads, symmetry), "--output", "race.c", "race.m"], folder)
    run(["gcc", *FLAGS, "-o", "race", "race.c", "-pthread"], folder)
    setup = time.perf_counter() - began
    finished = run(["./race"], folder)
    return checked(read(size, tool(threads, symmetry), round_, setup, finished, symmetry), size)


def _options(size: Size, threads: int, symmetry: bool) -> list[str]:
    """No traces, no deadlocks, a set of the right size, and a canonical form where workers are exchanged."""
    states = size.orbits[0] if symmetry and size.orbits else size.states
    reduction = "exhaustive" if symmetry else "off"
    return [
        *("--deadlock-detection", "off", "--counterexample-trace", "off", "--scalarset-schedules", "off"),
        *("--symmetry-reduction", reduction, "--threads", str(threads)),
        *("--set-capacity", str(128 << max(16, (states * 3 // 2).bit_length())), "--output-format", "machine-readable"),
    ]


def tool(threads: int, symmetry: bool = False) -> str:
    """What a way to run Rumur is called."""
    return f"rumur, {threads} thread{'s'[: threads - 1]}" + (", symmetry" if symmetry else "")


def read(size: Size, name: str, round_: int, setup: float, finished: Finished, symmetry: bool) -> Measurement:
    """What Rumur printed: its seconds are whole ones, so that the time is that of the process."""
    found = re.search(r'<summary states="(\d+)" rules_fired="(\d+)" errors="0"', finished.output)
    if not found:
        raise BenchmarkError(f"{name} did not search the whole of {size.name}:\n{finished.output[-2000:]}")
    states, transitions = int(found[1]), int(found[2])
    times = setup, finished.seconds, setup + finished.seconds
    return Measurement(
        size.name, name, round_, states, transitions, None, *times, finished.peak, finished.cpu, symmetry
    )
