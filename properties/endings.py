"""That an end stays reachable: which states are ends, and who must be fair."""

from __future__ import annotations

from z3 import And, Or

from model.kernel import System, Term
from model.phases import Phase, resting
from model.system import Model

NAME = "an_end_stays_reachable"
SAYS = (
    "From every reachable state a resting phase can be reached without further faults, and under fairness it is "
    "reached once faults stop."
)
UNATTENDED = "finishes_without_a_person"


def at_rest(model: Model) -> Term:
    """Every case is closed or waits for a person."""
    return And(*[Or(resting(s.phase), s.quarantined, s.phase == Phase.NEEDS_REAUTHORISATION) for s in model.stores])


def closed(model: Model) -> Term:
    """Every case is closed without a person."""
    return And(*[resting(s.phase) for s in model.stores])


def asks_a_person(model: Model) -> Term:
    """Some case waits for a person."""
    return Or(*[Or(s.quarantined, s.phase == Phase.NEEDS_REAUTHORISATION) for s in model.stores])


def faults(system: System) -> frozenset[str]:
    """The actions that are faults: they stop, and nothing may rely on them."""
    return frozenset(a.name for a in system.actions if a.fault is not None)


def fair(system: System) -> frozenset[str]:
    """The actions that happen at last if they stay possible: every step that is no fault."""
    return frozenset(a.name for a in system.actions) - faults(system)


def must_finish_alone(model: Model) -> bool:
    """Fault-free runs need no person: an answer or a readback can state the governed transition."""
    return model.profile["reports_governed"] == (True,)


def must_survive_a_crash_alone(model: Model) -> bool:
    """Nor do runs with one crash: repeats are recognised to the last arrival, or an unlagged readback is fenced."""
    p, ticks = model.profile, model.setting.ticks
    kept = ticks.retention is None or (
        ticks.delay is not None
        and ticks.resume is not None
        and ticks.retention >= ticks.resume + ticks.delay + ticks.skew
    )
    live = p["recognises"] == (True,) and "executes" not in p["on_repeat"] and p["races"] == (False,) and kept
    reads = p["readable"] == (True,) and p["lag"] == ("zero",) and p["prunes"] == (False,)
    fenced = p["enforces_fence"] == (True,) and p["fence_told"] == ("before_read",)
    return must_finish_alone(model) and (live or (reads and fenced))
