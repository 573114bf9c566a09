"""The machine that was measured, in words, and its memory made ready."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

import numpy as np

_VERSIONS = {"gcc": "--version", "spin": "-V", "rumur": "--version", "java": "-version"}


def described() -> Iterator[str]:
    """One line for the hardware, and one for each piece of software that takes part."""
    yield f"{_field('/proc/cpuinfo', 'model name')}, {os.cpu_count()} cores, {_memory() / 2**30:.0f} GiB of memory"
    yield f"{platform.system()} {platform.release()}"
    yield f"Load average of the minute before the first measurement: {os.getloadavg()[0]:.1f}"
    yield f"Python {platform.python_version()}, numpy {metadata.version('numpy')}, z3 {metadata.version('z3-solver')}"
    for program, option in _VERSIONS.items():
        if shutil.which(program):
            yield _version(program, option)


def _field(path: str, name: str) -> str:
    """A field of one of the kernel's tables, or "unknown"."""
    file = Path(path)
    found = re.search(rf"^{name}\s*:\s*(.+)$", file.read_text("utf-8"), re.M) if file.exists() else None
    return found[1] if found else "unknown"


def _memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def _version(program: str, option: str) -> str:
    told = subprocess.run([program, option], capture_output=True, text=True, check=False)
    return (told.stdout or told.stderr).splitlines()[0].strip()


def warm(bytes_: int) -> None:
    """Touch memory once and give it back: what a virtual machine has never touched is slow the first time."""
    free = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES")
    np.ones(min(bytes_, free * 6 // 10) // 8, np.uint64)
