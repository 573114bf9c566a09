"""Checked tables as JSON data."""

from __future__ import annotations

from typing import Any

from model.decision_table import said_cells
from model.table_inputs import VALUES
from properties.verdict import Outcome, Verdict, worst
from recut.proof_verdicts import as_data, sentence
from recut.report_table_diff import document as difference
from recut.report_table_diff import reached_data
from recut.table_change import Proved
from recut.table_checked import Checked
from recut.table_faults import Fault
from solver.table_explained import Explained


def document(found: list[Checked], outcome: Outcome) -> dict[str, Any]:
    """The JSON document."""
    return {
        "schema": "recut/table-check/1",
        "verdict": str(outcome),
        "results": [_result(c.proved, v) for c in found for v in c.proved.verdicts],
        "tables": [_table(checked) for checked in found],
    }


def _table(checked: Checked) -> dict[str, Any]:
    table = checked.proved.table
    return {
        "path": checked.proved.path,
        "digest": table.digest,
        "rules": len(table.rules),
        "verdict": str(worst(v.outcome for v in checked.proved.verdicts)),
        "solvers": _solvers(checked.proved),
        "faults": [_fault(fault) for fault in checked.faults.listed],
        "unlisted": {"cuts": checked.faults.more_undecided, "overlaps": checked.faults.more_overlaps},
        "difference": None if checked.difference is None else difference(checked.difference, checked.forbid),
        "explained": [_explained(row) for row in checked.explained],
    }


def _solvers(proved: Proved) -> dict[str, Any]:
    """What each solver has spent and might spend on each obligation, in its own unit, and on how many both agree."""
    second = proved.opinion
    return {
        "z3": proved.effort,
        "cvc5": None if second is None else second.effort,
        "limits": {"z3": proved.rlimit, "cvc5": None if second is None else second.rlimit},
        "agreed": None if second is None else second.agreed,
        "unsure": None if second is None else list(second.unsure),
    }


def _fault(fault: Fault) -> dict[str, Any]:
    return {
        "kind": fault.kind,
        "region": {name: [v for v in VALUES[name] if v in fault.region[name]] for name in said_cells(fault.region)},
        "rules": [{"name": rule.name, "line": rule.line} for rule in fault.rules],
        "reached": reached_data(fault.reached),
        "suggestion": fault.row or None,
        "instead": list(fault.instead),
    }


def _explained(row: Explained) -> dict[str, Any]:
    return {
        "rule": row.rule.name,
        "decision": row.rule.decision,
        "carries": list(row.carries),
        "breaks": {decision: list(names) for decision, names in row.breaks.items()},
        "grounds": {name: list(facts) for name, facts in row.grounds.items()},
        "shown": {
            d: {"run": seen.run, "breaks": list(seen.breaks), "actions": list(seen.actions)}
            for d, seen in row.shown.items()
        },
        "as_good": list(row.as_good),
        "asks_without_need": list(row.spared),
    }


def _result(table: Proved, verdict: Verdict) -> dict[str, Any]:
    failed = [r for r in table.results if sentence(r) == verdict.name and r.verdict != "holds"]
    return {
        **as_data(verdict),
        "table": table.path,
        "rules": list(verdict.rules),
        "obligations": [
            {"name": r.name, "verdict": r.verdict, "rules": list(r.rules), "counterexample": dict(r.counterexample)}
            for r in failed
        ],
    }
