"""What a check found, for people: the verdict table last, everything that it rests on before it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from properties.verdict import Outcome, Trace, Verdict
from recut.report_check import Checked, actions, deadlines, situations
from recut.told import told

COLOUR = {
    Outcome.HOLDS: "green",
    Outcome.FAILS: "bold red",
    Outcome.UNKNOWN: "yellow",
    Outcome.NOT_APPLICABLE: "dim",
}


def heading(text: str) -> Text:
    """A heading with an empty line above it."""
    return Text(f"\n{text}", style="bold")


def columns(*names: str, numbers: int = 0) -> Table:
    """A table without lines, of which the last ``numbers`` columns are numbers."""
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="dim")
    for at, name in enumerate(names):
        right = at >= len(names) - numbers
        table.add_column(name, justify="right" if right else "left", no_wrap=right, overflow="fold")
    return table


def text(checked: Checked) -> Iterator[RenderableType]:
    """Runs, coverage, counterexamples, and the verdicts at the end."""
    subject, report = checked.subject, checked.report
    yield Text(f"contract {subject.contract.name}: {subject.contract.contract.effect}")
    yield Text(f"policy {subject.policy.name}: {subject.policy.summary}")
    yield from _runs(checked)
    yield from _coverage(checked)
    for verdict in report.verdicts:
        if verdict.trace is not None:
            yield from counterexample(verdict, verdict.trace, checked.files.get(verdict.name))
    yield from _disagreements(checked)
    yield from _verdicts(checked)
    yield from _ending(checked)


def _runs(checked: Checked) -> Iterator[RenderableType]:
    yield heading("Runs")
    table = columns("run", "searched", "states", "transitions", "depth", "seconds", numbers=4)
    for run in checked.report.runs:
        searched = "completely" if run.complete else f"cut off by {run.cut_off_by}"
        numbers = (f"{run.states:,}", f"{run.transitions:,}", str(run.depth), f"{run.seconds:.1f}")
        table.add_row(run.name, searched, *numbers)
    yield table
    for run in checked.report.runs:
        yield Padding(Text(f"{run.name}: {run.bounds}", style="dim"), (0, 0, 0, 2))


def _coverage(checked: Checked) -> Iterator[RenderableType]:
    report = checked.report
    seen = actions(report)
    yield heading("Coverage")
    yield Text(f"actions: {len(seen['fired'])} taken, {len(seen['never'])} never, {len(seen['impossible'])} impossible")
    for name in seen["never"]:
        yield Text(f"  never taken: {name}, although its guard is not false")
    for name in seen["impossible"]:
        yield Text(f"  impossible: {name}, whose guard is false under this contract and policy")
    covered = report.coverage
    beyond = "are out of reach" if all(r.complete for r in report.runs) else "were not reached before the cut-off"
    yield Text(f"rows of the table: {len(covered.exercised)} decide, {len(covered.unreached)} {beyond}")
    yield Padding(Text(f"decide: {', '.join(covered.exercised)}"), (0, 0, 0, 2))
    for rule, why in covered.unreached.items():
        yield Padding(Text(f"{rule}: {why}", style="dim"), (0, 0, 0, 2))
    for name, binds in deadlines(report.runs).items():
        yield Text(f"deadline {name}: {'passes in some run' if binds else 'is never reached'}")
    for item in situations(report):
        found = f"after {len(item['trace'])} steps" if item["found"] else "not found"
        yield Text(f"{item['name']}: {found}")


def counterexample(verdict: Verdict, trace: Trace, file: object = None) -> Iterator[RenderableType]:
    """The shortest trace of a failure, told step by step."""
    yield heading(f"{verdict.name} fails: {trace.shows} after {len(trace.actions)} steps")
    yield Text(verdict.bounds, style="dim")
    yield from map(Text, told(trace))
    if file is not None:
        yield Text(f"recut replay {file}")


def _disagreements(checked: Checked) -> Iterator[RenderableType]:
    for run, claim, trace in checked.disagreements:
        yield heading(f"the model leaves what the proofs assume: {claim}")
        yield Text(run.bounds, style="dim")
        yield from map(Text, told(trace))


def _verdicts(checked: Checked) -> Iterator[RenderableType]:
    proved = sum(v.seconds for v in checked.proofs)
    yield heading("Verdicts on the table: z3, every cut and every world of one effect")
    yield verdict_table(checked.proofs, states=False)
    runs = checked.report.runs
    searched = "searched completely" if all(r.complete for r in runs) else "not all searched completely"
    yield heading(f"Verdicts on the model: {len(runs)} runs, {searched}")
    yield verdict_table(checked.report.verdicts)
    total = f"{sum(r.states for r in runs):,} states, {checked.found.seconds:.1f} s"
    yield Text(f"\n{checked.outcome}: {total} (proofs {proved:.1f} s, runs {sum(r.seconds for r in runs):.1f} s)")


def verdict_table(verdicts: list[Verdict] | tuple[Verdict, ...], states: bool = True) -> RenderableType:
    """Every sentence with its verdict, how that is known, within which bounds, states and seconds."""
    names = ("sentence", "verdict, how known, bounds", *(("states",) if states else ()), "seconds")
    table = columns(*names, numbers=2 if states else 1)
    table.columns[0].no_wrap = True
    for v in verdicts:
        said = Text.assemble((str(v.outcome), COLOUR[v.outcome]), *(f", {t}" for t in _short(v)))
        count = (f"{v.states:,}",) if states else ()
        table.add_row(v.name, said, *count, f"{v.seconds:.1f}")
    return table


def _short(verdict: Verdict) -> list[str]:
    """How a verdict is known, without the bounds that the trace above it already names."""
    if verdict.outcome is Outcome.NOT_APPLICABLE:
        return [verdict.reason]
    bounds = "" if verdict.trace is not None else verdict.bounds
    rules = f"rules {', '.join(verdict.rules)}" if verdict.rules else ""
    return [part for part in (verdict.how, bounds, verdict.reason, rules) if part]


def _ending(checked: Checked) -> Iterator[RenderableType]:
    if checked.disagreements:
        yield Text("two engines disagree: this is a defect of the program, see above", style="bold red")
