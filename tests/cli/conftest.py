"""What many tests of the command line ask again and again is proved once a process."""

from __future__ import annotations

from typing import Any

import pytest

from recut import table_change

REAL = table_change.prove
KNOWN: dict[object, Any] = {}


def remembered(table: Any, solver: Any, rlimit: int, known: Any) -> Any:
    """The proof of a table, which its rules in their order decide."""
    rows = tuple((r.name, tuple((n, tuple(sorted(c))) for n, c in r.cells.items()), r.decision) for r in table.rules)
    key = rows, solver, rlimit
    if key not in KNOWN:
        KNOWN[key] = REAL(table, solver, rlimit, ())
    return KNOWN[key]


@pytest.fixture(autouse=True)
def proofs_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """These tests are about what is said of proofs; that they are made anew is tested in tests/proofs."""
    monkeypatch.setattr(table_change, "prove", remembered)
