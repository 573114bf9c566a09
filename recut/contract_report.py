"""All that is said of one contract: data that every format draws."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from model.contract import Contract
from model.durations import compile_ticks, duration_text
from model.policy import load_policy
from model.setting import Ticks
from properties.verdict import Outcome
from recut.told_lanes import Turn, turns
from solver.assessment import RUN, STALE, setting_of
from solver.assessments import Assessments, stored_assessments
from solver.contract_class import RecoveryClass
from solver.contract_habits import Broken, acceptance_believed, habit
from solver.contract_judged import Cases, Judged, all_thresholds, judge, not_checked, strengthenings
from solver.interruptions import Point
from solver.strengthening import CALLER, PROVIDER, Step
from solver.suite import Case
from solver.thresholds import Endless, Threshold, Wait

HABIT = "blind-retry"
REPEATING = "key-only"
TO_USE = "recovery"
STYLE = {RecoveryClass.NONE: "bold red", RecoveryClass.PERSON: "yellow"}
"""How a terminal shows a class; the others are green."""
BOUNDS = "; ".join(f"{run}: {Case(run, setting_of(run, Ticks())).bounds}" for run in (RUN, STALE))
"""The two searches of a case; durations are the contract's, in ticks."""


@dataclass(frozen=True)
class Knowledge:
    """What is known of contracts under the policy to use and under what people try first."""

    recovery: Assessments
    habit: Assessments
    repeating: Assessments


@dataclass(frozen=True)
class ContractReport:
    """One contract: its class, what habits break, the least changes, and where durations decide.

    ``believing`` is what completing on acceptance breaks beside what breaks anyway, None where that is no question.
    """

    judged: Judged
    habit: tuple[Broken, ...]
    believing: tuple[Broken, ...] | None
    strengthenings: tuple[tuple[Step, ...], ...]
    thresholds: Mapping[str, tuple[Threshold | Endless | Wait, ...]]
    seconds: float = 0.0

    @property
    def contract(self) -> Contract:
        """The contract as its file says it."""
        return self.judged.cases.contract

    @property
    def kind(self) -> RecoveryClass:
        """The class at worst."""
        return self.judged.cases.kinds[-1]

    @property
    def outcome(self) -> Outcome:
        """Whether the policy to use breaks a property in some case."""
        return self.judged.cases.outcome

    @property
    def alone(self) -> tuple[int, int]:
        """From how many interruptions recovery ends without a person, at worst, and how many there are."""
        points = self.judged.points
        return sum(p.alone for p in points), sum(p.states for p in points)

    @property
    def durations(self) -> list[str]:
        """How durations became ticks, a line each."""
        return compile_ticks(self.contract).text().splitlines()

    @property
    def not_checked(self) -> list[tuple[str, str]]:
        """What the model does not distinguish about this contract."""
        return list(not_checked(self.contract))


def knowledge() -> Knowledge:
    """What is stored, under the three shipped policies; on a terminal it says what has to be searched."""
    found = Knowledge(*(stored_assessments(load_policy(name)) for name in (TO_USE, HABIT, REPEATING)))
    if sys.stderr.isatty():
        for some in (found.recovery, found.habit, found.repeating):
            some.tell = partial(_say, itertools.count(1), some.policy.name)
    return found


def _say(number: Iterator[int], policy: str, key: str) -> None:
    """A line that the next one overwrites."""
    line = f"{policy}: search {next(number)}: {key}"
    print(f"\r\x1b[K{line[:78]}\r", end="", file=sys.stderr, flush=True)


def interrupted(contract: Contract, known: Knowledge) -> ContractReport:
    """A contract without what believing acceptance breaks, what would help and where durations decide."""
    began = time.monotonic()
    judged = judge(contract, known.recovery)
    return ContractReport(judged, habit(judged.worst.contract, known.habit), None, (), {}, time.monotonic() - began)


