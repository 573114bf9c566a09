"""TLC, where the environment variable TLC_JAR names its jar."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path

from benchmarks.measurement import Measurement, checked
from benchmarks.process import BenchmarkError, Finished, run
from benchmarks.sizes import Size
from benchmarks.tla import CONFIGURATION, tla

TOOL = "tlc, 2 workers"


def measured(size: Size, folder: Path, round_: int) -> Measurement:
    """One measurement of TLC, from the terms to the answer."""
    began = time.perf_counter()
    (folder / "Race.tla").write_text(tla(size.system(), "Race"), "utf-8")
    (folder / "Race.cfg").write_text(CONFIGURATION, "utf-8")
    setup = time.perf_counter() - began
    jar = str(Path(os.environ["TLC_JAR"]).resolve())
    java = ["java", "-XX:+UseParallelGC", "-Xmx12g", "-cp", jar, "tlc2.TLC"]
    finished = run([*java, "-deadlock", "-workers", "2", "-nowarning", "Race"], folder)
    return checked(read(size, round_, setup, finished), size)


def read(size: Size, round_: int, setup: float, finished: Finished) -> Measurement:
    """What TLC printed last. It counts the start as generated, and a level more than there are steps."""
    summary = re.findall(r"([\d,]+) states generated, ([\d,]+) distinct states found, 0 states left", finished.output)
    levels = re.findall(r"depth of the complete state graph search is (\d+)", finished.output)
    if not summary or not levels:
        raise BenchmarkError(f"TLC did not search the whole of {size.name}:\n{finished.output[-2000:]}")
    generated, states = (int(number.replace(",", "")) for number in summary[-1])
    times = setup, finished.seconds, setup + finished.seconds
    return Measurement(
        size.name, TOOL, round_, states, generated - 1, int(levels[-1]) - 1, *times, finished.peak, finished.cpu
    )
