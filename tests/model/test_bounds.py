"""One more worker, message or crash than a small run has changes no verdict."""

from __future__ import annotations

import functools
from dataclasses import replace

import pytest

from properties import endings
from properties.mutants.mutant import Run, good_model
from properties.safety import PROPERTIES
from solver.case_run import CaseRun, Questions, run_case

UNSAFE = {"recognises": False, "enforces_fence": False}
RUNS = {
    "good": Run(("crash", "loss"), messages=1, crashes=1),
    "unkeyed": Run(("crash", "pause"), {"recognises": False}, messages=1, crashes=1),
    "unfenced": Run(("crash", "delay"), {"enforces_fence": False}, messages=1, crashes=1),
    "neither": Run(("crash", "delay"), UNSAFE, messages=1, crashes=1),
    "unrecorded": Run(("crash",), {**UNSAFE, "recorded": "never"}, messages=1, crashes=1),
    "unchecked": Run(("pause",), {**UNSAFE, "checks_claim": False}, messages=1),
    "settling": Run(("crash", "refusals"), {"settles_late": True, "races": True}, messages=1, crashes=1),
    "undo": Run(("crash", "withdraw"), {"keyed_undo": False}, messages=1, crashes=1),
    "unread": Run(("crash", "errors"), {"reads": False, "sticky_unknown": False}, messages=1, crashes=1),
    "unasked": Run(("crash", "void"), {"asks_authority": False}, messages=1, crashes=1),
}
RAISED = {"workers": (1, 0, 0), "messages": (0, 1, 0), "crashes": (0, 0, 1)}
"""What is added to workers, messages and crashes."""


@functools.cache
def searched_completely(name: str, workers: int, messages: int, crashes: int | None) -> CaseRun:
    run = replace(RUNS[name], workers=workers, messages=messages, crashes=crashes)
    found = run_case(name, "", good_model(run, name), Questions(PROPERTIES))
    assert found.complete
    return found


def verdicts(found: CaseRun) -> dict[str, bool]:
    """Every property by name, and whether it holds."""
    safety = {p.name: p.name not in found.violations for p in PROPERTIES}
    return {**safety, endings.NAME: found.stuck is None}


@pytest.mark.slow
@pytest.mark.parametrize("bound", RAISED)
@pytest.mark.parametrize("name", RUNS)
def test_one_more_changes_no_verdict(name: str, bound: str) -> None:
    workers, messages, crashes = RAISED[bound]
    run = RUNS[name]
    more = None if run.crashes is None else run.crashes + crashes
    small = searched_completely(name, run.workers, run.messages, run.crashes)
    large = searched_completely(name, run.workers + workers, run.messages + messages, more)
    assert verdicts(large) == verdicts(small)
    assert large.met == small.met


@pytest.mark.slow
def test_some_verdicts_differ_between_runs() -> None:
    """There are runs that break something and runs that do not, so the comparison is about something."""
    broken = {
        n: not all(verdicts(searched_completely(n, r.workers, r.messages, r.crashes)).values()) for n, r in RUNS.items()
    }
    assert {n for n, wrong in broken.items() if wrong} == {"unchecked", "unread", "unasked"}


@pytest.mark.slow
def test_a_bound_that_is_too_small_would_be_noticed() -> None:
    """One worker alone cannot be superseded: a second one changes verdicts."""
    alone, pair = (searched_completely("unchecked", workers, 1, None) for workers in (1, 2))
    assert verdicts(alone) != verdicts(pair)
