"""DMN: read back as written, valid by its schema, executed by another engine, and hostile files refused."""

from __future__ import annotations

import functools
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.decision_table import EVERYTHING, Table, table_text
from model.first_hit import first_hit
from model.table_diff import differences
from model.table_dmn import NAMESPACE, dmn, parse_dmn
from model.table_file import MOST_RULES, load_table, shipped_tables
from model.table_inputs import DECISIONS, VALUES
from model.text_file import LIMIT
from tests.cli.front import refused, run
from tests.proofs.edits import RECOVERY, deciding
from tests.table.edits_of_tables import rewritten
from tests.table.test_table_regions import small_tables


@pytest.mark.parametrize("name", shipped_tables())
def test_a_shipped_table_is_read_back_as_written(name: str) -> None:
    table = load_table(name)
    assert parse_dmn(dmn(table).encode(), "t.dmn").digest == table.digest


@settings(max_examples=40)
@given(rewritten(RECOVERY), st.text(min_size=1, max_size=20).map(lambda t: " ".join(t.split())).filter(bool))
def test_what_a_rule_is_called_and_says_is_kept(table: Table, text: str) -> None:
    text = "".join(c if c.isprintable() else "?" for c in text)
    named = replace(table, rules=(replace(table.rules[0], name=text, because=text), *table.rules[1:]))
    if len({r.name for r in named.rules}) == len(named.rules):
        assert parse_dmn(dmn(named).encode(), "t.dmn").digest == named.digest


def test_the_file_is_valid_by_the_schema_of_dmn() -> None:
    etree = pytest.importorskip("lxml.etree")
    spiff = pytest.importorskip("SpiffWorkflow", reason="the package that has DMN13.xsd")
    schema = etree.XMLSchema(etree.parse(Path(spiff.__file__).parent / "dmn" / "parser" / "schema" / "DMN13.xsd"))
    schema.assertValid(etree.fromstring(dmn(RECOVERY).encode()))
    broken = dmn(RECOVERY).replace("<inputExpression", "<expression").replace("</inputExpression", "</expression")
    assert not schema.validate(etree.fromstring(broken.encode()))


@functools.cache
def engine(text: str) -> Any:
    rules = pytest.importorskip("pyDMNrules", reason="an independent DMN engine")
    made = rules.DMN()
    assert made.useXML(text) == {}
    return made


def executed(made: Any, cut: dict[str, str]) -> tuple[str, str]:
    """The decision and the rule that the other engine finds."""
    problems, found = made.decide(cut)
    assert problems == {}, problems
    return found["Result"]["recovery.decision"], found["Executed Rule"][2]


def sample(each: int, more: int) -> list[dict[str, str]]:
    """Cuts of every rule, and cuts at random."""
    chance = random.Random(7)
    cuts = [{n: chance.choice(sorted(c)) for n, c in r.cells.items()} for r in RECOVERY.rules for _ in range(each)]
    return cuts + [{n: chance.choice(values) for n, values in VALUES.items()} for _ in range(more)]


@pytest.mark.slow
def test_an_independent_engine_decides_as_the_table() -> None:
    made = engine(dmn(RECOVERY))
    for cut in sample(4, 100):
        rule = RECOVERY.lookup(cut)
        assert rule is not None and executed(made, cut) == (rule.decision, rule.name)


def test_the_engine_notices_another_table() -> None:
    edited = deciding("claim-lost", "execute")
    made = engine(dmn(replace(edited, rules=edited.rules[:4])))
    assert executed(made, {**sample(1, 0)[0], "claim": "lost"})[0] == "execute"


def changed(old: str, new: str, count: int = 1) -> bytes:
    text = dmn(RECOVERY)
    assert old in text
    return text.replace(old, new, count).encode()


@given(small_tables().filter(lambda t: bool(t.rules)))
def test_first_is_turned_into_unique(table: Table) -> None:
    text = dmn(table).replace('hitPolicy="UNIQUE"', 'hitPolicy="FIRST"')
    found = parse_dmn(text.encode(), "t.dmn")
    assert differences(found, first_hit(table)) == ()


@given(small_tables().filter(lambda t: bool(t.rules)))
def test_a_table_of_any_regions_is_read_back_as_written(table: Table) -> None:
    assert parse_dmn(dmn(table).encode(), "t.dmn").digest == table.digest


