"""The table to compare with: a file, a shipped name, or the same file as it was in a revision of git."""

from __future__ import annotations

import subprocess
from pathlib import Path

from model.decision_table import Table
from model.table_file import load_table, table_of
from model.text_file import locate, place, shown
from recut.failure import Refused

GIT = "git:"
SECONDS = 60
REMEDY = "give a table file, or git:REV with a revision in which the table exists"


def baseline_of(baseline: str, path: str) -> Table:
    """The table that ``baseline`` names; ``git:REV`` is the table in ``path`` as it was then.

    Raises TableError for what is wrong with that table, Refused where git does not have it.
    """
    found = baseline_if_any(baseline, path)
    if found is None:
        raise Refused(f"{place(baseline)}: has no file {place(path)}; {REMEDY}")
    return found


def baseline_if_any(baseline: str, path: str) -> Table | None:
    """The same, and None where the revision is there and the file is new since then."""
    if not baseline.startswith(GIT):
        return load_table(baseline)
    file = Path(locate(path, "tables", ".csv", Refused)).resolve()
    revision = f"{baseline.removeprefix(GIT)}^{{commit}}"
    commit = _git(file, baseline, "rev-parse", "--verify", "--quiet", "--end-of-options", revision).decode().strip()
    if not _git(file, baseline, "ls-tree", "--name-only", commit, "--", file.name):
        return None
    blob = _git(file, baseline, "cat-file", "blob", f"{commit}:./{file.name}")
    return table_of(blob, file.name, f"{path} in {baseline}")


def _git(file: Path, baseline: str, *arguments: str) -> bytes:
    """What git prints in the folder of a file."""
    command = ["git", "-C", str(file.parent), *arguments]
    try:
        done = subprocess.run(command, capture_output=True, timeout=SECONDS, check=False, stdin=subprocess.DEVNULL)
    except FileNotFoundError:
        raise Refused(f"{place(baseline)}: git is not installed; install it or name a file") from None
    except subprocess.TimeoutExpired:
        raise Refused(f"{place(baseline)}: git did not answer within {SECONDS} s; name a file") from None
    if done.returncode != 0:
        said = done.stderr.decode(errors="replace").strip().splitlines()
        why = shown(said[-1], 120) if said else "no such revision"
        raise Refused(f"{place(baseline)}: git cannot say for {place(str(file))}: {why}; {REMEDY}")
    return done.stdout
