"""A reduction that drops too much is noticed: shared states or verdicts go missing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from z3 import BoolVal, Not

import model.system
from model.collapse import Collapse
from model.kernel import Term
from properties.mutants.mutant import Run, good_model
from properties.safety import PROPERTIES
from tests.model.searches import met, projected, searched

UNFENCED = {"recognises": False, "enforces_fence": False}


class DropsSenders(Collapse):
    """Forgets that a superseded sender may still release what it has recorded."""

    def may_release(self, x: int) -> Term:
        return BoolVal(False)


class TrustsTheStore(Collapse):
    """Takes every store for one that checks claims."""

    def checks_claim(self) -> Term:
        return self.ranked()


class TrustsEpochs(Collapse):
    """Takes every restored store for one that raises its epochs."""

    def ranked(self) -> Term:
        return BoolVal(True)


EAGER: dict[str, tuple[type[Collapse], Run]] = {
    "senders": (DropsSenders, Run(("pause", "delay"), UNFENCED, messages=1)),
    "unchecked": (TrustsTheStore, Run(("pause",), {**UNFENCED, "checks_claim": False}, messages=1)),
    "lowered": (TrustsEpochs, Run(("crash", "pause", "restore"), {"raises_epochs": False}, messages=1, crashes=1)),
}


def shared(run: Run) -> tuple[frozenset[bytes], frozenset[str]]:
    """What everybody but workers and messages can look like, ranks left out, and which properties break."""
    model = good_model(run, "reduction")
    found = searched(model, {p.name: Not(p.holds(model)) for p in PROPERTIES})
    assert found.complete
    ranks = ("store.epoch", "gateway.told")
    owned = [v.name for v in found.system.variables if v.owner != "network" and not v.owner.startswith("worker[")]
    return projected(found, [name for name in owned if not name.startswith(ranks)]), met(found)


@pytest.mark.parametrize("name", EAGER)
def test_an_eager_reduction_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    eager, run = EAGER[name]
    unreduced = shared(replace(run, collapse=False))
    assert shared(run) == unreduced
    monkeypatch.setattr(model.system, "Collapse", eager)
    assert shared(run) != unreduced
