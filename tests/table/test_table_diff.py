"""The difference of two tables: compared cut by cut, as large as it can be, and empty for what means the same."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.decision_table import EVERYTHING, Region, Rule, Table, TableError
from model.region_cover import few_regions, joined, masks_of, region_of_mask, sizes
from model.table_diff import differences
from model.table_file import load_table, parse_table, shipped_tables
from model.table_inputs import ACTING, CAPABILITY, DECISIONS, INPUT_NAMES, VALUES
from model.table_regions import gaps
from tests.table.cuts import file, row
from tests.table.edits_of_tables import edited, rewritten
from tests.table.test_table_regions import LOOKED_AT, cuts, inside

RECOVERY = load_table("recovery")


def decided(table: Table, cut: dict[str, str]) -> str | None:
    rule = table.lookup(cut)
    return None if rule is None else rule.decision


@st.composite
def unique_tables(draw: st.DrawFn) -> Table:
    """Rows that divide all cuts by a few splits, some of them left out."""
    regions: list[Region] = [dict(EVERYTHING)]
    for _ in range(draw(st.integers(0, 8))):
        at, name = draw(st.integers(0, len(regions) - 1)), draw(st.sampled_from(LOOKED_AT))
        values = [v for v in VALUES[name] if v in regions[at][name]]
        if len(values) > 1:
            some = frozenset(values[: draw(st.integers(1, len(values) - 1))])
            one = regions.pop(at)
            regions += [{**one, name: some}, {**one, name: one[name] - some}]
    kept = draw(st.lists(st.sampled_from(range(len(regions))), min_size=1, unique=True))
    decisions = [draw(st.sampled_from(DECISIONS)) for _ in kept]
    pairs = zip(kept, decisions, strict=True)
    return Table(tuple(Rule(f"r{i}", regions[i], decision, "x", i) for i, decision in pairs), "made")


@given(unique_tables(), unique_tables())
def test_a_cut_is_in_a_change_exactly_if_it_is_decided_otherwise(old: Table, new: Table) -> None:
    changes = differences(old, new)
    for cut in cuts():
        pair = decided(old, cut), decided(new, cut)
        hits = {(c.old, c.new) for c in changes if inside(c.region, cut)}
        assert hits == (set() if pair[0] == pair[1] else {pair})


@given(unique_tables(), unique_tables())
def test_no_region_can_be_larger(old: Table, new: Table) -> None:
    for change in differences(old, new):
        for name in INPUT_NAMES:
            for value in set(VALUES[name]) - change.region[name]:
                slab = {**change.region, name: frozenset({value})}
                pieces = _pairs(old, new, slab)
                assert pieces != {(change.old, change.new)}


def _pairs(old: Table, new: Table, region: Region) -> set[tuple[str | None, str | None]]:
    """Every pair of decisions in a region, by cuts over the inputs that these tables ask for."""
    some = [{n: min(region[n]) for n in INPUT_NAMES}]
    for name in LOOKED_AT:
        some = [{**cut, name: value} for cut in some for value in region[name]]
    return {(decided(old, cut), decided(new, cut)) for cut in some}


@settings(max_examples=60)
@given(st.data())
def test_what_means_the_same_is_no_change(data: st.DataObject) -> None:
    table = load_table(data.draw(st.sampled_from(shipped_tables())))
    assert differences(table, data.draw(rewritten(table))) == ()


@settings(max_examples=150)
@given(edited(RECOVERY))
def test_another_decision_is_one_change_of_the_cuts_of_its_row(edit: tuple[Table, Rule]) -> None:
    new, rule = edit
    changes = differences(RECOVERY, new)
    assert {(c.old, c.new) for c in changes} == {(rule.decision, new.rule(rule.name).decision)}
    assert [c.region for c in changes] == [dict(rule.cells)]
    assert (changes[0].old_rules, changes[0].new_rules) == ((rule.name,), (rule.name,))


def test_a_rule_that_is_gone_leaves_cuts_without_one() -> None:
    new = Table(RECOVERY.rules[1:], "new")
    changes = differences(RECOVERY, new)
    assert [(c.old, c.new, c.new_rules) for c in changes] == [(RECOVERY.rules[0].decision, None, ())]
    assert [c.region for c in changes] == list(gaps(new))
    assert [(c.old, c.new) for c in differences(new, RECOVERY)] == [(None, RECOVERY.rules[0].decision)]


def test_regions_are_merged_across_rows() -> None:
    rows = [row(f"r{i}", effect=v, decision="verify") for i, v in enumerate(VALUES["effect"])]
    old = parse_table(file(row("all", decision="quarantine")), "old")
    changes = differences(old, parse_table(file(*rows), "new"))
    assert [c.region for c in changes] == [EVERYTHING]
    assert changes[0].new_rules == tuple(f"r{i}" for i in range(len(rows))) and changes[0].cells == {}


def test_tables_with_overlapping_rows_are_refused() -> None:
    twice = parse_table(file(row("one"), row("two")), "twice.csv")
    with pytest.raises(TableError, match="twice.csv: line 3: the rules"):
        differences(RECOVERY, twice)


@pytest.mark.parametrize("old", DECISIONS)
@pytest.mark.parametrize("new", DECISIONS)
def test_the_direction_is_by_capability(old: str, new: str) -> None:
    tables = [parse_table(file(row("all", decision=d)), "t") for d in (old, new)]
    for change in differences(*tables):
        assert change.gained == (CAPABILITY[new] if CAPABILITY[new] != CAPABILITY[old] else None)
        assert change.lost == (CAPABILITY[old] if CAPABILITY[new] != CAPABILITY[old] else None)
        assert change.more_permissive == (CAPABILITY[new] in ACTING and CAPABILITY[new] != CAPABILITY[old])
    assert (old == new) == (differences(*tables) == ())


@given(st.lists(st.fixed_dictionaries({n: st.frozensets(st.sampled_from(VALUES[n]), min_size=1) for n in INPUT_NAMES})))
def test_masks_keep_regions_and_sizes(regions: list[Region]) -> None:
    masks = masks_of(regions)
    assert [region_of_mask(mask) for mask in masks] == regions
    expected = [int(np.prod([len(cell) for cell in region.values()], dtype=np.int64)) for region in regions]
    assert sizes(masks).tolist() == expected


@given(unique_tables())
def test_joined_regions_stay_disjoint_and_none_can_be_joined(table: Table) -> None:
    parts = joined(masks_of([rule.cells for rule in table.rules]))
    assert sizes(parts).sum() == sum(sizes(masks_of([rule.cells]))[0] for rule in table.rules)
    for one, other in itertools.combinations(parts, 2):
        assert not ((one & other) != 0).all()
        assert (one != other).sum() > 1
    grown = few_regions(masks_of([rule.cells for rule in table.rules]))
    assert all(((grown & part) == part).all(axis=1).any() for part in parts)


def test_rewrites_that_change_a_value_are_caught() -> None:
    rules = list(RECOVERY.rules)
    at = next(i for i, r in enumerate(rules) if r.name == "absent-moved")
    rules[at] = replace(rules[at], cells={**rules[at].cells, "dedup": frozenset({"live"})})
    assert [(c.old, c.new) for c in differences(RECOVERY, Table(tuple(rules), "t"))] == [("quarantine", None)]
