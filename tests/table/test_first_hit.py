"""Tables that are read in order mean the same as the unique tables made of them."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from model.decision_table import Table
from model.first_hit import first_hit, parts_by_order, without
from model.table_file import load_table
from model.table_inputs import INPUT_NAMES
from model.table_regions import overlaps, size
from tests.table.test_table_regions import cuts, inside, small_tables


@given(small_tables())
def test_the_first_row_that_covers_a_cut_decides_it(table: Table) -> None:
    unique = first_hit(table)
    assert not overlaps(unique)
    for cut in cuts():
        one, other = table.lookup(cut), unique.lookup(cut)
        assert (one is None) == (other is None)
        if one is not None and other is not None:
            assert other.name.split("/")[0] == one.name and other.decision == one.decision


@given(small_tables())
def test_a_row_has_no_part_exactly_if_earlier_rows_hide_it(table: Table) -> None:
    for rule, parts in parts_by_order(table):
        decided = [cut for cut in cuts() if table.lookup(cut) is rule]
        assert [any(inside(part, cut) for part in parts) for cut in decided] == [True] * len(decided)
        assert bool(parts) == bool(decided)


@given(st.data())
def test_what_is_left_of_a_region_is_disjoint_and_complete(data: st.DataObject) -> None:
    table = data.draw(small_tables().filter(lambda t: len(t.rules) > 1))
    one, other = dict(table.rules[0].cells), table.rules[1].cells
    parts = list(without(one, other))
    shared = {name: one[name] & other[name] for name in INPUT_NAMES}
    assert sum(size(part) for part in parts) == size(one) - size(shared)
    for cut in cuts():
        assert sum(inside(part, cut) for part in parts) == (inside(one, cut) and not inside(dict(other), cut))


def test_a_unique_table_stays_as_it_is() -> None:
    table = load_table("recovery")
    assert first_hit(table) == table
