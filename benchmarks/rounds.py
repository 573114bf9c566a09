"""Rounds of measurements, the tools alternating inside each, and the file that remembers them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from benchmarks.measurement import Measurement
from benchmarks.peers import Tool
from benchmarks.sizes import Size

Say = Callable[[str], None]


def planned(sizes: Sequence[Size], tools: Sequence[Tool], rounds: int) -> Iterator[tuple[Size, Tool, int]]:
    """Size by size, round by round, every tool once: what slows the machine for a while slows all."""
    for size in sizes:
        for round_ in range(rounds):
            yield from ((size, tool, round_) for tool in tools if tool.fits(size))


def remembered(path: Path) -> list[Measurement]:
    """The measurements in a file, the last line left out if writing it was interrupted."""
    if not path.exists():
        return []
    whole = path.read_text("utf-8").rpartition("\n")[0]
    return [Measurement(**json.loads(line)) for line in whole.splitlines()]


def measure(plan: Iterable[tuple[Size, Tool, int]], path: Path, resume: bool, say: Say) -> list[Measurement]:
    """Every planned measurement; each is written when it is made, and with ``resume`` not made again."""
    known = remembered(path) if resume else []
    done = {(m.size, m.tool, m.round): m for m in known}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(_line(m) for m in known), "utf-8")
    found = []
    for size, tool, round_ in plan:
        key = (size.name, tool.name, round_)
        made = done.get(key) or _made(size, tool, round_, path)
        say(f"{size.name}, round {round_ + 1}, {tool.name}: {made.search:.3f} s, {made.wall:.2f} s in all")
        found.append(made)
    return found


def _made(size: Size, tool: Tool, round_: int, path: Path) -> Measurement:
    """One measurement, in a folder of the tool's own beside the file."""
    folder = (path.parent / "bench" / re.sub(r"\W+", "_", f"{size.name} {tool.name}")).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    made = tool.measure(size, folder, round_)
    with path.open("a", encoding="utf-8") as file:
        file.write(_line(made))
    return made


def _line(measurement: Measurement) -> str:
    return json.dumps(asdict(measurement)) + "\n"
