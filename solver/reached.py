"""The cuts that a system is known to reach: every one, with the shortest way there, as the searches found them.

Two tables that differ decide alike until a run first meets a cut that they decide differently. So whether a
run ever meets one is the same under both, and a complete search under one table answers it for every edit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from model.contract_profile import profile_of
from model.decision_table import Table, table_text
from model.table_file import parse_table
from solver.check import Subject
from solver.coverage import CutValues
from solver.row_runs import ROW_RUNS
from solver.sources import digest_of, sources_digest, subject_digests

FORMAT = "recut-reached/1"
STORED = Path(__file__).with_name("stored") / "reached.json"
DEPENDS_ON = ("model.system",)


@dataclass(frozen=True)
class ReachedCut:
    """A cut that some worker decides on: the run, the actions that lead there, and the cuts decided on the way.

    A run ``elsewhere`` is one of ``solver.row_runs``; ``only_if`` are those of its promises and practices that differ
    from the subject's and that this way needs.
    """

    cut: CutValues
    run: str
    actions: tuple[str, ...]
    passed: frozenset[int]
    elsewhere: bool = False
    only_if: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reached:
    """Every cut that is decided on in any run of a subject's suite, all of them searched completely.

    More cuts are from runs ``elsewhere``, as examples. ``passed`` of a cut are positions in ``cuts``; ``states`` is
    how many were searched in the ``runs`` runs of the suite.
    """

    owner: Mapping[str, str]
    table: Table
    states: int
    runs: int
    cuts: tuple[ReachedCut, ...]

    @cached_property
    def named(self) -> tuple[dict[str, str], ...]:
        """The cuts as mappings from input to label."""
        names = list(self.table.rules[0].cells)
        return tuple(dict(zip(names, reached.cut, strict=True)) for reached in self.cuts)

    def within(self, region: Mapping[str, frozenset[str]], elsewhere: bool = False) -> list[int]:
        """The positions of the reached cuts of a region, the nearest first; or of those reached only elsewhere."""
        inside = [at for at, cut in enumerate(self.named) if all(cut[name] in cell for name, cell in region.items())]
        some = [at for at in inside if self.cuts[at].elsewhere == elsewhere]
        return sorted(some, key=lambda at: (len(self.cuts[at].actions), at))


def owner_of(subject: Subject) -> dict[str, str]:
    """What the reached cuts depend on beside the table."""
    return subject_digests(subject) | {
        "profile": digest_of(sorted(profile_of(subject.contract, subject.policy.practices).items())),
        "elsewhere": digest_of(sorted(ROW_RUNS.items())),
        "model": sources_digest(*DEPENDS_ON),
    }


def stored_for(subject: Subject, path: Path = STORED) -> Reached | None:
    """The stored cuts, if they are of this contract, these practices and bounds and of the model as it is now."""
    if not path.exists():
        return None
    found = from_data(json.loads(path.read_text("utf-8")))
    return found if found.owner == owner_of(subject) else None


def as_data(reached: Reached) -> dict[str, Any]:
    """As JSON data: actions and runs are listed once and numbered."""
    actions = sorted({a for r in reached.cuts for a in r.actions})
    runs = sorted({r.run for r in reached.cuts})
    number = {name: at for at, name in enumerate(actions)}
    return {
        "format": FORMAT,
        "owner": dict(reached.owner),
        "table": table_text(reached.table).splitlines(),
        "states": reached.states,
        "runs": reached.runs,
        "names": runs,
        "actions": actions,
        "cuts": [
            [" ".join(r.cut), runs.index(r.run), [number[a] for a in r.actions], sorted(r.passed), _other(r)]
            for r in reached.cuts
        ],
    }


def from_data(data: Mapping[str, Any]) -> Reached:
    """What ``as_data`` wrote."""
    actions, runs = data["actions"], data["names"]
    cuts: Sequence[Any] = data["cuts"]
    return Reached(
        data["owner"],
        parse_table("\n".join(data["table"]) + "\n", "the table of the stored search"),
        data["states"],
        data["runs"],
        tuple(
            ReachedCut(
                tuple(cut.split()),
                runs[run],
                tuple(actions[a] for a in steps),
                frozenset(passed),
                other is not None,
                tuple(other or ()),
            )
            for cut, run, steps, passed, other in cuts
        ),
    )


def _other(reached: ReachedCut) -> list[str] | None:
    return list(reached.only_if) if reached.elsewhere else None
