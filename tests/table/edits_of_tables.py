"""Edits of tables: ones that change no decision, and ones that do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hypothesis import strategies as st

from model.decision_table import Rule, Table, table_text
from model.table_file import parse_table
from model.table_inputs import DECISIONS, INPUT_NAMES, VALUES

Draw = Callable[[st.SearchStrategy[int]], int]


def chosen(draw: Draw, count: int) -> int:
    """A number below ``count``."""
    return draw(st.integers(0, count - 1))


def split(draw: Draw, table: Table) -> Table:
    """One row becomes two that divide the values of one of its cells."""
    rules = list(table.rules)
    at = chosen(draw, len(rules))
    rule = rules[at]
    wide = [name for name in INPUT_NAMES if len(rule.cells[name]) > 1]
    if not wide:
        return table
    name = wide[chosen(draw, len(wide))]
    values = [v for v in VALUES[name] if v in rule.cells[name]]
    first = frozenset(values[: 1 + chosen(draw, len(values) - 1)])
    parts = (first, rule.cells[name] - first)
    rules[at : at + 1] = [
        replace(rule, name=f"{rule.name}.{i}", cells={**rule.cells, name: part}) for i, part in enumerate(parts)
    ]
    return Table(tuple(rules), table.path)


def merge(draw: Draw, table: Table) -> Table:
    """Two rows that decide alike and differ in one cell become one, where there are such rows."""
    pairs = [
        (one, other)
        for i, one in enumerate(table.rules)
        for other in table.rules[i + 1 :]
        if one.decision == other.decision and sum(one.cells[n] != other.cells[n] for n in INPUT_NAMES) == 1
    ]
    if not pairs:
        return table
    one, other = pairs[chosen(draw, len(pairs))]
    both = replace(one, cells={name: one.cells[name] | other.cells[name] for name in INPUT_NAMES})
    return Table((*(r for r in table.rules if r not in (one, other)), both), table.path)


def reorder(draw: Draw, table: Table) -> Table:
    """Another order of the rows."""
    rules = list(table.rules)
    for at in range(len(rules) - 1, 0, -1):
        other = chosen(draw, at + 1)
        rules[at], rules[other] = rules[other], rules[at]
    return Table(tuple(rules), table.path)


def rename(draw: Draw, table: Table) -> Table:
    """Another name and another sentence for one row."""
    at = chosen(draw, len(table.rules))
    other = replace(table.rules[at], name=f"renamed {len(table.rules)} {at}", because="Said otherwise.")
    return Table((*table.rules[:at], other, *table.rules[at + 1 :]), table.path)


def reformat(draw: Draw, table: Table) -> Table:
    """The file of another spreadsheet: another separator, a byte order mark, other line ends, comments."""
    lines = table_text(table).splitlines()
    lines.insert(1 + chosen(draw, len(lines)), "# A comment, with a comma.")
    text = "\ufeff" * chosen(draw, 2) + ("\n", "\r\n")[chosen(draw, 2)].join(lines) + "\n"
    return parse_table(text.lstrip("\ufeff"), table.path)


SAME_MEANING = (split, merge, reorder, rename, reformat)


@st.composite
def rewritten(draw: st.DrawFn, table: Table) -> Table:
    """The table after up to ten edits that change no decision."""
    for edit in draw(st.lists(st.sampled_from(SAME_MEANING), min_size=1, max_size=10)):
        table = edit(draw, table)
    return table


@st.composite
def edited(draw: st.DrawFn, table: Table) -> tuple[Table, Rule]:
    """The table with another decision in one row, and the row as it was."""
    at = draw(st.integers(0, len(table.rules) - 1))
    rule = table.rules[at]
    other = draw(st.sampled_from([d for d in DECISIONS if d != rule.decision]))
    return Table((*table.rules[:at], replace(rule, decision=other), *table.rules[at + 1 :]), table.path), rule
