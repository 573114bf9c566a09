"""``recut table check``: is a table total, unique and proved, what did an edit change, and why do rows decide so?"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from model.contract import DEFAULT_CONTRACT
from model.decision_table import Rule, Table
from model.table_file import load_table
from model.table_regions import require_unique
from properties.verdict import Outcome, worst
from recut.baseline import baseline_if_any
from recut.commands.table_diff import compared, searcher
from recut.commands.table_options import (
    ContractOption,
    ForbidOption,
    JobsOption,
    OutputOption,
    PolicyOption,
    SearchOption,
    TogetherOption,
)
from recut.failure import STATUS, ending
from recut.github import github
from recut.gitlab import gitlab
from recut.inputs import subject_of
from recut.junit import junit
from recut.output import append, as_json, as_text, emit, ready
from recut.report_table import text
from recut.report_table_json import document
from recut.report_table_markdown import markdown
from recut.sarif import sarif
from recut.table_change import Forbid, Solver, proved
from recut.table_checked import Checked, details, findings, verdicts
from recut.table_faults import faults
from solver.table_explained import explained
from solver.table_proof import RLIMIT

EVERY = "all"


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"
    SARIF = "sarif"
    GITHUB = "github"
    GITLAB = "gitlab"
    MARKDOWN = "markdown"


@ending
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="Table files, or names of shipped tables.")],
    baseline: Annotated[
        str | None, typer.Option(metavar="FILE|git:REV", help="The table before the edit: what changed is told too.")
    ] = None,
    forbid: ForbidOption = Forbid.UNSAFE,
    explain: Annotated[
        list[str] | None, typer.Option(metavar="RULE", help="Why this row decides so; all is every row.")
    ] = None,
    contract: ContractOption = DEFAULT_CONTRACT,
    policy: PolicyOption = "recovery",
    search: SearchOption = False,
    mixed: TogetherOption = False,
    solver: Annotated[
        Solver, typer.Option(help="Who decides the obligations; auto is both where cvc5 is installed.")
    ] = Solver.AUTO,
    rlimit: Annotated[int, typer.Option(min=1, help="What z3 may spend on an obligation, in its own unit.")] = RLIMIT,
    jobs: JobsOption = None,
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.TEXT,
    output: OutputOption = None,
    summary: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also append the report as Markdown to this file.")
    ] = None,
) -> int:
    """Is the table total, unique and without dead rows, does every proposition follow, and what did an edit change?"""
    tables = [(path, load_table(path)) for path in files]
    before = [None if baseline is None else baseline_if_any(baseline, path) for path, _ in tables]
    wanted = [_rules(table, explain or []) for _, table in tables]
    subject = subject_of(contract, policy, None, None, 1, None)
    ready(output)
    ready(summary)
    found = []
    for (path, table), old, rules in zip(tables, before, wanted, strict=True):
        done = proved(path, table, solver, rlimit)
        change = None
        if old is not None:
            first = proved(old.path, old, rlimit=rlimit, like=done)
            change = compared(first, done, subject, search, mixed, jobs)
        wrong = faults(table, subject, searcher(search, jobs))
        found.append(Checked(done, wrong, change, forbid, tuple(explained(table, rules)) if rules else ()))
    outcome = worst(checked.outcome for checked in found)
    if summary is not None:
        append(summary, markdown(found, outcome))
    emit(written(found, outcome, format, output), output)
    return STATUS[outcome]


def _rules(table: Table, names: list[str]) -> list[Rule]:
    """The rows that are to be explained; TableError for a name that the table does not have, or for an overlap."""
    if names:
        require_unique(table)
    return list(table.rules) if EVERY in names else [table.rule(name) for name in dict.fromkeys(names)]


def written(found: list[Checked], outcome: Outcome, format: Format, output: Path | None) -> str:
    """The report in a format."""
    match format:
        case Format.JSON:
            return as_json(document(found, outcome))
        case Format.JUNIT:
            return junit([(c.proved.path, verdicts(c)) for c in found], details(found))
        case Format.SARIF:
            return as_json(sarif(findings(found)))
        case Format.GITHUB:
            return github(findings(found), outcome, "recut table check")
        case Format.GITLAB:
            return as_json(gitlab(findings(found)))
        case Format.MARKDOWN:
            return markdown(found, outcome)
        case Format.TEXT:
            return as_text(text(found, outcome), output)


def register(app: typer.Typer) -> None:
    """Make this a command of the application."""
    app.command("check")(check)
