"""The arrays decide as the table does."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.decision_table import Table, TableError
from model.first_hit import first_hit
from model.table_file import load_table, shipped_tables
from model.table_inputs import INPUT_NAMES, VALUES
from model.table_lookup import Lookup
from tests.proofs.edits import RECOVERY
from tests.table.cuts import ORDINARY
from tests.table.test_table_regions import cuts, small_tables

LABELS = {name: st.sampled_from(values) for name, values in VALUES.items()}


@given(small_tables(), st.lists(st.fixed_dictionaries(LABELS), max_size=20))
def test_every_cut_has_the_rule_that_the_table_says(table: Table, more: list[dict[str, str]]) -> None:
    unique = first_hit(table)
    some = [*cuts(), *more]
    assert Lookup(unique).rules_of(some) == [unique.lookup(cut) for cut in some]


@pytest.mark.parametrize("name", shipped_tables())
def test_every_rule_of_a_shipped_table_is_found(name: str) -> None:
    table, chance = load_table(name), random.Random(name)
    some = [
        {column: chance.choice(sorted(cell)) for column, cell in rule.cells.items()}
        for rule in table.rules
        for _ in range(20)
    ]
    some += [{column: chance.choice(values) for column, values in VALUES.items()} for _ in range(2000)]
    found = Lookup(table).rules_of(some)
    assert found == [table.lookup(cut) for cut in some]
    assert {rule.name for rule in found if rule} == {rule.name for rule in table.rules}


def test_more_rules_than_a_word_has_bits() -> None:
    rules = [
        replace(rule, name=f"{rule.name} {value}", cells={**rule.cells, "postcondition": frozenset({value})})
        for rule in RECOVERY.rules
        for value in VALUES["postcondition"]
        if value in rule.cells["postcondition"]
    ]
    assert len(rules) > 128
    sample = [{name: min(rule.cells[name]) for name in INPUT_NAMES} for rule in rules]
    assert Lookup(Table(tuple(rules), "many")).rules_of(sample) == rules


def test_a_flipped_bit_is_noticed() -> None:
    lookup = Lookup(RECOVERY)
    sample = [{n: min(rule.cells[n]) for n in INPUT_NAMES} for rule in RECOVERY.rules]
    assert lookup.rules_of(sample) == list(RECOVERY.rules)
    lookup._bits[0] ^= np.uint64(1 << 7)
    assert lookup.rules_of(sample) != list(RECOVERY.rules)


@pytest.mark.parametrize(
    ("cut", "says"),
    [
        ({"claim": "mine"}, 'cut 1: the cut\'s claim is "mine"; use one of held, lost'),
        ({"claim": None}, "cut 1: "),
        ({"more": "x"}, 'cut 1: the cut has an input "more"'),
    ],
)
def test_a_cut_that_is_none_is_named(cut: dict[str, str], says: str) -> None:
    with pytest.raises(TableError) as caught:
        Lookup(RECOVERY).rules_of([ORDINARY, {**ORDINARY, **cut}])
    assert str(caught.value).startswith(says)


def test_a_missing_input_is_named_and_no_cuts_are_no_rules() -> None:
    lacking = {name: value for name, value in ORDINARY.items() if name != "dedup"}
    with pytest.raises(TableError, match="cut 0: the cut has no dedup"):
        Lookup(RECOVERY).rules_of([lacking])
    assert Lookup(RECOVERY).rules_of([]) == []


def test_overlapping_rows_are_refused() -> None:
    with pytest.raises(TableError, match="overlap"):
        Lookup(Table((*RECOVERY.rules, replace(RECOVERY.rules[0], name="again")), "twice"))
