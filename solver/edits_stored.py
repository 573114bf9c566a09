"""Judge every small edit of the shipped table and store what came out: ``python -m solver.edits_stored``.

Each edit gets one class:

* ``accepted``: neither engine objects.
* ``rejected by both``: exploration breaks a sentence, with a replayed way there, and so does the proof.
* ``form``: the rows overlap or leave a gap, which no exploration judges.
* ``impossible``: the proof objects, and it is proved that no worker ever decides on the changed cuts.
* ``larger bounds``: only the proof objects in the small runs, and a larger run breaks a sentence.
* ``another guard``: only the proof objects, and where one promise or practice is dropped exploration does too.
* ``about the decision``: the sentence forbids the decision itself, whatever becomes of it.
* ``explained``: none of these, and EXPLAINED says why nothing comes of it in the model.
* ``unexplained``: none of these.
* ``disagreement``: exploration objects and the proof does not.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from model.decision_table import Region, Table
from model.table_file import load_table
from model.table_inputs import INPUT_NAMES
from properties import endings
from properties.mutants.mutant import Run, model_of, profile_with
from properties.safety import PROPERTIES
from solver.abstraction import not_given
from solver.case_run import CaseRun, Questions, run_case
from solver.edits_judged import Judge, Judgement, open_graphs
from solver.explore import Limits
from solver.impossible_cuts import AnyModel
from solver.row_runs import EDIT_RUNS, WIDER_RUNS
from solver.sources import digest_of, sources_digest
from solver.table_edits import TableEdit, edits

FORMAT = "recut-edits/1"
STORED = Path(__file__).with_name("stored") / "edits.json"
DEPENDS_ON = (
    "model.system",
    "properties.endings",
    "properties.safety",
    "solver.abstract_world",
    "solver.table_proof_clauses",
)
MOST_STATES = 2_000_000
OF_THE_DECISION = ("stale_workers_are_fenced", "an_end_stays_reachable", "phases_move_by_evidence")
"""Sentences that forbid a decision as such: what it leads to may be harmless, or mended by the next resumer."""

SOLE = (
    "What was refused was the only release: beside an open attempt this table releases nothing that the target would "
    "not recognise. The proof does not count releases."
)
SPENT = (
    "The target answers every copy with the remembered error, so none lands. The proof only takes from it that this "
    "identity has no effect to come, not that nothing travels."
)
EARLY = (
    "The authority admits an undo only of what is not wanted, and the target reverses only what is committed, so an "
    "undo that comes too early does nothing. The proof does not know of either."
)
SUPERSEDED = (
    "Only a worker whose claim was superseded, and that does not know it yet, decides here: another one planned the "
    "next generation meanwhile. The store refuses what it writes and the target what it sends. The proof speaks of "
    "whoever holds the claim."
)
EXPLAINED: Mapping[str, str] = {
    "pending-readable: decision = compensate": EARLY,
    "unknown-later: decision = compensate": EARLY,
    "refused-closable: decision = abandon": SOLE,
    "refused-open: decision = abandon": SOLE,
    "absent-open-spent: decision = abandon": SPENT,
    **{f"reversed: decision = {d}": SUPERSEDED for d in ("execute", "adopt", "compensate", "abandon")},
}
"""Why nothing comes of an edit that only the proof rejects: read off the ways that lead there."""


@dataclass(frozen=True)
class Classified:
    """A judgement with its class and, where another run explains it, that run."""

    judgement: Judgement
    kind: str
    by: str = ""


class Classifier:
    """Finds out why only the proof objects to an edit."""

    def __init__(self, table: Table, wider: Mapping[str, Run]) -> None:
        self.any_model = AnyModel()
        self.wider = [_Wider(name, run, table) for name, run in wider.items()]

    def classify(self, edit: TableEdit, found: Judgement) -> Classified:
        """The class of an edit."""
        if found.explored and not found.proof and found.shape is None:
            return Classified(found, "disagreement")
        if found.shape is not None:
            return Classified(found, "form")
        if not found.proof:
            return Classified(found, "accepted")
        if found.explored:
            return Classified(found, "rejected by both")
        return self._only_proof(edit, found)

    def _only_proof(self, edit: TableEdit, found: Judgement) -> Classified:
        if all(self.any_model.never_decides(change.region) for change in edit.changes):
            return Classified(found, "impossible")
        for run in self.wider:
            broken = run.breaks(edit)
            if broken is not None:
                kind = "another guard" if run.dropped else "larger bounds"
                why = f" where not: {', '.join(run.dropped)}" if run.dropped else ""
                shown = replace(found, run=run.name, way=broken[1])
                return Classified(shown, kind, f"{broken[0]} in {run.name}{why}")
        if set(found.proof) <= set(OF_THE_DECISION):
            return Classified(found, "about the decision")
        why = EXPLAINED.get(edit.name, "")
        return Classified(found, "explained" if why else "unexplained", why)


class _Wider:
    """A larger run, or one outside the premises of the proof, searched anew for each edit that it may show."""

    def __init__(self, name: str, run: Run, table: Table) -> None:
        self.name, self.run = name, run
        self.dropped = not_given(profile_with(run.profile), run.setting)
        plain = self._searched(table)
        self.cuts = [dict(zip(INPUT_NAMES, cut, strict=True)) for cut in plain.cuts]
        self.broken = frozenset(_broken(plain))

    def _searched(self, table: Table) -> CaseRun:
        """A complete search; MemoryError for one that is not."""
        model = model_of(self.run, table, self.name)
        found = run_case(self.name, "", model, Questions(PROPERTIES), Limits(MOST_STATES))
        if not found.complete:
            raise MemoryError(f"{self.name} has more than {MOST_STATES:,} states with an edited table")
        return found

    def breaks(self, edit: TableEdit) -> tuple[str, tuple[str, ...]] | None:
        """A sentence that the edit breaks here and the way there; None if there is none."""
        if not any(_inside(cut, change.region) for cut in self.cuts for change in edit.changes):
            return None
        found = _broken(self._searched(edit.table))
        new = sorted((len(way), name, way) for name, way in found.items() if name not in self.broken)
        return (new[0][1], new[0][2]) if new else None


def _broken(run: CaseRun) -> dict[str, tuple[str, ...]]:
    found = {name: trace.actions for name, trace in run.violations.items()}
    return found if run.stuck is None else {**found, endings.NAME: run.stuck.actions}


def _inside(cut: Mapping[str, str], region: Region) -> bool:
    return all(cut[name] in region[name] for name in INPUT_NAMES)


def judged(judge: Judge, wanted: Sequence[TableEdit], say: Callable[[str], None]) -> Iterator[Classified]:
    """Judge and classify edits of the table of a judge."""
    table = judge.table
    classifier = Classifier(table, WIDER_RUNS)
    for at, edit in enumerate(wanted, 1):
        yield classifier.classify(edit, judge.judge(edit))
        if at % 250 == 0:
            say(f"{at:,} of {len(wanted):,} edits")


def main() -> int:
    """Judge and store; 4 if the engines disagree."""
    table = load_table("recovery")
    wanted = list(edits(table))
    judge = Judge(table, open_graphs(EDIT_RUNS, _say))
    found = list(judged(judge, wanted, _say))
    STORED.write_text(_lines(as_data(judge, found)), "utf-8")
    counts = Counter(c.kind for c in found)
    for kind, count in sorted(counts.items()):
        print(f"{kind}: {count:,}")
    for c in found:
        if c.kind in ("unexplained", "disagreement"):
            print(f"{c.kind}: {c.judgement.edit}: {c.judgement.explored or c.judgement.proof}")
    return 4 if counts["disagreement"] else 0


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def depends_on() -> str:
    """A digest of what the result depends on beside the table: model, properties, proof and runs."""
    runs = [sorted(some.items()) for some in (EDIT_RUNS, WIDER_RUNS)]
    return digest_of([sources_digest(*DEPENDS_ON), runs])


def stored_edits(table: Table) -> dict[str, dict[str, Any]]:
    """What came out for each edit of this table, by name; nothing where the stored result is of another or too old."""
    if not STORED.exists():
        return {}
    data = json.loads(STORED.read_text("utf-8"))
    fresh = data["table"] == table.digest and data["sources"] == depends_on()
    return {row["edit"]: row for row in data["edits"]} if fresh else {}


def as_data(judge: Judge, found: Sequence[Classified]) -> dict[str, Any]:
    """As JSON data."""
    return {
        "format": FORMAT,
        "table": judge.table.digest,
        "sources": depends_on(),
        "runs": [run.name for run in judge.runs],
        "counts": dict(sorted(Counter(c.kind for c in found).items())),
        "edits": [{**asdict(c.judgement), "kind": c.kind, "by": c.by} for c in found],
    }


def _lines(data: Mapping[str, Any]) -> str:
    """JSON with one edit a line."""
    head = json.dumps({**data, "edits": []}, indent=1)[: -len("[]\n}")]
    return head + "[\n" + ",\n".join(json.dumps(edit) for edit in data["edits"]) + "\n]}\n"


if __name__ == "__main__":
    sys.exit(main())
