"""Two versions of a contract: clauses that changed, and what that does to recovery."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from properties.verdict import Outcome
from recut.contract_report import ContractReport, headline, plain_value
from recut.markdown import code, table, words
from recut.report_check_text import columns, heading
from recut.report_table_diff import lines
from solver.contract_class import RecoveryClass
from solver.interruptions import ALONE, PERSON, SOMETIMES, STUCK

ORDER = (ALONE, SOMETIMES, PERSON, STUCK)
"""How interruptions end, the better ones first."""
NOWHERE = "not reached"


@dataclass(frozen=True)
class ContractDiff:
    """Two reports, and what differs: clauses, interruptions by name, and what blind retry breaks."""

    old: ContractReport
    new: ContractReport
    clauses: tuple[tuple[str, object, object], ...]
    points: tuple[tuple[str, str, str], ...]
    breaks: tuple[str, ...]
    no_longer: tuple[str, ...]

    @property
    def worse(self) -> bool:
        """Whether the class got worse, at best or at worst, or some kind of interruption ends worse than it did."""
        old, new = self.old.judged.cases.kinds, self.new.judged.cases.kinds
        lower = any(_level(now) > _level(before) for before, now in ((old[0], new[0]), (old[-1], new[-1])))
        return lower or any(
            ORDER.index(now) > ORDER.index(before) for _, before, now in self.points if NOWHERE not in (before, now)
        )

    @property
    def says(self) -> str:
        """The verdict in a line."""
        if not self.clauses:
            return "no change: every clause is the same"
        if self.old.judged.cases.says == self.new.judged.cases.says:
            same = f"as before: {self.new.judged.cases.says}"
            return f"{same}, but some interruptions end worse" if self.worse else same
        return f"{self.old.judged.cases.says} -> {self.new.judged.cases.says}"


def _level(kind: RecoveryClass) -> int:
    """0 where nobody is needed, 1 where a person is, 2 where something breaks."""
    return 2 if kind is RecoveryClass.NONE else int(not kind.automatic)


def compared(old: ContractReport, new: ContractReport) -> ContractDiff:
    """What differs between two reports."""
    before, now = old.contract.clauses(), new.contract.clauses()
    clauses = tuple((n, before[n], now[n]) for n in before if before[n] != now[n] and not n.startswith("contract.name"))
    ends = [{p.name: p.ends for p in report.judged.points} for report in (old, new)]
    names = dict.fromkeys([*ends[0], *ends[1]])
    points = tuple(
        (n, a, b) for n in names if (a := ends[0].get(n, NOWHERE)) != (b := ends[1].get(n, NOWHERE))
    )  # fmt: skip
    broken = [{b.name for b in report.habit} for report in (old, new)]
    more, less = sorted(broken[1] - broken[0]), sorted(broken[0] - broken[1])
    return ContractDiff(old, new, clauses, points, tuple(more), tuple(less))


def text(found: ContractDiff) -> Iterator[RenderableType]:
    """For a terminal."""
    yield heading(f"{found.old.contract.name} -> {found.new.contract.name}")
    for clause, before, now in found.clauses:
        yield from lines("changed", f"{clause}: {_shown(before)} -> {_shown(now)}")
    yield from lines("class", found.says)
    if found.points:
        shown = columns("a worker crashes", "ended", "ends")
        for name, before, now in found.points:
            shown.add_row(name, before, now)
        yield Text("")
        yield shown
    for word, names in (("now breaks", found.breaks), ("no longer", found.no_longer)):
        if names:
            yield from lines(word, f"blind retry: {', '.join(names)}")
    yield Text(f"\n{'worse' if found.worse else 'not worse'}", style="bold red" if found.worse else "green")


def markdown(found: ContractDiff) -> str:
    """For a comment."""
    rows = [[code(clause), words(_shown(before)), words(_shown(now))] for clause, before, now in found.clauses]
    points = [[words(name), before, now] for name, before, now in found.points]
    parts = [f"## recut contract diff: {'worse' if found.worse else 'not worse'}\n", f"{words(found.says)}\n"]
    parts += [table(["clause", "before", "now"], rows)] if rows else []
    parts += [table(["a worker crashes", "ended", "ends"], points)] if points else []
    return "\n".join(parts)


def document(found: ContractDiff) -> dict[str, Any]:
    """As JSON data."""
    return {
        "schema": "recut/contract-diff/1",
        "verdict": str(Outcome.FAILS if found.worse else Outcome.HOLDS),
        "says": found.says,
        "results": [headline(found.old), headline(found.new)],
        "clauses": [{"clause": c, "before": plain_value(a), "now": plain_value(b)} for c, a, b in found.clauses],
        "interruptions": [{"name": n, "before": before, "now": now} for n, before, now in found.points],
        "blind_retry": {"breaks": list(found.breaks), "no_longer": list(found.no_longer)},
    }


def _shown(value: object) -> str:
    if isinstance(value, tuple):
        return ", ".join(value) or "nowhere"
    return str(value).lower() if isinstance(value, bool) else str(value)
