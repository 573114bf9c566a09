"""The two interruption reports, read off runs of the model under a contract, a policy and its table.

Every number, decision and phase is taken from a run: from ghost history, a worker's cut, what the table
decides on it, and the phase in the checkpoint. A changed cell of the table changes what is read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from z3 import And, Sum

from model.contract import DEFAULT_CONTRACT, load_contract
from model.contract_profile import profile_of, ticks_of
from model.labels import Move
from model.phases import Phase
from model.policy import Policy, load_policy
from model.setting import Setting
from model.system import Model
from model.table_inputs import Decision
from properties.verdict import Outcome
from solver.harness_cases import FAULTS, INTERRUPTIONS, STORIES, Interruption, Story
from solver.plain_step import PlainModel
from solver.published import PUBLISHED_MATRIX, PUBLISHED_REPORT, Entry
from solver.scenario import Run

PHASES: Mapping[str, str] = {"OUTCOME_VERIFIED": "COMPLETE"}
EFFECTS: Mapping[str, str] = {"absent": "not started"}
REASONS: Mapping[str, str] = {
    "expired": "approval has expired",
    "revoked": "approval has been revoked",
    "consumed": "approval has been used",
    "none": "approval was not given",
}
"""The reports' words for a phase, an effect and a permission; where none is listed they use ours."""


@dataclass(frozen=True)
class Told:
    """One scenario: what a report says of it, what was published, and the run behind that."""

    story: Story
    entry: Entry
    published: Entry
    run: Run
    seconds: float

    @property
    def outcome(self) -> Outcome:
        """Whether the run says what was published."""
        return Outcome.HOLDS if self.entry == self.published else Outcome.FAILS


@dataclass(frozen=True)
class Harness:
    """Both reports."""

    cases: tuple[Told, ...]
    rows: tuple[Told, ...]

    @property
    def report(self) -> dict[str, Entry]:
        """The four-case interruption report."""
        return {told.story.name: told.entry for told in self.cases}

    @property
    def matrix(self) -> list[Entry]:
        """The crash-point matrix, a dictionary a row."""
        return [told.entry for told in self.rows]

    @property
    def outcome(self) -> Outcome:
        """Whether both reports are the published ones."""
        same = self.report == PUBLISHED_REPORT and self.matrix == list(PUBLISHED_MATRIX)
        return Outcome.HOLDS if same else Outcome.FAILS


@dataclass
class Stage:
    """Plays scenarios; those under one policy and contract are played on one model, which is built once.

    ``policies`` are looked up by the name in a scenario.
    """

    policies: Mapping[str, Policy]
    _models: dict[object, tuple[Model, PlainModel]] = field(default_factory=dict)

    def case(self, story: Story) -> Told:
        """One case of the first report."""
        return self._told(story, READERS[story.name], PUBLISHED_REPORT[story.name])

    def row(self, interruption: Interruption) -> Told:
        """One row of the second report."""
        published = dict(zip(INTERRUPTIONS, PUBLISHED_MATRIX, strict=True))
        return self._told(interruption.story, partial(_row, interruption), published[interruption])

    def play(self, story: Story) -> Run:
        """The scenario as a run of the model."""
        key = (story.policy, tuple(story.clauses.items()))
        if key not in self._models:
            model = self._model(story)
            self._models[key] = model, PlainModel(model.system())
        return Run(*self._models[key], story.turns)

    def _told(self, story: Story, read: Callable[[Run], Entry], published: Entry) -> Told:
        began = time.monotonic()
        run = self.play(story)
        return Told(story, read(run), published, run, time.monotonic() - began)

    def _model(self, story: Story) -> Model:
        policy = self.policies[story.policy]
        contract = load_contract(DEFAULT_CONTRACT).with_clauses(story.clauses)
        setting = Setting(faults=frozenset(FAULTS), ticks=ticks_of(contract), collapse=False)
        return Model(setting, profile_of(contract, policy.practices), policy.table, name=story.name)


