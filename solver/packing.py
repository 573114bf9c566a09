"""Exact packing of a state into 64-bit words.

Exact means that two states share words only if they are the same state: a visited set over packed
words loses nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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


@dataclass(frozen=True)
class Blocks:
    """Equally wide parts of a state, for members that can change places: word and shift of each."""

    bits: int
    places: tuple[tuple[int, int], ...]


class Layout:
    """Which bits of which word each variable of a system takes. No variable straddles two words.

    ``families`` are lists of members, each the names of its variables in the same order; the variables of a
    member lie side by side in one word, and ``blocks`` says where. ModelError if a member is too wide.
    """

    def __init__(self, variables: Iterable[Variable], families: Sequence[Sequence[Sequence[str]]] = ()):
        declared = tuple(variables)
        by_name = {v.name: v for v in declared}
        members = [[by_name[name] for name in member] for family in families for member in family]
        inside = {v.name for member in members for v in member}
        placed: dict[str, Field] = {}
        used = [0]
        for group in sorted([*members, *([v] for v in declared if v.name not in inside)], key=lambda g: -_width(g)):
            bits = _width(group)
            if bits > WORD:
                raise ModelError(f"{group[0].name} and what belongs to it take {bits} bits, more than {WORD}")
            word = next((w for w, taken in enumerate(used) if taken + bits <= WORD), len(used))
            used += [0] * (word + 1 - len(used))
            for v in group:
                placed[v.name] = Field(v.name, word, used[word], v.bits, v.high)
                used[word] += v.bits
        self.fields = {v.name: placed[v.name] for v in declared}
        self.used = tuple(used)
        self.blocks = tuple(self._blocks(family) for family in families)

    @classmethod
    def of(cls, system: System, families: Sequence[Sequence[Sequence[str]]] = ()) -> Layout:
        """The layout of a system's variables."""
        return cls(system.variables, families)

    def _blocks(self, family: Sequence[Sequence[str]]) -> Blocks:
        first = [self.fields[member[0]] for member in family]
        return Blocks(sum(self.fields[name].bits for name in family[0]), tuple((f.word, f.shift) for f in first))

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

    def canonical(self, words: Words) -> Words:
        """States with the blocks of each family in ascending order: one for all that differ in who is who."""
        if not self.blocks:
            return words
        after = words.copy()
        for blocks in self.blocks:
            mask = np.uint64((1 << blocks.bits) - 1)
            keys = [(words[word] >> np.uint64(shift)) & mask for word, shift in blocks.places]
            for i, j in exchanges(len(keys)):
                keys[i], keys[j] = np.minimum(keys[i], keys[j]), np.maximum(keys[i], keys[j])
            for key, (word, shift) in zip(keys, blocks.places, strict=True):
                after[word] &= ~(mask << np.uint64(shift))
                after[word] |= key << np.uint64(shift)
        return after

    @staticmethod
    def _checked(field: Field, code: int) -> int:
        if not 0 <= code <= field.high:
            raise ModelError(f"{field.name} ranges over 0..{field.high}, not {code}")
        return int(code)


def exchanges(members: int) -> Iterator[tuple[int, int]]:
    """The comparisons of neighbours that put so many members in order, whatever they are (odd and even in turn)."""
    for turn in range(members):
        yield from ((i, i + 1) for i in range(turn % 2, members - 1, 2))


def _width(group: Sequence[Variable]) -> int:
    return sum(v.bits for v in group)
