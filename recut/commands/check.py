"""``recut check``: prove the table, search the model for the contract, and say what holds."""

from __future__ import annotations

import os
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from model.contract import DEFAULT_CONTRACT
from properties.verdict import Outcome
from recut.failure import STATUS, Status, ending
from recut.files import replace_json
from recut.inputs import Scenario, subject_of
from recut.itf import as_itf
from recut.junit import junit
from recut.output import as_json, as_text, emit, folder, ready
from recut.report_check import Checked, document, traced
from recut.report_check_text import text
from recut.resume import Store
from recut.running import run_check
from solver.check import check as assess

MOST_JOBS = 2


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    JUNIT = "junit"


@ending
def check(
    contract: Annotated[str, typer.Option(metavar="NAME|FILE", help="What the provider promises.")] = DEFAULT_CONTRACT,
    table: Annotated[str | None, typer.Option(metavar="FILE", help="A table instead of the policy's.")] = None,
    policy: Annotated[str, typer.Option(metavar="NAME|FILE", help="A table and its practices.")] = "recovery",
    workers: Annotated[int | None, typer.Option(min=1, max=4, help="How many; default: the contract's.")] = None,
    operations: Annotated[int, typer.Option(min=1, max=4, help="How many effects are owed.")] = 1,
    crashes: Annotated[int | None, typer.Option(min=0, max=9, help="At most so many; default: any number.")] = None,
    scenario: Annotated[Scenario, typer.Option(help="Which parties there are.")] = Scenario.ONE_EFFECT,
    max_states: Annotated[int | None, typer.Option(min=1, help="Where a run gives up.")] = None,
    timeout: Annotated[float | None, typer.Option(min=0, metavar="S", help="Seconds for all runs.")] = None,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep finished runs and go on there.")] = None,
    trace_dir: Annotated[Path | None, typer.Option(metavar="DIR", help="Write the traces of failures.")] = None,
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.TEXT,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=64, help="Worker processes; default: 2.")] = None,
) -> int:
    """Prove the table, search the model exhaustively and cross-check: one verdict a property."""
    subject = subject_of(contract, policy, table, workers, operations, crashes)
    ready(output)
    folder(trace_dir)
    found = run_check(subject, Store(resume, subject), jobs or default_jobs(), max_states, timeout)
    checked = Checked(subject, assess(subject, found.runs), found, {})
    checked = Checked(subject, checked.report, found, write_traces(checked, trace_dir))
    emit(written(checked, format, output), output)
    return status(checked)


def default_jobs() -> int:
    """Two, if there are as many processors."""
    return min(MOST_JOBS, os.cpu_count() or 1)


def write_traces(checked: Checked, where: Path | None) -> Mapping[str, Path]:
    """A file for each failure that has a trace."""
    if where is None:
        return {}
    files: dict[str, Path] = {}
    for verdict, trace, origin in traced(checked):
        files[verdict.name] = where / f"{verdict.name}.itf.json"
        replace_json(files[verdict.name], as_itf(trace, origin))
    return files


def written(checked: Checked, format: Format, output: Path | None) -> str:
    """The report in a format."""
    if format is Format.JSON:
        return as_json(document(checked))
    if format is Format.JUNIT:
        return junit([("table", checked.proofs), ("model", checked.report.verdicts)])
    return as_text(text(checked), output)


def status(checked: Checked) -> Status:
    """A disagreement of engines is worse than any verdict."""
    return Status.DEFECT if checked.disagreements else STATUS[Outcome(checked.outcome)]
