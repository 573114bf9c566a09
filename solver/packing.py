"""Exact packing of a state into 64-bit words.

Exact means that two states share words only if they are the same state: a visited set over packed
words loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.kernel import ModelError, System, Variable

Words = npt.NDArray[np.uint64]
"""States, shape (number of words, number of states): row w holds word w of every state."""

Column = npt.NDArray[np.uint64]
"""One word of many states, shape (number of states,)."""

Indices = npt.NDArray[np.int64]

WORD = 64


@dataclass(frozen=True)
class Field:
    """Where a variable lives: ``bits`` bits from bit ``shift`` of word ``word``; codes run 0..high."""

    name: str
    word: int
    shift: int
    bits: int
    high: int

    @property
    def mask(self) -> int:
        """The field's bits, moved down to bit 0."""
        return (1 << self.bits) - 1


class Layout:
    """Which bits of which word each variable of a system takes. No variable straddles two words."""

    def __init__(self, variables: Iterable[Variable]):
        declared = tuple(variables)
        placed: dict[str, Field] = {}
        used = [0]
        for v in sorted(declared, key=lambda v: -v.bits):
            word = next((w for w, taken in enumerate(used) if taken + v.bits <= WORD), len(used))
            used += [0] * (word + 1 - len(used))
            placed[v.name] = Field(v.name, word, used[word], v.bits, v.high)
            used[word] += v.bits
        self.fields = {v.name: placed[v.name] for v in declared}
        self.used = tuple(used)

    @classmethod
    def of(cls, system: System) -> Layout:
        """The layout of a system's variables."""
        return cls(system.variables)

    @property
    def width(self) -> int:
        """How many words a state takes, at least one."""
        return len(self.used)

    @property
    def bits(self) -> int:
        """How many bits a state takes."""
        return sum(self.used)

    def pack(self, valuation: Mapping[str, int]) -> tuple[int, ...]:
        """The words of a valuation (name to code); ModelError for a missing, unknown or too large one."""
        if valuation.keys() != self.fields.keys():
            odd = ", ".join(sorted(valuation.keys() ^ self.fields.keys()))
            raise ModelError(f"a state gives a code to every variable and to nothing else; differs in {odd}")
        words = [0] * self.width
        for f in self.fields.values():
            words[f.word] |= self._checked(f, valuation[f.name]) << f.shift
        return tuple(words)

    def unpack(self, words: Sequence[int]) -> dict[str, int]:
        """The valuation (name to code, in declared order) of one state."""
        return {f.name: (int(words[f.word]) >> f.shift) & f.mask for f in self.fields.values()}

    def field(self, words: Words, name: str) -> npt.NDArray[np.uint8]:
        """The codes of one variable in every state: words of shape (width, n) to uint8 of shape (n,)."""
        f = self.fields[name]
        codes: npt.NDArray[np.uint8] = (words[f.word] >> np.uint64(f.shift)).astype(np.uint8)
        codes &= np.uint8(f.mask)
        return codes

    def initial_words(self, variables: Iterable[Variable]) -> Words:
        """Every combination of start values, shape (width, n), the last variable changing fastest."""
        words = np.zeros((self.width, 1), np.uint64)
        for v in variables:
            f = self.fields[v.name]
            starts = np.array([self._checked(f, code) << f.shift for code in v.starts], np.uint64)
            words = np.repeat(words, starts.size, axis=1)
            words[f.word] |= np.tile(starts, words.shape[1] // starts.size)
        return words

    @staticmethod
    def _checked(field: Field, code: int) -> int:
        if not 0 <= code <= field.high:
            raise ModelError(f"{field.name} ranges over 0..{field.high}, not {code}")
        return int(code)