def test_what_other_tools_write_is_read() -> None:
    text = (
        f'<dmn:definitions xmlns:dmn="{NAMESPACE.replace("20191111", "20180521")}"><dmn:decision><dmn:decisionTable>'
        '<dmn:input label="Claim?"><dmn:inputExpression><dmn:text> claim </dmn:text></dmn:inputExpression></dmn:input>'
        '<dmn:output name="what"/><dmn:annotation name="why"/>'
        '<dmn:rule id="r1"><dmn:inputEntry><dmn:text>not( "held" )</dmn:text></dmn:inputEntry><dmn:outputEntry>'
        '<dmn:text>"stand_down"</dmn:text></dmn:outputEntry><dmn:annotationEntry><dmn:text>Lost.</dmn:text>'
        "</dmn:annotationEntry></dmn:rule>"
        '<dmn:rule id="r2"><dmn:inputEntry><dmn:text>"held"</dmn:text></dmn:inputEntry><dmn:outputEntry>'
        '<dmn:text>"quarantine"</dmn:text></dmn:outputEntry></dmn:rule>'
        "</dmn:decisionTable></dmn:decision></dmn:definitions>"
    )
    table = parse_dmn(text.encode(), "t.dmn")
    said = [(r.name, r.decision, r.because) for r in table.rules]
    assert said == [("r1", "stand_down", "Lost."), ("r2", "quarantine", "The file gives no reason.")]
    assert table.rules[0].cells == {**EVERYTHING, "claim": frozenset({"lost"})}


BOMB = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
HOSTILE = {
    "entities": (f"{BOMB}<x>&b;</x>".encode(), "declares entities or a document type"),
    "a file outside": (f"{OUTSIDE}<x>&a;</x>".encode(), "declares entities or a document type"),
    "a document type": (b'<!DOCTYPE x SYSTEM "http://localhost/x.dtd"><x/>', "declares entities or a document type"),
    "another expression": (changed("<text>claim</text>", "<text>not(claim)</text>"), "input 1: is the expression"),
    "a default": (
        changed("</outputValues>", '</outputValues><defaultOutputEntry><text>"execute"</text></defaultOutputEntry>'),
        "has a default output",
    ),
    "two texts": (changed('<text>"lost"</text>', '<text>"lost"</text><text>"held"</text>'), "rule 1: claim is"),
    "a comment's name": (changed('label="claim-lost"', 'label="#claim-lost"'), "starts as a comment"),
    "a control character": (changed('label="claim-lost"', 'label="claim&#x80;lost"'), "the control character U+0080"),
    "a name spaced otherwise": (changed('label="history-diverged"', 'label=" claim-lost "'), "as an earlier one"),
    "no XML": (b"rule,claim", "is not XML"),
    "cut off": (dmn(RECOVERY).encode()[:5000], "is not XML"),
    "another encoding": (b'<?xml version="1.0" encoding="nonsense"?><x/>', "is not XML"),
    "no table": (b"<definitions/>", "has 0 decision tables"),
    "another policy": (changed('"UNIQUE"', '"COLLECT"'), 'the hit policy is "COLLECT"; use UNIQUE or FIRST'),
    "another input": (changed("<text>claim</text>", "<text>clam</text>").replace(b'label="claim"', b""), '"clam"; did'),
    "another value": (changed('"lost"</text>\n        </inputEntry', '"last"</text>\n        </inputEntry'), '"last"'),
    "other FEEL": (changed('<text>"lost"</text>', "<text>string length(claim) = 4</text>"), "rule 1: claim is"),
    "another decision": (changed('"stand_down"</text>\n        </outputEntry', '"wait"</text></outputEntry'), "wait"),
    "two names": (changed('label="history-diverged"', 'label="claim-lost"'), "as an earlier one"),
    "every value excluded": (changed('<text>"lost"</text>', '<text>not("lost", "held")</text>'), "excludes every"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_file_that_is_none_is_refused_in_one_line(case: str, tmp_path: Path) -> None:
    data, says = HOSTILE[case]
    path = tmp_path / "t.dmn"
    path.write_bytes(data)
    for command in (("table", "import"), ("table", "check")):
        line = refused(run(*command, path))
        assert says in line and str(path) in line


def test_text_that_is_hidden_in_a_cell_is_read() -> None:
    for hidden in ("<b/>", "<!-- none -->"):
        found = parse_dmn(changed('<text>"lost"</text>', f'<text>"lost"{hidden},"held"</text>'), "t.dmn")
        assert found.rules[0].cells["claim"] == {"lost", "held"}


def test_the_largest_table_is_read_back(tmp_path: Path) -> None:
    path, rules = tmp_path / "t.dmn", (replace(RECOVERY.rules[0], name=f"r{n}") for n in range(MOST_RULES))
    table = Table(tuple(rules), "t")
    path.write_text(dmn(table), "utf-8")
    assert path.stat().st_size > LIMIT and load_table(str(path)).digest == table.digest


def test_rows_that_overlap_are_not_called_unique(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(table_text(Table((*RECOVERY.rules, replace(RECOVERY.rules[0], name="again")), "t")), "utf-8")
    assert "overlap" in refused(run("table", "export", path, "--format", "dmn"))


def test_the_commands_write_and_read(tmp_path: Path) -> None:
    path = tmp_path / "t.dmn"
    assert run("table", "export", "recovery", "--format", "dmn", "--output", path).exit_code == 0
    assert run("table", "import", path).stdout == run("table", "export", "recovery").stdout
    assert run("table", "diff", "recovery", path, "--forbid", "any").exit_code == 0
    assert "is neither .dmn nor .xlsx" in refused(run("table", "import", tmp_path / "t.csv"))
    assert set(DECISIONS) >= {r.decision for r in load_table(str(path)).rules}
