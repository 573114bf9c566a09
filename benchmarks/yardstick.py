"""The yardstick in C: generated for a system, compiled and run."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import z3

from benchmarks.c_header import header
from benchmarks.measurement import Measurement, checked
from benchmarks.process import Finished, run
from benchmarks.sizes import Size
from model.kernel import System

SOURCE = Path(__file__).with_name("yardstick.c")
FLAGS = ("-march=native", "-mcx16", "-pthread")


def built(system: System, folder: Path, threads: int = 1, optimised: str = "-O3") -> Path:
    """The program for a system, which is compiled in the folder."""
    model, program = folder / "model.h", folder / f"yardstick{threads}"
    model.write_text(header(system, z3.Not(system.definitions["once"])), "utf-8")
    defined = (f"-DTHREADS={threads}", f'-DMODEL="{model}"')
    run(["gcc", optimised, *FLAGS, *defined, str(SOURCE), "-o", str(program)], folder)
    return program


def slots(states: int) -> int:
    """The binary logarithm of a table that these states fill to two thirds at most."""
    return max(10, (states * 3 // 2).bit_length())


def searched(program: Path, states: int) -> tuple[dict[str, Any], Finished]:
    """What the program finds, with a table for this many states, and how its process went."""
    finished = run([str(program), str(slots(states))], program.parent)
    return json.loads(finished.output), finished


def measured(size: Size, folder: Path, round_: int, threads: int) -> Measurement:
    """One measurement of the yardstick, from the terms to the answer."""
    began = time.perf_counter()
    program = built(size.system(), folder, threads)
    setup = time.perf_counter() - began
    found, finished = searched(program, size.states)
    name = f"yardstick, {threads} thread{'s'[: threads - 1]}"
    counts = found["states"], found["transitions"], found["depth"]
    times = setup, found["seconds"], setup + finished.seconds
    return checked(Measurement(size.name, name, round_, *counts, *times, finished.peak, finished.cpu), size)
