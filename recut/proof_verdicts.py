"""The obligations of a table proof as one verdict a sentence: hundreds of steps, few names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from properties.verdict import Outcome, Verdict, worst
from solver.table_proof_obligations import ProofResult

HOW = "proved complete for the table"
SENTENCES: Mapping[str, str] = {
    "total": "table_is_total",
    "unique": "table_is_unique",
    "dead-row": "table_has_no_dead_row",
    "initiation": "invariant_holds_at_first",
    "consecution": "invariant_is_kept",
    "stability": "ground_of_execute_is_stable",
}
GROUND = ("invariant_holds_at_first", "invariant_is_kept")
"""What every proposition rests on: without it that the invariant implies one says nothing."""


def proof_verdicts(results: Iterable[ProofResult]) -> list[Verdict]:
    """A verdict for each sentence about the table, in the order of the proof.

    A proposition that follows from an invariant is unknown where the invariant is not one.
    """
    groups: dict[str, list[ProofResult]] = {}
    for result in results:
        groups.setdefault(sentence(result), []).append(result)
    verdicts = [_verdict(name, group) for name, group in groups.items()]
    lost = [v.name for v in verdicts if v.name in GROUND and v.outcome is not Outcome.HOLDS]
    return [_without(lost, v) if lost and v.name not in SENTENCES.values() else v for v in verdicts]


def as_data(verdict: Verdict) -> dict[str, Any]:
    """What every document says of a verdict."""
    return {
        "name": verdict.name,
        "verdict": str(verdict.outcome),
        "how": verdict.how,
        "bounds": verdict.bounds,
        "seconds": round(verdict.seconds, 3),
        "states": verdict.states,
    }


def _without(lost: Sequence[str], verdict: Verdict) -> Verdict:
    """The verdict on a proposition that has lost the ground of its proof."""
    if verdict.outcome is not Outcome.HOLDS:
        return verdict
    why = f"it would follow from the invariant, and {' and '.join(lost)} is not proved"
    return replace(verdict, outcome=Outcome.UNKNOWN, how="not proved for this table", reason=why)


def sentence(result: ProofResult) -> str:
    """The name of the sentence that an obligation is a part of."""
    return SENTENCES.get(result.kind, result.name)


def _verdict(name: str, group: Sequence[ProofResult]) -> Verdict:
    outcome = worst(Outcome(r.verdict) for r in group)
    missing = [r.name for r in group if r.verdict != "holds"]
    rules = tuple(dict.fromkeys(rule for r in group for rule in r.rules))
    count = "1 obligation" if len(group) == 1 else f"{len(group)} obligations"
    seconds = sum(r.seconds for r in group)
    if outcome is Outcome.HOLDS:
        return Verdict(name, outcome, HOW, count, 0, seconds)
    how = "z3 gave up within its resource limit" if outcome is Outcome.UNKNOWN else "counterexample, replayed"
    said = ", ".join(missing[:5]) + (f" and {len(missing) - 5} more" if len(missing) > 5 else "")
    why = f"not proved: {said}" if missing != [name] or outcome is Outcome.UNKNOWN else ""
    return Verdict(name, outcome, how, count, 0, seconds, why, rules=rules)
