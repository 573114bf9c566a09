"""What is answered about a region of cuts: the decision, or who disagrees."""

from __future__ import annotations

from typing import Any

from model.decision_table import Region, Rule, Table, cell_text
from model.table_inputs import INPUT_NAMES
from model.table_regions import size
from recut.failure import Refused


def answer_of(table: Table, region: Region) -> dict[str, Any]:
    """The decision of a region of cuts with its rules; without one the completions, by rule.

    Refused where the table has no rule for a cut of the region.
    """
    parts = table.touching(region)
    if sum(size(part) for _, part in parts) < size(region):
        raise Refused(f"{table.path}: has no rule for this cut; run recut table check {table.path}")
    decisions = {rule.decision for rule, _ in parts}
    if len(decisions) > 1:
        because = f"the completions of the missing inputs disagree: {', '.join(sorted(decisions))}"
        completions = [_completion(rule, part, region) for rule, part in parts]
        return {"decision": None, "rule": None, "because": because, "completions": completions}
    return answer_of_rules(*(rule for rule, _ in parts))


def answer_of_rules(*rules: Rule) -> dict[str, Any]:
    """The decision that all these rules take; at least one."""
    return {
        "decision": rules[0].decision,
        "rule": ", ".join(rule.name for rule in rules),
        "because": " ".join(dict.fromkeys(rule.because for rule in rules)),
    }


def _completion(rule: Rule, part: Region, region: Region) -> dict[str, Any]:
    """A rule with the values of the missing inputs under which it decides."""
    open_inputs = [name for name in INPUT_NAMES if len(region[name]) > 1 and part[name] != region[name]]
    inputs = {name: cell_text(name, part[name]) for name in open_inputs}
    return {"decision": rule.decision, "rule": rule.name, "because": rule.because, "inputs": inputs}
