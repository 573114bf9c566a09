"""Every defect on purpose is noticed, each in its own way, and every property notices something."""

from __future__ import annotations

import json

import pytest

from properties.mutants.catalogue import MUTANTS, mutant_named
from properties.mutants.mutant import Mutant
from solver.kill_matrix import COLUMNS, kill_row, matrix_json, matrix_of
from tests.mutants.regenerate import GOLDEN

ROWS = matrix_of(GOLDEN.read_text("utf-8"))
SAMPLE = MUTANTS[:: len(MUTANTS) // 12][:12]
WANTED = {
    "successor admitted early": "successor_admitted_early",
    "attempts counted per identity": "counts_attempts_per_identity",
    "epoch told with the request instead of before reading": "tells_with_the_request",
    "a worker guard that reads the gateway's state": "peeks_at_the_target",
    "receipt ignored in favour of a lagging absence": "lagging_absence_outranks_receipt",
    "a remembered 500 taken for a refusal": "error_is_refusal",
    "timer-released unknown": "timer_releases_unknown",
    "completion on acknowledgement": "acknowledgement_is_receipt",
    "cached refusal taken as final": "conflict_is_refusal",
    "undo of somebody else's effect": "undoes_what_is_not_ours",
}


def test_no_mutant_is_alive_and_none_is_like_another() -> None:
    assert [m.name for m in MUTANTS] == list(ROWS)
    assert not [name for name, row in ROWS.items() if not row]
    keys = [json.dumps(row, sort_keys=True) for row in ROWS.values()]
    assert len(set(keys)) == len(keys)


def test_every_property_kills_something() -> None:
    assert set(COLUMNS) == set().union(*ROWS.values())


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_a_mutant_says_what_it_breaks(mutant: Mutant) -> None:
    assert set(mutant.kills) == set(ROWS[mutant.name])
    assert mutant.says.endswith(".") and mutant.says[0].isupper()


def test_the_named_defects_are_there() -> None:
    assert all(mutant_named(name) in MUTANTS for name in WANTED.values())
    assert {m.kind for m in MUTANTS} == {"model", "cut", "table", "order", "practice"}


def test_the_file_is_as_it_is_written() -> None:
    assert matrix_json(ROWS) == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("mutant", SAMPLE, ids=lambda m: m.name)
def test_a_sample_is_as_recorded(mutant: Mutant) -> None:
    assert kill_row(mutant) == ROWS[mutant.name]


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda m: m.name)
def test_all_rows_are_as_recorded(mutant: Mutant) -> None:
    assert kill_row(mutant) == ROWS[mutant.name]
