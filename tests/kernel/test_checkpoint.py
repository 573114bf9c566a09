"""A search killed at any moment goes on from its checkpoint and ends with the same result."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import z3

from model.kernel import Action, System
from solver.checkpoint import CheckpointError, CheckpointMismatch, digest
from solver.exploration import Exploration
from solver.explore import Limits, Progress, explore
from solver.packing import Layout
from tests.kernel.systems import counters, die_hard, peterson, promising, two_phase_commit

KILLED = """
import os, signal, sys
from pathlib import Path
from solver.explore import explore
from tests.kernel.systems import two_phase_commit
seen = []
def progress(report):
    seen.append(report)
    if len(seen) == int(sys.argv[2]):
        os.kill(os.getpid(), signal.SIGKILL)
path = Path(sys.argv[1])
explore(two_phase_commit(3), keep_edges=True, checkpoint_path=path, save_every=0, block=16, progress=progress)
"""


class Stop(Exception):
    """The program dies here."""


def result(found: Exploration) -> tuple[object, ...]:
    edges = found.edges
    rows = [e.tolist() for e in (edges.source, edges.target, edges.action)] if edges else None
    return found.words.tolist(), found.levels, found.fired, found.first, rows, found.cut_off_by


def stopped(
    path: Path, system: System, after: int, error: type[BaseException] = Stop, *, save_every: float = 0
) -> None:
    """Explore and die after some blocks, having saved each level unless told otherwise."""
    seen: list[Progress] = []

    def progress(report: Progress) -> None:
        seen.append(report)
        if len(seen) == after:
            raise error

    with pytest.raises(error):
        explore(system, progress=progress, keep_edges=True, checkpoint_path=path, save_every=save_every, block=16)


def first_depth(path: Path, system: System) -> int:
    """At which depth a search with this checkpoint goes on."""
    seen: list[Progress] = []
    explore(system, progress=seen.append, keep_edges=True, checkpoint_path=path)
    return seen[0].depth if seen else -1


@pytest.mark.parametrize("after", [1, 2, 5, 9, 14, 20])
@pytest.mark.parametrize("error", [Stop, KeyboardInterrupt])
def test_an_interrupted_search_ends_like_one_that_was_not(
    tmp_path: Path, after: int, error: type[BaseException]
) -> None:
    system = two_phase_commit(3)
    whole = explore(system, system.definitions, keep_edges=True)
    stopped(tmp_path / "search", system, after, error)
    found = explore(system, system.definitions, keep_edges=True, checkpoint_path=tmp_path / "search")
    assert result(found) == result(whole)


def test_it_goes_on_where_it_was(tmp_path: Path) -> None:
    system = two_phase_commit(3)
    stopped(tmp_path / "search", system, 14)
    assert first_depth(tmp_path / "search", system) > 2
    assert first_depth(tmp_path / "search", system) == -1


def test_an_interrupt_saves_what_is_known_and_nothing_else_does_so_early(tmp_path: Path) -> None:
    system, never = two_phase_commit(3), 1e9
    stopped(tmp_path / "interrupted", system, 14, KeyboardInterrupt, save_every=never)
    assert first_depth(tmp_path / "interrupted", system) > 2
    stopped(tmp_path / "crashed", system, 14, Stop, save_every=never)
    assert first_depth(tmp_path / "crashed", system) == 0


@pytest.mark.parametrize("after", [1, 8, 17])
def test_a_killed_process_loses_nothing(tmp_path: Path, after: int) -> None:
    path = tmp_path / "search"
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", KILLED, str(path), str(after)]
    killed = subprocess.run(command, cwd=root, env=os.environ | {"PYTHONPATH": str(root)}, check=False)
    assert killed.returncode == -9
    system = two_phase_commit(3)
    whole = explore(system, system.definitions, keep_edges=True)
    found = explore(system, system.definitions, keep_edges=True, checkpoint_path=path)
    assert result(found) == result(whole)


def test_a_larger_limit_goes_on_from_a_smaller_one(tmp_path: Path) -> None:
    system, path = two_phase_commit(4), tmp_path / "search"
    small = explore(system, limits=Limits(max_states=200), checkpoint_path=path)
    assert not small.complete
    found = explore(system, checkpoint_path=path)
    assert result(found) == result(explore(system))


def _actions_changed(system: System) -> System:
    first, *rest = system.actions
    return system.with_actions([Action(first.name, first.owner, z3.Not(first.guard), first.updates), *rest])


@pytest.mark.parametrize(
    "other",
    [two_phase_commit(4), counters(3, 4), _actions_changed(two_phase_commit(3))],
    ids=["more managers", "another system", "another guard"],
)
def test_another_system_is_a_mismatch(tmp_path: Path, other: System) -> None:
    path = tmp_path / "search"
    explore(two_phase_commit(3), checkpoint_path=path)
    before = path.read_bytes()
    with pytest.raises(CheckpointMismatch, match="is of another model"):
        explore(other, checkpoint_path=path)
    with pytest.raises(CheckpointMismatch):
        explore(two_phase_commit(3), keep_edges=True, checkpoint_path=path)
    assert path.read_bytes() == before


def test_the_digest_sees_starts_and_labels() -> None:
    def of(system: System, keep_edges: bool = False) -> str:
        return digest(system, Layout.of(system), keep_edges)

    digests = {of(promising(grades).system) for grades in ("low", "high", "low high")}
    assert len(digests | {of(peterson()), of(peterson(), True)}) == 5
    assert of(peterson()) == of(peterson())


def _truncated(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def _flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[1500] ^= 0x01
    path.write_bytes(bytes(data))


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _garbage(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 9)


def _pickled(path: Path) -> None:
    path.write_bytes(pickle.dumps({"levels": [1]}))


def _plain_array(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.arange(3))


def _bomb(path: Path) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("owner.npy", b"0" * 10_000_000)


def _directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


SPOILT = [_truncated, _flipped, _empty, _garbage, _pickled, _plain_array, _bomb, _directory]


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda f: f.__name__)
def test_a_spoilt_file_is_one_clear_line(tmp_path: Path, spoil: Callable[[Path], None]) -> None:
    path = tmp_path / "search"
    explore(two_phase_commit(3), checkpoint_path=path)
    spoil(path)
    with pytest.raises(CheckpointError) as caught:
        explore(two_phase_commit(3), checkpoint_path=path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)
    assert not isinstance(caught.value, CheckpointMismatch)


def test_a_damaged_byte_is_refused_or_harmless(tmp_path: Path) -> None:
    path, system = tmp_path / "search", die_hard()
    whole = result(explore(system, checkpoint_path=path))
    sound = path.read_bytes()
    for at in range(0, len(sound), 13):
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 0x55]) + sound[at + 1 :])
        try:
            assert result(explore(system, checkpoint_path=path)) == whole
        except CheckpointError as error:
            assert "\n" not in str(error)


class _Trap:
    """Unpickling it would leave a file behind."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self) -> tuple[object, tuple[str, int]]:
        return os.mkdir, (str(self.path), 0o700)


