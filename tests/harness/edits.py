"""Tables with one row that decides otherwise, and the reports read under them."""

from __future__ import annotations

import functools
from dataclasses import replace

from model.decision_table import Table
from model.policy import load_policy
from solver.harness import Stage, Told
from solver.harness_cases import INTERRUPTIONS, STORIES

DECIDING: dict[str, tuple[str, ...]] = {
    "checkpoint_only_negative": ("not-recorded", "recorded-done"),
    "consume_once_claim": ("absent-permitted", "claim-lost"),
    "effect_readback_positive": ("absent-permitted", "committed-unobserved", "committed-confirmed"),
    "expired_authority_boundary": ("absent-not-permitted",),
}
"""The rows that decide each case of the first report."""

DECIDING_ROW: tuple[str, ...] = ("absent-admitted", "committed-unobservable", "unknown-unrecognised", "unknown-revoked")
"""The row that decides each row of the matrix."""


def edited(table: Table, name: str, decision: str) -> Table:
    """The table with another decision in one row; the row must be there."""
    assert table.rule(name).decision != decision
    return replace(table, rules=tuple(replace(r, decision=decision) if r.name == name else r for r in table.rules))


@functools.cache
def stage(policy: str, rule: str | None = None, decision: str = "") -> Stage:
    """A stage with the shipped policies, one of which may have an edited row; it keeps its models."""
    policies = {name: load_policy(name) for name in ("recovery", "checkpoint-only")}
    if rule is not None:
        found = policies[policy]
        policies[policy] = replace(found, table=edited(found.table, rule, decision))
    return Stage(policies)


def told(name: str | int, rule: str | None = None, decision: str = "") -> Told:
    """One case by name, or one row of the matrix by number, under an edited row of its policy's table."""
    if isinstance(name, int):
        return stage("recovery", rule, decision).row(INTERRUPTIONS[name])
    story = next(s for s in STORIES if s.name == name)
    return stage(story.policy, rule, decision).case(story)
