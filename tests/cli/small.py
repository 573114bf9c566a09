"""A check with three small runs, in this process: enough for everything that a report shows."""

from __future__ import annotations

import functools
from dataclasses import replace

from model.contract import load_contract
from model.setting import Setting
from recut.inputs import policy_with
from recut.report_check import Checked
from recut.running import Found, ProofJob, RunJob, work
from solver.check import Subject, calm, check, one_crash
from solver.explore import Limits
from solver.suite import Case


class Small(Subject):
    """A subject whose suite is small."""

    def cases(self) -> tuple[Case, ...]:
        base = self.base
        return (Case("losses", base.only("crash", "pause", "loss")), calm(base), one_crash(base))


@functools.cache
def small_check(policy: str, contract: str = "smtp", max_states: int | None = None) -> Checked:
    """The whole way of a check, without its processes."""
    subject = Small(load_contract(contract), policy_with(policy, None), replace(Setting(), workers=2))
    runs = [work(RunJob(subject, c, Limits(max_states), None), lambda _: None) for c in subject.cases()]
    proofs = work(ProofJob(subject.policy.table), lambda _: None)
    return Checked(subject, check(subject, runs), Found(runs, proofs, 1.0), {})
