"""The arrays decide as the table does."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.decision_table import EVERYTHING, Region, Rule, Table, TableError
from model.first_hit import first_hit
from model.table_file import load_table, shipped_tables
from model.table_inputs import DECISIONS, INPUT_NAMES, VALUES
from model.table_lookup import MOST_RULES, Lookup
from tests.proofs.edits import RECOVERY
from tests.table.cuts import ORDINARY
from tests.table.test_table_regions import cuts, small_tables

LABELS = {name: st.sampled_from(values) for name, values in VALUES.items()}


@given(small_tables(), st.lists(st.fixed_dictionaries(LABELS), max_size=20))
def test_every_cut_has_the_rule_that_the_table_says(table: Table, more: list[dict[str, str]]) -> None:
    unique = first_hit(table)
    some = [*cuts(), *more]
    assert Lookup(unique).decide(some) == [unique.lookup(cut) for cut in some]


@st.composite
def split_tables(draw: st.DrawFn) -> Table:
    """Unique tables that may ask for every input: all cuts, split again and again, with parts left out as gaps."""
    regions: list[Region] = [EVERYTHING]
    for _ in range(draw(st.integers(0, 12))):
        region = regions.pop(draw(st.integers(0, len(regions) - 1)))
        name = draw(st.sampled_from([name for name in INPUT_NAMES if len(region[name]) > 1]))
        part = draw(st.frozensets(st.sampled_from(sorted(region[name])), min_size=1, max_size=len(region[name]) - 1))
        regions += [{**region, name: part}, {**region, name: region[name] - part}]
    kept = draw(st.lists(st.sampled_from(range(len(regions))), unique=True))
    decisions = [draw(st.sampled_from(DECISIONS)) for _ in kept]
    rules = [Rule(f"r{at}", regions[at], decision, "x") for at, decision in zip(kept, decisions, strict=True)]
    return Table(tuple(rules), "split")


@given(split_tables(), st.lists(st.fixed_dictionaries(LABELS), max_size=20), st.randoms(use_true_random=False))
def test_every_input_counts_in_whatever_order_a_cut_has_them(
    table: Table, more: list[dict[str, str]], chance: random.Random
) -> None:
    some = [*more, *({name: min(cell) for name, cell in rule.cells.items()} for rule in table.rules)]
    mixed = [dict(chance.sample(list(cut.items()), len(cut))) for cut in some]
    expected = [table.lookup(cut) for cut in some]
    assert Lookup(table).decide(some) == Lookup(table).decide(cut for cut in mixed) == expected


def sample(table: Table, chance: random.Random) -> list[dict[str, str]]:
    """Some cuts of each rule, and some of all."""
    regions = [*(rule.cells for rule in table.rules for _ in range(20)), *[EVERYTHING] * 2000]
    return [{name: chance.choice(sorted(region[name])) for name in INPUT_NAMES} for region in regions]


@pytest.mark.parametrize("name", shipped_tables())
def test_every_rule_of_a_shipped_table_is_found(name: str) -> None:
    table = load_table(name)
    some = sample(table, random.Random(name))
    found = Lookup(table).decide(some)
    assert found == [table.lookup(cut) for cut in some]
    assert {rule.name for rule in found if rule} == {rule.name for rule in table.rules}


def test_many_rules_are_told_apart() -> None:
    rules = [
        replace(rule, name=f"{rule.name} {value}", cells={**rule.cells, "postcondition": frozenset({value})})
        for rule in RECOVERY.rules
        for value in VALUES["postcondition"]
        if value in rule.cells["postcondition"]
    ]
    assert len(rules) > 128
    some = [{name: min(rule.cells[name]) for name in INPUT_NAMES} for rule in rules]
    assert Lookup(Table(tuple(rules), "many")).decide(some) == rules


def test_a_flipped_bit_is_noticed() -> None:
    lookup, some = Lookup(RECOVERY), sample(RECOVERY, random.Random(1))
    expected = [RECOVERY.lookup(cut) for cut in some]
    lookup._ends ^= 1
    assert lookup.decide(some) != expected


@pytest.mark.parametrize("column", range(len(INPUT_NAMES)))
def test_an_input_read_wrongly_is_noticed(column: int) -> None:
    lookup, some = Lookup(RECOVERY), sample(RECOVERY, random.Random(1))
    expected = [RECOVERY.lookup(cut) for cut in some]
    lookup._layers[column] = np.roll(lookup._layers[column], 1, axis=1)
    assert lookup.decide(some) != expected


@pytest.mark.parametrize(
    ("cut", "says"),
    [
        ({"claim": "mine"}, 'cut 1: the cut\'s claim is "mine"; use one of held, lost'),
        ({"claim": None}, 'cut 1: the cut\'s claim is "None"'),
        ({"claim": ["held"]}, "cut 1: the cut's claim is "),
        ({"more": "x"}, 'cut 1: the cut has an input "more"'),
    ],
)
def test_a_cut_that_is_none_is_named(cut: dict[str, Any], says: str) -> None:
    with pytest.raises(TableError) as caught:
        Lookup(RECOVERY).decide([ORDINARY, {**ORDINARY, **cut}])
    assert str(caught.value).startswith(says)


def test_a_missing_input_is_named_and_no_cuts_are_no_rules() -> None:
    lacking = {name: value for name, value in ORDINARY.items() if name != "dedup"}
    with pytest.raises(TableError, match="cut 0: the cut has no dedup"):
        Lookup(RECOVERY).decide([lacking])
    assert Lookup(RECOVERY).decide([]) == []


def test_a_default_is_no_input_that_was_given() -> None:
    lacking = defaultdict(lambda: "none", {name: value for name, value in ORDINARY.items() if name != "dedup"})
    with pytest.raises(TableError, match="cut 1: the cut has no dedup"):
        Lookup(RECOVERY).decide([ORDINARY, lacking])
    assert "dedup" not in lacking


def test_every_mapping_is_a_cut_and_nothing_else() -> None:
    assert Lookup(RECOVERY).decide([MappingProxyType(ORDINARY)]) == [RECOVERY.lookup(ORDINARY)]
    nothing: Any = None
    with pytest.raises(TableError, match="cut 1: is no mapping"):
        Lookup(RECOVERY).decide([ORDINARY, nothing])


def test_one_too_few_and_one_too_many_are_not_two_cuts() -> None:
    """Together these have as many inputs as two cuts."""
    few = {name: value for name, value in ORDINARY.items() if name != "dedup"}
    many = {**ORDINARY, "extra": "live"}
    with pytest.raises(TableError, match="cut 0: the cut has no dedup"):
        Lookup(RECOVERY).decide([few, many])


def test_a_code_that_is_no_label_is_an_error() -> None:
    codes = Lookup(RECOVERY).codes([ORDINARY])
    codes[0, INPUT_NAMES.index("claim")] = len(VALUES["claim"])
    with pytest.raises(IndexError):
        Lookup(RECOVERY).numbers(codes)


def test_more_rules_than_numbers_are_refused() -> None:
    with pytest.raises(TableError, match="has 32,768 rules; use at most 32,767"):
        Lookup(Table(RECOVERY.rules[:1] * (MOST_RULES + 1), "large"))


def test_overlapping_rows_are_refused() -> None:
    with pytest.raises(TableError, match="overlap"):
        Lookup(Table((*RECOVERY.rules, replace(RECOVERY.rules[0], name="again")), "twice"))