def harness(policies: Mapping[str, Policy] | None = None) -> Harness:
    """Both reports under policies by name; those that are not given are the shipped ones."""
    shipped = {name: load_policy(name) for name in {s.policy for s in STORIES}}
    stage = Stage({**shipped, **(policies or {})})
    return Harness(tuple(map(stage.case, STORIES)), tuple(map(stage.row, INTERRUPTIONS)))


def harness_report(found: Harness | None = None) -> dict[str, object]:
    """Both reports as plain data, those of the shipped policies by default: what ``recut harness`` prints as JSON."""
    found = found or harness()
    return {
        "schema": "recut/harness/1",
        "verdict": str(found.outcome),
        "report": found.report,
        "matrix": found.matrix,
        "results": [_result(told) for told in (*found.cases, *found.rows)],
    }


def _result(told: Told) -> dict[str, object]:
    """How one scenario is known: the rows that decided, and the steps, which replay."""
    sizes = told.run.model.setting
    bounds = f"policy {told.story.policy}, workers {sizes.workers}, obligations {sizes.obligations}"
    return {
        "name": told.story.name,
        "verdict": str(told.outcome),
        "how": "one run of the model",
        "bounds": f"{bounds}, turns {len(told.story.turns)}",
        "seconds": round(told.seconds, 3),
        "states": len(told.run.states),
        "rules": [r.rule for r in told.run.rulings],
        "actions": list(told.run.actions),
        "missed": list(told.run.missed),
    }


def commits(run: Run) -> int:
    """How many effects there are in the world, by ghost history (of one identity two or more count as two)."""
    return run.value(Sum(run.model.history.commits))


def phase(run: Run) -> str:
    """The phase in the checkpoint, in the report's words."""
    ours = run.label(run.model.stores[0].phase, Phase)
    return PHASES.get(ours, ours)


def permission(run: Run) -> str | None:
    """What the authority had answered the resumer when it last decided."""
    ruling = run.last_ruling(1)
    return None if ruling is None else ruling.cut["permission"]


def _checkpoint_only(run: Run) -> Entry:
    return {"external_effects": commits(run), "workflow_phase": phase(run)}


def _consume_once(run: Run) -> Entry:
    """Accepted: has a recorded attempt with a lawful admission behind it. Rejected: has to stand down."""
    m = run.model
    stands_down = [
        And(x.move == Move.informed, d == Decision.stand_down) for x, d in zip(m.workers, m.decision, strict=True)
    ]
    return {
        "accepted_resumers": sum(run.value(x.lawful) for x in m.workers),
        "rejected_resumers": sum(run.value(term) for term in stands_down),
    }


def _effect_readback(run: Run) -> Entry:
    return {
        "approval_consumed": bool(run.value(run.model.approvals[0].used)),
        "external_effects": commits(run),
        "resumed_after_expiry": permission(run) == "expired",
        "workflow_phase": phase(run),
    }


def _expired_authority(run: Run) -> Entry:
    return {
        "external_effects": commits(run),
        "reason": REASONS.get(permission(run) or ""),
        "workflow_phase": phase(run),
    }


READERS: Mapping[str, Callable[[Run], Entry]] = {
    "checkpoint_only_negative": _checkpoint_only,
    "consume_once_claim": _consume_once,
    "effect_readback_positive": _effect_readback,
    "expired_authority_boundary": _expired_authority,
}
"""What the first report reads off the end of each run."""


def _row(interruption: Interruption, run: Run) -> Entry:
    """What the second report reads: the resumer's decision and its view of the effect, and the world's commits."""
    ruling = run.last_ruling(1)
    effect = None if ruling is None else ruling.cut["effect"]
    return {
        **vars(interruption),
        "decision": None if ruling is None else ruling.decision,
        "commits": commits(run),
        "effect": None if effect is None else EFFECTS.get(effect, effect),
    }
