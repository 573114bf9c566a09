"""What an edit of a table does, for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from model.decision_table import region_text
from model.table_diff import NO_RULE
from model.table_inputs import VALUES
from properties.verdict import Outcome, Verdict
from recut.proof_verdicts import as_data
from recut.report_check_text import COLOUR, heading, verdict_table
from recut.table_change import Difference, Forbid, Judged, Proved
from recut.told import told
from solver.witness import Witness

UNCHANGED = "no change: every cut is decided as before"
MOST_TOLD = 3
WIDTH, LABEL = 76, 13


def text(found: Difference, forbid: Forbid) -> Iterator[RenderableType]:
    """Each change with its direction, what it breaks and whether it is reached; then the verdict."""
    yield heading(f"{found.old.path} -> {found.new.path}")
    yield from _changes(found)
    yield from _sentences(found)
    yield from _together(found)
    outcome = found.outcome(forbid)
    yield Text(f"\n{outcome}: {summary(found, forbid)}", style=COLOUR[outcome])


def summary(found: Difference, forbid: Forbid) -> str:
    """The edit in one line."""
    why = found.rejected(forbid)
    if why is not None:
        return f"rejected as {why}" if found.outcome(forbid) is Outcome.FAILS else f"not known to be allowed: {why}"
    if not found.changes:
        return UNCHANGED
    safe = "nothing that was proved is lost" if found.gained or _all_hold(found) else "no sentence is lost"
    cuts = sum(judged.change.cuts for judged in found.changes)
    return f"{len(found.changes)} regions of {cuts:,} cuts changed, {safe}"


def _all_hold(found: Difference) -> bool:
    return all(v.outcome is Outcome.HOLDS for v in found.new.verdicts)


def _changes(found: Difference) -> Iterator[RenderableType]:
    if not found.changes:
        yield Text(UNCHANGED)
    left = MOST_TOLD
    for number, judged in enumerate(found.changes, 1):
        yield heading(f"{number}. {decisions(judged)}: {judged.change.direction}")
        for name, said in facts(judged).items():
            yield from lines(name, said)
        if judged.reached.outcome is Outcome.HOLDS and judged.reached.trace is not None and left:
            left -= 1
            yield from map(Text, told(judged.reached.trace))


def decisions(judged: Judged) -> str:
    """The old decision and the new one."""
    return f"{judged.change.old or NO_RULE} -> {judged.change.new or NO_RULE}"


def facts(judged: Judged) -> Mapping[str, str]:
    """What there is to say of a change, by name."""
    change = judged.change
    return {
        "where": region_text(change.region),
        "cuts": f"{change.cuts:,}",
        "old rule": ", ".join(change.old_rules) or NO_RULE,
        "new rule": ", ".join(change.new_rules) or NO_RULE,
        "breaks": ", ".join(judged.broken) or "nothing",
        "reached": reached(judged.reached),
    }


def reached(found: Witness) -> str:
    """Whether the system gets there, and how that is known."""
    if found.outcome is Outcome.UNKNOWN:
        return f"unknown, {found.how}"
    if found.trace is None:
        why = "; no worker of any contract ever decides there, proved" if found.impossible else ""
        return f"no, {found.how}{why}"
    steps = f"in {len(found.trace.actions)} steps (run {found.run}, replayed)"
    if found.outcome is Outcome.HOLDS:
        return f"yes, {steps}"
    return f"no, {found.how}; only where {', '.join(found.only_if) or 'bounds are others'}, {steps}"


def reached_data(found: Witness) -> dict[str, Any]:
    """The same as JSON data."""
    return {
        "verdict": str(found.outcome),
        "how": found.how,
        "run": found.run,
        "only_if": list(found.only_if),
        "impossible": found.impossible,
        "actions": None if found.trace is None else list(found.trace.actions),
    }


def _sentences(found: Difference) -> Iterator[RenderableType]:
    for word, names in (("lost", found.lost), ("gained", found.gained)):
        if names:
            yield heading(f"proofs {word}")
            for name in names:
                before, now = found.old.by_name[name], found.new.by_name[name]
                rules = f", rules {', '.join(now.rules)}" if now.rules else ""
                yield Text(f"{name}: {before.outcome} -> {now.outcome}{rules}")


def _together(found: Difference) -> Iterator[RenderableType]:
    shown = [v for v in found.together if v.outcome is not Outcome.NOT_APPLICABLE]
    if shown:
        yield heading("while both tables are in use")
        yield verdict_table(shown)
    for verdict in shown:
        if verdict.trace is not None:
            yield heading(f"{verdict.name}: {verdict.reason}")
            yield from map(Text, told(verdict.trace))


def document(found: Difference, forbid: Forbid) -> dict[str, Any]:
    """The JSON document."""
    return {
        "schema": "recut/table-diff/1",
        "verdict": str(found.outcome(forbid)),
        "summary": summary(found, forbid),
        "forbid": str(forbid),
        "contract": found.subject.contract.name,
        "tables": [_table(found.old), _table(found.new)],
        "results": [_result(found, v) for v in found.new.verdicts],
        "lost": list(found.lost),
        "gained": list(found.gained),
        "together": [_together_result(v) for v in found.together],
        "changes": [_change(judged) for judged in found.changes],
    }


def _table(proved: Proved) -> dict[str, Any]:
    return {"path": proved.path, "digest": proved.table.digest, "rules": len(proved.table.rules)}


def _result(found: Difference, verdict: Verdict) -> dict[str, Any]:
    before = str(found.old.by_name[verdict.name].outcome)
    return {**as_data(verdict), "before": before, "rules": list(verdict.rules)}


def _together_result(verdict: Verdict) -> dict[str, Any]:
    actions = None if verdict.trace is None else list(verdict.trace.actions)
    return {**as_data(verdict), "reason": verdict.reason, "actions": actions}


def _change(judged: Judged) -> dict[str, Any]:
    change = judged.change
    return {
        "region": {n: [v for v in VALUES[n] if v in cell] for n, cell in change.region.items() if n in change.cells},
        "cuts": change.cuts,
        "old": {"decision": change.old, "rules": list(change.old_rules)},
        "new": {"decision": change.new, "rules": list(change.new_rules)},
        "gained": change.gained,
        "lost": change.lost,
        "more_permissive": change.more_permissive,
        "breaks": list(judged.broken),
        "worse": list(judged.worse),
        "reached": reached_data(judged.reached),
    }


def lines(name: str, said: str) -> Iterator[RenderableType]:
    """A fact, its continuation below its beginning."""
    wrapped = textwrap.wrap(said, WIDTH - LABEL, break_on_hyphens=False) or [""]
    labelled = [f"{name if at == 0 else '':{LABEL}}{line}" for at, line in enumerate(wrapped)]
    yield Padding(Text("\n".join(labelled)), (0, 0, 0, 2))
