"""Every tool of the comparison: how it is run, up to which size, and what it needs to be there."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks import minicheck, ours, rumur, spin, tlc, yardstick
from benchmarks.measurement import Measurement
from benchmarks.sizes import Size
from solver.engine import has_compiler

Measure = Callable[[Size, Path, int], Measurement]
"""Measures a tool once, given a size, a folder of its own and the number of the round."""

ALL, LARGE, MIDDLE = 10**9, 10**7, 2 * 10**6


@dataclass(frozen=True)
class Tool:
    """A tool; ``most`` is the number of states up to which it is asked."""

    name: str
    measure: Measure
    most: int = ALL
    needs: tuple[str, ...] = ()
    compiler: bool = False
    symmetry: bool = False

    def missing(self) -> str | None:
        """Why it cannot run here, or None."""
        for program in self.needs:
            if shutil.which(program) is None:
                return f"{program} is not installed"
        if self.compiler and not has_compiler():
            return "the packages of the extra fast are not installed"
        if self.measure is tlc.measured and "TLC_JAR" not in os.environ:
            return "TLC_JAR names no jar"
        return None

    def fits(self, size: Size) -> bool:
        """Whether this size is one for it."""
        return size.states <= self.most and (not self.symmetry or size.orbits is not None)


def tools() -> list[Tool]:
    """Every tool, our own ones first."""
    return [*_own(), *_yardsticks(), *_spin(), *_rumur(), Tool(tlc.TOOL, tlc.measured, MIDDLE, ("java",)), _python()]


def _own() -> list[Tool]:
    made = [Tool(ours.tool("numpy", n), partial(ours.measured, lowering="numpy", threads=n)) for n in (1, 2)]
    for symmetry in (None, "worker"):
        for threads in (1, 2):
            name = ours.tool("compiled", threads, symmetry)
            measure = partial(ours.measured, lowering="compiled", threads=threads, symmetry=symmetry)
            made.append(Tool(name, measure, compiler=True, symmetry=symmetry is not None))
    return made


def _yardsticks() -> list[Tool]:
    name = "yardstick, {} thread{}"
    return [Tool(name.format(n, "s"[: n - 1]), partial(yardstick.measured, threads=n), needs=("gcc",)) for n in (1, 2)]


def _spin() -> list[Tool]:
    """The plain way is the fastest everywhere, so that the largest sizes are left to it."""
    return [
        Tool(mode, partial(spin.measured, mode=mode), LARGE if flags else ALL, ("spin", "gcc"))
        for mode, flags in spin.MODES.items()
    ]


def _rumur() -> list[Tool]:
    ways = [(1, False, LARGE), (2, False, ALL), (1, True, ALL), (2, True, ALL)]
    return [
        Tool(rumur.tool(n, s), partial(rumur.measured, threads=n, symmetry=s), most, ("rumur", "gcc"), symmetry=s)
        for n, s, most in ways
    ]


def _python() -> Tool:
    return Tool(minicheck.TOOL, minicheck.measured, MIDDLE)
