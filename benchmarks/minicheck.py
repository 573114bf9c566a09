"""minicheck, an explicit-state checker in plain Python, in an environment of its own under build/."""

from __future__ import annotations

import json
import sys
import time
import venv
from pathlib import Path

from benchmarks.measurement import Measurement, checked
from benchmarks.process import BenchmarkError, run
from benchmarks.sizes import Size
from benchmarks.tuples import tuples

TOOL, VERSION = "minicheck", "0.4.0"
_SEARCH = f"""
import json, time
import race
from minicheck import Protocol, check_safety
began = time.perf_counter()
model = Protocol("race", False, race.FIELDS, race.INITIAL, race.transitions, {{"once": race.once}})
found = check_safety(model, max_states={10**9})
seconds = time.perf_counter() - began
print(json.dumps([found["reachable_states"], found["exhaustive"], found["properties"]["once"]["holds"], seconds]))
"""


def interpreter(folder: Path) -> Path:
    """The Python of the environment, which is made and filled from the package index if it is not there."""
    python = folder / "bin" / "python"
    if not (folder / TOOL).exists():
        venv.create(folder, with_pip=True, clear=True)
        run([str(python), "-m", "pip", "install", "--quiet", f"{TOOL}=={VERSION}"], folder)
        (folder / TOOL).touch()
    return python


def measured(size: Size, folder: Path, round_: int) -> Measurement:
    """One measurement of minicheck, from the terms to the answer; it counts no transitions."""
    python = interpreter(folder.parents[1] / f"peers-{sys.version_info.major}.{sys.version_info.minor}")
    began = time.perf_counter()
    (folder / "race.py").write_text(tuples(size.system()), "utf-8")
    (folder / "search.py").write_text(_SEARCH, "utf-8")
    setup = time.perf_counter() - began
    finished = run([str(python), "search.py"], folder)
    states, exhaustive, holds, search = json.loads(finished.output)
    if not exhaustive or not holds:
        raise BenchmarkError(f"{TOOL} did not search the whole of {size.name}: {finished.output}")
    times = setup, search, setup + finished.seconds
    return checked(Measurement(size.name, TOOL, round_, states, None, None, *times, finished.peak, finished.cpu), size)
