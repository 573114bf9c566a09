"""Overlaps and gaps are exact: compared with a look at every cut, and with the sizes of the regions."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.decision_table import EVERYTHING, Region, Rule, Table, TableError
from model.table_file import load_table, parse_table, shipped_tables
from model.table_inputs import DECISIONS, INPUT_NAMES, VALUES
from model.table_regions import gaps, overlaps, require_unique, size, undecided
from tests.table.cuts import ORDINARY, file, row

LOOKED_AT = ("claim", "effect", "dedup", "undo")
"""The inputs that the small tables ask for: few enough to look at every cut."""


def cuts() -> list[dict[str, str]]:
    """Every cut over the inputs looked at, ordinary elsewhere."""
    values = itertools.product(*(VALUES[name] for name in LOOKED_AT))
    return [{**ORDINARY, **dict(zip(LOOKED_AT, some, strict=True))} for some in values]


def inside(region: Region, cut: dict[str, str]) -> bool:
    """Whether the region has this cut."""
    return all(cut[name] in region[name] for name in INPUT_NAMES)


@st.composite
def small_tables(draw: st.DrawFn) -> Table:
    """Up to nine rules that ask for few inputs."""
    cells = {name: st.just(frozenset(values)) for name, values in VALUES.items()} | {
        name: st.one_of(st.just(frozenset(VALUES[name])), st.frozensets(st.sampled_from(VALUES[name]), min_size=1))
        for name in LOOKED_AT
    }
    rules = draw(st.lists(st.tuples(st.fixed_dictionaries(cells), st.sampled_from(DECISIONS)), max_size=9))
    return Table(tuple(Rule(f"r{i}", some, decision, "x", i) for i, (some, decision) in enumerate(rules)), "small")


@given(small_tables())
def test_gaps_are_the_cuts_that_no_rule_decides(table: Table) -> None:
    regions = gaps(table)
    for cut in cuts():
        covering = sum(rule.covers(cut) for rule in table.rules)
        assert sum(inside(region, cut) for region in regions) == (covering == 0)
        assert (table.lookup(cut) is None) == (covering == 0)
    assert sum(map(size, regions)) == undecided(table)


@given(small_tables())
def test_overlaps_are_the_pairs_that_share_a_cut(table: Table) -> None:
    found = {(pair.first.name, pair.second.name): pair for pair in overlaps(table)}
    for first, second in itertools.combinations(table.rules, 2):
        shared = [cut for cut in cuts() if first.covers(cut) and second.covers(cut)]
        pair = found.get((first.name, second.name))
        assert (pair is not None) == bool(shared)
        if pair is not None:
            assert [cut for cut in cuts() if inside(pair.region, cut)] == shared
            assert pair.conflicting == (first.decision != second.decision)


@given(small_tables(), st.sampled_from(cuts()))
def test_a_region_is_touched_by_the_rules_that_decide_a_part_of_it(table: Table, cut: dict[str, str]) -> None:
    point = {name: frozenset((value,)) for name, value in cut.items()}
    assert [rule for rule, _ in table.touching(point)] == [rule for rule in table.rules if rule.covers(cut)]
    assert all(part == point for _, part in table.touching(point))
    assert [rule for rule, _ in table.touching(EVERYTHING)] == list(table.rules)


@pytest.mark.parametrize("name", shipped_tables())
def test_shipped_tables_are_total_and_unique(name: str) -> None:
    table = load_table(name)
    assert overlaps(table) == ()
    assert gaps(table) == ()
    assert require_unique(table) is table
    assert sum(size(rule.cells) for rule in table.rules) == size(EVERYTHING)


@pytest.mark.parametrize("name", shipped_tables())
def test_without_one_row_exactly_its_cuts_are_undecided(name: str) -> None:
    table = load_table(name)
    for at, rule in enumerate(table.rules):
        without = Table(table.rules[:at] + table.rules[at + 1 :], "x")
        assert undecided(without) == size(rule.cells)
        assert all(region[i] <= rule.cells[i] for region in gaps(without) for i in INPUT_NAMES)


def test_a_table_without_rules_leaves_one_gap() -> None:
    assert gaps(Table((), "x")) == (EVERYTHING,)
    assert undecided(Table((), "x")) == 15_552_000


def test_gaps_can_be_bounded() -> None:
    table = parse_table(file(row("a", claim="held", effect="absent"), row("b", claim="lost", undo="reviewed")), "x")
    assert len(gaps(table)) > 1
    assert gaps(table, most=1) == gaps(table)[:1]


def test_an_overlap_is_an_error_where_the_table_is_used() -> None:
    table = parse_table(file(row("a", claim="held"), row("b", effect="absent")), "mine.csv")
    with pytest.raises(TableError) as caught:
        require_unique(table)
    assert str(caught.value).startswith(
        'mine.csv: line 3: the rules "a" (line 2) and "b" (line 3) overlap at claim held, '
    )
    assert "\n" not in str(caught.value)


def test_a_duplicate_row_under_another_name_is_an_error_too() -> None:
    with pytest.raises(TableError, match="overlap at every cut"):
        require_unique(parse_table(file(row("a"), row("b")), "x"))
