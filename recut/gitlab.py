"""Findings as a code quality report, which GitLab shows in merge requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from recut.findings import Finding, Level, place_of

SEVERITIES = {Level.ERROR: "critical", Level.WARNING: "minor", Level.NOTE: "info"}


def gitlab(findings: Sequence[Finding]) -> list[dict[str, Any]]:
    """One issue a finding; one about a whole file is shown at its first line, since GitLab wants one."""
    return [
        {
            "description": finding.message,
            "check_name": finding.rule_id,
            "fingerprint": finding.fingerprint,
            "severity": SEVERITIES[finding.level],
            "location": {"path": place_of(finding.path), "lines": {"begin": finding.line or 1}},
        }
        for finding in findings
    ]
