"""Foreign checkers agree with the explorer on small systems, and would notice if the text said something else."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.export_murphi import murphi
from solver.export_promela import promela
from solver.export_terms import Export
from solver.export_tla import tla, tla_configuration
from tests.export.configurations import as_export, searched
from tests.export.foreign import need, rumur, spin, tlc
from tests.export.systems import small
from tests.kernel.systems import peterson

SMALL = small()


def steps_among_starts(export: Export, starts: int) -> int:
    """What the Promela model adds: from every start state a step to every other value of each open promise."""
    return starts * sum(len(v.starts) - 1 for v in export.special.system.variables)


@pytest.mark.parametrize("name", SMALL)
def test_spin(name: str, tmp_path: Path) -> None:
    ours, found = searched(SMALL[name]), spin(promela(SMALL[name]), tmp_path)
    broken_start = "The start breaks a property" in promela(SMALL[name])
    added = 1 + steps_among_starts(SMALL[name], ours.starts) + broken_start
    assert (found.states, found.steps - added) == (ours.states, ours.transitions)
    assert found.violated == (ours.verdict == "fails")


@pytest.mark.parametrize("name", SMALL)
def test_rumur(name: str, tmp_path: Path) -> None:
    ours, found = searched(SMALL[name]), rumur(murphi(SMALL[name]), tmp_path)
    assert (found.states, found.steps, found.holds) == (ours.states, ours.transitions, ours.holds)


@pytest.mark.parametrize("name", SMALL)
def test_tlc(name: str, tmp_path: Path) -> None:
    ours = searched(SMALL[name])
    found = tlc(tla(SMALL[name]), tla_configuration(SMALL[name]), tmp_path, "-continue")
    assert (found.states, found.depth, found.violated) == (ours.states, ours.depth, ours.verdict == "fails")


def test_rumur_stops_at_a_broken_invariant(tmp_path: Path) -> None:
    export = SMALL["operators"]
    found = rumur(murphi(export), tmp_path, covering=False)
    assert found.violated and found.states < searched(export).states


def test_a_missing_checker_is_skipped_or_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("RECUT_FOREIGN", raising=False)
    with pytest.raises(pytest.skip.Exception, match="spin is not installed: apt-get install"):
        need("spin")
    monkeypatch.setenv("RECUT_FOREIGN", "required")
    with pytest.raises(pytest.fail.Exception, match="RECUT_FOREIGN=required"):
        need("spin")


def test_a_dropped_update_is_noticed(tmp_path: Path) -> None:
    export = as_export(peterson())
    ours = searched(export).states
    text, dropped = promela(export), "turn = true;"
    assert text.count(dropped) == 1 and spin(text.replace(dropped, "skip;"), tmp_path).states != ours
    text, dropped = murphi(export), "turn := true;"
    assert text.count(dropped) == 1 and rumur(text.replace(dropped, ""), tmp_path).states != ours
    text, dropped = tla(export), "/\\ turn' = TRUE"
    assert text.count(dropped) == 1
    changed = text.replace(dropped, "/\\ turn' = turn")
    assert tlc(changed, "INIT Init\nNEXT Next\n", tmp_path).states != ours
