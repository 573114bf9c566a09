"""What was proved of tables as Markdown, for a comment on a pull request or the summary of a job."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from properties.verdict import Outcome, Verdict, worst
from recut.findings import Finding, place_of, table_findings
from recut.markdown import code, table, words
from recut.table_change import Proved

MOST_ROWS = 10
MOST_TABLES = 20


def markdown(tables: Sequence[Proved], outcome: Outcome) -> str:
    """The verdict, then each table: its sentences, and for each that does not hold the rows and cuts at fault.

    At most MOST_ROWS rows a sentence and MOST_TABLES tables are told, since a comment has a limit.
    """
    parts = [f"## recut table check: {outcome}\n", *(_table(proved) for proved in tables[:MOST_TABLES])]
    if len(tables) > MOST_TABLES:
        parts.append(f"And {len(tables) - MOST_TABLES} more tables.\n")
    return "\n".join(parts)


def _table(proved: Proved) -> str:
    verdicts, findings = proved.verdicts, table_findings([proved])
    rows = [[code(v.name), _bold(v.outcome), words(_how(v))] for v in verdicts]
    head = f"### {code(place_of(proved.table.path))}: {worst(v.outcome for v in verdicts)}\n"
    failures = (_failure(v, [f for f in findings if f.rule_id == v.name]) for v in verdicts)
    parts = [head, table(["sentence", "verdict", "how known"], rows), *failures]
    return "\n".join(part for part in parts if part)


def _bold(outcome: Outcome) -> str:
    return str(outcome) if outcome in (Outcome.HOLDS, Outcome.NOT_APPLICABLE) else f"**{outcome}**"


def _how(verdict: Verdict) -> str:
    return ", ".join(part for part in (verdict.how, verdict.bounds) if part)


def _failure(verdict: Verdict, findings: Sequence[Finding]) -> str:
    if not findings:
        return ""
    lines = [f"#### {code(verdict.name)}: {verdict.outcome}\n", f"{words(findings[0].says)}\n", *_items(findings)]
    return "\n".join(lines) + "\n"


def _items(findings: Sequence[Finding]) -> Iterator[str]:
    for finding in findings[:MOST_ROWS]:
        row = f"line {finding.line}, row {code(finding.about, 60)}" if finding.line else "the whole table"
        shows = f": {code(finding.shows, 500)}" if finding.shows else ""
        yield f"- {row}{shows}; {words(finding.help)}"
    if len(findings) > MOST_ROWS:
        yield f"- and {len(findings) - MOST_ROWS} more rows"
