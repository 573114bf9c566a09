"""Deleting one conjunct of one guard: what no property notices is redundant, or a property is missing.

``python -m solver.conjuncts RESULTS`` deletes each top-level conjunct of each action in turn, in all
instances of the action at once, and looks for it in small runs. A deletion is *killed* when a run breaks a
property that it kept, or when the model cannot be built; what is not killed is explained in
properties/conjuncts.toml. An explanation that is missing, or of something that is killed or gone, fails.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from solver.conjunct_place import Conjunct, Effect, Place
from solver.conjunct_runs import RUNS, Runs

KILLED, UNBUILT, NOTHING, SURVIVES = "killed", "killed when built", "changes nothing", "survives"
ROOT = Path(__file__).parents[1]
EXPLANATIONS = ROOT / "properties" / "conjuncts.toml"
SOURCES = (
    "model/*.py",
    "model/tables/*.csv",
    "properties/safety.py",
    "properties/endings.py",
    "properties/mutants/mutant.py",
    "solver/conjunct*.py",
    "solver/regrowth.py",
)


@dataclass(frozen=True)
class Verdict:
    """What became of a deletion: ``by`` names the property that ``run`` broke, or says what a survivor adds there."""

    action: str
    text: str
    outcome: str
    run: str = ""
    by: str = ""

    @property
    def conjunct(self) -> Conjunct:
        """Which conjunct was deleted."""
        return Conjunct(self.action, self.text)

    @property
    def sentence(self) -> str:
        """One line for people."""
        how = {KILLED: f"{KILLED} by {self.by} in {self.run}", UNBUILT: f"{UNBUILT} in {self.run}: {self.by}"}
        seen = f"{self.outcome}: {self.by}" if self.by else self.outcome
        return f"{self.action}: {self.text}: {how.get(self.outcome, seen)}"


def places(runs: Runs = RUNS) -> list[Place]:
    """The small runs, built and not yet searched."""
    return [Place(name, run) for name, run in runs.items()]


def all_conjuncts(where: Iterable[Place]) -> list[Conjunct]:
    """Every conjunct that some run has, by action and text."""
    return sorted({c for place in where for c in place.freed})


def judge(conjunct: Conjunct, where: Sequence[Place]) -> Verdict:
    """Delete a conjunct and look for the first run that notices."""
    effects: dict[str, Effect] = {}
    for place in where:
        if conjunct in place.freed:
            effect = effects[place.name] = place.effect(conjunct)
            if effect.unbuilt:
                return Verdict(conjunct.action, conjunct.text, UNBUILT, place.name, effect.unbuilt)
            if effect.broken:
                return Verdict(conjunct.action, conjunct.text, KILLED, place.name, effect.broken[0])
    return _unkilled(conjunct, effects)


def _unkilled(conjunct: Conjunct, effects: Mapping[str, Effect]) -> Verdict:
    """No run noticed: the run that grows most, or what kind of nothing it was."""
    forbids = [name for name, effect in effects.items() if effect.forbids]
    most = max(forbids, key=lambda name: effects[name].added, default="")
    if most and effects[most].added:
        cut = "" if effects[most].complete else " and was cut off"
        return Verdict(conjunct.action, conjunct.text, SURVIVES, most, f"{most} adds {effects[most].added} states{cut}")
    says = "the steps it forbids lead to no new state" if forbids else "it is implied wherever it is evaluated"
    return Verdict(conjunct.action, conjunct.text, NOTHING, most, says)


def fingerprint() -> str:
    """A digest of everything that a verdict depends on, so that a sweep does not go on from an old model."""
    content = hashlib.sha256()
    for path in sorted(p for pattern in SOURCES for p in ROOT.glob(pattern)):
        content.update(path.name.encode() + b"\0" + path.read_bytes())
    return content.hexdigest()[:16]


def sweep(path: Path, wanted: Sequence[Conjunct], where: Sequence[Place]) -> Iterator[Verdict]:
    """Judge conjuncts in order; each verdict is a line at the end of a file, from which a sweep goes on."""
    key = fingerprint()
    done = {verdict.conjunct: verdict for verdict in read(path, key)}
    for conjunct in wanted:
        verdict = done.get(conjunct)
        if verdict is None:
            verdict = judge(conjunct, where)
            _append(path, json.dumps({"sources": key, **asdict(verdict)}))
        yield verdict


def read(path: Path, key: str) -> list[Verdict]:
    """The verdicts of a file that belong to these sources; a line that was torn is cut off."""
    if not path.exists():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    if whole != data:
        os.truncate(path, len(whole))
    rows = [json.loads(line) for line in whole.splitlines()]
    return [Verdict(**{n: v for n, v in row.items() if n != "sources"}) for row in rows if row["sources"] == key]


def _append(path: Path, line: str) -> None:
    """One write at the end of the file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
    try:
        os.write(file, line.encode() + b"\n")
    finally:
        os.close(file)


def explanations(path: Path = EXPLANATIONS) -> dict[tuple[Conjunct, str], str]:
    """Why what is not killed does not have to be, by conjunct and outcome."""
    read = tomllib.loads(path.read_text("utf-8"))
    return {
        (Conjunct(action, text), outcome.replace("_", " ")): because
        for action, outcomes in read.items()
        for outcome, texts in outcomes.items()
        for text, because in texts.items()
    }


def problems(verdicts: Iterable[Verdict], explained: Mapping[tuple[Conjunct, str], str]) -> list[str]:
    """What is not killed and not explained, and what is explained and not so."""
    found = list(verdicts)
    open_ones = {(v.conjunct, v.outcome): v for v in found if v.outcome in (NOTHING, SURVIVES)}
    missing = [f"no explanation: {v.sentence}" for key, v in open_ones.items() if key not in explained]
    known = {v.conjunct: v for v in found}
    stale = [
        f"stale explanation ({outcome}): " + (known[c].sentence if c in known else f"{c.action}: {c.text}: is gone")
        for c, outcome in explained
        if (c, outcome) not in open_ones
    ]
    return missing + stale


def main(arguments: Sequence[str] | None = None) -> int:
    """Sweep, with progress on standard error; the exit code is 1 if anything is left to explain."""
    parser = argparse.ArgumentParser(prog="python -m solver.conjuncts", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("results", type=Path, help="a file of JSON lines, from which an interrupted sweep goes on")
    path: Path = parser.parse_args(arguments).results
    where = places()
    wanted = all_conjuncts(where)
    verdicts = []
    for at, verdict in enumerate(sweep(path, wanted, where), 1):
        verdicts.append(verdict)
        print(f"{at}/{len(wanted)} {verdict.sentence}", file=sys.stderr, flush=True)
    left = problems(verdicts, explanations())
    counts = {outcome: sum(v.outcome == outcome for v in verdicts) for outcome in (KILLED, UNBUILT, NOTHING, SURVIVES)}
    print("; ".join(f"{number} {outcome}" for outcome, number in counts.items()))
    print("\n".join(left) if left else "everything that is not killed is explained")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
