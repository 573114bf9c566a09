"""What is to be said of a contract: its class whatever is undefined, where people are needed, and what would help."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from model.contract import Contract
from model.contract_profile import profile_of, ticks_of
from model.setting import FAULTS, Setting
from properties.verdict import Outcome
from solver.abstraction import not_given
from solver.assessment import Assessment
from solver.assessments import Assessments
from solver.completions import Completion, completions, covers_all, definite_of, worst_case
from solver.contract_class import Classified, RecoveryClass, classify, weakest
from solver.contract_habits import DUPLICATE
from solver.interruptions import Point
from solver.strengthening import Step, changed, least_sets, steps_of
from solver.thresholds import Endless, Threshold, Wait, thresholds

RECOVERY = "recovery ends without a person"
REPEATING = "repeating under the same key makes no duplicate"


@dataclass(frozen=True)
class Cases:
    """A contract, and its class in every case of its undefined clauses that was looked at.

    ``whole`` if that is all there are; ``proved`` if in all there are the proof of the table says that nothing breaks.
    """

    contract: Contract
    cases: tuple[tuple[Completion, Classified], ...]
    whole: bool
    proved: bool

    @property
    def outcome(self) -> Outcome:
        """Fails where the policy breaks a property in some case; holds where it does in none, searched or proved."""
        if RecoveryClass.NONE in self.kinds:
            return Outcome.FAILS
        return Outcome.HOLDS if self.whole or self.proved else Outcome.UNKNOWN

    @property
    def kinds(self) -> tuple[RecoveryClass, ...]:
        """The classes of all cases, the best first, each once."""
        return tuple(sorted({c.kind for _, c in self.cases}, key=lambda k: k.rank))

    @property
    def depends_on(self) -> tuple[str, ...]:
        """The undefined clauses that alone turn the class, in the best or the worst case."""
        base = {case.base: found.kind for case, found in self.cases if not case.varied}
        base = {name: base.get(name, next(iter(base.values()))) for name in ("best", "worst")}
        return tuple(dict.fromkeys(c.varied for c, found in self.cases if c.varied and found.kind != base[c.base]))

    @property
    def says(self) -> str:
        """The verdict in a line."""
        best, last = self.kinds[0], self.kinds[-1]
        if best == last:
            every = "whatever the provider does" if self.whole else f"in each of {len(self.cases)} cases looked at"
            return f"{best} {every}" if self.contract.undefined() else str(best)
        on = ", ".join(self.depends_on) or "several undefined clauses together"
        rest = "" if self.whole else f", of {len(self.cases)} cases looked at"
        return f"depends on {on}: {best} at best, {last} at worst{rest}"


@dataclass(frozen=True)
class Judged:
    """A contract in all its cases, and the worst of them searched."""

    cases: Cases
    worst: Completion
    assessment: Assessment

    @property
    def points(self) -> tuple[Point, ...]:
        """The kinds of interruption at worst."""
        return self.assessment.crash.points

    @property
    def weakest(self) -> Point | None:
        """The kind of interruption that is worst to recover from, at worst."""
        return weakest(self.points)


def cases_of(contract: Contract, known: Assessments) -> Cases:
    """Classify a contract in every case of its undefined clauses."""
    practices = known.policy.practices
    found = [(case, classify(case.definite, known.summary)) for case in completions(contract, practices)]
    every_fault = Setting(faults=frozenset(FAULTS), ticks=ticks_of(contract))
    proved = not not_given(profile_of(contract, practices), every_fault)
    return Cases(contract, tuple(found), covers_all(contract, practices), proved)


def judge(contract: Contract, known: Assessments) -> Judged:
    """Classify a contract, and search the worst case now."""
    worst = worst_case(contract, known.policy.practices)
    return Judged(cases_of(contract, known), worst, known.assessment(worst.definite))


def strengthenings(worst: Contract, known: Assessments) -> tuple[tuple[Step, ...], ...]:
    """The least sets of changes with which no interruption needs a person, for a contract without open clauses."""
    steps = steps_of(worst)

    def enough(chosen: frozenset[Step]) -> bool:
        better = changed(worst, [s for s in steps if s in chosen])
        return better is not None and known.summary(definite_of(better, known.policy.practices)).automatic

    return tuple(tuple(s for s in steps if s in some) for some in least_sets(steps, enough))


def all_thresholds(
    worst: Contract, known: Assessments, repeating: Assessments
) -> Mapping[str, tuple[Threshold | Endless | Wait, ...]]:
    """Where durations decide whether recovery needs a person, and whether repeating under the key duplicates."""

    def alone(contract: Contract) -> bool:
        return known.summary(definite_of(contract, known.policy.practices)).automatic

    def no_duplicate(contract: Contract) -> bool:
        found = repeating.summary(definite_of(contract, repeating.policy.practices))
        return DUPLICATE not in found.broken

    found: tuple[Threshold | Endless | Wait, ...] = thresholds(worst, alone)
    return {RECOVERY: (*found, *_waits(worst, known)), REPEATING: thresholds(worst, no_duplicate)}


def _waits(worst: Contract, known: Assessments) -> Iterator[Wait]:
    """What waiting out the lag of look-ups is good for; nothing where there is none to wait for."""
    definite = definite_of(worst, known.policy.practices)
    if definite.value("readable") and definite.value("lag") == "finite":
        early, waited = (known.summary(definite.with_values({"waits_out_lag": w})) for w in (False, True))
        if early.alone * waited.interruptions < waited.alone * early.interruptions:
            sides = [(some.alone, some.interruptions) for some in (early, waited)]
            yield Wait("readback.lag", worst.readback.lag, *sides)


NOT_CHECKED: Mapping[str, tuple[Sequence[object], str]] = {
    "idempotency.scope": (("provider", "none"), "where an identity is recognised, say after a fail-over to another "
                          "region, account or queue"),
    "idempotency.retention_from": (("use",), "from when the retention counts: it is counted from the use of the key"),
    "settlement.limit": (("0s",), "how long a settlement takes at most: one may settle at any moment"),
    "delivery.deadline": (("none",), "that the target refuses requests that are too old"),
    "reservation.mode": (("none",), "holds that are confirmed later"),
    "authority.validity": ((), "how long an approval is good for: one may expire at any moment"),
    "authority.survives": ((), "approvals that lapse or are used twice: recut check --contract looks at these"),
    "undo.grade": ((), "effects that are no longer wanted and are undone: recut check --contract looks at these"),
    "recovery.workers": ((1, 2), "more than two workers at once"),
}  # fmt: skip
"""What a check of contracts does not look at: by clause the values of which nothing needs to be said, and what."""


def not_checked(contract: Contract) -> Iterator[tuple[str, str]]:
    """The clauses of a contract that no verdict depends on, and what about them is not looked at."""
    clauses = contract.clauses()
    for clause, (harmless, says) in NOT_CHECKED.items():
        if clauses[clause] not in harmless:
            yield clause, says
    if "compensation" in contract.fencing.at:
        yield "fencing.at", "a fence at the compensation"
    if clauses["idempotency.mechanism"] == "transactional":
        yield "idempotency.mechanism", "that effect and checkpoint commit in one transaction: it is judged like a key"
