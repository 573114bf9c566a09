"""One measurement: what a tool found in one size, how long it took and what it needed."""

from __future__ import annotations

from dataclasses import dataclass

from benchmarks.process import BenchmarkError
from benchmarks.sizes import Size


@dataclass(frozen=True)
class Measurement:
    """A tool on a size, once.

    ``setup`` is what goes before the search (writing the model for the tool, compiling it, starting),
    ``search`` the tool's own search time, or that of its process where it tells none, and ``wall`` the
    whole way from the model to the answer. ``peak`` is in bytes; ``cpu`` are the processor seconds of all
    threads of the process that searched, which another program on the machine changes little.
    ``transitions`` and ``depth`` are None where the tool does not tell them.
    """

    size: str
    tool: str
    round: int
    states: int
    transitions: int | None
    depth: int | None
    setup: float
    search: float
    wall: float
    peak: int
    cpu: float
    symmetry: bool = False


def checked(found: Measurement, size: Size) -> Measurement:
    """The measurement itself; BenchmarkError if a count is not that of the size."""
    states, transitions = size.orbits or (0, 0) if found.symmetry else (size.states, size.transitions)
    _same(found, "states", found.states, states)
    _same(found, "transitions", found.transitions, transitions)
    if not found.symmetry:
        _same(found, "levels", found.depth, size.depth)
    return found


def _same(found: Measurement, what: str, number: int | None, expected: int) -> None:
    if number is not None and number != expected:
        raise BenchmarkError(f"{found.tool} found {number} {what} in {found.size}, where there are {expected}")
