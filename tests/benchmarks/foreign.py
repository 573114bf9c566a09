"""Programs that are not Python packages: a test that needs one is skipped without it, unless they are required."""

from __future__ import annotations

import os
import shutil

import pytest


def needed(*programs: str) -> None:
    """Skip the test, saying why, where a program is absent; fail where RECUT_FOREIGN=required."""
    absent = [program for program in programs if shutil.which(program) is None]
    if absent and os.environ.get("RECUT_FOREIGN") == "required":
        pytest.fail(f"{', '.join(absent)} must be installed: RECUT_FOREIGN=required")
    if absent:
        pytest.skip(f"{', '.join(absent)} is not installed")
