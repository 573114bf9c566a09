"""The runs of a check: which faults occur together, and in what sizes.

One system with every fault at once has far more states than the questions need. The suite is a list
of runs in which every pair of faults occurs together at least once (``uncovered_pairs`` is empty, and
a test keeps it so); each run is exhaustive.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from model.setting import FAULTS, Setting

PROCESS = ("crash", "pause")
TRANSPORT = ("loss", "delay", "copy", "outage", "skew")
TARGET = ("errors", "refusals", "forget", "prune", "lookalike")
BASE = PROCESS + TRANSPORT + TARGET
LAPSES = ("expire", "revoke", "deny")
SHIFTS = ("policy", "void", "resubmit")
STORE = ("store_down", "stale_read", "restore", "diverge")
WISHES = ("edit", "withdraw", "move")


@dataclass(frozen=True)
class Case:
    """One run of a suite."""

    name: str
    setting: Setting

    @property
    def bounds(self) -> str:
        """Sizes, faults and reduction in words."""
        s = self.setting
        crashes = "any crashes" if s.crashes is None else f"crashes {s.crashes}"
        what = "all" if s.faults == frozenset(FAULTS) else ", ".join(f for f in FAULTS if f in s.faults) or "none"
        sizes = f"workers {s.workers}, obligations {s.obligations}, generations {s.generations}, messages {s.messages}"
        return f"{sizes}, {crashes}, faults: {what}" + ("" if s.collapse else ", unreduced")


def default_suite(base: Setting) -> tuple[Case, ...]:
    """The runs of ``recut check`` for these sizes and durations."""

    def case(name: str, *faults: str, **changes: int | bool) -> Case:
        return Case(name, replace(base, faults=frozenset(faults), **changes))  # type: ignore[arg-type]

    return (
        case("store", *BASE, *STORE),
        case("wishes", *BASE, *WISHES),
        case("lapses", *BASE, *LAPSES),
        case("shifts", *BASE, *SHIFTS),
        case("authority", "crash", *LAPSES, *SHIFTS),
        case("authority and store", "crash", *LAPSES, *SHIFTS, *STORE),
        case("authority and wishes", "crash", *LAPSES, *SHIFTS, *WISHES),
        case("store and wishes", "crash", *STORE, *WISHES),
        case("generations", *PROCESS, "loss", "errors", "refusals", "edit", generations=2),
        case("unreduced", "pause", "expire", collapse=False),
    )


def uncovered_pairs(cases: Iterable[Case], faults: Sequence[str] = tuple(FAULTS)) -> list[tuple[str, str]]:
    """Pairs of faults that no run has together."""
    sets = [c.setting.faults for c in cases]
    return [(a, b) for a, b in itertools.combinations(faults, 2) if not any({a, b} <= s for s in sets)]
