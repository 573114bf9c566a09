"""A reduction that drops too much is noticed: shared states or verdicts go missing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest
from z3 import And, BoolVal, Not

from model import system
from model.collapse import Collapse
from model.kernel import Term
from model.labels import Recorded
from model.system import Model
from model.table_file import load_table
from properties.mutants.mutant import Run, good_model
from properties.safety import PROPERTIES, property_named
from tests.model.searches import met, projected, searched

UNFENCED = {"recognises": False, "enforces_fence": False}


class DropsSenders(Collapse):
    """Forgets that a superseded sender may still release what it has recorded."""

    def may_release(self, x: int) -> Term:
        return BoolVal(False)


class TrustsTheStore(Collapse):
    """Takes every store for one that checks claims."""

    def bound(self) -> Term:
        return And(self.model.promises.recorded == Recorded.before_release, self.ranked())


class ForgetsRecords(Collapse):
    """Forgets that a release is noticed whose record a next generation has dropped."""

    def keeps_record(self, x: int) -> Term:
        return BoolVal(True)


class TrustsEpochs(Collapse):
    """Takes every restored store for one that raises its epochs."""

    def ranked(self) -> Term:
        return BoolVal(True)


@dataclass(frozen=True)
class Eager:
    """A reduction that is too eager, and a run under a table in which it loses something."""

    reduction: type[Collapse]
    run: Run
    table: str = "recovery"

    def model(self, collapse: bool) -> Model:
        """The run, reduced or not, with the reduction that the model has at the moment."""
        good = good_model(replace(self.run, collapse=collapse), "reduction")
        return Model(good.setting, good.profile, load_table(self.table))


IDENTITY = {"per_obligation": False, "waits_for_closing": False}
EAGER = {
    "records": Eager(ForgetsRecords, Run(("pause", "edit"), IDENTITY, generations=2, messages=1), "at-most-once"),
    "senders": Eager(DropsSenders, Run(("crash", "pause"), UNFENCED, messages=1), "read-then-act"),
    "unchecked": Eager(TrustsTheStore, Run(("pause",), {**UNFENCED, "checks_claim": False}, messages=1)),
    "lowered": Eager(TrustsEpochs, Run(("crash", "restore"), {"raises_epochs": False}, messages=1, crashes=1)),
}


Shared = tuple[frozenset[bytes], frozenset[str]]


def shared(model: Model) -> Shared:
    """What everybody but workers and messages can look like, ranks left out, and which properties break."""
    found = searched(model, {p.name: Not(p.holds(model)) for p in PROPERTIES})
    assert found.complete
    ranks = ("store.epoch", "gateway.told")
    owned = [v.name for v in found.system.variables if v.owner != "network" and not v.owner.startswith("worker[")]
    return projected(found, [name for name in owned if not name.startswith(ranks)]), met(found)


@pytest.mark.parametrize("name", EAGER)
def test_an_eager_reduction_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    eager = EAGER[name]
    unreduced, reduced = shared(eager.model(collapse=False)), shared(eager.model(collapse=True))
    assert not lost(unreduced, reduced)
    monkeypatch.setattr(system, "Collapse", eager.reduction)
    assert lost(unreduced, shared(eager.model(collapse=True)))


def lost(whole: Shared, reduced: Shared) -> bool:
    """Whether a reduced search has missed something; as doomed workers are free again it may meet more."""
    return not (whole[0] <= reduced[0] and whole[1] <= reduced[1])


@pytest.mark.slow
def test_what_only_the_reduction_meets_needs_one_more_worker() -> None:
    """A doomed worker that is free at once stands for a further one."""
    eager = EAGER["records"]
    unreduced, reduced = shared(eager.model(collapse=False)), shared(eager.model(collapse=True))
    assert reduced[1] - unreduced[1] == {"stale_workers_are_fenced"}
    more = replace(eager, run=replace(eager.run, workers=3)).model(collapse=False)
    broken = Not(property_named("stale_workers_are_fenced").holds(more))
    assert met(searched(more, {"broken": broken}, stop_when=("broken",))) == {"broken"}
