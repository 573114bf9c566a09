"""Which lowering runs a search: numpy at once, compiled code where it is there and repays its set-up."""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass
from typing import Literal

from model.kernel import System
from solver.lowering import Lowering
from solver.numpy_lowering import NumpyLowering
from solver.packing import Layout

Choice = Literal["auto", "numpy", "compiled"]

LARGE = 500_000
"""States after which a search goes on compiled: finding so many has taken numpy about as long as compiling takes.

A search that ends soon afterwards would have been quicker without.
"""


class NoCompiler(RuntimeError):
    """Compiled code was asked for and the packages that make it are not there; the message is one line."""


@dataclass(frozen=True)
class Engine:
    """How a system is run.

    ``lowering`` "auto" begins with numpy and goes on compiled, if that is installed, once there are ``large``
    states. ``threads`` is how many there are of them, with numpy for states of one word only; 0 means one
    for each core that this process may use.
    """

    lowering: Choice = "auto"
    threads: int = 0
    large: int = LARGE

    def first(self, system: System, layout: Layout) -> Lowering:
        """What the search begins with. NoCompiler if it cannot be had."""
        if self.lowering == "compiled":
            return self._compiled(system, layout)
        return NumpyLowering(system, layout, self.threads or cores())

    def next(self, now: Lowering, system: System, layout: Layout, states: int) -> Lowering | None:
        """What it goes on with before it expands the level after so many states; None to stay."""
        if self.lowering != "auto" or states < self.large or not isinstance(now, NumpyLowering):
            return None
        try:
            return self._compiled(system, layout)
        except NoCompiler:
            return None

    def _compiled(self, system: System, layout: Layout) -> Lowering:
        if not has_compiler():
            raise NoCompiler("the compiled lowering needs llvmlite and numba; pip install recovery-cut[fast]")
        try:
            from solver.compiled_lowering import CompiledLowering
        except (ImportError, RuntimeError) as problem:  # numba finds no place for what it compiles
            reason = " ".join(str(problem).split())
            raise NoCompiler(f"the compiled lowering cannot be loaded ({reason}); set NUMBA_CACHE_DIR") from None
        return CompiledLowering(system, layout, self.threads or cores())


def cores() -> int:
    """How many processors this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def has_compiler() -> bool:
    """Whether the packages of the extra ``fast`` are installed."""
    return all(importlib.util.find_spec(name) for name in ("llvmlite", "numba"))
