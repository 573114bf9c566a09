"""The main job: a contract and a policy against every property, over a suite of exhaustive runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from model.contract import Contract
from model.contract_profile import profile_of, ticks_of
from model.decision_table import Table
from model.mixed import MixedModel
from model.policy import Policy
from model.setting import Setting
from model.system import Model, Parts
from properties import endings
from properties.reachables import SEAMS
from properties.safety import PROPERTIES, Property
from properties.verdict import Outcome, Trace, Verdict, worst
from solver.case_run import CaseRun, Questions, run_case
from solver.coverage import Coverage, CutValues, coverage
from solver.explore import Limits, Progress
from solver.suite import Case, default_suite

EXHAUSTED = "exhausted within bounds"
Told = Callable[[str, Progress], None]


@dataclass(frozen=True)
class Subject:
    """What is checked: a contract under a policy, in sizes; with ``beside``, half the workers have that table."""

    contract: Contract
    policy: Policy
    base: Setting
    parts: Parts | None = None
    beside: Table | None = None

    def model(self, case: Case) -> Model:
        """The model of one run."""
        profile = profile_of(self.contract, self.policy.practices)
        if self.beside is not None:
            return MixedModel(case.setting, profile, (self.beside, self.policy.table), self.parts, case.name)
        return Model(case.setting, profile, self.policy.table, self.parts, case.name)

    def cases(self) -> tuple[Case, ...]:
        """The runs of the suite, then fault-free runs and runs with one crash."""
        base = replace(self.base, ticks=ticks_of(self.contract))
        return (*default_suite(base), calm(base), one_crash(base))


def calm(base: Setting) -> Case:
    """Nothing goes wrong."""
    return Case("no faults", base.only())


def one_crash(base: Setting) -> Case:
    """One worker dies once, and nothing else goes wrong."""
    return Case("one crash", replace(base.only("crash"), crashes=1))


@dataclass(frozen=True)
class CheckReport:
    """What a check found: a verdict for each sentence, the runs behind them and what they covered."""

    verdicts: tuple[Verdict, ...]
    runs: tuple[CaseRun, ...]
    coverage: Coverage
    fired: Mapping[str, int]
    impossible: tuple[str, ...]
    reached: Mapping[str, Trace | None]

    @property
    def outcome(self) -> Outcome:
        """All verdicts together."""
        return worst(v.outcome for v in self.verdicts)


def check(
    subject: Subject,
    runs: Iterable[CaseRun],
) -> CheckReport:
    """Put the answers of the runs together; every run of ``subject.cases()`` must be among them."""
    done = tuple(runs)
    verdicts = [verdict_of(p, done) for p in PROPERTIES]
    verdicts += [_ending(done), _unattended(subject, done), _binding(done)]
    cuts: set[CutValues] = set().union(*(r.cuts for r in done))
    fired: dict[str, int] = {}
    for run in done:
        for action, count in run.fired.items():
            fired[action.split("[")[0]] = fired.get(action.split("[")[0], 0) + count
    everywhere = {a.split("[")[0] for run in done for a in run.impossible} - set(fired)
    return CheckReport(
        tuple(verdicts), done, coverage(subject.policy.table, cuts), fired, tuple(sorted(everywhere)), _reached(done)
    )


def run_one(
    subject: Subject, case: Case, limits: Limits | None = None, told: Told | None = None, **more: object
) -> CaseRun:
    """One run of the suite with every question asked."""
    questions = Questions(PROPERTIES, SEAMS)
    progress = None if told is None else lambda p: told(case.name, p)
    return run_case(case.name, case.bounds, subject.model(case), questions, limits, progress, **more)  # type: ignore[arg-type]


def verdict_of(prop: Property, runs: Sequence[CaseRun]) -> Verdict:
    """A property over several runs: broken in one is broken, and a run that was cut off proves nothing."""
    about = [r for r in runs if prop.name in r.met or prop.name in r.violations]
    states, seconds = sum(r.states for r in runs), sum(r.seconds for r in runs)
    broken = min(
        (r for r in runs if prop.name in r.violations), key=lambda r: len(r.violations[prop.name].steps), default=None
    )
    if broken is not None:
        trace = broken.violations[prop.name]
        return Verdict(
            prop.name, Outcome.FAILS, "shortest counterexample, replayed", broken.bounds, states, seconds, trace=trace
        )
    bounds = f"{len(runs)} runs"
    cut = [r for r in runs if not r.complete]
    if cut:
        reason = "; ".join(f"{r.name}: cut off by {r.cut_off_by} at depth {r.depth}" for r in cut)
        return Verdict(prop.name, Outcome.UNKNOWN, "search cut off", bounds, states, seconds, reason)
    if not about:
        reason = f"no reachable state in which {prop.about}, in any run, each searched completely"
        return Verdict(prop.name, Outcome.NOT_APPLICABLE, EXHAUSTED, bounds, states, seconds, reason)
    return Verdict(prop.name, Outcome.HOLDS, EXHAUSTED, f"{len(about)} of {bounds}", states, seconds)


def _ending(runs: Sequence[CaseRun]) -> Verdict:
    judged = [r for r in runs if r.ends]
    states, seconds = sum(r.states for r in judged), sum(r.seconds for r in judged)
    stuck = next((r for r in judged if r.stuck is not None), None)
    name, how = endings.NAME, "all steps of the concrete graph"
    if stuck is not None:
        return Verdict(name, Outcome.FAILS, how, stuck.bounds, states, seconds, trace=stuck.stuck)
    if len(judged) < len(runs):
        missing = ", ".join(r.name for r in runs if not r.ends)
        return Verdict(name, Outcome.UNKNOWN, how, "", states, seconds, f"not judged, since cut off: {missing}")
    return Verdict(name, Outcome.HOLDS, how, f"{len(judged)} runs", states, seconds)


def _unattended(subject: Subject, runs: Sequence[CaseRun]) -> Verdict:
    """Fault-free runs, and where the contract allows it runs with one crash, need no person."""
    by_name = {r.name: r for r in runs}
    quiet, crash = by_name["no faults"], by_name["one crash"]
    model = subject.model(calm(replace(subject.base, ticks=ticks_of(subject.contract))))
    wanted = [quiet] if endings.must_finish_alone(model) else []
    wanted += [crash] if endings.must_survive_a_crash_alone(model) else []
    states, seconds = sum(r.states for r in wanted), sum(r.seconds for r in wanted)
    name, bounds = endings.UNATTENDED, "; ".join(r.name for r in wanted)
    if not wanted:
        reason = "no answer or readback of this contract states the governed transition"
        return Verdict(name, Outcome.NOT_APPLICABLE, EXHAUSTED, "", 0, 0.0, reason)
    asked = next((r for r in wanted if r.asked is not None), None)
    if asked is not None:
        return Verdict(name, Outcome.FAILS, EXHAUSTED, asked.bounds, states, seconds, trace=asked.asked)
    if not all(r.ends and r.stuck is None for r in wanted):
        return Verdict(name, Outcome.UNKNOWN, EXHAUSTED, bounds, states, seconds, "an end was not shown to be reached")
    return Verdict(name, Outcome.HOLDS, EXHAUSTED, bounds, states, seconds)


def _binding(runs: Sequence[CaseRun]) -> Verdict:
    """Every deadline that the runs have passes in some run; one that never does proves nothing."""
    names = sorted({d for r in runs for d in r.binding})
    slack = [d for d in names if not any(r.binding.get(d) for r in runs)]
    states = sum(r.states for r in runs)
    if not names:
        reason = "no run has got as far as a deadline"
        return Verdict("every_deadline_binds", Outcome.UNKNOWN, "reached in some run", "", states, 0.0, reason)
    if slack:
        reason = f"never reached: {', '.join(slack)}"
        return Verdict("every_deadline_binds", Outcome.UNKNOWN, "reached in some run", "", states, 0.0, reason)
    return Verdict("every_deadline_binds", Outcome.HOLDS, "reached in some run", ", ".join(names), states)


def _reached(runs: Sequence[CaseRun]) -> dict[str, Trace | None]:
    """For each situation the shortest trace that any run has."""
    found: dict[str, Trace | None] = {}
    for run in runs:
        for name, trace in run.reached.items():
            best = found.get(name)
            if trace is not None and (best is None or len(trace.steps) < len(best.steps)):
                found[name] = trace
            else:
                found.setdefault(name, None)
    return found
