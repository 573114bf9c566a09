"""How one run is searched: by what, how much of it, with how much memory, and how far it is."""

from __future__ import annotations

import re
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from model.kernel import System, Term
from recut.failure import Interrupted, Refused
from solver.engine import Choice, Engine, NoCompiler
from solver.exploration import Exploration
from solver.explore import Limits, Progress, explore
from solver.memory import available, resident
from solver.packing import Layout
from solver.partial_order import Private, reduced
from solver.symmetry import NotSymmetric

_SIZE = re.compile(r"(\d+)\s*([KMGT]?)(?:i?B)?", re.IGNORECASE)
_UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_LEAST_MEMORY = 64 << 20
SLOTS_A_STATE = 2
"""Slots of a table for each state: 1.4 where it is fullest, 2.9 after it has grown."""


@dataclass(frozen=True)
class Manner:
    """How a run is searched; see the options of ``recut explore``."""

    limits: Limits = Limits()
    lowering: Choice = "auto"
    threads: int = 0
    symmetry: tuple[str, ...] = ()
    partial_order: bool = False
    resume: Path | None = None
    keep_edges: bool = False


@dataclass(frozen=True)
class Searched:
    """A search and the parties that it found to be private, if it was asked to look for some."""

    found: Exploration
    private: tuple[Private, ...]


def search(system: System, manner: Manner, asked: Term) -> Searched:
    """Search a system; a line on stderr tells a terminal how far it is.

    Reductions keep what ``asked`` mentions, so that questions about it have the same answers.

    Raises Refused for what cannot be done in this manner, Interrupted, CheckpointError and ModelError.
    """
    smaller = reduced(system, [asked]) if manner.partial_order else None
    watch = Watch(Layout.of(system)) if sys.stderr.isatty() else None
    if watch:
        print(estimate(watch.layout, manner.limits.memory), file=sys.stderr)
    try:
        found = explore(
            smaller.system if smaller else system,
            {"asked": asked},
            limits=manner.limits,
            engine=Engine(manner.lowering, manner.threads),
            symmetry=manner.symmetry,
            checkpoint_path=manner.resume,
            keep_edges=manner.keep_edges,
            progress=watch,
        )
    except (NotSymmetric, NoCompiler) as problem:
        raise Refused(str(problem)) from None
    except KeyboardInterrupt:
        if manner.resume is None:
            raise
        raise Interrupted(f"interrupted: the same command goes on (--resume {manner.resume})") from None
    finally:
        if watch:
            watch.clear()
    return Searched(found, smaller.private if smaller else ())


def memory_of(text: str | None) -> int | None:
    """Bytes, from a number with K, M, G or T; Refused for anything else, and for too little to run in."""
    if text is None:
        return None
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise Refused(f"--memory: {text!r} is no size; give a number with M or G, such as 512M")
    size = int(match[1]) * _UNITS[match[2].upper()]
    if size < _LEAST_MEMORY:
        raise Refused(f"--memory: {text} is too little to run in; give at least {_LEAST_MEMORY >> 20}M")
    return size


def estimate(layout: Layout, memory: int | None) -> str:
    """What a state takes and how many there is room for, before any is searched."""
    size = 8 * layout.width + 8 * SLOTS_A_STATE
    room = available() if memory is None else memory
    where = "of memory" if memory is None else "of memory, and then on disk"
    number = f"{room / size:,.0f} states in {room >> 20:,} MB {where}"
    return f"{layout.bits} bits in {layout.width} words, about {size:.0f} bytes a state: room for {number}"


@dataclass
class Watch:
    """Says on stderr how far a search is, a few times a second."""

    layout: Layout
    began: float = field(default_factory=time.monotonic)
    said: float = 0.0
    frontiers: dict[int, int] = field(default_factory=dict)

    def __call__(self, news: Progress) -> None:
        """Take news of a search."""
        self.frontiers[news.depth] = news.frontier
        now = time.monotonic()
        if now - self.said >= 0.25:
            self.said = now
            print(f"\r{self.line(news, now - self.began):99.99}", end="", file=sys.stderr, flush=True)

    def line(self, news: Progress, seconds: float) -> str:
        """States, rate, depth, frontier, memory, and when it may end."""
        rate = news.states / max(seconds, 1e-9)
        done = f"depth {news.depth}: {news.done:,} of {news.frontier:,}"
        parts = [f"{news.states:,} states of {self.layout.bits} bits", f"{rate:,.0f}/s", done]
        return ", ".join([*parts, f"{resident() >> 20:,} MB", self._end(news, rate)])

    def _end(self, news: Progress, rate: float) -> str:
        """When it would end if levels went on shrinking as the last ones did."""
        sizes = [self.frontiers[depth] for depth in sorted(self.frontiers)][-3:]
        if len(sizes) < 3 or not sizes[0] > sizes[1] > sizes[2]:
            return "still growing"
        shrinking = sizes[2] / sizes[1]
        return f"about {sizes[2] * shrinking / (1 - shrinking) / max(rate, 1e-9):,.0f} s left"

    def clear(self) -> None:
        """Leave the line empty."""
        print(f"\r{'':99}\r", end="", file=sys.stderr, flush=True)
