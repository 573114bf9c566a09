"""A table as arrays: which rule decides, for many cuts at once.

A decision diagram with a layer an input: a node is the set of rules that are left after the inputs before it, and
a cut goes from node to node, one look into an array an input. So a look-up takes as long for a thousand rules as for
ten.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain

import numpy as np
import numpy.typing as npt

from model.decision_table import Rule, Table, TableError, check_cut
from model.table_inputs import INPUT_NAMES, VALUES
from model.table_regions import require_unique
from model.text_file import place

Codes = npt.NDArray[np.uint8]
"""Cuts as positions of labels, shape (cuts, inputs), inputs in the order of the table's columns."""
Numbers = npt.NDArray[np.int16]
"""Positions of rules, -1 for no rule, shape (cuts,)."""

PAIRS: tuple[tuple[str, str], ...] = tuple((name, value) for name, values in VALUES.items() for value in values)
"""Every input with every one of its labels."""
MOST_RULES = int(np.iinfo(np.int16).max)

_INPUTS = len(INPUT_NAMES)
_COLUMN = np.array([INPUT_NAMES.index(name) for name, _ in PAIRS], np.uint8)
_CODE = np.array([VALUES[name].index(value) for name, value in PAIRS], np.uint8)
_PAIR = {pair: at for at, pair in enumerate(PAIRS)}


class Lookup:
    """A unique table ready to be asked; TableError for one whose rows overlap or that has more than MOST_RULES."""

    def __init__(self, table: Table) -> None:
        if len(table.rules) > MOST_RULES:
            raise TableError(f"{place(table.path)}: has {len(table.rules):,} rules; use at most {MOST_RULES:,}")
        self.rules: tuple[Rule, ...] = require_unique(table).rules
        self._layers, self._ends = _diagram(self.rules)

    def numbers(self, codes: Codes) -> Numbers:
        """For each cut the position of its rule in ``rules``, -1 where there is none.

        IndexError for a code that is no label.
        """
        node = np.zeros(len(codes), np.int32)
        for column, layer in enumerate(self._layers):
            node = layer[node, codes[:, column]]
        return self._ends[node]

    def codes(self, cuts: Sequence[Mapping[str, str]]) -> Codes:
        """Cuts as codes; TableError names the first that lacks an input or has another label, counted from 0."""
        try:
            pairs = bytes(map(_PAIR.__getitem__, chain.from_iterable(cut.items() for cut in cuts)))
            complete = all(len(cut) == _INPUTS for cut in cuts)
        except (KeyError, TypeError, AttributeError):
            complete = False
        found = codes_of_pairs(pairs) if complete else None
        return _refuse_first(cuts) if found is None else found

    def decide(self, cuts: Iterable[Mapping[str, str]]) -> list[Rule | None]:
        """The rule of each cut, None in a gap; means what ``Table.lookup`` means, and raises as ``codes`` does."""
        rules = (*self.rules, None)
        return [rules[number] for number in self.numbers(self.codes(list(cuts))).tolist()]


def codes_of_pairs(pairs: bytes) -> Codes | None:
    """Cuts as codes from positions in PAIRS, as many a cut as there are inputs, in any order.

    None where a cut has an input twice.
    """
    flat = np.frombuffer(pairs, np.uint8).reshape(-1, _INPUTS)
    columns, codes = _COLUMN[flat], _CODE[flat]
    if (columns == np.arange(_INPUTS, dtype=np.uint8)).all():
        return codes
    if (np.sort(columns, axis=1) != np.arange(_INPUTS, dtype=np.uint8)).any():
        return None
    ordered = np.empty_like(codes)
    np.put_along_axis(ordered, columns.astype(np.intp), codes, axis=1)
    return ordered


def _diagram(rules: Sequence[Rule]) -> tuple[list[npt.NDArray[np.int32]], Numbers]:
    """For each input the next node by node and label, and for each last node the rule.

    A set of rules is bits. The rules are unique, so in the end there is at most one.
    """
    nodes, layers = [(1 << len(rules)) - 1], []
    for name, values in VALUES.items():
        allowed = [sum(1 << at for at, rule in enumerate(rules) if value in rule.cells[name]) for value in values]
        after: dict[int, int] = {}
        layer = [[after.setdefault(left & some, len(after)) for some in allowed] for left in nodes]
        layers.append(np.array(layer, np.int32))
        nodes = list(after)
    return layers, np.array([left.bit_length() - 1 for left in nodes], np.int16)


def _refuse_first(cuts: Sequence[Mapping[str, str]]) -> Codes:
    for at, cut in enumerate(cuts):
        if not isinstance(cut, Mapping):
            raise TableError(f"cut {at}: is no mapping; give labels by the table's inputs")
        try:
            check_cut(cut)
        except TableError as problem:
            raise TableError(f"cut {at}: {problem}") from None
    raise TableError("the cuts changed while they were read; give them once they are complete")
