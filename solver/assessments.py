"""What is known of definite contracts: stored searches under the shipped table, and live ones for the rest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from model.policy import Policy
from solver.assessment import Assessment, Assessor, Summary
from solver.contract_class import weakest
from solver.definite import Definite, bare
from solver.replayed import EnginesDisagree
from solver.sources import sources_digest

STORED = Path(__file__).parent / "stored" / "contracts.json"
FORMAT = "recut-contracts/1"
DEPENDS_ON = ("solver.assessment",)


@dataclass
class Assessments:
    """Summaries of definite contracts under one policy's table, each searched at most once."""

    policy: Policy
    known: dict[str, Summary] = field(default_factory=dict)
    weakest: dict[str, str] = field(default_factory=dict)
    """The name of the weakest interruption by key, empty where every one ends alone."""
    tell: Callable[[str], None] | None = None
    """Told the key of what is searched, before it is."""

    def __post_init__(self) -> None:
        self.assessor = Assessor(self.policy.table)
        self.whole: dict[Definite, Assessment] = {}

    def summary(self, definite: Definite) -> Summary:
        """What is known of it, or of one that differs in nothing that matters here; searched where nothing is."""
        key = bare(definite).key
        if key not in self.known:
            self.known[key] = self.assessment(definite).summary
        return self.known[key]

    def assessment(self, definite: Definite) -> Assessment:
        """Both searches, made now; EnginesDisagree where something else is stored."""
        least = bare(definite)
        if least not in self.whole:
            if self.tell is not None:
                self.tell(least.key)
            found = self.assessor.assess(least)
            stored = self.known.setdefault(least.key, found.summary)
            if stored != found.summary:
                raise EnginesDisagree(f"contract {least.key}: stored is {stored}, found is {found.summary}")
            self.whole[least] = found
            point = weakest(found.crash.points)
            self.weakest[least.key] = "" if point is None else point.name
        return self.whole[least]

    def weakest_of(self, definite: Definite) -> str:
        """The name of the weakest interruption; searched where it is not known."""
        key = bare(definite).key
        if key not in self.weakest:
            self.assessment(definite)
        return self.weakest[key]


def stored_assessments(policy: Policy) -> Assessments:
    """With the stored summaries, if they are of this table and of this model."""
    data = json.loads(STORED.read_text("utf-8")) if STORED.exists() else {}
    known = dict(from_data(data, policy))
    return Assessments(policy, known, dict(data.get("weakest", {}).get(policy.name, {})) if known else {})


def as_data(found: Sequence[Assessments]) -> str:
    """As JSON text with a line for each contract and policy."""
    tables = {some.policy.name: some.policy.table.digest for some in found}
    worst = {some.policy.name: dict(sorted(some.weakest.items())) for some in found if some.weakest}
    head = {"format": FORMAT, "sources": sources_digest(*DEPENDS_ON), "tables": tables, "weakest": worst}
    rows = [
        json.dumps([some.policy.name, key, s.states, list(s.broken), list(s.late), s.interruptions, s.alone])
        for some in found
        for key, s in sorted(some.known.items())
    ]
    return json.dumps({**head, "contracts": []}, indent=1)[: -len("[]\n}")] + "[\n" + ",\n".join(rows) + "\n]}\n"


def from_data(data: Mapping[str, Any], policy: Policy) -> Iterator[tuple[str, Summary]]:
    """The summaries under a policy by key; none where they are of another table or an older model."""
    fresh = data.get("format") == FORMAT and data["sources"] == sources_digest(*DEPENDS_ON)
    if fresh and data["tables"].get(policy.name) == policy.table.digest:
        for name, key, states, broken, late, interruptions, alone in data["contracts"]:
            if name == policy.name:
                yield key, Summary(states, tuple(broken), tuple(late), interruptions, alone)
