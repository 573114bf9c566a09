"""How much memory this process has, and what is left of what it may take."""

from __future__ import annotations

import os
import resource
from pathlib import Path

_LEAST = 32 << 20


def resident() -> int:
    """Bytes of memory that this process has now (its most so far where the system does not say)."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except (OSError, ValueError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    return pages * os.sysconf("SC_PAGE_SIZE")


def available() -> int:
    """Bytes of memory that the system could give to this process (all it has where it does not say)."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, ValueError, IndexError, StopIteration):
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")


def left_of(memory: int | None) -> int | None:
    """What a search may take when the process may have ``memory`` bytes in all; None where nothing limits it.

    A quarter is kept for what a search needs beside its states. It is never less than a search needs to get
    anywhere.
    """
    return None if memory is None else max(_LEAST, (memory - resident()) * 3 // 4)
