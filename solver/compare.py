"""Policies against contracts: which property breaks where, in a few small runs a cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from model.contract import Contract
from model.contract_profile import profile_of, ticks_of
from model.policy import Policy
from model.setting import Setting
from properties import endings
from properties.safety import PROPERTIES
from properties.verdict import Outcome, Verdict, worst
from solver.case_run import CaseRun, Questions
from solver.check import verdict_of
from solver.suite import LAPSES, Case

TRANSPORT = ("crash", "pause", "loss", "delay")
ANSWERS = ("crash", "loss", "delay", "errors", "refusals", "forget", "prune")
WISHES = ("crash", "loss", "withdraw", "move", *LAPSES)
TO_USE = "recovery"


@dataclass(frozen=True)
class Cell:
    """One policy under one contract: a verdict for each property and the runs behind them."""

    policy: Policy
    contract: Contract
    verdicts: tuple[Verdict, ...]
    runs: tuple[CaseRun, ...]

    @property
    def outcome(self) -> Outcome:
        """All properties together."""
        return worst(v.outcome for v in self.verdicts)

    @property
    def broken(self) -> tuple[Verdict, ...]:
        """The properties that fail, those with the shortest traces first."""
        failed = [v for v in self.verdicts if v.trace is not None]
        return tuple(sorted(failed, key=lambda v: len(v.trace.steps) if v.trace else 0))


def cell_cases(policy: Policy, contract: Contract) -> tuple[Case, ...]:
    """The runs of a cell; where a repeat goes under another identity, a second one exists for it."""
    fresh = profile_of(contract, policy.practices)["stable_identity"] != (True,)
    base = Setting(ticks=ticks_of(contract), generations=2 if fresh else 1)

    def case(name: str, *faults: str) -> Case:
        return Case(name, replace(base, faults=frozenset(faults)))

    return (case("transport", *TRANSPORT), case("answers", *ANSWERS), case("wishes and authority", *WISHES))


def cell_questions(policy: Policy) -> Questions:
    """Every property; and for the policy to use whether an end stays reachable."""
    return Questions(PROPERTIES, ends=policy.name == TO_USE, stop_early=True)


def cell_of(policy: Policy, contract: Contract, runs: Sequence[CaseRun]) -> Cell:
    """What the runs of a cell say together."""
    verdicts = [verdict_of(p, runs) for p in PROPERTIES]
    if policy.name == TO_USE:
        verdicts.append(_ending(runs))
    return Cell(policy, contract, tuple(verdicts), tuple(runs))


def _ending(runs: Sequence[CaseRun]) -> Verdict:
    """Whether every run can still end, from wherever it is."""
    name, how = endings.NAME, "all steps of the concrete graph"
    states, seconds = sum(r.states for r in runs), sum(r.seconds for r in runs)
    stuck = next((r for r in runs if r.stuck is not None), None)
    if stuck is not None:
        return Verdict(name, Outcome.FAILS, how, stuck.bounds, states, seconds, trace=stuck.stuck)
    unjudged = ", ".join(r.name for r in runs if not r.ends)
    if unjudged:
        return Verdict(name, Outcome.UNKNOWN, how, "", states, seconds, f"not judged, since cut off: {unjudged}")
    return Verdict(name, Outcome.HOLDS, how, f"{len(runs)} runs", states, seconds)