def report_of(contract: Contract, known: Knowledge) -> ContractReport:
    """Everything about a contract; what no stored search knows is searched now."""
    began = time.monotonic()
    found = interrupted(contract, known)
    judged, worst = found.judged, found.judged.worst.contract
    least = () if judged.cases.kinds[-1].automatic else strengthenings(worst, known.recovery)
    limits = all_thresholds(worst, known.recovery, known.repeating)
    believing = acceptance_believed(worst, known.recovery)
    spent = time.monotonic() - began
    return replace(found, believing=believing, strengthenings=least, thresholds=limits, seconds=spent)


def side(steps: tuple[Step, ...]) -> str:
    """Whose changes these are."""
    sides = {step.side for step in steps}
    return "provider and caller" if len(sides) > 1 else PROVIDER if sides == {PROVIDER} else CALLER


def history(broken: Broken) -> tuple[Turn, ...]:
    """The history of a broken property as turns."""
    return turns(broken.trace.actions, broken.lanes)


def bound(threshold: Threshold | Endless | Wait) -> str:
    """A threshold in a line, with what was asked on both sides."""
    if isinstance(threshold, Wait):
        sides = [f"{alone} of {states}" for alone, states in (threshold.waited, threshold.early)]
        wait = f"an absence counts once {threshold.clause} ({threshold.span}) has passed"
        return f"{wait}: {sides[0]} interruptions then end without a person, {sides[1]} where it is read at once"
    if isinstance(threshold, Endless):
        return f"no finite {threshold.clause} is enough {threshold.why}; one without end is"
    holds, fails = duration_text(threshold.value), duration_text(threshold.beyond)
    return f"{threshold.says} (holds at {holds}, not at {fails})"


def headline(found: ContractReport) -> dict[str, Any]:
    """The name and the verdict as JSON data."""
    return {
        "name": found.contract.name,
        "verdict": str(found.outcome),
        "class": str(found.kind),
        "says": found.judged.cases.says,
        "how": how(found.judged.cases),
        "bounds": BOUNDS,
        "seconds": round(found.seconds, 3),
        "states": found.judged.assessment.summary.states,
    }


def how(cases: Cases) -> str:
    """How the class of a contract is known."""
    number = len(cases.cases)
    return f"exhausted within bounds, in {number} case{'s' * (number != 1)} of the undefined clauses"


def as_data(found: ContractReport) -> dict[str, Any]:
    """As JSON data."""
    judged, (alone, states) = found.judged, found.alone
    return {
        **headline(found),
        "undefined": list(found.contract.undefined()),
        "depends_on": list(judged.cases.depends_on),
        "cases": [
            {"base": case.base, "varied": case.varied or None, "value": plain_value(case.value), "class": str(c.kind)}
            for case, c in judged.cases.cases
        ],
        "interruptions": {"states": states, "alone": alone, "points": [_point(p) for p in judged.points]},
        "weakest": judged.weakest.name if judged.weakest else None,
        "blind_retry": [_broken(b) for b in found.habit],
        "completing_on_acceptance": None if found.believing is None else [_broken(b) for b in found.believing],
        "strengthenings": [
            {"side": side(steps), "changes": [{"side": s.side, "says": s.says, "clauses": _clauses(s)} for s in steps]}
            for steps in found.strengthenings
        ],
        "thresholds": [
            {"question": question, "clause": t.clause, "says": bound(t)}
            for question, some in found.thresholds.items()
            for t in some
        ],
        "durations": found.durations,
        "not_checked": [{"clause": clause, "says": says} for clause, says in found.not_checked],
    }


def _broken(broken: Broken) -> dict[str, Any]:
    actions = list(broken.trace.actions)
    return {"name": broken.name, "steps": len(actions), "turns": len(history(broken)), "actions": actions}


def _point(point: Point) -> dict[str, Any]:
    return {
        "name": point.name,
        "ends": point.ends,
        "states": point.states,
        "alone": point.alone,
        "rules": [{"decision": decision, "rule": rule} for decision, rule in point.rules],
    }


def _clauses(step: Step) -> dict[str, object]:
    return {clause: plain_value(value) for clause, value in step.changes}


def plain_value(value: object) -> object:
    """The value of a clause as JSON has it."""
    return list(value) if isinstance(value, tuple) else value
