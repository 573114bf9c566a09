"""What a check found, as plain data: the JSON of ``recut check``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.setting import Setting
from properties.reachables import SEAMS
from properties.verdict import Outcome, Trace, Verdict, worst
from recut.itf import Origin, as_itf
from recut.proof_verdicts import proof_verdicts
from recut.running import Found
from solver.case_run import CaseRun
from solver.check import CheckReport, Subject
from solver.suite import uncovered_pairs

CLAIM = "claim "


@dataclass(frozen=True)
class Checked:
    """A check with everything that a report of it shows.

    ``files`` are the trace files that were written, by the name of the sentence.
    """

    subject: Subject
    report: CheckReport
    found: Found
    files: Mapping[str, Path]

    @property
    def proofs(self) -> list[Verdict]:
        """What is proved of the table."""
        return proof_verdicts(self.found.proofs)

    @property
    def verdicts(self) -> list[Verdict]:
        """Of the table first, then of the runs."""
        return [*self.proofs, *self.report.verdicts]

    @property
    def outcome(self) -> Outcome:
        """All verdicts together."""
        return worst(v.outcome for v in self.verdicts)

    @property
    def disagreements(self) -> list[tuple[CaseRun, str, Trace]]:
        """Where the model leaves what the proofs assume of it: the run, the claim and a trace."""
        return [
            (run, name.removeprefix(CLAIM), trace)
            for run in self.report.runs
            for name, trace in run.violations.items()
            if name.startswith(CLAIM)
        ]


def document(checked: Checked) -> dict[str, Any]:
    """The JSON document."""
    report, subject = checked.report, checked.subject
    return {
        "schema": "recut/check/1",
        "verdict": str(checked.outcome),
        "contract": subject.contract.name,
        "policy": subject.policy.name,
        "table": {"path": Path(subject.policy.table.path).name, "digest": subject.policy.table.digest},
        "results": [_result(checked, v) for v in checked.verdicts],
        "disagreements": [
            {"run": run.name, "claim": claim, "trace": as_itf(trace, origin_of(subject, run, claim, "claim"))}
            for run, claim, trace in checked.disagreements
        ],
        "runs": [_run(run, setting) for run, setting in with_settings(subject, report.runs)],
        "pairs_uncovered": [list(pair) for pair in uncovered_pairs(subject.cases())],
        "actions": actions(report),
        "rows": {
            "exercised": dict(report.coverage.exercised),
            "unreached": [{"rule": rule, "reason": why} for rule, why in report.coverage.unreached.items()],
            "undecided": [list(cut) for cut in report.coverage.undecided],
        },
        "deadlines": [{"name": name, "binding": binds} for name, binds in deadlines(report.runs).items()],
        "situations": list(situations(report)),
        "seconds": round(checked.found.seconds, 2),
    }


def actions(report: CheckReport) -> dict[str, Any]:
    """How often each action was taken over all runs, and which never were or never can be."""
    return {
        "fired": {name: count for name, count in sorted(report.fired.items()) if count},
        "never": sorted(name for name, count in report.fired.items() if not count),
        "impossible": list(report.impossible),
    }


def deadlines(runs: Sequence[CaseRun]) -> dict[str, bool]:
    """Whether each deadline passes in some run."""
    names = sorted({name for run in runs for name in run.binding})
    return {name: any(run.binding.get(name) for run in runs) for name in names}


def situations(report: CheckReport) -> Iterator[dict[str, Any]]:
    """The crash seams, each with the actions of the shortest trace to it."""
    for seam in SEAMS:
        trace = report.reached.get(seam.name)
        yield {
            "name": seam.name,
            "says": seam.says,
            "found": trace is not None,
            "trace": None if trace is None else list(trace.actions),
        }


def with_settings(subject: Subject, runs: Sequence[CaseRun]) -> list[tuple[CaseRun, Setting]]:
    """Every run with its bounds."""
    known = {case.name: case.setting for case in subject.cases()}
    return [(run, known[run.name]) for run in runs]


def origin_of(subject: Subject, run: CaseRun, about: str, kind: str) -> Origin:
    """Where a trace of a run is from."""
    sizes = {case.name: case.setting for case in subject.cases()}[run.name]
    return Origin(subject.contract, subject.policy, sizes, run.name, about, kind)


def traced(checked: Checked) -> Iterator[tuple[Verdict, Trace, Origin]]:
    """The failures that have a trace, each with the run that it is of."""
    for verdict in checked.report.verdicts:
        trace = verdict.trace
        if trace is not None:
            run = next(r for r in checked.report.runs if trace in _traces(r))
            kind = "property" if verdict.name in run.violations else "ending"
            yield verdict, trace, origin_of(checked.subject, run, verdict.name, kind)


def _traces(run: CaseRun) -> list[Trace]:
    return [t for t in (*run.violations.values(), run.stuck, run.asked) if t is not None]


def _result(checked: Checked, verdict: Verdict) -> dict[str, Any]:
    result: dict[str, Any] = {
        "name": verdict.name,
        "verdict": str(verdict.outcome),
        "how": verdict.how,
        "bounds": verdict.bounds,
        "seconds": round(verdict.seconds, 2),
        "states": verdict.states,
    }
    if verdict.reason:
        result["reason"] = verdict.reason
    if verdict.rules:
        result["rules"] = list(verdict.rules)
    for failed, trace, origin in traced(checked):
        if failed is verdict:
            result["trace"] = as_itf(trace, origin)
    if verdict.name in checked.files and "trace" in result:
        result["trace_file"] = str(checked.files[verdict.name])
    return result


def _run(run: CaseRun, setting: Setting) -> dict[str, Any]:
    return {
        "name": run.name,
        "states": run.states,
        "transitions": run.transitions,
        "depth": run.depth,
        "complete": run.complete,
        "cut_off_by": run.cut_off_by,
        "bounds": run.bounds,
        "faults": sorted(setting.faults),
        "seconds": round(run.seconds, 2),
    }
