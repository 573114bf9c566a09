"""Why a table decides as it does: what would break if a row decided otherwise, and what its own proof rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from model.decision_table import Rule, Table
from model.table_inputs import ACTING, CAPABILITY, DECISIONS
from solver.edits_stored import stored_edits
from solver.region_proof import RegionProof
from solver.table_edits import decision_edit


@dataclass(frozen=True)
class Shown:
    """A replayed way on which a decision breaks sentences: the small run that it is of, and its actions."""

    run: str
    breaks: tuple[str, ...]
    actions: tuple[str, ...]


@dataclass(frozen=True)
class Explained:
    """A row: for each other decision what it would break, and for each sentence the facts its proof needs here.

    Rows of a unique table are about different cuts, so the rows that carry the proof of a sentence are exactly
    those that would break it with some other decision. ``shown`` are, by decision, ways on which exploration has
    seen it break one.
    """

    rule: Rule
    breaks: Mapping[str, tuple[str, ...]]
    grounds: Mapping[str, tuple[str, ...]]
    shown: Mapping[str, Shown]

    @property
    def carries(self) -> tuple[str, ...]:
        """The sentences whose proof this row carries."""
        return tuple(dict.fromkeys(name for names in self.breaks.values() for name in names))

    @property
    def as_good(self) -> tuple[str, ...]:
        """The other decisions that would be proved as well."""
        return tuple(decision for decision, broken in self.breaks.items() if not broken)

    @property
    def spared(self) -> tuple[str, ...]:
        """The acting decisions that would be proved where this row does not act: it asks or waits without need."""
        acts = CAPABILITY[self.rule.decision] in ACTING
        return () if acts else tuple(d for d in self.as_good if CAPABILITY[d] in ACTING)


def explained(table: Table, rules: Iterable[Rule]) -> list[Explained]:
    """Explain some rows of a table that is total and unique."""
    prover, seen = RegionProof(table), stored_edits(table)
    return [_explained(prover, rule, seen) for rule in rules]


def _explained(prover: RegionProof, rule: Rule, seen: Mapping[str, Mapping[str, Any]]) -> Explained:
    region = dict(rule.cells)
    others = [d for d in DECISIONS if d != rule.decision]
    breaks = {d: tuple(b.name for b in prover.judge(region, d)) for d in others}
    named = {p.name: prover.grounds(region, rule.decision, p) for p in prover.proof.propositions}
    edits = {d: seen.get(decision_edit(rule.name, d), {}) for d in others}
    shown = {
        d: Shown(e["run"], tuple(e["explored"]), tuple(e["way"])) for d, e in edits.items() if e.get("explored")
    }
    return Explained(rule, breaks, {name: facts for name, facts in named.items() if facts}, shown)
