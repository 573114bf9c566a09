"""Doing the runs of a check: in worker processes, with progress, limits and a file to go on from."""

from __future__ import annotations

import functools
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model.decision_table import Region, Table
from properties.reachables import SEAMS
from properties.safety import PROPERTIES
from recut.failure import Interrupted
from recut.pool import Tell, over_jobs
from recut.resume import Store
from solver.abstraction import coverage_terms
from solver.case_run import CaseRun, Questions, run_case
from solver.check import Subject
from solver.compare import cell_questions
from solver.explore import Limits, Progress
from solver.suite import Case
from solver.table_proof import prove_table
from solver.table_proof_obligations import ProofResult
from solver.witness import RegionRun, Witness, search_run, searched


@dataclass(frozen=True)
class RunJob:
    """One run of the suite."""

    subject: Subject
    case: Case
    limits: Limits
    checkpoint: Path | None


@dataclass(frozen=True)
class ProofJob:
    """The proofs of one table."""

    table: Table


@dataclass(frozen=True)
class CellJob:
    """One run of a policy under a contract, with the questions of a comparison."""

    subject: Subject
    case: Case
    limits: Limits


@dataclass(frozen=True)
class RegionJob:
    """One run, searched for regions of cuts by number; none is left to search for where all were met elsewhere."""

    subject: Subject
    case: Case
    regions: Mapping[int, Region]


Job = RunJob | ProofJob | CellJob | RegionJob


@dataclass
class Found:
    """What the workers brought home, and how long the whole took in seconds."""

    runs: list[CaseRun] = field(default_factory=list)
    proofs: list[ProofResult] = field(default_factory=list)
    seconds: float = 0.0


def work(job: Job, tell: Tell) -> Any:
    """What a worker process does with a job."""
    if isinstance(job, ProofJob):
        return prove_table(job.table)
    if isinstance(job, RegionJob):
        return search_run(job.subject, job.case, job.regions, None, _seldom(tell)) if job.regions else None
    if job.limits.timeout == 0.0:
        return not_begun(job.case)
    case, model = job.case, job.subject.model(job.case)
    checkpoint = job.checkpoint if isinstance(job, RunJob) else None
    return run_case(case.name, case.bounds, model, _questions(job), job.limits, _seldom(tell), checkpoint)


def not_begun(case: Case) -> CaseRun:
    """A run for which no time was left: it shows nothing."""
    return CaseRun(
        name=case.name,
        bounds=case.bounds,
        states=0,
        transitions=0,
        depth=0,
        complete=False,
        cut_off_by="timeout",
        seconds=0.0,
        fired={},
        impossible=(),
        violations={},
        met=frozenset(),
        reached={},
        cuts=frozenset(),
        binding={},
        ends=False,
        stuck=None,
        asked=None,
    )


def _questions(job: RunJob | CellJob) -> Questions:
    """A check also asks whether the model stays within what the proofs assume of it."""
    if isinstance(job, CellJob):
        return cell_questions(job.subject.policy)
    return Questions(PROPERTIES, SEAMS, consistency=coverage_terms)


def _seldom(tell: Tell) -> Callable[[Progress], None]:
    """Progress a few times a second, and not after every block."""
    last = [0.0]

    def progress(news: Progress) -> None:
        if time.monotonic() - last[0] >= 0.25:
            last[0] = time.monotonic()
            tell(news)

    return progress


def run_check(subject: Subject, store: Store, processes: int, max_states: int | None, timeout: float | None) -> Found:
    """The proofs of the table and every run that the store does not have yet.

    Raises Interrupted, CheckpointError, Refused, EnginesDisagree, and what ``over_jobs`` raises.
    """
    began = time.monotonic()
    kept = dict(store.runs)
    cases = _by_size([c for c in subject.cases() if c.name not in kept])
    names = [*(c.name for c in cases[:1]), "table proofs", *(c.name for c in cases[1:])]
    limits = functools.partial(_limits, began, max_states, timeout)
    jobs: list[Callable[[], object]] = [functools.partial(_job, subject, case, limits, store) for case in cases]
    jobs.insert(1, lambda: ProofJob(subject.policy.table))
    found = Found()
    try:
        for name, result in watched(jobs, names, processes):
            if name == "table proofs":
                found.proofs = result
            else:
                store.add(result)
    except KeyboardInterrupt:
        raise Interrupted(_how_to_go_on(store)) from None
    found.runs = [store.runs[c.name] for c in subject.cases()]
    found.seconds = time.monotonic() - began
    return found


def search_regions(subject: Subject, regions: Mapping[int, Region], processes: int) -> dict[int, Witness]:
    """Whether each region is reached in some run of the subject; the smaller runs come first.

    A region that was met is not looked for in the runs that begin later, so its trace is the shortest of its run.
    Raises Interrupted, and what ``over_jobs`` raises.
    """
    cases = _by_size(subject.cases())[::-1]
    runs: list[RegionRun] = []

    def job(case: Case) -> RegionJob:
        met = {at for run in runs for at in run.traces}
        return RegionJob(subject, case, {at: region for at, region in regions.items() if at not in met})

    try:
        jobs = [functools.partial(job, case) for case in cases]
        for _, run in watched(jobs, [case.name for case in cases], processes):
            runs += [run] if run is not None else []
    except KeyboardInterrupt:
        raise Interrupted("interrupted: whether these regions are reached is not known") from None
    return {at: searched(runs, at) for at in regions}


def _job(subject: Subject, case: Case, limits: Callable[[], Limits], store: Store) -> RunJob:
    return RunJob(subject, case, limits(), store.checkpoint(case.name))


def _limits(began: float, max_states: int | None, timeout: float | None) -> Limits:
    left = None if timeout is None else max(0.0, timeout - (time.monotonic() - began))
    return Limits(max_states, left)


def _by_size(cases: Sequence[Case]) -> list[Case]:
    """The runs that are likely to be the longest come first, so that no worker is idle at the end."""
    return sorted(cases, key=lambda c: (c.setting.collapse, -c.setting.generations, -len(c.setting.faults)))


def _how_to_go_on(store: Store) -> str:
    if store.path is None:
        return "interrupted: nothing is known; with --resume FILE a check can be continued"
    return f"interrupted: {len(store.runs)} runs are finished; the same command goes on (--resume {store.path})"


def watched(jobs: Sequence[Callable[[], object]], names: Sequence[str], processes: int) -> Iterator[tuple[str, Any]]:
    """The results of jobs with their names, while a line on stderr tells a terminal how far they are."""
    show = sys.stderr.isatty()
    began: dict[str, float] = {}
    for said in over_jobs(work, jobs, processes):
        name = names[said.job]
        if said.finished:
            yield name, said.value
        elif show:
            seconds = time.monotonic() - began.setdefault(name, time.monotonic())
            print(f"\r{_line(name, said.value, seconds):79.79}", end="", file=sys.stderr, flush=True)
    if show:
        print(f"\r{'':79}\r", end="", file=sys.stderr, flush=True)


def _line(name: str, news: Progress, seconds: float) -> str:
    """States, states a second, depth and how much of it is done."""
    rate = f", {news.states / seconds:,.0f}/s" if seconds > 0 else ""
    return f"{name}: {news.states:,} states{rate}, depth {news.depth}: {news.done:,} of {news.frontier:,}"
