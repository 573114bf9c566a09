"""``python -m benchmarks``: measure every tool on every size, and write the table."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from benchmarks.machine import described, warm
from benchmarks.peers import Tool, tools
from benchmarks.report import markdown, rows
from benchmarks.rounds import measure, planned
from benchmarks.sizes import Size, nearest

ROOT = Path(__file__).resolve().parents[1]
BYTES_A_STATE = 64


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure as the command line says."""
    given = _parsed(arguments)
    sizes = [nearest(name) for name in ("s5,n2k2a" if given.quick else given.sizes).split(",")]
    missing = {tool.name: why for tool in tools() if (why := tool.missing())}
    missing |= {tool.name: "left out by --tools" for tool in tools() if not _wanted(tool, given.tools)}
    chosen = [tool for tool in tools() if tool.name not in missing]
    machine = list(described())
    warm(max(size.states for size in sizes) * BYTES_A_STATE)
    plan = planned(sizes, chosen, 1 if given.quick else given.rounds)
    found = measure(plan, given.raw, given.resume, lambda line: print(line, file=sys.stderr, flush=True))
    _written(given.output, markdown(rows(found), machine, missing | _NEVER), sizes)


_NEVER = {"musil": "needs Python 3.12 or later"} if sys.version_info < (3, 12) else {"musil": "no writer for it yet"}


def _parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--sizes", default="1e5,1e6,1e7,5e7", help="numbers of states or names, by commas")
    parser.add_argument("--rounds", type=int, default=3, help="how often each tool is run (default 3)")
    parser.add_argument("--quick", action="store_true", help="the two smallest sizes, one round")
    parser.add_argument("--resume", action="store_true", help="keep the measurements of an interrupted run")
    parser.add_argument("--tools", default="", help="beginnings of names, by semicolons; all by default")
    parser.add_argument("--output", type=Path, default=ROOT / "docs" / "benchmarks.md")
    parser.add_argument("--raw", type=Path, default=ROOT / "build" / "benchmarks.jsonl")
    return parser.parse_args(arguments)


def _wanted(tool: Tool, names: str) -> bool:
    return not names or tool.name.startswith(tuple(name.strip() for name in names.split(";")))


def _written(path: Path, text: str, sizes: Sequence[Size]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    print(f"{path}: {', '.join(size.name for size in sizes)}")


if __name__ == "__main__":
    main()
