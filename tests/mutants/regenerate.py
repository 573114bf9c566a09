"""Compute the kill matrix anew: ``python -m tests.mutants.regenerate`` (``make kill-matrix``)."""

from __future__ import annotations

import sys
from pathlib import Path

from properties.mutants.catalogue import MUTANTS
from solver.kill_matrix import Row, kill_row, matrix_json

GOLDEN = Path(__file__).with_name("kill_matrix.json")


def main() -> None:
    """Search every run and write the golden file."""
    rows: dict[str, Row] = {}
    for at, mutant in enumerate(MUTANTS, 1):
        rows[mutant.name] = kill_row(mutant)
        print(f"{at}/{len(MUTANTS)} {mutant.name}: {len(rows[mutant.name])} broken", file=sys.stderr)
    GOLDEN.write_text(matrix_json(rows), "utf-8")


if __name__ == "__main__":
    main()
