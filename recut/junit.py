"""Verdicts as JUnit XML, which build servers show."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from xml.etree import ElementTree

from properties.verdict import Outcome, Verdict
from recut.told import told

Details = Mapping[tuple[str, str], str]
"""More about a verdict that is no success, by its suite and its name."""


def junit(suites: Iterable[tuple[str, Iterable[Verdict]]], details: Details | None = None) -> str:
    """Named suites of verdicts: a failure fails, what is unknown is an error, what does not apply is skipped.

    A verdict with a trace tells it; another may have ``details``.
    """
    root = ElementTree.Element("testsuites", name="recut")
    for name, verdicts in suites:
        _suite(root, name, list(verdicts), details or {})
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _suite(root: ElementTree.Element, name: str, verdicts: list[Verdict], details: Details) -> None:
    count = {outcome: sum(v.outcome is outcome for v in verdicts) for outcome in Outcome}
    suite = ElementTree.SubElement(
        root,
        "testsuite",
        name=_clean(name),
        tests=str(len(verdicts)),
        failures=str(count[Outcome.FAILS]),
        errors=str(count[Outcome.UNKNOWN]),
        skipped=str(count[Outcome.NOT_APPLICABLE]),
        time=f"{sum(v.seconds for v in verdicts):.2f}",
    )
    for verdict in verdicts:
        _case(suite, name, verdict, details.get((name, verdict.name), ""))


def _case(suite: ElementTree.Element, name: str, verdict: Verdict, detail: str) -> None:
    case = ElementTree.SubElement(
        suite, "testcase", classname=_clean(name), name=_clean(verdict.name), time=f"{verdict.seconds:.2f}"
    )
    kinds = {Outcome.FAILS: "failure", Outcome.UNKNOWN: "error", Outcome.NOT_APPLICABLE: "skipped"}
    if verdict.outcome in kinds:
        rules = f"rules {', '.join(verdict.rules)}" if verdict.rules else ""
        message = ": ".join(part for part in (verdict.how, verdict.reason, rules) if part)
        found = ElementTree.SubElement(case, kinds[verdict.outcome], message=_clean(message))
        found.text = _clean("\n".join(told(verdict.trace)) if verdict.trace else detail) or None


def _clean(text: str) -> str:
    """Without the characters that XML cannot hold."""
    return re.sub("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "?", text)
