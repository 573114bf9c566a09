"""``recut table``: prove a table, or show it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from model.decision_table import COLUMNS, Table, cell_text
from model.table_file import load_table
from model.table_inputs import INPUT_NAMES
from model.table_regions import require_unique
from properties.verdict import Outcome, Verdict, worst
from recut.commands import table_diff
from recut.failure import STATUS, ending
from recut.findings import details, table_findings
from recut.github import github
from recut.gitlab import gitlab
from recut.junit import junit
from recut.output import append, as_json, as_text, emit, ready
from recut.proof_verdicts import sentence
from recut.report_table import text
from recut.report_table_markdown import markdown as report_markdown
from recut.sarif import sarif
from recut.table_change import Proved, proved

table_app = typer.Typer(help="Prove a table, compare two, or show one.", no_args_is_help=True, rich_markup_mode=None)
table_diff.register(table_app)


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    MARKDOWN = "markdown"


Files = Annotated[list[str], typer.Argument(metavar="FILE...", help="Table files, or names of shipped tables.")]
Output = Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")]


@table_app.command()
@ending
def check(
    files: Files,
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.TEXT,
    output: Output = None,
    summary: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also append the report as Markdown to this file.")
    ] = None,
) -> int:
    """Is the table total, unique and without dead rows, and does every proposition follow?"""
    tables = [(path, require_unique(load_table(path))) for path in files]
    ready(output)
    ready(summary)
    done = [proved(path, table) for path, table in tables]
    outcome = worst(v.outcome for p in done for v in p.verdicts)
    if summary is not None:
        append(summary, report_markdown(done, outcome))
    emit(written(done, outcome, format, output), output)
    return STATUS[outcome]


def written(done: list[Proved], outcome: Outcome, format: Format, output: Path | None) -> str:
    """The report in a format."""
    match format:
        case Format.JSON:
            return as_json(document(done, outcome))
        case Format.JUNIT:
            return junit([(p.path, p.verdicts) for p in done], details(done))
        case Format.SARIF:
            return as_json(sarif(table_findings(done)))
        case Format.GITHUB:
            return github(table_findings(done), outcome, "recut table check")
        case Format.GITLAB:
            return as_json(gitlab(table_findings(done)))
        case Format.MARKDOWN:
            return report_markdown(done, outcome)
        case Format.TEXT:
            return as_text(text([(p.path, p.verdicts, p.results) for p in done], outcome), output)


@table_app.command()
@ending
def show(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A table file, or the name of a shipped table.")],
    output: Output = None,
) -> int:
    """The table as Markdown."""
    table = load_table(file)
    ready(output)
    emit(markdown(table), output)
    return 0


def markdown(table: Table) -> str:
    """A table in Markdown, one row a rule."""
    rows = [
        [rule.name, *(cell_text(name, rule.cells[name]) for name in INPUT_NAMES), rule.decision, rule.because]
        for rule in table.rules
    ]
    lines = [list(COLUMNS), ["---"] * len(COLUMNS), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in lines)


def document(tables: list[Proved], outcome: Outcome) -> dict[str, Any]:
    """The JSON document."""
    return {
        "schema": "recut/table-check/1",
        "verdict": str(outcome),
        "results": [_result(p, v) for p in tables for v in p.verdicts],
        "tables": [
            {
                "path": p.path,
                "digest": p.table.digest,
                "rules": len(p.table.rules),
                "verdict": str(worst(v.outcome for v in p.verdicts)),
            }
            for p in tables
        ],
    }


def _result(table: Proved, verdict: Verdict) -> dict[str, Any]:
    failed = [r for r in table.results if sentence(r) == verdict.name and r.verdict != "holds"]
    return {
        "name": verdict.name,
        "verdict": str(verdict.outcome),
        "how": verdict.how,
        "bounds": verdict.bounds,
        "seconds": round(verdict.seconds, 3),
        "states": verdict.states,
        "table": table.path,
        "rules": list(verdict.rules),
        "obligations": [
            {"name": r.name, "verdict": r.verdict, "rules": list(r.rules), "counterexample": dict(r.counterexample)}
            for r in failed
        ],
    }
