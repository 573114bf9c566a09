"""Generated examples are the same in every run, and slow machines do not fail a test."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")
