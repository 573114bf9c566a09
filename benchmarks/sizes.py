"""The named sizes of the race, and the numbers that every tool must find in them."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass

from benchmarks.race import Bounds, race
from model.kernel import System


@dataclass(frozen=True)
class Size:
    """A race with its counts: distinct states, enabled actions of all of them, and the depth.

    ``orbits`` are the states up to an exchange of workers, with their transitions, where they are known.
    ``words`` is how many 64-bit words a state takes.
    """

    name: str
    bounds: Bounds
    states: int
    transitions: int
    depth: int
    violating: int = 0
    words: int = 1
    orbits: tuple[int, int] | None = None

    def system(self) -> System:
        """The race of this size."""
        return race(**asdict(self.bounds))


SIZES = {
    size.name: size
    for size in (
        Size("tiny", Bounds(2, 1, 2, 1, 1, 1, 1), 12_067, 47_555, 20, orbits=(6_111, 23_882)),
        Size("s5", Bounds(2, 1, 4, 3, 1, 1, 2), 145_673, 631_410, 29),
        Size("slim", Bounds(1, 4, 2, 0, 0, 0, 0), 126_117, 361_584, 40, words=2),
        Size("n2bug", Bounds(2, 1, 4, 3, 1, 1, 2, broken=True), 217_245, 959_444, 38, 43_200),
        Size("n2k2a", Bounds(2, 2, 2, 1, 1, 1, 1), 1_102_957, 4_521_068, 35),
        Size("wide", Bounds(2, 4, 1, 0, 0, 0, 0), 1_879_605, 8_180_028, 40, words=2),
        Size("n3b", Bounds(3, 1, 4, 3, 2, 1, 2), 8_765_119, 57_762_502, 32, orbits=(1_484_236, 9_715_349)),
        Size("n3k2a", Bounds(3, 2, 2, 1, 1, 1, 1), 22_096_849, 127_742_118, 38),
        Size("s8b", Bounds(4, 1, 4, 1, 2, 1, 1), 53_660_001, 424_311_889, 31, orbits=(2_350_899, 18_258_244)),
    )
}


def nearest(wanted: str) -> Size:
    """The size with this name, or with about this many states and nothing wrong."""
    if wanted in SIZES:
        return SIZES[wanted]
    states = float(wanted)
    sound = (size for size in SIZES.values() if not size.violating and size.words == 1)
    return min(sound, key=lambda size: abs(math.log(size.states / states)))
