"""Whole processes, measured: wall time, peak memory and output."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_LAUNCHER = Path(__file__).with_name("launcher.py")


class BenchmarkError(RuntimeError):
    """A tool that failed, or that found other numbers than the model has."""


@dataclass(frozen=True)
class Finished:
    """A process that ended well: wall seconds, peak memory in bytes, what it printed, processor seconds."""

    seconds: float
    peak: int
    output: str
    cpu: float = 0.0


def run(command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None) -> Finished:
    """Run a command in a folder; BenchmarkError with the end of its output if it fails."""
    with tempfile.TemporaryDirectory() as scratch:
        output = Path(scratch) / "output"
        launched = [sys.executable, "-I", "-S", str(_LAUNCHER), str(output), *command]
        told = subprocess.run(
            launched, cwd=folder, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=True
        )
        measured, printed = json.loads(told.stdout), output.read_text("utf-8", "replace")
    if measured["status"] != 0:
        raise BenchmarkError(f"{' '.join(command)} ended with status {measured['status']}:\n{printed[-2000:]}")
    return Finished(measured["seconds"], measured["peak"], printed, measured["cpu"])
