"""What is wrong, one place at a time: the data that SARIF, annotations and code quality reports draw."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from model.decision_table import Rule, Table
from model.table_inputs import INPUT_NAMES
from model.text_file import shown
from properties.verdict import Outcome, Verdict
from recut.proof_verdicts import GROUND, sentence
from recut.sentences import meanings
from recut.table_change import Proved
from recut.told import plain
from solver.table_proof_obligations import ProofResult

Values = Mapping[str, bool | int | str]


class Level(StrEnum):
    """How bad a finding is."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong at one place.

    ``rule_id`` names the broken sentence and ``says`` what it says. ``path`` is the file as it was opened and ``line``
    counts from 1; without one the finding is about the whole file. ``about`` is the row of the table, as its file
    calls it, or empty; ``shows`` is a decision and the cut where it is wrong, or empty. ``help`` says what to do.
    """

    rule_id: str
    level: Level
    message: str
    path: str
    line: int | None
    help: str
    says: str = ""
    about: str = ""
    shows: str = ""

    @property
    def fingerprint(self) -> str:
        """SHA-256 in hex of what the finding is about: the same when the row moves or its text changes."""
        return hashlib.sha256("\0".join((self.rule_id, place_of(self.path), self.about)).encode()).hexdigest()


HELP: Mapping[str, str] = {
    "table_is_total": "add a row for such cuts",
    "table_has_no_dead_row": "remove the row, or narrow the rows that cover it",
}
CHANGE_ROW = "decide otherwise in this row, or narrow it so that it does not cover such cuts"
CHANGE_TABLE = "no row of its own is responsible: repair first what other findings name, and check again"
NOT_PROVED = "nothing is promised until this is proved: repair first what fails, and check again"


def place_of(path: str) -> str:
    """A file as seen from the working directory, with slashes; absolute if it is not below it. Always UTF-8."""
    here = Path.cwd()
    spellings = (Path(os.path.abspath(path)), Path(os.path.realpath(path)))
    inside = [file.relative_to(here) for file in spellings if file.is_relative_to(here)]
    return os.fsencode((inside or spellings)[0].as_posix()).decode(errors="replace")


def table_findings(tables: Sequence[Proved]) -> list[Finding]:
    """For each sentence that fails each row that breaks it, and each sentence that is unknown; nothing for the rest.

    What the others rest on comes after them, and what is unknown last, since some readers show only the first ten. A
    table that is given twice has its findings once.
    """
    found = (f for p in tables for v in sorted(p.verdicts, key=_rank) for f in _of(p, v))
    return list({f.fingerprint: f for f in found}.values())


def _rank(verdict: Verdict) -> tuple[bool, bool]:
    return verdict.outcome is Outcome.UNKNOWN, verdict.name in GROUND


def _of(proved: Proved, verdict: Verdict) -> Iterator[Finding]:
    results = [r for r in proved.results if sentence(r) == verdict.name and r.verdict != "holds"]
    if verdict.outcome is Outcome.UNKNOWN:
        yield _finding(proved, verdict, f"{verdict.how}; {verdict.reason}.", NOT_PROVED)
    elif verdict.outcome is Outcome.FAILS:
        cuts = _cuts(proved.table, results)
        for name in verdict.rules:
            yield _at_row(proved, verdict, proved.table.rule(name), cuts.get(name, {}))
        if any(not r.rules for r in results):
            yield _at_table(proved, verdict, [r for r in results if not r.rules])


def _at_row(proved: Proved, verdict: Verdict, rule: Rule, cut: Values) -> Finding:
    at = f" at {cut_text(cut)}" if cut else ""
    said = f"Row {shown(rule.name)} decides {rule.decision}{at or ', which breaks it, too'}."
    return _finding(proved, verdict, said, CHANGE_ROW, rule, f"{rule.decision}{at}")


def _at_table(proved: Proved, verdict: Verdict, results: Sequence[ProofResult]) -> Finding:
    cut = next((r.counterexample for r in results if r.counterexample), {})
    shows = cut_text(cut) if cut else ""
    return _finding(proved, verdict, f"For example at {shows}." if cut else "", CHANGE_TABLE, None, shows)


def _finding(
    proved: Proved, verdict: Verdict, said: str, help: str, rule: Rule | None = None, shows: str = ""
) -> Finding:
    says = meanings().get(verdict.name, "")
    word = "is unknown" if verdict.outcome is Outcome.UNKNOWN else "fails"
    message = " ".join(part for part in (f"{verdict.name} {word}:", says, said) if part)
    line, about = (rule.line, rule.name) if rule else (None, "")
    help = HELP.get(verdict.name, help) if verdict.outcome is Outcome.FAILS else help
    return Finding(verdict.name, Level.ERROR, message, proved.table.path, line, help, says, about, shows)


def _cuts(table: Table, results: Sequence[ProofResult]) -> Mapping[str, Values]:
    """A counterexample for each rule that decides one."""
    cuts: dict[str, Values] = {}
    for found in (r.counterexample for r in results if all(name in r.counterexample for name in INPUT_NAMES)):
        rule = table.lookup({name: str(found[name]) for name in INPUT_NAMES})
        if rule is not None:
            cuts.setdefault(rule.name, found)
    return cuts


def cut_text(found: Values) -> str:
    """The inputs of a counterexample in one line; its world is left out."""
    return ", ".join(f"{name} = {plain(found[name])}" for name in INPUT_NAMES if name in found)
