"""A table as arrays: which rule decides, for many cuts at once.

Every label has a row of bits, one bit a rule that allows it. The rules that cover a cut are the bits that its
thirteen rows have in common; a unique table has at most one of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

from model.decision_table import Rule, Table, TableError, check_cut
from model.table_inputs import INPUT_NAMES, VALUES
from model.table_regions import require_unique

Codes = npt.NDArray[np.uint8]
"""Cuts as positions of labels, shape (cuts, inputs), inputs in the order of the table's columns."""

_WORD = 64
_ONE = np.uint64(1)


class Lookup:
    """A unique table ready to be asked; TableError for one whose rows overlap."""

    def __init__(self, table: Table) -> None:
        self.rules: tuple[Rule, ...] = require_unique(table).rules
        words = -(-len(self.rules) // _WORD) or 1
        self._bits = [np.zeros((len(VALUES[name]), words), np.uint64) for name in INPUT_NAMES]
        for at, rule in enumerate(self.rules):
            for column, name in zip(self._bits, INPUT_NAMES, strict=True):
                allowed = [value in rule.cells[name] for value in VALUES[name]]
                column[allowed, at // _WORD] |= np.uint64(1 << at % _WORD)
        self._codes = {name: {value: code for code, value in enumerate(VALUES[name])} for name in INPUT_NAMES}

    def numbers(self, codes: Codes) -> npt.NDArray[np.int64]:
        """For each cut the position of its rule in ``rules``, -1 where there is none, shape (cuts,).

        IndexError for a code that is no label.
        """
        covering = self._bits[0][codes[:, 0]]
        for column, bits in enumerate(self._bits[1:], 1):
            covering &= bits[codes[:, column]]
        lowest = np.bitwise_count((covering & -covering) - _ONE).astype(np.int64)
        word = (covering != 0).argmax(axis=1)
        found = lowest[np.arange(len(codes)), word] + _WORD * word
        return np.where(covering.any(axis=1), found, -1)

    def codes(self, cuts: Sequence[Mapping[str, str]]) -> Codes:
        """Cuts as codes; TableError names the first that lacks an input or has another label, counted from 0."""
        try:
            columns = [[code[cut[name]] for cut in cuts] for name, code in self._codes.items()]
        except (KeyError, TypeError):
            columns = [[]]
        found = np.array(columns, np.uint8).T
        if found.shape != (len(cuts), len(INPUT_NAMES)) or any(len(cut) != len(INPUT_NAMES) for cut in cuts):
            _refuse_first(cuts)
        return found

    def rules_of(self, cuts: Sequence[Mapping[str, str]]) -> list[Rule | None]:
        """The rule of each cut, None in a gap; means what ``Table.lookup`` means, and raises as ``codes`` does."""
        if not cuts:
            return []
        rules = (*self.rules, None)
        return [rules[number] for number in self.numbers(self.codes(cuts)).tolist()]


def _refuse_first(cuts: Sequence[Mapping[str, str]]) -> None:
    for at, cut in enumerate(cuts):
        try:
            check_cut(cut)
        except TableError as problem:
            raise TableError(f"cut {at}: {problem}") from None
        except TypeError:
            raise TableError(f"cut {at}: a value is no text; give labels of the table's inputs") from None
