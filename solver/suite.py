"""The runs of a check: which faults occur together, and in what sizes.

One system with every fault at once has far more states than the questions need. The suite is a list
of runs in which every pair of faults occurs together at least once (``uncovered_pairs`` is empty, and
a test keeps it so); each run is exhaustive. One run keeps whole decision and outcome records, and one is
unreduced, which leaves the stale workers and requests that the reduction removes elsewhere; in both of
them time stands still.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from model.setting import FAULTS, Setting, Ticks

PROCESS = ("crash", "pause")
TRANSPORT = ("loss", "delay", "copy", "outage", "skew")
TARGET = ("errors", "refusals", "distort", "forget", "prune", "lookalike")
BASE = PROCESS + TRANSPORT + TARGET
LAPSES = ("expire", "revoke", "deny")
SHIFTS = ("policy", "void", "resubmit")
STORE = ("store_down", "stale_read", "restore", "diverge")
WISHES = ("edit", "withdraw", "move")
ANSWERS = ("loss", "delay", "errors", "refusals")
GROUPS = {"store": STORE, "wishes": WISHES, "lapses": LAPSES, "shifts": SHIFTS}


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
        t = s.ticks
        spans = {"retention": t.retention, "delay": t.delay, "resume": t.resume, "skew": t.skew or None}
        time = ", ".join(f"{name} {ticks}" for name, ticks in spans.items() if ticks is not None) or "nothing is timed"
        more = ("" if s.collapse else "; unreduced") + ("; with records" if s.records else "")
        return f"{sizes}, {crashes}; {time}; faults: {what}{more}"


def default_suite(base: Setting) -> tuple[Case, ...]:
    """The runs of ``recut check`` for these sizes and durations."""

    def case(name: str, *faults: str, **changes: int | bool) -> Case:
        return Case(name, replace(base, faults=frozenset(faults), **changes))  # type: ignore[arg-type]

    runs = [case("base", *BASE)]
    for name, group in GROUPS.items():
        runs.append(case(f"{name} and transport", *PROCESS, *TRANSPORT, *group))
        runs.append(case(f"{name} and target", *TARGET, *group))
    still = replace(base, ticks=Ticks())
    return (
        *runs,
        case("authority and store", *LAPSES, *SHIFTS, *STORE),
        case("authority and wishes", *LAPSES, *SHIFTS, *WISHES),
        case("store and wishes", *STORE, *WISHES),
        case("generations", "crash", "loss", "refusals", "edit", generations=2),
        Case("records", replace(still, faults=frozenset((*PROCESS, *ANSWERS, "expire")), records=True)),
        Case("unreduced", replace(still, faults=frozenset(("pause", "expire")), collapse=False)),
    )


def uncovered_pairs(cases: Iterable[Case], faults: Sequence[str] = tuple(FAULTS)) -> list[tuple[str, str]]:
    """Pairs of faults that no run has together."""
    sets = [c.setting.faults for c in cases]
    return [(a, b) for a, b in itertools.combinations(faults, 2) if not any({a, b} <= s for s in sets)]
