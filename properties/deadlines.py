"""Which deadlines of a run were binding: a bound that nothing ever reaches proves nothing about it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from z3 import And, Or

from model.kernel import Term
from model.labels import Kind, Memo
from model.system import Model


@dataclass(frozen=True)
class Deadline:
    """A deadline of the run: the action that shows it passing, or a state that shows it was reached."""

    name: str
    action: str | None = None
    reached: Term | None = None


def deadlines(model: Model) -> Iterator[Deadline]:
    """Every deadline that this run has."""
    faults, ticks = model.setting.faults, model.setting.ticks
    if faults & {"crash", "pause"}:
        yield Deadline("lease", action="lapse" if "crash" in faults else "lapse_in_a_pause")
    if "expire" in faults:
        yield Deadline("approval", action="expire")
    if "prune" in faults and True in model.profile["prunes"]:
        yield Deadline("record retention", action="prune_record")
    if True in model.profile["settles_late"]:
        yield Deadline("settlement", action="settle")
    if ticks.retention is not None:
        kept = Or(*[And(g.memo != Memo.none, g.kept == 0) for g in model.gateways])
        yield Deadline("retention", reached=kept)
    if ticks.delay is not None:
        late = Or(*[And(n.kind == Kind.execute, n.life == 0) for n in model.network.slots])
        yield Deadline("delay", reached=late)
    if ticks.resume is not None and ticks.resume <= model.setting.oldest:
        last = Or(*[And(model.clock.age[k] >= ticks.resume, model.store.unfinished(k)) for k in model.indices("k")])
        yield Deadline("longest resume", reached=last)
