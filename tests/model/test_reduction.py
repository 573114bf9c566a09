"""The reduction changes neither what the shared world can look like nor any verdict."""

from __future__ import annotations

import numpy as np
import pytest

from model.setting import Ticks
from model.specialise import specialise
from model.system import Model
from properties.mutants.mutant import Run, good_model
from properties.safety import PROPERTIES
from solver.explore import explore

EPOCHS = ("store.epoch", "gateway.told")
RUNS = {
    "fenced": Run(("crash", "pause", "loss", "delay"), messages=1),
    "unkeyed": Run(("crash", "pause", "delay"), {"recognises": False}),
    "unfenced": Run(("crash", "pause", "delay"), {"recognises": False, "enforces_fence": False}),
    "unreadable": Run(("crash", "pause", "errors"), {"readable": False, "enforces_fence": False}, messages=1),
    "undone": Run(("crash", "withdraw", "delay"), {"recognises": False}),
    "recorded late": Run(("crash", "pause"), {"recorded": "after_reply", "enforces_fence": False}, messages=1),
    "never recorded": Run(("crash", "delay"), {"recorded": "never", "enforces_fence": False}, messages=1),
    "restored": Run(("crash", "restore", "delay"), {"recognises": False}),
    "successor": Run(("edit", "delay", "pause"), {"recognises": False}, generations=2, messages=1),
    "unsafe": Run(("crash", "delay"), {"checks_copy": False, "recognises": False}, messages=1),
    "late and unasked": Run(("pause", "void"), {"recorded": "after_reply", "enforces_fence": False}, messages=1),
    "moved": Run(("crash", "pause", "move"), {"conditional": False}, messages=1),
    "unchecked": Run(("pause", "loss"), {"checks_claim": False}, messages=1),
    "aging": Run(("crash", "forget"), {"enforces_fence": False}, Ticks(3, 1, 2, 0), messages=1),
}


def shared_names(model: Model) -> list[str]:
    """Everything but the workers, the messages and the ranks, whose numbers depend on who still holds one."""
    kept = [v for v in model.system().variables if not v.rigid and v.owner != "network"]
    return [v.name for v in kept if not v.owner.startswith("worker[") and not v.name.startswith(EPOCHS)]


def shared(run: Run) -> tuple[set[tuple[int, ...]], dict[str, bool], int]:
    """The reachable valuations of what everybody shares, the verdict on each property, and the number of states."""
    model = good_model(run, "reduction")
    names = shared_names(model)
    special = specialise(model.system())
    terms = {p.name: special.term(p.holds(model)) for p in PROPERTIES}
    found = explore(special.system, terms)
    assert found.complete
    left = {v.name for v in special.system.variables}
    columns = [
        found.layout.field(found.words, n) if n in left else np.full(found.states, special.constants[n]) for n in names
    ]
    rows = np.unique(np.stack(columns, axis=1).astype(np.int64), axis=0)
    verdicts = {name: found.holds_count[name] == found.states for name in terms}
    return {tuple(row) for row in rows.tolist()}, verdicts, found.states


QUICK = ("unfenced", "restored", "aging", "unsafe", "never recorded")


@pytest.mark.parametrize("name", [pytest.param(n, marks=() if n in QUICK else pytest.mark.slow) for n in RUNS])
def test_the_reduction_agrees_with_the_unreduced_model(name: str) -> None:
    run = RUNS[name]
    reduced, its_verdicts, fewer = shared(run)
    whole, verdicts, more = shared(Run(**{**vars(run), "collapse": False}))
    assert reduced == whole
    assert its_verdicts == verdicts
    assert fewer <= more
