"""Why a table decides as it does: what would break if a row decided otherwise, and what its own proof rests on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from model.decision_table import Rule, Table
from model.table_inputs import ACTING, CAPABILITY, DECISIONS
from solver.region_proof import RegionProof


@dataclass(frozen=True)
class Explained:
    """A row: for each other decision what it would break, and for each sentence the facts its proof needs here.

    Rows of a unique table are about different cuts, so the rows that carry the proof of a sentence are exactly
    those that would break it with some other decision.
    """

    rule: Rule
    breaks: Mapping[str, tuple[str, ...]]
    grounds: Mapping[str, tuple[str, ...]]

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
    prover = RegionProof(table)
    return [_explained(prover, rule) for rule in rules]


def _explained(prover: RegionProof, rule: Rule) -> Explained:
    region = dict(rule.cells)
    others = [d for d in DECISIONS if d != rule.decision]
    breaks = {d: tuple(b.name for b in prover.judge(region, d)) for d in others}
    named = {p.name: prover.grounds(region, rule.decision, p) for p in prover.proof.propositions}
    return Explained(rule, breaks, {name: facts for name, facts in named.items() if facts})
