"""Whether two tables are safe together, while workers with the old one and with the new one are at work."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from model.decision_table import Table
from properties.verdict import Outcome, Verdict
from recut.resume import Store
from recut.running import run_check
from recut.table_change import Proved
from solver.check import Subject, check

NAME = "both_tables_together"
ONLY_TOGETHER = "holds with either table alone"
PROVED = "each table keeps the invariant, which is all that one worker relies on of another"


def together(old: Proved, new: Proved, subject: Subject, processes: int | None) -> list[Verdict]:
    """One verdict if both proofs hold; else, with ``processes`` to search with, one a sentence of the model.

    The invariant speaks of the world and not of the table, and every decision of either table keeps it whoever
    takes it; so two proofs are one of any mix. A search is of the suite of ``recut check``, half the workers with
    each table. Raises what ``run_check`` raises.
    """
    missing = [p.path for p in (old, new) if any(v.outcome is not Outcome.HOLDS for v in p.verdicts)]
    if not missing:
        return [Verdict(NAME, Outcome.HOLDS, PROVED, "any number of workers with either table")]
    if processes is None:
        why = f"not everything is proved of {' and '.join(missing)}; --together searches for what that does"
        return [Verdict(NAME, Outcome.UNKNOWN, "not searched", "", reason=why)]
    found = _searched(replace(_with(subject, new.table), beside=old.table), processes)
    broken = _failing(found)
    alone = {p.path: _failing(_searched(_with(subject, p.table), processes)) for p in (old, new) if broken}
    return [_compared(v, alone) if v.name in broken else v for v in found]


def _searched(subject: Subject, processes: int) -> tuple[Verdict, ...]:
    found = run_check(subject, Store(None, subject), processes, None, None)
    return check(subject, found.runs).verdicts


def _with(subject: Subject, table: Table) -> Subject:
    return replace(subject, policy=replace(subject.policy, table=table))


def _failing(verdicts: Sequence[Verdict]) -> frozenset[str]:
    return frozenset(v.name for v in verdicts if v.outcome is Outcome.FAILS)


def _compared(verdict: Verdict, alone: Mapping[str, frozenset[str]]) -> Verdict:
    """A failure says whether either table alone fails too."""
    also = [path for path, broken in alone.items() if verdict.name in broken]
    return replace(verdict, reason=f"also with {' and with '.join(also)} alone" if also else ONLY_TOGETHER)
