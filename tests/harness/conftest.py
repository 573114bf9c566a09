"""Both reports, run once for all tests of this folder."""

from __future__ import annotations

import pytest

from solver.harness import Harness, harness


@pytest.fixture(scope="session")
def found() -> Harness:
    """The reports under the shipped policies."""
    return harness()
