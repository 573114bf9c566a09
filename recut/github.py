"""Findings as workflow commands, which GitHub shows as annotations beside the lines they are about."""

from __future__ import annotations

from collections.abc import Sequence

from properties.verdict import Outcome
from recut.findings import Finding, Level, place_of

COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}
OF_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
OF_PROPERTIES = {**OF_DATA, ":": "%3A", ",": "%2C"}


def github(findings: Sequence[Finding], outcome: Outcome, what: str) -> str:
    """A command a finding, and the verdict on ``what`` as the last line."""
    return "".join(f"{_command(finding)}\n" for finding in findings) + f"{what}: {outcome}\n"


def _command(finding: Finding) -> str:
    properties = {"file": place_of(finding.path), "line": finding.line or "", "title": f"recut {finding.rule_id}"}
    written = ",".join(f"{name}={_escaped(str(value), OF_PROPERTIES)}" for name, value in properties.items() if value)
    return f"::{COMMANDS[finding.level]} {written}::{_escaped(f'{finding.message} To do: {finding.help}.', OF_DATA)}"


def _escaped(text: str, marks: dict[str, str]) -> str:
    """Text with marks that a command cannot hold; no other character could begin a line of its own."""
    printable = (c if c.isprintable() or c in marks else "?" for c in text)
    return "".join(marks.get(c, c) for c in printable)
