"""SpiffWorkflow, another engine than pyDMNrules, executes the exported table and decides as it does."""

from __future__ import annotations

import functools
import re
from types import SimpleNamespace
from typing import Any

import pytest

from model.table_dmn import dmn
from tests.proofs.edits import RECOVERY, deciding
from tests.table.test_table_dmn import sample

PARSER = pytest.importorskip("SpiffWorkflow.dmn.parser", reason="an independent DMN engine")
SCRIPT = pytest.importorskip("SpiffWorkflow.bpmn.script_engine")


def in_python(text: str) -> str:
    """The file in the dialect of this engine, which has Python in its cells: lists of FEEL become tests with in."""
    text = re.sub(r"<text>not\(([^<]*)\)</text>", r"<text> not in (\1,)</text>", text)
    inputs, rules = text.split("<rule ", 1)
    return inputs + "<rule " + re.sub(r'<text>("[^"<]*",[^<]*)</text>', r"<text> in (\1,)</text>", rules)


@functools.cache
def engine(text: str) -> Any:
    parser = PARSER.BpmnDmnParser()
    parser.add_dmn_str(in_python(text).encode())
    (decision,) = parser.dmn_parsers
    return parser.get_engine(decision, None)


def executed(text: str, cut: dict[str, str]) -> tuple[str, str]:
    """The decision and the reason of the rule that the engine finds."""
    task = SimpleNamespace(data=dict(cut), workflow=SimpleNamespace(script_engine=SCRIPT.PythonScriptEngine()))
    (rule,) = engine(text).decide(task)
    return rule.output_as_dict(task)["decision"], rule.description


def disagreements(text: str, cuts: list[dict[str, str]]) -> set[str]:
    """The rules of the shipped table on whose cuts the engine decides otherwise."""
    found = set()
    for cut in cuts:
        rule = RECOVERY.lookup(cut)
        assert rule is not None
        if executed(text, cut) != (rule.decision, rule.because):
            found.add(rule.name)
    return found


@pytest.mark.parametrize(("each", "more"), [(3, 100), pytest.param(60, 2000, marks=pytest.mark.slow)])
def test_spiffworkflow_decides_as_the_table(each: int, more: int) -> None:
    cuts = sample(each, more)
    assert {rule.name for cut in cuts if (rule := RECOVERY.lookup(cut))} == {rule.name for rule in RECOVERY.rules}
    assert disagreements(dmn(RECOVERY), cuts) == set()


def test_spiffworkflow_notices_another_table() -> None:
    assert disagreements(dmn(deciding("claim-lost", "execute")), sample(1, 0)) == {"claim-lost"}