def test_nothing_pickled_is_ever_loaded(tmp_path: Path) -> None:
    path = tmp_path / "search"
    np.savez(path.with_suffix(".npz"), owner=np.array([_Trap(tmp_path / "sprung")], dtype=object))
    with pytest.raises(CheckpointError):
        explore(two_phase_commit(3), checkpoint_path=path.with_suffix(".npz"))
    assert not (tmp_path / "sprung").exists()


def _change(arrays: dict[str, np.ndarray], name: str, value: object) -> None:
    arrays[name] = np.asarray(value, arrays[name].dtype)


@pytest.mark.parametrize(
    ("name", "value", "fault"),
    [
        ("levels", [1, 2], "levels and states do not fit"),
        ("levels", [[1]], "no sound levels"),
        ("levels", [], "levels and states do not fit"),
        ("word0", [1 << 60] * 288, "bits that no variable uses"),
        ("word0", [3] * 288, "a state leaves the declared ranges"),
        ("word0", [1] * 288, "a state is there twice"),
        ("fired", [1], "actions do not fit"),
        ("source", [9999] * 1145, "transitions do not fit"),
        ("target", [1], "transitions do not fit"),
        ("complete", [True], "no sound complete"),
    ],
)
def test_a_sound_file_with_impossible_contents_is_refused(
    tmp_path: Path, name: str, value: object, fault: str
) -> None:
    path = tmp_path / "search.npz"
    system = two_phase_commit(3)
    manager = explore(system, keep_edges=True, checkpoint_path=path).layout.fields["manager"]
    with np.load(path) as file:
        arrays = {key: file[key] for key in file.files}
    if fault == "a state leaves the declared ranges":
        value = [3 << manager.shift] * 288
    _change(arrays, name, value)
    np.savez(path, **arrays)
    with pytest.raises(CheckpointError, match=fault):
        explore(system, keep_edges=True, checkpoint_path=path)


@pytest.mark.parametrize("place", ["missing/search", "file/search"])
def test_an_unwritable_place_is_said_before_the_search(tmp_path: Path, place: str) -> None:
    (tmp_path / "file").write_text("")
    seen: list[Progress] = []
    with pytest.raises(CheckpointError, match="cannot be written|not a readable checkpoint"):
        explore(two_phase_commit(3), checkpoint_path=tmp_path / place, progress=seen.append)
    assert seen == []


def test_a_failed_write_leaves_the_old_checkpoint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "search"
    stopped(path, two_phase_commit(3), 9)
    before = path.read_bytes()

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    with pytest.raises(CheckpointError, match="cannot be written: No space left on device"):
        explore(two_phase_commit(3), keep_edges=True, checkpoint_path=path)
    assert path.read_bytes() == before
