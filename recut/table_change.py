"""What an edit of a table does: data that every format of ``recut table diff`` draws."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from model.decision_table import Region, Table
from model.first_hit import first_hit
from model.table_diff import Change, differences
from properties.verdict import Outcome, Verdict, worst
from recut.proof_verdicts import proof_verdicts
from solver.check import Subject
from solver.reached import stored_for
from solver.region_proof import RegionProof
from solver.second_solver import Opinion, has_second_solver, second_opinion
from solver.smt_lib import text_of
from solver.table_proof import RLIMIT, TableProof
from solver.table_proof_obligations import ProofResult, Question
from solver.witness import StoredWitnesses, Witness

Search = Callable[[Subject, Mapping[int, Region]], Mapping[int, Witness]]
"""Searches a subject for regions, by number."""

NOT_SEARCHED = Witness(Outcome.UNKNOWN, "not searched; give --search")


class Forbid(StrEnum):
    """Which changes are rejected; each includes the ones before it."""

    UNSAFE = "unsafe"
    MORE_PERMISSIVE = "more-permissive"
    ANY = "any"


class Solver(StrEnum):
    """Who decides the obligations: z3, or z3 and cvc5; auto is both where cvc5 is installed."""

    AUTO = "auto"
    Z3 = "z3"
    BOTH = "both"


@dataclass(frozen=True)
class Proved:
    """A table with what was proved of it, what z3 has spent on it, and what cvc5 says, if it was asked.

    ``rlimit`` is what z3 was allowed to spend on each obligation.
    """

    path: str
    table: Table
    results: Sequence[ProofResult]
    effort: int = 0
    opinion: Opinion | None = None
    rlimit: int = RLIMIT

    @property
    def verdicts(self) -> list[Verdict]:
        """One a sentence; ``how`` says who has proved it."""
        found = proof_verdicts(self.results)
        return [replace(v, how=f"{v.how}{self._by}") if v.outcome is Outcome.HOLDS else v for v in found]

    @property
    def _by(self) -> str:
        if self.opinion is None:
            return " by z3"
        unsure = len(self.opinion.unsure)
        return f" by z3, {unsure} obligations unknown to cvc5" if unsure else " by z3 and cvc5"

    @property
    def by_name(self) -> dict[str, Verdict]:
        """The verdicts by sentence."""
        return {v.name: v for v in self.verdicts}


def proved(
    path: str, table: Table, solver: Solver = Solver.Z3, rlimit: int = RLIMIT, like: Proved | None = None
) -> Proved:
    """Prove a table; ``rlimit`` bounds z3's effort for each obligation.

    What does not depend on the table is taken from ``like``, a table proved with the same limit, and not asked again.

    Raises EnginesDisagree where cvc5 gives another answer, NoSecondSolver where it is wanted and not installed.
    """
    return Proved(path, table, *prove(table, solver, rlimit, () if like is None else like.results), rlimit)


def prove(
    table: Table, solver: Solver, rlimit: int, known: Sequence[ProofResult]
) -> tuple[Sequence[ProofResult], int, Opinion | None]:
    """The results, what z3 has spent, and what cvc5 says if it is asked; then nothing is taken from ``known``."""
    asked: list[Question] = []
    proof = TableProof(table, rlimit, asked)
    second = solver is Solver.BOTH or (solver is Solver.AUTO and has_second_solver())
    results = proof.results(() if second else known)
    opinion = second_opinion(text_of(proof, asked), asked) if second else None
    return results, proof.prover.effort, opinion


@dataclass(frozen=True)
class Judged:
    """A change, what its new decision breaks on its own cuts, and whether the system gets there.

    ``worse`` is what fails now and was proved of the old decision, ``unsure`` what is no longer proved and does not
    fail either.
    """

    change: Change
    broken: tuple[str, ...]
    worse: tuple[str, ...]
    unsure: tuple[str, ...]
    reached: Witness

    def rejected(self, forbid: Forbid) -> bool:
        """Whether this change is one that is forbidden."""
        more = forbid is not Forbid.UNSAFE and self.change.more_permissive
        return bool(self.worse) or more or forbid is Forbid.ANY


@dataclass(frozen=True)
class Difference:
    """Two tables, every change between them, and the sentences whose verdict differs.

    ``together`` is what is known of workers with either table at work at once.
    """

    old: Proved
    new: Proved
    subject: Subject
    changes: tuple[Judged, ...]
    together: tuple[Verdict, ...] = ()

    @property
    def lost(self) -> tuple[str, ...]:
        """Sentences that are proved of the old table and not of the new one."""
        return _only(self.old, self.new)

    @property
    def gained(self) -> tuple[str, ...]:
        """Sentences that are proved of the new table and not of the old one."""
        return _only(self.new, self.old)

    def rejected(self, forbid: Forbid) -> str | None:
        """Why the edit is rejected, or might be; None if it is not."""
        reasons = list(self._reasons(forbid))
        return next((why for outcome, why in reasons if outcome is self.outcome(forbid)), None)

    def outcome(self, forbid: Forbid) -> Outcome:
        """Fails if the edit is rejected; unknown where it only might be, since a proof did not end."""
        return worst([Outcome.HOLDS, *(outcome for outcome, _ in self._reasons(forbid))])

    def _reasons(self, forbid: Forbid) -> Iterator[tuple[Outcome, str]]:
        """What speaks against the edit, and whether it does for certain; what is worst first."""
        if self.lost:
            sure = any(self.new.by_name[name].outcome is Outcome.FAILS for name in self.lost)
            why = f"unsafe: {len(self.lost)} of {len(self.old.verdicts)} sentences are no longer proved"
            yield Outcome.FAILS if sure else Outcome.UNKNOWN, why
        worse = list(dict.fromkeys(name for judged in self.changes for name in judged.worse))
        if worse:
            yield Outcome.FAILS, f"unsafe: {', '.join(worse)} fails where it did not"
        unsure = list(dict.fromkeys(name for judged in self.changes for name in judged.unsure))
        if unsure:
            yield Outcome.UNKNOWN, f"perhaps unsafe: {', '.join(unsure)} is not proved where it was"
        apart = [v.name for v in self.together if v.outcome is Outcome.FAILS]
        if apart:
            yield Outcome.FAILS, f"unsafe while both tables are in use: {', '.join(apart)}"
        still = "" if self.lost else "; every sentence that was proved still is"
        more = sum(judged.change.more_permissive for judged in self.changes)
        if forbid is not Forbid.UNSAFE and more:
            yield Outcome.FAILS, f"more permissive in {_regions(more)}{still}"
        if forbid is Forbid.ANY and self.changes:
            yield Outcome.FAILS, f"changed in {_regions(len(self.changes))}{still}"


def difference(old: Proved, new: Proved, subject: Subject, search: Search | None = None) -> Difference:
    """Compare two proved tables under the contract, practices and bounds of a subject.

    ``search`` is asked about regions of which no stored search knows. Rows that overlap are read in order, as the
    model reads them.
    """
    changes = differences(first_hit(old.table), first_hit(new.table))
    subject = replace(subject, policy=replace(subject.policy, table=first_hit(new.table)))
    prover = RegionProof(new.table) if changes else None
    reached = reached_regions(subject, [c.region for c in changes], search)
    judged = [_judged(prover, *one) for one in zip(changes, reached, strict=True)] if prover else []
    return Difference(old, new, subject, tuple(judged))


def _judged(prover: RegionProof, change: Change, reached: Witness) -> Judged:
    now = _broken(prover, change.region, change.new)
    before = _broken(prover, change.region, change.old) if now else {}
    worse = tuple(name for name, outcome in now.items() if outcome is Outcome.FAILS and name not in before)
    unsure = tuple(name for name, outcome in now.items() if outcome is Outcome.UNKNOWN and name not in before)
    return Judged(change, tuple(now), worse, unsure, reached)


def _broken(prover: RegionProof, region: Region, decision: str | None) -> dict[str, Outcome]:
    """What is not proved of a decision; a cut without a rule is handed over, as the model has it."""
    found = {"table_is_total": Outcome.FAILS} if decision is None else {}
    return found | {b.name: Outcome(b.verdict) for b in prover.judge(region, decision or "quarantine")}


def reached_regions(subject: Subject, regions: Sequence[Region], search: Search | None) -> list[Witness]:
    """Whether each region is reached, by a stored search if there is one; ``search`` is asked what that leaves open."""
    stored = stored_for(subject) if regions else None
    known = StoredWitnesses(subject, stored) if stored else None
    found = [known.of(region) if known else NOT_SEARCHED for region in regions]
    left = {at: regions[at] for at, witness in enumerate(found) if witness.outcome is Outcome.UNKNOWN}
    if search and left:
        answers = search(subject, left)
        found = [answers.get(at, witness) for at, witness in enumerate(found)]
    return found


def _only(one: Proved, other: Proved) -> tuple[str, ...]:
    theirs = other.by_name
    return tuple(
        v.name for v in one.verdicts if v.outcome is Outcome.HOLDS and theirs[v.name].outcome is not Outcome.HOLDS
    )


def _regions(count: int) -> str:
    return f"{count} region{'s' * (count != 1)}"
