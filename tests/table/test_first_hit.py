"""Tables that are read in order mean the same as the unique tables made of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.decision_table import EVERYTHING, Rule, Table, TableError
from model.first_hit import checked_first_hit, first_hit, parts_by_order, without
from model.table_file import load_table
from model.table_inputs import INPUT_NAMES, VALUES
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


@given(small_tables())
def test_the_check_agrees_with_a_look_at_every_cut(table: Table) -> None:
    unique = checked_first_hit(table, 1000)
    for cut in cuts():
        one, other = table.lookup(cut), unique.lookup(cut)
        assert (one and one.decision) == (other and other.decision)


def narrowed(rule: Rule, name: str, values: Sequence[str]) -> Rule:
    """A rule with other labels at one input."""
    return replace(rule, cells={**rule.cells, name: frozenset(values)})


ROOM = next(name for name in INPUT_NAMES if len(VALUES[name]) > 4)


def wrongly(made: Table, how: str) -> Table:
    """A unique table of two rows, of which the second has all labels but one at ROOM, made wrong."""
    first, rest = made.rules
    a, b, c, d, *more, beyond = VALUES[ROOM]
    some = replace(rest, name="some", cells={**rest.cells, "undo": frozenset(VALUES["undo"][:1])})
    others = replace(rest, name="others", cells={**rest.cells, "undo": frozenset(VALUES["undo"][1:])})
    lost = {**rest.cells, "undo": rest.cells["undo"] - {VALUES["undo"][0]}}
    rows = {
        "a row lost": (first,),
        "a part lost": (first, replace(rest, cells=lost)),
        "another decision": (first, replace(rest, decision="execute")),
        "the order turned": (replace(first, decision=rest.decision), rest),
        "a part too large": (first, replace(rest, cells=dict(EVERYTHING))),
        "a part twice and one lost": (first, some, replace(some, name="again")),
        "rows that overlap": (first, rest, others),
        "as many cuts, some of a gap": (first, narrowed(rest, ROOM, [beyond, b, c, d, *more])),
        "as many cuts, some twice": (
            first, narrowed(rest, ROOM, [a, b, *more]), replace(narrowed(rest, ROOM, [b, c]), name="again"),
        ),
    }
    return replace(made, rules=rows[how])


@pytest.mark.parametrize(
    "how",
    ["a row lost", "a part lost", "another decision", "the order turned", "a part too large",
     "a part twice and one lost", "rows that overlap", "as many cuts, some of a gap", "as many cuts, some twice"],
)
def test_a_wrong_reading_in_order_is_noticed(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = Rule("lost", {**EVERYTHING, "claim": frozenset({"lost"})}, "stand_down", "x", 1)
    rest = narrowed(Rule("rest", dict(EVERYTHING), "quarantine", "x", 2), ROOM, VALUES[ROOM][:-1])
    table = Table((lost, rest), "t")
    made = checked_first_hit(table, 1000)
    assert [rule.name for rule in made.rules] == ["lost", "rest"] and made.rules[1].cells["claim"] == {"held"}
    monkeypatch.setattr("model.first_hit.first_hit", lambda table, most: wrongly(made, how))
    with pytest.raises(TableError, match="reading in order is at fault"):
        checked_first_hit(table, 1000)


def test_rows_that_fall_into_too_many_parts_are_refused() -> None:
    chance = random.Random(1)
    rows = tuple(
        Rule(f"r{n}", {k: frozenset(v) - {chance.choice(v)} for k, v in VALUES.items()}, "verify", "x", n)
        for n in range(40)
    )
    with pytest.raises(TableError, match='r[0-9]+", the table read in order is more than 1,000 rows'):
        first_hit(Table(rows, "t"), 1000)


def test_the_bound_is_on_all_rows_together() -> None:
    few = Rule("few", {**EVERYTHING, "claim": frozenset({"held"}), "undo": frozenset({"reviewed"})}, "verify", "x", 1)
    for table in (load_table("recovery"), Table((few, Rule("rest", dict(EVERYTHING), "adopt", "x", 2)), "t")):
        needed = len(first_hit(table).rules)
        assert len(first_hit(table, needed).rules) == needed
        with pytest.raises(TableError, match=f"more than {needed - 1} rows"):
            first_hit(table, needed - 1)
