"""Finished runs of a check in a file, so that one that was stopped goes on where it was.

The file is replaced as a whole after each run. Beside it, every unfinished run has the checkpoint of
its exploration. What is kept belongs to one contract, policy, table, set of bounds and version of the
program; with any other the file is refused.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import model
import properties
import solver
from properties.verdict import Step, Trace
from recut.failure import Refused
from recut.files import read_json, replace_json
from solver.case_run import CaseRun
from solver.check import Subject
from solver.sources import digest_of, subject_digests

FORMAT = "recut-resume/1"
REMEDY = "delete it or name another file"
TRACES = ("stuck", "asked")
MAPS_OF_TRACES = ("violations", "reached")


class Store:
    """The runs that are finished; ``path`` is None when nothing is to be kept."""

    def __init__(self, path: Path | None, subject: Subject) -> None:
        self.path = path
        self.owner = owner_of(subject) if path else {}
        self.runs: dict[str, CaseRun] = {}
        if path is not None:
            self._open(path)

    def _open(self, path: Path) -> None:
        """Read what is there, and see that it can be written again."""
        if path.exists() and not path.is_file():
            raise Refused(f"{path}: is not a regular file; {REMEDY}")
        if path.exists():
            self.runs = _runs(read_json(path, REMEDY), self.owner, path)
        self._write(path)

    def add(self, run: CaseRun) -> None:
        """Keep a run that is finished; one that was cut off stays with its checkpoint."""
        self.runs[run.name] = run
        checkpoint = self.checkpoint(run.name)
        if self.path is not None and checkpoint is not None and run.complete:
            self._write(self.path)
            checkpoint.unlink(missing_ok=True)

    def checkpoint(self, case: str) -> Path | None:
        """Where the exploration of a run keeps what it knows."""
        slug = re.sub("[^a-z0-9]+", "-", case.lower())
        return None if self.path is None else self.path.with_name(f"{self.path.name}.{slug}.npz")

    def _write(self, path: Path) -> None:
        done = [as_data(run) for run in self.runs.values() if run.complete]
        replace_json(path, {"format": FORMAT, "owner": self.owner, "runs": done})


def owner_of(subject: Subject) -> dict[str, str]:
    """What finished runs depend on, as digests by name."""
    digests = subject_digests(subject)
    return {
        "contract": digests.pop("contract"),
        "table": subject.policy.table.digest,
        **digests,
        "version of the program": digest_of(_sources()),
    }


def _sources() -> list[tuple[str, str]]:
    """Every source file that a run depends on, with what it says."""
    folders = [Path(str(package.__file__)).parent for package in (model, properties, solver)]
    return [
        (f"{folder.name}/{path.relative_to(folder)}", hashlib.sha256(path.read_bytes()).hexdigest())
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
    ]


def _runs(document: object, owner: Mapping[str, str], path: Path) -> dict[str, CaseRun]:
    """The runs in a document; Refused if it is damaged or belongs to something else."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise Refused(f"{path}: is no file of recut check --resume; {REMEDY}")
    told = document.get("owner")
    other = [key for key in owner if not isinstance(told, dict) or told.get(key) != owner[key]]
    if other:
        raise Refused(f"{path}: belongs to a check with another {other[0]}; {REMEDY}")
    try:
        runs = [from_data(item) for item in document["runs"]]
    except (KeyError, TypeError, ValueError, AttributeError):
        raise Refused(f"{path}: is damaged; {REMEDY}") from None
    return {run.name: run for run in runs}


def as_data(run: CaseRun) -> dict[str, Any]:
    """A run as JSON data."""
    data: dict[str, Any] = {f.name: getattr(run, f.name) for f in fields(run)}
    for name in TRACES:
        data[name] = _trace_data(data[name])
    for name in MAPS_OF_TRACES:
        data[name] = {key: _trace_data(trace) for key, trace in data[name].items()}
    data["met"], data["cuts"] = sorted(run.met), sorted(run.cuts)
    data["fired"], data["binding"] = dict(run.fired), dict(run.binding)
    return data


def from_data(data: Mapping[str, Any]) -> CaseRun:
    """The run that ``as_data`` wrote; TypeError, KeyError or ValueError for anything else."""
    values = dict(data)
    for name in TRACES:
        values[name] = _trace(values[name])
    for name in MAPS_OF_TRACES:
        values[name] = {str(key): _trace(trace) for key, trace in values[name].items()}
    values["met"] = frozenset(map(str, values["met"]))
    values["cuts"] = frozenset(tuple(map(str, cut)) for cut in values["cuts"])
    values["impossible"] = tuple(map(str, values["impossible"]))
    for name in ("states", "transitions", "depth"):
        values[name] = int(values[name])
    return CaseRun(**values)


def _trace_data(trace: Trace | None) -> dict[str, Any] | None:
    if trace is None:
        return None
    return {"shows": trace.shows, "steps": [[s.action, dict(s.state)] for s in trace.steps]}


def _trace(data: Mapping[str, Any] | None) -> Trace | None:
    if data is None:
        return None
    return Trace(tuple(Step(action, dict(state)) for action, state in _pairs(data["steps"])), str(data["shows"]))


def _pairs(steps: Sequence[Any]) -> list[tuple[str | None, Mapping[str, Any]]]:
    return [(action, state) for action, state in steps]
