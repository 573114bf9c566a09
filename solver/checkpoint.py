"""Checkpoints of an exploration: complete levels in one file, replaced atomically.

A file is only ever the state after some complete level, so that a search killed at any moment goes
on from there and ends with the same result. Nothing that is loaded can run code.
"""

from __future__ import annotations

import hashlib
import os
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from model.kernel import System, Term
from model.terms import OPERATORS, Folder, Handler, code_of, is_constant, op_name, variable_name
from solver.edges import Edges
from solver.packing import Layout

_FORMAT = 1


class CheckpointError(ValueError):
    """A checkpoint file that cannot be read or written; the message is one line."""


class CheckpointMismatch(CheckpointError):
    """A sound checkpoint file of another system or of another kind of search."""


@dataclass(frozen=True)
class Saved:
    """What a search knows after a complete level.

    ``columns`` holds one array a word with the states as the search numbers them, ``levels`` how many
    are at each depth, ``fired`` how often each action happened. The last level is not expanded yet
    unless ``complete``. ``edges`` are empty when the search does not keep them.
    """

    columns: Sequence[npt.NDArray[np.uint64]]
    levels: npt.NDArray[np.int64]
    fired: npt.NDArray[np.int64]
    edges: Edges
    complete: bool


def digest(system: System, layout: Layout, keep_edges: bool) -> str:
    """What a checkpoint belongs to: the variables, their layout, guards, updates and the kind of search."""
    text = Folder(HANDLERS)
    parts: list[Any] = [_FORMAT, system.name, keep_edges, layout.blocks]
    for v in system.variables:
        f = layout.fields[v.name]
        parts.append((v.name, v.kind, v.labels, v.starts, v.high, f.word, f.shift))
    for a in system.actions:
        parts.append((a.name, text(a.guard), [(text(u.target), text(u.value)) for u in a.updates]))
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def _node(term: Term, parts: Sequence[str]) -> str:
    """A digest of the term's structure, so that shared subterms cost nothing twice."""
    leaf = code_of(term) if is_constant(term) else ""
    return hashlib.sha256(f"{op_name(term)} {leaf} {' '.join(parts)}".encode()).hexdigest()


HANDLERS: dict[str, Handler[str]] = dict.fromkeys(OPERATORS, _node) | {
    "variable": lambda term, _: f"variable {variable_name(term)!r}"
}


def save(path: Path, owner: str, saved: Saved) -> None:
    """Write atomically: a file ``PATH.part`` first, then a rename. CheckpointError if it cannot."""
    arrays: dict[str, Any] = {f"word{w}": column for w, column in enumerate(saved.columns)}
    arrays |= {"levels": saved.levels, "fired": saved.fired, "owner": np.array(owner)}
    arrays |= {"source": saved.edges.source, "target": saved.edges.target, "action": saved.edges.action}
    part = path.with_name(path.name + ".part")
    try:
        with part.open("wb") as file:
            np.savez(file, complete=np.array(saved.complete), **arrays)
        os.replace(part, path)
    except (OSError, ValueError) as error:
        raise CheckpointError(f"{path}: the checkpoint cannot be written: {_reason(error)}") from None


def load(path: Path, owner: str, layout: Layout, actions: int, keep_edges: bool) -> Saved | None:
    """The checkpoint at ``path``, or None if there is no file.

    CheckpointMismatch if it belongs to something else, CheckpointError if it is no sound checkpoint.
    """
    try:
        if not path.exists():
            return None
        arrays = _arrays(path)
    except Exception as error:
        raise CheckpointError(f"{path}: this is not a readable checkpoint ({_reason(error)}); delete it") from None
    if str(arrays.get("owner")) != owner:
        raise CheckpointMismatch(f"{path}: this checkpoint is of another model, contract or bound; delete it")
    fault = _fault(arrays, layout, actions, keep_edges)
    if fault:
        raise CheckpointError(f"{path}: the checkpoint is damaged ({fault}); delete it")
    columns = [arrays[f"word{w}"] for w in range(layout.width)]
    edges = Edges(arrays["source"], arrays["target"], arrays["action"])
    return Saved(columns, arrays["levels"], arrays["fired"], edges, bool(arrays["complete"]))


def _arrays(path: Path) -> dict[str, npt.NDArray[Any]]:
    """Every array of the file; whatever is wrong with it raises (zip compares checksums)."""
    with zipfile.ZipFile(path) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > path.stat().st_size:
            raise ValueError("it unpacks to more than it holds")
    with np.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def _reason(error: Exception) -> str:
    """One line about an error."""
    text = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return " ".join(text.split()) or type(error).__name__


def _fault(arrays: Mapping[str, npt.NDArray[Any]], layout: Layout, actions: int, keep_edges: bool) -> str | None:
    """What a checkpoint of this model cannot look like, or None."""
    kinds = {f"word{w}": "u8" for w in range(layout.width)}
    kinds |= {"levels": "i8", "fired": "i8", "source": "u4", "target": "u4", "action": "u2"}
    for name, kind in kinds.items():
        if name not in arrays or arrays[name].dtype != np.dtype(kind) or arrays[name].ndim != 1:
            return f"no sound {name}"
    if "complete" not in arrays or arrays["complete"].dtype != np.bool_ or arrays["complete"].ndim:
        return "no sound complete"
    return _state_fault(arrays, layout) or _edge_fault(arrays, actions, keep_edges)


def _state_fault(arrays: Mapping[str, npt.NDArray[Any]], layout: Layout) -> str | None:
    levels = arrays["levels"]
    columns = [arrays[f"word{w}"] for w in range(layout.width)]
    if levels.size == 0 or levels.min() < 1 or any(c.size != levels.sum() for c in columns):
        return "levels and states do not fit"
    if any(used < 64 and (c >> np.uint64(used)).any() for c, used in zip(columns, layout.used, strict=True)):
        return "a state has bits that no variable uses"
    words = np.stack(columns)
    if any((layout.field(words, f.name) > f.high).any() for f in layout.fields.values()):
        return "a state leaves the declared ranges"
    return None


def _edge_fault(arrays: Mapping[str, npt.NDArray[Any]], actions: int, keep_edges: bool) -> str | None:
    fired, states = arrays["fired"], arrays["levels"].sum()
    if fired.size != actions or (fired < 0).any():
        return "actions do not fit"
    wanted = fired.sum() if keep_edges else 0
    limits = {"source": states, "target": states, "action": actions}
    if any(arrays[name].size != wanted or (arrays[name] >= limit).any() for name, limit in limits.items()):
        return "transitions do not fit"
    return None
