"""Five questions are answered by the records alone, and a record that leaves something out is noticed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from z3 import BoolVal, Not

from model.evidence import Evidence
from model.kernel import Term, Update, sets
from model.system import Model, Parts
from model.table_file import load_table
from model.table_inputs import Effect, Postcondition
from properties.mutants.mutant import Run, good_model
from properties.safety import property_named
from tests.model.searches import met, projected, searched, trace_to

RUN = Run(("crash", "pause", "delay", "refusals", "withdraw"), {"recognises": False}, messages=1)
QUESTIONS = (
    "who initiated",
    "what exactly was admitted",
    "why this branch",
    "what the target did",
    "what verified outcome",
)


def keeping(run: Run, parts: Parts | None = None, table: str = "recovery", *, records: bool = True) -> Model:
    """A model that keeps records."""
    good = good_model(run, "records")
    return Model(replace(good.setting, records=records), good.profile, load_table(table), parts)


def wrongly_answered(model: Model) -> frozenset[str]:
    """The questions to which some reachable state has another answer than the records."""
    assert model.evidence is not None
    found = searched(model, {name: Not(term) for name, term in model.evidence.answers().items()})
    assert found.complete
    return met(found)


def test_every_question_is_answered() -> None:
    model = keeping(RUN)
    assert model.evidence is not None
    assert tuple(model.evidence.answers()) == QUESTIONS
    assert wrongly_answered(model) == set()


def test_a_successor_has_records_of_its_own() -> None:
    run = Run(("crash", "loss", "refusals", "edit"), generations=2, messages=1)
    assert wrongly_answered(keeping(run)) == set()


def test_records_change_no_step() -> None:
    plain, observed = keeping(RUN, records=False), keeping(RUN)
    names = [v.name for v in plain.system().variables]
    assert projected(searched(observed), names) == projected(searched(plain), names)
    steps = {a.name: a.guard for a in plain.system().actions}
    assert {a.name: a.guard for a in observed.system().actions} == steps


class NamesAnother(Evidence):
    """The record names a worker that did not act."""

    def on_record(self, w: int, o: int, *, undo: bool) -> Iterator[Update]:
        return super().on_record((w + 1) % self.model.setting.workers, o, undo=undo)


class DecidesAgain(Evidence):
    """The record states the rule that decides when it is written, not the one that decided."""

    def on_record(self, w: int, o: int, *, undo: bool) -> Iterator[Update]:
        self.chosen[w], kept = self._deciding(w), self.chosen[w]
        yield from super().on_record(w, o, undo=undo)
        self.chosen[w] = kept


class LeavesThePayloadOut(Evidence):
    """Every record states the payload of the intent."""

    def on_record(self, w: int, o: int, *, undo: bool) -> Iterator[Update]:
        worker = self.model.workers[w]
        self.model.worker.locals[w] = replace(worker, drift=BoolVal(False), astray=BoolVal(False))
        yield from super().on_record(w, o, undo=undo)
        self.model.worker.locals[w] = worker


class WritesNoOutcome(Evidence):
    """A case is closed without an outcome record."""

    def on_outcome(self, w: int, o: int) -> Iterator[Update]:
        return iter(())


class TakesTheIntentForTheOutcome(Evidence):
    """The outcome record says what was wanted."""

    def on_outcome(self, w: int, o: int) -> Iterator[Update]:
        yield sets(self.effect[o], Effect.committed)
        yield sets(self.path[o], Postcondition.confirmed)


REGENERATED = Run(("crash", "loss"), {"regenerates": True}, messages=1)
LOSSY = {
    NamesAnother: (RUN, "recovery", {"who initiated", "what exactly was admitted", "why this branch"}),
    DecidesAgain: (RUN, "recovery", {"who initiated", "what exactly was admitted", "why this branch"}),
    LeavesThePayloadOut: (REGENERATED, "blind-retry", {"what exactly was admitted", "why this branch"}),
    WritesNoOutcome: (RUN, "recovery", {"what the target did", "what verified outcome"}),
    TakesTheIntentForTheOutcome: (RUN, "recovery", {"what the target did"}),
}


@pytest.mark.parametrize("lossy", LOSSY, ids=lambda x: x.__name__)
def test_a_record_that_leaves_something_out_is_noticed(lossy: type[Evidence]) -> None:
    run, table, questions = LOSSY[lossy]
    sound = wrongly_answered(keeping(run, table=table))
    assert wrongly_answered(keeping(run, Parts(evidence=lossy), table)) - sound == questions


def test_an_attempt_that_is_recorded_late_leaves_questions_open() -> None:
    model = keeping(Run(("crash",), {"recorded": "after_reply"}, messages=1))
    assert wrongly_answered(model) == {"who initiated", "what exactly was admitted", "why this branch"}


def test_the_property_speaks_of_the_records() -> None:
    model = keeping(RUN, Parts(evidence=WritesNoOutcome))
    term: Term = Not(property_named("every_decision_leaves_a_record").holds(model))
    found = searched(model, {"broken": term}, stop_when=("broken",))
    last = trace_to(found, "broken", term).steps[-1]
    assert last.action in ("abandon[0][0]", "adopt[0][0]", "abandon[1][0]", "adopt[1][0]")
    assert last.state["record.effect[0]"] == "unknown" and last.state["store.lease[0]"] is False
