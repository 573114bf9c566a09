"""How many cuts a second a table decides: ``python -m benchmarks.lookups [CUTS]``."""

from __future__ import annotations

import json
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from model.table_file import load_table
from model.table_inputs import VALUES
from model.table_lookup import Lookup

ROUNDS = 5
MOST_PLAIN = 20_000


def main() -> None:
    """Measure the ways one after the other, in rounds, and print the medians."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 400_000
    chance = random.Random(1)
    cuts = [{name: chance.choice(values) for name, values in VALUES.items()} for _ in range(count)]
    table = load_table("recovery")
    lookup = Lookup(table)
    codes = lookup.codes(cuts)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "cuts.jsonl"
        file.write_text("".join(json.dumps(cut) + "\n" for cut in cuts), "utf-8")
        command = [sys.executable, "-m", "recut.cli", "decide", str(file), "--output", str(Path(folder) / "answers")]
        ways: dict[str, tuple[int, Callable[[], object]]] = {
            "Table.lookup, one by one": (MOST_PLAIN, lambda: [table.lookup(cut) for cut in cuts[:MOST_PLAIN]]),
            "Lookup.numbers, codes": (count, lambda: lookup.numbers(codes)),
            "Lookup.decide, labels": (count, lambda: lookup.decide(cuts)),
            "recut decide, a process": (count, lambda: subprocess.run(command, check=True)),
        }
        times: dict[str, list[float]] = {name: [] for name in ways}
        for _ in range(ROUNDS):
            for name, (_, way) in ways.items():
                began = time.perf_counter()
                way()
                times[name].append(time.perf_counter() - began)
    for name, (size, _) in ways.items():
        print(f"{name:26}{size / statistics.median(times[name]):14,.0f} cuts/s")


if __name__ == "__main__":
    main()
