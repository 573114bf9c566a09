"""What was proved of tables as Markdown, for a comment on a pull request or the summary of a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from model.decision_table import region_text
from properties.verdict import Outcome, Verdict
from recut.findings import Finding, place_of
from recut.markdown import code, table, words
from recut.report_table_diff import decisions, reached, summary
from recut.table_checked import Checked, findings, verdicts

MOST_ROWS = 5
MOST_CHANGES = 20
MOST_CHARACTERS = 60_000
"""A comment on GitHub may have 65,536."""


def markdown(tables: Sequence[Checked], outcome: Outcome) -> str:
    """The verdict, then each table: its sentences, and for each that does not hold the rows and cuts at fault.

    At most MOST_ROWS rows a sentence are told, and of a table that would make it too long only the verdict.
    """
    parts, room = [f"## recut table check: {outcome}\n"], MOST_CHARACTERS
    for checked in tables:
        head = f"### {code(place_of(checked.proved.table.path))}: {checked.outcome}\n"
        told = "\n".join([head, *_changes(checked), *_told(checked)])
        parts.append(told if len(told) < room else head)
        room -= len(parts[-1])
    return "\n".join(parts)


def _changes(checked: Checked) -> Iterator[str]:
    """What the edit does, first: most reviewers read no further."""
    found = checked.difference
    if found is None:
        return
    yield f"{words(summary(found, checked.forbid))}\n"
    shown = found.changes[:MOST_CHANGES]
    rows = [
        [
            words(decisions(judged)),
            words(judged.change.direction),
            code(region_text(judged.change.region), 500),
            words(", ".join(judged.broken) or "nothing"),
            words(reached(judged.reached)),
        ]
        for judged in shown
    ]
    if rows:
        yield table(["decision", "direction", "where", "breaks", "reached"], rows)
    if len(found.changes) > len(shown):
        yield f"and {len(found.changes) - len(shown)} more regions\n"


def _told(checked: Checked) -> Iterator[str]:
    all_findings = findings([checked])
    rows = [[code(v.name), _bold(v.outcome), words(_how(v))] for v in verdicts(checked)]
    yield table(["sentence", "verdict", "how known"], rows)
    for verdict in checked.proved.verdicts:
        own = [f for f in all_findings if f.rule_id == verdict.name]
        if own:
            yield _failure(verdict, own)


def _bold(outcome: Outcome) -> str:
    return str(outcome) if outcome in (Outcome.HOLDS, Outcome.NOT_APPLICABLE) else f"**{outcome}**"


def _how(verdict: Verdict) -> str:
    return ", ".join(part for part in (verdict.how, verdict.bounds) if part)


def _failure(verdict: Verdict, findings: Sequence[Finding]) -> str:
    lines = [f"#### {code(verdict.name)}: {verdict.outcome}\n", f"{words(findings[0].says)}\n", *_items(findings)]
    return "\n".join(lines) + "\n"


def _items(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings[:MOST_ROWS]:
        row = f"line {finding.line}, row {code(finding.about, 60)}" if finding.line else "the whole table"
        shows = f": {code(finding.shows, 500)}" if finding.shows else ""
        yield f"- {row}{shows}; {words(finding.help)}"
    if len(findings) > MOST_ROWS:
        yield f"- and {len(findings) - MOST_ROWS} more"
