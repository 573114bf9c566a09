"""Findings as a SARIF 2.1.0 log, which code scanning and editors show."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import metadata
from typing import Any
from urllib.parse import quote

from recut.findings import Finding, place_of

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"


def sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    """One run with a result a finding; without findings it has no results, which says that all is well."""
    rules = {f.rule_id: f for f in reversed(findings)}
    names = sorted(rules)
    driver = {
        "name": "recut",
        "version": metadata.version("recovery-cut"),
        "rules": [_rule(rules[name]) for name in names],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding, names.index(finding.rule_id)) for finding in findings],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(finding: Finding) -> dict[str, Any]:
    says = _message(finding.says or finding.rule_id)
    return {
        "id": finding.rule_id,
        "shortDescription": says,
        "fullDescription": says,
        "help": _message(finding.help),
        "defaultConfiguration": {"level": str(finding.level)},
    }


def _result(finding: Finding, rule: int) -> dict[str, Any]:
    """A finding about a whole file is shown at its first line, since code scanning wants one."""
    place = {"artifactLocation": {"uri": uri_of(finding.path)}, "region": {"startLine": finding.line or 1}}
    return {
        "ruleId": finding.rule_id,
        "ruleIndex": rule,
        "level": str(finding.level),
        "message": _message(finding.message),
        "locations": [{"physicalLocation": place}],
        "partialFingerprints": {"sentenceAndRow/v1": finding.fingerprint},
    }


def _message(text: str) -> dict[str, str]:
    """Text as it is: no part of it is a placeholder or a link."""
    return {"text": text.replace("{", "{{").replace("}", "}}").replace("](", "] (")}


def uri_of(path: str) -> str:
    """A file as a URI reference: relative to the working directory, or absolute if it is not below it."""
    place = place_of(path)
    return ("file://" if place.startswith("/") else "") + quote(place)
