"""What is wrong with the form of a table: gaps, overlaps and dead rows, each with whether the system gets there."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from model.decision_table import Region, Rule, Table, table_text
from model.first_hit import first_hit, parts_by_order
from model.region_cover import few_regions, masks_of, region_of_mask
from model.table_inputs import DECISIONS
from model.table_regions import Overlap, gaps, overlaps, size, undecided
from recut.table_change import Search, reached_regions
from solver.check import Subject
from solver.region_proof import RegionProof
from solver.witness import Witness

MOST_GAPS = 1000
MOST_PAIRS = 200
PREFERRED = ("stand_down", "verify", "reauthorise", "quarantine", "abandon", "adopt", "compensate", "execute")
"""The decisions in the order in which a row is suggested: what does nothing first, what initiates last."""


@dataclass(frozen=True)
class Fault:
    """Cuts without a rule, with two, or a row that decides none; ``lines`` are those of the rules in the file.

    ``suggestion`` is a row that closes a gap: the most cautious decision that is proved there; ``instead`` are the
    other decisions that would be proved.
    """

    kind: str
    region: Region
    rules: tuple[Rule, ...]
    reached: Witness
    suggestion: Rule | None = None
    instead: tuple[str, ...] = ()

    @property
    def row(self) -> str:
        """The suggested row as a line of a table file."""
        return "" if self.suggestion is None else table_text(Table((self.suggestion,), "")).splitlines()[1]


@dataclass(frozen=True)
class Faults:
    """The faults of a table. Of very many gaps and overlaps not all are listed.

    ``more_undecided`` are the cuts without a rule that are in no listed gap, ``more_overlaps`` the pairs of rules.
    """

    listed: tuple[Fault, ...] = ()
    more_undecided: int = 0
    more_overlaps: int = 0


def faults(table: Table, subject: Subject, search: Search | None = None) -> Faults:
    """The faults of the form of a table, under the contract, practices and bounds of a subject.

    Rows that overlap are read in order, as the model reads them. Raises TableError where that makes too many rows.
    """
    holes, pairs = gaps(table, MOST_GAPS), overlaps(table)
    found = [*_gaps(holes), *_overlaps(pairs[:MOST_PAIRS]), *_dead(table)]
    if not found:
        return Faults()
    subject = replace(subject, policy=replace(subject.policy, table=first_hit(table)))
    reached = reached_regions(subject, [region for _, region, _ in found], search)
    made = [Fault(*fault, witness) for fault, witness in zip(found, reached, strict=True)]
    prover = RegionProof(table)
    listed = tuple(_suggested(fault, prover, table) if fault.kind == "gap" else fault for fault in made)
    return Faults(listed, undecided(table) - sum(map(size, holes)), max(0, len(pairs) - MOST_PAIRS))


Found = tuple[str, Region, tuple[Rule, ...]]


def _gaps(holes: Sequence[Region]) -> Iterator[Found]:
    """Few maximal regions; those under a lost claim apart, since nothing else may be decided there."""
    for claim in (frozenset({"held"}), frozenset({"lost"})):
        some = [{**part, "claim": part["claim"] & claim} for part in holes if part["claim"] & claim]
        for mask in few_regions(masks_of(some)):
            yield "gap", region_of_mask(mask), ()


def _overlaps(pairs: Sequence[Overlap]) -> Iterator[Found]:
    for pair in pairs:
        yield "overlap", pair.region, (pair.first, pair.second)


def _dead(table: Table) -> Iterator[Found]:
    """Rows whose every cut is decided by rows before them."""
    for rule, left in parts_by_order(table):
        if not left:
            yield "dead row", dict(rule.cells), (rule,)


def _suggested(fault: Fault, prover: RegionProof, table: Table) -> Fault:
    proved = [d for d in PREFERRED if not prover.judge(fault.region, d)]
    if not proved:
        return fault
    taken = {rule.name for rule in table.rules}
    name = next(n for n in (f"gap-{i}" for i in itertools.count(1)) if n not in taken)
    rule = Rule(name, fault.region, proved[0], "No rule decided here; say why this one should.")
    return replace(fault, suggestion=rule, instead=tuple(d for d in DECISIONS if d in proved[1:]))
