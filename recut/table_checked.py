"""A checked table: what is proved of it, what is wrong with its form, what changed, and why its rows decide so."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from model.decision_table import Rule, region_text
from properties.verdict import Outcome, Verdict, worst
from recut.findings import Finding, Level, table_findings
from recut.report_table_diff import decisions, reached, summary
from recut.sentences import meanings
from recut.table_change import Difference, Forbid, Judged, Proved
from recut.table_faults import Fault, Faults
from solver.table_explained import Explained

OF_FORM = {"gap": "table_is_total", "overlap": "table_is_unique", "dead row": "table_has_no_dead_row"}
ALLOWED = "edit_is_allowed"
CHANGED = "decision_changed"


@dataclass(frozen=True)
class Checked:
    """A table with everything that a report of it shows; ``difference`` is from the baseline, if there is one."""

    proved: Proved
    faults: Faults
    difference: Difference | None
    forbid: Forbid
    explained: tuple[Explained, ...] = ()

    @property
    def outcome(self) -> Outcome:
        """All verdicts together, and whether the edit is rejected."""
        own = worst(v.outcome for v in self.proved.verdicts)
        return own if self.difference is None else worst((own, self.difference.outcome(self.forbid)))


def verdicts(checked: Checked) -> list[Verdict]:
    """A verdict for each sentence, and one on the edit where there is a baseline."""
    found = list(checked.proved.verdicts)
    if checked.difference is not None:
        outcome, said = checked.difference.outcome(checked.forbid), summary(checked.difference, checked.forbid)
        how = "every cut of both tables compared, and both proved"
        found.append(Verdict(ALLOWED, outcome, how, f"--forbid {checked.forbid}", reason=said))
    return found


def details(tables: Sequence[Checked]) -> Mapping[tuple[str, str], str]:
    """The findings of each sentence that is no success, by the table's path as it was given and the sentence."""
    found: dict[tuple[str, str], list[str]] = {}
    for checked in tables:
        for finding in findings([checked]):
            at = f"line {finding.line}: " if finding.line else ""
            found.setdefault((checked.proved.path, finding.rule_id), []).append(f"{at}{finding.message}")
    return {place: "\n".join(lines) for place, lines in found.items()}


def findings(tables: Sequence[Checked]) -> list[Finding]:
    """What is wrong, at the rows that are responsible; with a baseline every change too, as a note or an error."""
    found = [f for checked in tables for f in _findings(checked)]
    return list({f.fingerprint: f for f in found}.values())


def _findings(checked: Checked) -> Iterator[Finding]:
    explained = {OF_FORM[fault.kind] for fault in checked.faults.listed}
    yield from (f for f in table_findings([checked.proved]) if f.rule_id not in explained)
    yield from (_fault(checked.proved, fault) for fault in checked.faults.listed)
    if checked.difference is not None:
        yield from _changes(checked.difference, checked.forbid)


def _fault(proved: Proved, fault: Fault) -> Finding:
    said = f"{fault_text(fault)}. Reached: {reached(fault.reached)}."
    help = f"add the row {fault.row}" if fault.row else "remove a row, or narrow it"
    rule = fault.rules[-1] if fault.rules else None
    about = f"{rule.name} " if rule else ""
    return _finding(proved, OF_FORM[fault.kind], Level.ERROR, said, help, rule, about + region_text(fault.region))


def fault_text(fault: Fault) -> str:
    """A fault in a sentence."""
    names = " and ".join(f"{rule.name} (line {rule.line})" for rule in fault.rules)
    says = {"gap": "No rule decides", "overlap": f"{names} both decide", "dead row": f"{names} decides nothing at"}
    return f"{says[fault.kind]} {region_text(fault.region)}"


def _changes(found: Difference, forbid: Forbid) -> Iterator[Finding]:
    why = found.rejected(forbid)
    if why is not None:
        help = "undo the change, or allow it with --forbid"
        yield _finding(found.new, ALLOWED, Level.ERROR, f"{summary(found, forbid)}.", help, None, why)
    for judged in found.changes:
        yield _change(found, judged, judged.rejected(forbid))


def _change(found: Difference, judged: Judged, rejected: bool) -> Finding:
    change = judged.change
    rule = next((r for r in found.new.table.rules if r.name in change.new_rules), None)
    cells = region_text(change.region)
    breaks = f" Breaks {', '.join(judged.broken)}." if judged.broken else ""
    said = f"{decisions(judged)} ({change.direction}) at {cells}.{breaks} Reached: {reached(judged.reached)}."
    level = Level.ERROR if rejected else Level.NOTE
    return _finding(found.new, CHANGED, level, said, "see that this is meant", rule, f"{decisions(judged)} {cells}")


def _finding(
    proved: Proved, rule_id: str, level: Level, said: str, help: str, rule: Rule | None, about: str
) -> Finding:
    line = rule.line if rule else None
    says = OF_EDITS.get(rule_id) or meanings()[rule_id]
    return Finding(rule_id, level, said, proved.table.path, line, help, says, about)


OF_EDITS = {
    ALLOWED: "No change is one that --forbid names.",
    CHANGED: "Cuts are decided otherwise than by the baseline.",
}
"""What findings about edits are about; sentences of the proof say their own."""
