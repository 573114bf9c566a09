"""Which defect breaks which property, and how soon: every mutant's run is searched completely.

A cell is the length of the shortest counterexample; an empty one says that the property holds in the
whole run, so it needs a complete search. What the model without the defect breaks in the same run is
left out: only the defect can have broken the rest.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from properties import endings, ownership
from properties.mutants.catalogue import MUTANTS
from properties.mutants.mutant import Mutant
from properties.safety import PROPERTIES
from solver.case_run import CaseRun, Questions, run_case
from solver.explore import Limits

MOST_STATES = 400_000
COLUMNS: tuple[str, ...] = (*(p.name for p in PROPERTIES), endings.NAME, endings.UNATTENDED, ownership.NAME)
Row = dict[str, int]


class MatrixError(RuntimeError):
    """A cell that cannot be filled in: the message names mutant and run."""


def kill_matrix(mutants: Iterable[Mutant] = MUTANTS) -> dict[str, Row]:
    """For each mutant the properties it breaks, with the length of the shortest counterexample.

    Raises MatrixError for a run that is too large to be searched, EnginesDisagree where a trace does not replay.
    """
    return {mutant.name: kill_row(mutant) for mutant in mutants}


def kill_row(mutant: Mutant) -> Row:
    """The properties that a mutant breaks and its original keeps, in the order of COLUMNS."""
    before, after = broken(mutant, False), broken(mutant, True)
    return {name: after[name] for name in COLUMNS if name in after and name not in before}


def broken(mutant: Mutant, defect: bool) -> Row:
    """What the run of a mutant breaks with the defect, or without it."""
    model = mutant.model() if defect else mutant.original()
    run = run_case(mutant.name, "", model, Questions(PROPERTIES), Limits(max_states=MOST_STATES))
    if not run.complete:
        raise MatrixError(f"{mutant.name}: more than {MOST_STATES} states; give it a smaller run")
    row = {name: len(trace.actions) for name, trace in run.violations.items()}
    if run.stuck is not None:
        row[endings.NAME] = len(run.stuck.actions)
    if run.asked is not None and _needs_nobody(mutant, run):
        row[endings.UNATTENDED] = len(run.asked.actions)
    if any(ownership.offences(model.system())):
        row[ownership.NAME] = 0
    return row


def _needs_nobody(mutant: Mutant, run: CaseRun) -> bool:
    """The run is one that has to end without a person: nothing goes wrong, or one worker dies once."""
    model, faults = mutant.original(), mutant.where.faults
    if faults == ():
        return endings.must_finish_alone(model)
    return faults == ("crash",) and mutant.where.crashes == 1 and endings.must_survive_a_crash_alone(model)


def matrix_json(matrix: Mapping[str, Row]) -> str:
    """The matrix as a file: one mutant a line."""
    rows = ",\n".join(f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in matrix.items())
    return f'{{\n  "columns": {json.dumps(COLUMNS)},\n  "rows": {{\n{rows}\n  }}\n}}\n'


def matrix_of(text: str) -> dict[str, Row]:
    """The rows of a file that ``matrix_json`` wrote."""
    read: dict[str, Any] = json.loads(text)
    return dict(read["rows"])
