"""``recut compare``: which property breaks where, for policies under contracts."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from model.contract import EXAMPLES, load_contract
from model.policy import shipped_policies
from properties.verdict import Outcome
from recut.commands.check import default_jobs
from recut.failure import Interrupted, Status, ending
from recut.files import replace_json, slug
from recut.inputs import bounds, policy_with
from recut.itf import as_itf
from recut.output import as_json, as_text, emit, folder, ready
from recut.report_compare import document, markdown, origin_of, text
from recut.running import CellJob, watched
from solver.case_run import CaseRun
from solver.check import Subject
from solver.compare import TO_USE, Cell, cell_cases, cell_of
from solver.explore import Limits
from solver.suite import Case

MOST_STATES = 300_000
MOST_STATES_TO_USE = 3_000_000
"""Where a run gives up: a counterexample is found early, but that there is none needs the whole search."""


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class FailOn(StrEnum):
    """What makes the exit status 1."""

    FAILS = "fails"
    UNKNOWN = "unknown"


@ending
def compare(
    policy: Annotated[list[str] | None, typer.Option(metavar="NAME|FILE", help="Again for more; default: all.")] = None,
    contract: Annotated[
        list[str] | None, typer.Option(metavar="NAME|FILE", help="Again for more; default: five different ones.")
    ] = None,
    max_states: Annotated[
        int | None, typer.Option(min=1, help="Where a run gives up; default: 300000, for recovery 3000000.")
    ] = None,
    trace_dir: Annotated[Path | None, typer.Option(metavar="DIR", help="Write a trace for each failure.")] = None,
    fail_on: Annotated[FailOn | None, typer.Option(help="Exit with 1 if a cell is like this, or worse.")] = None,
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.TEXT,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")] = None,
    jobs: Annotated[int | None, typer.Option(min=1, max=64, help="Worker processes; default: 2.")] = None,
) -> int:
    """Run policies under contracts: a matrix, with the shortest trace for each failure."""
    subjects = subjects_of(policy or shipped_policies(), contract or EXAMPLES)
    ready(output)
    folder(trace_dir)
    cells = compared(subjects, max_states, jobs or default_jobs())
    files = write_traces(cells, trace_dir)
    if format is Format.JSON:
        emit(as_json(document(cells, files)), output)
    else:
        emit(markdown(cells) if format is Format.MARKDOWN else as_text(text(cells, files), output), output)
    return _status(cells, fail_on)


def subjects_of(policies: Sequence[str], contracts: Sequence[str]) -> list[Subject]:
    """Every policy under every contract, each read once; raises PolicyError, TableError or ContractError."""
    read = [load_contract(name) for name in dict.fromkeys(contracts)]
    rules = [policy_with(name, None) for name in dict.fromkeys(policies)]
    return [Subject(contract, policy, bounds(contract)) for policy in rules for contract in read]


def compared(subjects: Sequence[Subject], max_states: int | None, processes: int) -> list[Cell]:
    """The cells, their runs done by worker processes."""
    runs: list[tuple[int, Subject, Case]] = [
        (at, subject, case)
        for at, subject in enumerate(subjects)
        for case in cell_cases(subject.policy, subject.contract)
    ]
    names = [f"{s.policy.name} under {s.contract.name}, {case.name} ({at})" for at, s, case in runs]
    jobs = [functools.partial(CellJob, subject, case, _limits(subject, max_states)) for _, subject, case in runs]
    found: dict[str, CaseRun] = {}
    try:
        found.update(watched(jobs, names, processes))
    except KeyboardInterrupt:
        raise Interrupted("interrupted: a comparison is not kept; give fewer --policy or --contract") from None
    of_cell: list[list[CaseRun]] = [[] for _ in subjects]
    for name, (at, _, _) in zip(names, runs, strict=True):
        of_cell[at].append(found[name])
    return [cell_of(s.policy, s.contract, own) for s, own in zip(subjects, of_cell, strict=True)]


def _limits(subject: Subject, max_states: int | None) -> Limits:
    return Limits(max_states or (MOST_STATES_TO_USE if subject.policy.name == TO_USE else MOST_STATES))


def write_traces(cells: Sequence[Cell], where: Path | None) -> dict[tuple[str, str, str], Path]:
    """A file for each property that a cell breaks."""
    files: dict[tuple[str, str, str], Path] = {}
    for cell in cells if where is not None else ():
        for verdict in cell.broken:
            if verdict.trace is not None and where is not None:
                place = (cell.policy.name, cell.contract.name, verdict.name)
                files[place] = where / f"{'--'.join(map(slug, place))}.itf.json"
                replace_json(files[place], as_itf(verdict.trace, origin_of(cell, verdict, verdict.trace)))
    return files


def _status(cells: Sequence[Cell], fail_on: FailOn | None) -> int:
    """A comparison has done its work whatever it found, unless it was asked to fail on something."""
    outcomes = {cell.outcome for cell in cells}
    red = Outcome.FAILS in outcomes or fail_on is FailOn.UNKNOWN and Outcome.UNKNOWN in outcomes
    return Status.FAILS if fail_on is not None and red else Status.HOLDS
