"""The ways in which a system can be run, which must not make a difference."""

from __future__ import annotations

import pytest

from solver.engine import Engine

ENGINES = {
    "numpy": Engine("numpy"),
    "compiled": Engine("compiled", threads=1),
    "two_threads": Engine("compiled", threads=2),
    "changing": Engine("auto", threads=2, large=20),
}
COMPILED = {name: engine for name, engine in ENGINES.items() if name != "numpy"}

EVERY_ENGINE = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES.keys())
COMPILED_ENGINES = pytest.mark.parametrize("engine", COMPILED.values(), ids=COMPILED.keys())
