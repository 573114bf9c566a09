"""Tables as DMN 1.3: one decision table with the hit policy UNIQUE, read back also from what other tools write."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NoReturn
from xml.etree import ElementTree as Tree

from defusedxml import DefusedXmlException
from defusedxml import ElementTree as Defused

from model.decision_table import Rule, Table, TableError
from model.first_hit import checked_first_hit
from model.table_file import MOST_RULES, NAME_REMEDY
from model.table_inputs import DECISIONS, INPUT_NAMES, VALUES
from model.text_file import CONTROL, nearest, place, shown

NAMESPACE = "https://www.omg.org/spec/DMN/20191111/MODEL/"
REMEDY = "give a DMN file with one decision table, such as recut table export --format dmn writes"
_TEST = re.compile(r'(not\s*\(\s*)?("[^"]*"(?:\s*,\s*"[^"]*")*)\s*(\))?')
_POLICIES = {"UNIQUE": "UNIQUE", "FIRST": "FIRST", "U": "UNIQUE", "F": "FIRST"}


def dmn(table: Table) -> str:
    """A table as a DMN 1.3 file; a rule has its name as its label and its reason as its description."""
    root = Tree.Element("definitions", {"xmlns": NAMESPACE, "id": "recut", "name": "recut", "namespace": NAMESPACE})
    decision = Tree.SubElement(root, "decision", {"id": "decision_recovery", "name": "recovery"})
    Tree.SubElement(decision, "variable", {"id": "variable_decision", "name": "recovery", "typeRef": "string"})
    made = Tree.SubElement(decision, "decisionTable", {"id": "table_recovery", "hitPolicy": "UNIQUE"})
    for name in INPUT_NAMES:
        _input(made, name)
    output = Tree.SubElement(made, "output", {"id": "output_decision", "name": "decision", "typeRef": "string"})
    _text(Tree.SubElement(output, "outputValues", {"id": "values_decision"}), _listed(DECISIONS))
    for number, rule in enumerate(table.rules, 1):
        _rule(made, number, rule)
    Tree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Tree.tostring(root, encoding="unicode") + "\n"


def _input(table: Tree.Element, name: str) -> None:
    made = Tree.SubElement(table, "input", {"id": f"input_{name}", "label": name})
    _text(Tree.SubElement(made, "inputExpression", {"id": f"expression_{name}", "typeRef": "string"}), name)
    _text(Tree.SubElement(made, "inputValues", {"id": f"values_{name}"}), _listed(VALUES[name]))


def _rule(table: Tree.Element, number: int, rule: Rule) -> None:
    made = Tree.SubElement(table, "rule", {"id": f"rule_{number}", "label": rule.name})
    Tree.SubElement(made, "description").text = rule.because
    for name in INPUT_NAMES:
        entry = Tree.SubElement(made, "inputEntry", {"id": f"rule_{number}_{name}"})
        _text(entry, _unary_test(VALUES[name], rule.cells[name]))
    _text(Tree.SubElement(made, "outputEntry", {"id": f"rule_{number}_decision"}), f'"{rule.decision}"')


def _text(parent: Tree.Element, text: str) -> None:
    Tree.SubElement(parent, "text").text = text


def _listed(values: Sequence[str]) -> str:
    return ",".join(f'"{value}"' for value in values)


def _unary_test(values: Sequence[str], cell: frozenset[str]) -> str:
    inside, outside = [v for v in values if v in cell], [v for v in values if v not in cell]
    if not outside:
        return "-"
    return _listed(inside) if len(inside) <= len(outside) else f"not({_listed(outside)})"


def parse_dmn(data: bytes, path: str) -> Table:
    """The table in a DMN file, with the hit policy FIRST turned into a unique table that decides the same.

    An input that the file does not have is any. Raises TableError with one line for everything else than one
    decision table over the inputs, with the decisions of this program and cells that are lists of values.
    """
    where = place(path)
    try:
        root = Defused.fromstring(data, forbid_dtd=True)
    except DefusedXmlException:
        raise TableError(f"{where}: declares entities or a document type, which is refused; {REMEDY}") from None
    except (Tree.ParseError, ValueError, LookupError) as problem:
        raise TableError(f"{where}: is not XML: {shown(str(problem))}; {REMEDY}") from None
    tables = list(_all(root, "decisionTable"))
    if len(tables) != 1:
        raise TableError(f"{where}: has {len(tables)} decision tables; {REMEDY}")
    return _Reader(tables[0], path).table()


class _Reader:
    """One decision table while it is read."""

    def __init__(self, element: Tree.Element, path: str) -> None:
        self.element, self.path = element, path
        self.inputs = [self._input(at, e) for at, e in enumerate(_all(element, "input"), 1)]
        self.annotations = [e.get("name", "") for e in _all(element, "annotation")]

    def table(self) -> Table:
        """The whole table."""
        policy = _POLICIES.get(self.element.get("hitPolicy", "UNIQUE"))
        if policy is None:
            given = shown(self.element.get("hitPolicy", ""))
            raise TableError(f"{place(self.path)}: the hit policy is {given}; use UNIQUE or FIRST")
        output = self._output()
        rows = list(_all(self.element, "rule"))
        if not rows or len(rows) > MOST_RULES:
            raise TableError(f"{place(self.path)}: has {len(rows)} rules; give 1 to {MOST_RULES:,}")
        found = Table(tuple(self._rule(at, row, output) for at, row in enumerate(rows, 1)), self.path)
        self._names(found)
        return checked_first_hit(found, MOST_RULES) if policy == "FIRST" else found

    def _input(self, at: int, element: Tree.Element) -> str:
        expression = next(iter(_all(element, "inputExpression")), None)
        names = [_said(expression) if expression is not None else "", element.get("label", "")]
        if names[0] and not re.fullmatch(r"[\w.]+", names[0]):
            self._fail(f"input {at}", f"is the expression {shown(names[0])}; write the name of an input alone")
        name = next((n for n in names if n in VALUES), None)
        if name is None:
            self._fail(f"input {at}", f"is {shown(names[0] or names[1])}; {nearest(names[0] or names[1], INPUT_NAMES)}")
        return name

    def _output(self) -> int:
        """Which output is the decision: the only one, or the one that is called so."""
        if len(set(self.inputs)) != len(self.inputs):
            self._fail("the table", "has an input twice; remove one")
        outputs = list(_all(self.element, "output"))
        if any(True for e in outputs for _ in _all(e, "defaultOutputEntry")):
            self._fail("the table", "has a default output, which decides where no rule does; write rules instead")
        names = [e.get("name") or e.get("label") or "" for e in outputs]
        if len(names) == 1:
            return 0
        if names.count("decision") != 1:
            self._fail("the table", f"has {len(names)} outputs; call one of them decision")
        return names.index("decision")

    def _rule(self, at: int, row: Tree.Element, output: int) -> Rule:
        where = f"rule {at}"
        tests, results = list(_all(row, "inputEntry")), list(_all(row, "outputEntry"))
        if len(tests) != len(self.inputs) or output >= len(results):
            self._fail(where, f"has {len(tests)} cells for {len(self.inputs)} inputs and {len(results)} results")
        cells = {name: frozenset(values) for name, values in VALUES.items()}
        for name, test in zip(self.inputs, tests, strict=True):
            cells[name] = self._cell(where, name, _said(test))
        decision = _said(results[output])
        if decision[:1] != '"' or decision[-1:] != '"' or decision[1:-1] not in DECISIONS:
            remedy = nearest(decision.strip('"'), DECISIONS)
            self._fail(where, f"decision is {shown(decision)}; {remedy}, in quotes")
        said = dict(zip(self.annotations, map(_said, _all(row, "annotationEntry")), strict=False))
        description = next((" ".join((e.text or "").split()) for e in _all(row, "description")), "")
        because = description or said.get("because") or next((v for n, v in said.items() if v and n != "rule"), "")
        labels = (row.get("label", ""), said.get("rule", ""), row.get("id", ""), where)
        name = next(label for label in (" ".join(label.split()) for label in labels) if label)
        self._readable(where, name, because)
        return Rule(name, cells, decision[1:-1], because or "The file gives no reason.", at)

    def _readable(self, where: str, name: str, because: str) -> None:
        """What a table file cannot say is refused, so that a table that was read can be written."""
        if name.startswith("#"):
            self._fail(where, f"the rule name {shown(name)} starts as a comment; {NAME_REMEDY}")
        control = next((c for c in name + because if c in CONTROL), None)
        if control is not None:
            self._fail(where, f"its name or reason has the control character U+{ord(control):04X}; remove it")

    def _cell(self, where: str, name: str, text: str) -> frozenset[str]:
        """Any, a list of values, or all but a list; nothing else of FEEL."""
        if text in ("", "-"):
            return frozenset(VALUES[name])
        found = _TEST.fullmatch(text)
        if found is None or bool(found[1]) != bool(found[3]):
            self._fail(where, f'{name} is {shown(text)}; write -, "a", "a","b" or not("a","b")')
        values = re.findall(r'"([^"]*)"', found[2])
        for value in values:
            if value not in VALUES[name]:
                self._fail(where, f"{name} is {shown(value)}; {nearest(value, VALUES[name])}")
        cell = frozenset(VALUES[name]) - set(values) if found[1] else frozenset(values)
        if not cell:
            self._fail(where, f"{name} is {shown(text)}, which excludes every value; keep at least one")
        return cell

    def _names(self, table: Table) -> None:
        seen: set[str] = set()
        for rule in table.rules:
            if rule.name in seen:
                self._fail(f"rule {rule.line}", f"is called {shown(rule.name)} as an earlier one; rename one")
            seen.add(rule.name)

    def _fail(self, where: str, fault: str) -> NoReturn:
        raise TableError(f"{place(self.path)}: {where}: {fault}")


def _all(parent: Tree.Element, name: str) -> Iterator[Tree.Element]:
    """Elements of this name in any namespace: children, and for a decision table all below."""
    found = parent.iter() if name == "decisionTable" else iter(parent)
    return (e for e in found if isinstance(e.tag, str) and e.tag.rpartition("}")[2] == name)


def _said(element: Tree.Element) -> str:
    """All that an element's text says, in one line."""
    return " ".join(" ".join("".join(e.itertext()) for e in _all(element, "text")).split())
