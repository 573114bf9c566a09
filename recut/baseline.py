"""The table to compare with: a file, a shipped name, or the same file as it was in a revision of git."""

from __future__ import annotations

import subprocess
from pathlib import Path

from model.decision_table import Table, TableError
from model.table_file import load_table, parse_table
from model.text_file import decoded, locate, place, shown
from recut.failure import Refused

GIT = "git:"
SECONDS = 60
REMEDY = "give a table file, or git:REV with a revision in which the table exists"


def baseline_of(baseline: str, path: str) -> Table:
    """The table that ``baseline`` names; ``git:REV`` is the table in ``path`` as it was then.

    Raises TableError for what is wrong with that table, Refused where git does not have it.
    """
    if not baseline.startswith(GIT):
        return load_table(baseline)
    file = Path(locate(path, "tables", ".csv", Refused)).resolve()
    revision = baseline.removeprefix(GIT)
    commit = _git(file, baseline, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    blob = _git(file, baseline, "cat-file", "blob", f"{commit.decode().strip()}:./{file.name}")
    where = f"{place(path)} in {place(revision)}"
    return parse_table(decoded(blob, where, TableError, REMEDY), where)


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
        raise Refused(f"{place(baseline)}: git has no such table for {place(str(file))}: {why}; {REMEDY}")
    return done.stdout
