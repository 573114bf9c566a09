"""Whether two tables are safe together, while workers with the old one and with the new one are at work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from model.contract_profile import profile_of, ticks_of
from model.decision_table import Table
from model.setting import FAULTS
from properties.verdict import Outcome, Verdict
from recut.failure import Interrupted
from recut.resume import Store
from recut.running import run_check
from recut.table_change import Proved
from solver.abstraction import not_given
from solver.check import Subject, check

NAME = "both_tables_together"
ONLY_TOGETHER = "holds with either table alone"
PROVED = "each table keeps the invariant, which is all that one worker relies on of another"
HINT = "; --together searches for what that does"


def together(old: Proved, new: Proved, subject: Subject, processes: int | None) -> list[Verdict]:
    """One verdict if both proofs hold; else, with ``processes`` to search with, one a sentence of the model.

    The invariant speaks of the world and not of the table, and every decision of either table keeps it whoever
    takes it; so two proofs are one of any mix, under practices and a contract that the proof speaks of. A search is
    of the suite of ``recut check``, half the workers with each table. Raises what ``run_check`` raises.
    """
    why = _unproved(old, new, subject)
    if why is None:
        return [Verdict(NAME, Outcome.HOLDS, PROVED, "any number of workers with either table")]
    if processes is None:
        return [Verdict(NAME, Outcome.UNKNOWN, "not searched", "", reason=why + HINT)]
    found = _searched(replace(_with(subject, new.table), beside=old.table), processes)
    broken = _failing(found)
    alone = {p.path: _failing(_searched(_with(subject, p.table), processes)) for p in (old, new) if broken}
    return [_compared(v, alone) if v.name in broken else v for v in found]


def _unproved(old: Proved, new: Proved, subject: Subject) -> str | None:
    """Why no proof speaks of the two tables, under this contract and these practices with every fault; else None."""
    missing = [p.path for p in (old, new) if any(v.outcome is not Outcome.HOLDS for v in p.verdicts)]
    if missing:
        return f"not everything is proved of {' and '.join(missing)}"
    every = replace(subject.base, faults=frozenset(FAULTS), ticks=ticks_of(subject.contract))
    dropped = not_given(profile_of(subject.contract, subject.policy.practices), every)
    return f"the proofs take for granted that {dropped[0]}" if dropped else None


def _searched(subject: Subject, processes: int) -> tuple[Verdict, ...]:
    try:
        found = run_check(subject, Store(None, subject), processes, None, None)
    except Interrupted:
        raise Interrupted("interrupted: nothing is known; without --together the edit is judged at once") from None
    return check(subject, found.runs).verdicts


def _with(subject: Subject, table: Table) -> Subject:
    return replace(subject, policy=replace(subject.policy, table=table))


def _failing(verdicts: Sequence[Verdict]) -> frozenset[str]:
    return frozenset(v.name for v in verdicts if v.outcome is Outcome.FAILS)


def _compared(verdict: Verdict, alone: Mapping[str, frozenset[str]]) -> Verdict:
    """A failure says whether either table alone fails too."""
    also = [path for path, broken in alone.items() if verdict.name in broken]
    return replace(verdict, reason=f"also with {' and with '.join(also)} alone" if also else ONLY_TOGETHER)
