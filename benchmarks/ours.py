"""Our own explorer as a process: ``python -m benchmarks.ours SIZE`` prints one line of JSON."""

from __future__ import annotations

import argparse
import json
import os
import resource
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import z3

from benchmarks.measurement import Measurement, checked
from benchmarks.process import run
from benchmarks.sizes import SIZES, Size
from solver.engine import Choice, Engine
from solver.explore import Limits, explore

ROOT = Path(__file__).resolve().parents[1]


def searched(
    size: Size, lowering: Choice, threads: int, symmetry: str | None, memory: int | None = None
) -> dict[str, Any]:
    """One search, with the property asked in every state; set-up ends where the first step has been taken."""
    system = size.system()
    begun: list[float] = []

    def progress(_: object) -> None:
        if not begun:
            begun.append(time.perf_counter())

    asked = {"twice": z3.Not(system.definitions["once"])}
    how: dict[str, Any] = {"engine": Engine(lowering, threads), "symmetry": [symmetry] if symmetry else []}
    found = explore(system, asked, progress=progress, limits=Limits(memory=memory), **how)
    search = time.perf_counter() - begun[0]
    setup = _age() - search
    return {
        "states": found.states,
        "transitions": found.transitions,
        "depth": found.depth,
        "violating": found.holds_count["twice"],
        "search": search,
        "setup": setup,
        "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
    }


def _age() -> float:
    """Seconds since this process was started, interpreter and imports included."""
    started = int(Path("/proc/self/stat").read_text("ascii").rpartition(")")[2].split()[19])
    return time.clock_gettime(time.CLOCK_BOOTTIME) - started / os.sysconf("SC_CLK_TCK")


def measured(size: Size, _: Path, round_: int, lowering: str, threads: int, symmetry: str | None = None) -> Measurement:
    """One measurement of a whole process of our own."""
    command = [sys.executable, "-m", "benchmarks.ours", size.name, "--lowering", lowering, "--threads", str(threads)]
    finished = run(command + (["--symmetry", symmetry] if symmetry else []), ROOT)
    told = json.loads(finished.output.splitlines()[-1])
    counts = told["states"], told["transitions"], told["depth"]
    times = finished.seconds - told["search"], told["search"], finished.seconds
    name = tool(lowering, threads, symmetry)
    return checked(
        Measurement(size.name, name, round_, *counts, *times, finished.peak, finished.cpu, symmetry is not None), size
    )


def tool(lowering: str, threads: int, symmetry: str | None = None) -> str:
    """What a way to run our explorer is called."""
    parts = ["recut", lowering, f"{threads} thread{'s'[: threads - 1]}"]
    return ", ".join(parts + (["symmetry"] if symmetry else []))


def main(arguments: Sequence[str] | None = None) -> None:
    """Search one size as the command line says."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ours", description=__doc__)
    parser.add_argument("size", choices=SIZES)
    parser.add_argument("--lowering", choices=("numpy", "compiled"), default="numpy")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--symmetry", choices=("worker",))
    parser.add_argument("--memory", type=int, metavar="MIB", help="what the process may take; states go to disk then")
    given = parser.parse_args(arguments)
    memory = given.memory << 20 if given.memory else None
    print(json.dumps(searched(SIZES[given.size], given.lowering, given.threads, given.symmetry, memory)))


if __name__ == "__main__":
    main()
