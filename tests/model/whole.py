"""The model with every action that it can have: all promises open, all faults, two of everything."""

from __future__ import annotations

import functools

from model.kernel import System
from model.setting import Setting, Ticks
from model.system import Model, Parts
from model.table_file import load_table
from solver.impossible_cuts import open_profile


def whole_model(parts: Parts | None = None) -> Model:
    """Two workers, two obligations of two generations, two messages, every fault and every deadline."""
    setting = Setting(obligations=2, generations=2, ticks=Ticks(3, 1, 1, 1))
    return Model(setting, open_profile(), load_table("recovery"), parts)


@functools.cache
def whole_system() -> System:
    """The shipped model's system."""
    return whole_model().system()
