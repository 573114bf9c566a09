"""``recut explore``: how many states there are, what happens in them, and a graph to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import RenderableType
from rich.text import Text

from model.contract import DEFAULT_CONTRACT, load_contract
from model.contract_profile import ticks_of
from model.setting import FAULTS
from model.system import Model
from properties.variants import BASIC
from recut.exploring import Counted, counted, graph_of, situations
from recut.exporting import Language, export, ready_for
from recut.failure import Refused, Status, ending, say
from recut.graph_file import SUFFIXES, graph_text
from recut.inputs import bounds, policy_with, setting
from recut.output import as_json, as_text, emit, ready, write
from recut.report_check_text import columns, heading
from recut.searching import Manner, memory_of
from solver.check import Subject
from solver.explore import Limits
from solver.suite import Case

RUN = (
    "contract", "policy", "table", "faults", "workers", "generations", "collapse", "max_states", "timeout", "graph",
    "project", "language", "lowering", "threads", "memory", "symmetry", "partial_order", "resume",
)  # fmt: skip
"""The options that say which run is counted, what is drawn of it, and where else it is written down."""
SEARCH = (
    "max_states", "timeout", "graph", "project", "format", "lowering", "threads", "memory", "symmetry", "partial_order",
    "resume",
)  # fmt: skip
"""The options that say how a run is searched, and what is told of the search."""


class Lowering(StrEnum):
    """What a search runs on."""

    AUTO = "auto"
    NUMPY = "numpy"
    COMPILED = "compiled"


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"


@ending
def explore(
    context: typer.Context,
    contract: Annotated[str, typer.Option(metavar="NAME|FILE", help="What the provider promises.")] = DEFAULT_CONTRACT,
    policy: Annotated[str, typer.Option(metavar="NAME|FILE", help="A table and its practices.")] = "recovery",
    table: Annotated[str | None, typer.Option(metavar="FILE", help="A table instead of the policy's.")] = None,
    faults: Annotated[str, typer.Option(metavar="A,B,C", help="The faults, or none, or all.")] = ",".join(BASIC),
    workers: Annotated[int | None, typer.Option(min=1, max=4, help="How many; default: the contract's.")] = None,
    generations: Annotated[int, typer.Option(min=1, max=4, help="How many identities an effect can have.")] = 1,
    collapse: Annotated[bool, typer.Option(help="Drop senders and messages that can no longer matter.")] = True,
    max_states: Annotated[int | None, typer.Option(min=1, help="Where the search gives up.")] = None,
    timeout: Annotated[float | None, typer.Option(min=0, metavar="S", help="Seconds.")] = None,
    memory: Annotated[
        str | None, typer.Option(metavar="SIZE", help="What the process may take, such as 2G; states go to disk then.")
    ] = None,
    lowering: Annotated[
        Lowering, typer.Option(help="What runs the search; auto compiles a large one if it can.")
    ] = Lowering.AUTO,
    threads: Annotated[
        int, typer.Option(min=0, max=64, help="0 is one a core; numpy uses them for states of one word.")
    ] = 0,
    symmetry: Annotated[
        str, typer.Option(metavar="A,B", help="Families whose members are searched up to exchange, such as worker.")
    ] = "",
    partial_order: Annotated[
        bool, typer.Option("--partial-order", help="Let nobody step before a party whose steps concern nobody else.")
    ] = False,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Where an interrupted search goes on.")] = None,
    graph: Annotated[Path | None, typer.Option(metavar="FILE", help="A graph: .graphml, .dot or .json.")] = None,
    project: Annotated[
        str | None, typer.Option(metavar="VAR,VAR", help="The variables that make a node; default: phase and moves.")
    ] = None,
    language: Annotated[
        Language | None, typer.Option("--export", help="Write the model for Spin, Rumur or TLC; search nothing.")
    ] = None,
    named: Annotated[bool, typer.Option("--situations", help="Look for every named situation instead.")] = False,
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.TEXT,
    output: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")] = None,
) -> int:
    """Count the states of one run by depth, and the actions and rows that occur in it.

    With --export, the run is written down for another model checker instead.
    """
    ready(output)
    ready(graph)
    if named:
        _none_of(context, RUN, "--situations looks in runs of its own")
        found = list(situations())
        emit(as_json(_situations(found)) if format is Format.JSON else as_text(_told(found), output), output)
        return Status.HOLDS if all(item["found"] for item in found) else Status.FAILS
    if language is not None:
        _none_of(context, SEARCH, "--export searches nothing")
        ready_for(language, output)
    elif graph is None:
        _none_of(context, ("project",), "--project says what a node of --graph FILE is")
    elif graph.suffix not in SUFFIXES:
        raise Refused(f"{graph}: the graph has no known ending; use one of {', '.join(SUFFIXES)}")
    read = load_contract(contract)
    sizes = bounds(read, workers)
    sizes = setting(sizes, faults=_faults(faults), generations=generations, collapse=collapse, ticks=ticks_of(read))
    subject = Subject(read, policy_with(policy, table), sizes)
    case = Case("explore", sizes)
    model = subject.model(case)
    if language is not None:
        export(model, language, [_run(contract, policy, table), case.bounds], output)
        return Status.HOLDS
    manner = Manner(
        limits=Limits(max_states, timeout, memory_of(memory)),
        lowering=lowering.value,
        threads=threads,
        symmetry=_names(symmetry),
        partial_order=partial_order,
        resume=resume,
        keep_edges=graph is not None,
    )
    if graph is not None:
        _none_of(context, ("symmetry", "partial_order"), "a graph shows all states")
    counts = counted(model, manner)
    if graph is not None and counts.complete:
        write(graph, graph_text(graph_of(counts, _projection(project, model)), graph.suffix))
    parts = counts, case, manner.symmetry
    emit(as_json(_document(*parts)) if format is Format.JSON else as_text(_text(*parts), output), output)
    if graph is not None and not counts.complete:
        return say(f"{graph}: is not written, since the search was cut off; give larger limits", Status.UNKNOWN)
    return Status.HOLDS if counts.complete else Status.UNKNOWN


def _run(contract: str, policy: str, table: str | None) -> str:
    """Which run it is, in words."""
    return f"contract {contract}, policy {policy}" + (f", table {table}" if table else "")


def _none_of(context: typer.Context, options: Sequence[str], because: str) -> None:
    """Refused if one of these options was given, which would be ignored in silence."""
    for name in options:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            option = "export" if name == "language" else name.replace("_", "-")
            raise Refused(f"--{option}: has no meaning here, {because}; leave it out")


def _names(text: str) -> tuple[str, ...]:
    """Names in an option, by commas."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _faults(text: str) -> frozenset[str]:
    """The faults that an option names."""
    if text.strip() in ("", "none"):
        return frozenset()
    return frozenset(FAULTS) if text.strip() == "all" else frozenset(name.strip() for name in text.split(","))


def _projection(text: str | None, model: Model) -> list[str]:
    """The variables of a quotient; Refused for one that the model does not have."""
    known = {v.name for v in model.vocabulary.variables}
    if text is None:
        return [name for name in ("store.phase[0]", "store[0].phase") if name in known] + [
            f"worker[{w}].move" for w in model.indices("w")
        ]
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in known]
    if unknown or not names:
        raise Refused(f"--project: there is no variable {unknown[0] if unknown else text!r}; see the vars of a trace")
    return names


def _document(counts: Counted, case: Case, symmetry: Sequence[str]) -> dict[str, Any]:
    return {
        "schema": "recut/explore/1",
        "verdict": "holds" if counts.complete else "unknown",
        "results": [],
        "bounds": case.bounds,
        "states": counts.states,
        "transitions": counts.transitions,
        "depth": len(counts.levels) - 1,
        "complete": counts.complete,
        "cut_off_by": counts.cut_off_by,
        "levels": counts.levels,
        "lowering": counts.found.lowering.name,
        "bits": counts.found.layout.bits,
        "symmetry": list(symmetry),
        "private": [{"party": p.party, "variable": p.variable, "places": list(p.places)} for p in counts.private],
        "actions": {"fired": counts.fired, "impossible": counts.impossible},
        "rows": {
            "exercised": dict(counts.rows.exercised),
            "unreached": [{"rule": rule, "reason": why} for rule, why in counts.rows.unreached.items()],
        },
    }


def _text(counts: Counted, case: Case, symmetry: Sequence[str]) -> list[RenderableType]:
    searched = "searched completely" if counts.complete else f"cut off by {counts.cut_off_by}"
    depths = columns("depth", "states", numbers=2)
    for depth, size in enumerate(counts.levels):
        depths.add_row(str(depth), f"{size:,}")
    fired = columns("action", "times", numbers=1)
    for name, count in counts.fired.items():
        fired.add_row(name, f"{count:,}")
    rows = columns("row", "cuts that it decides", numbers=1)
    for rule, count in counts.rows.exercised.items():
        rows.add_row(rule, str(count))
    unreached = [Text(f"  {rule}: {why}", style="dim") for rule, why in counts.rows.unreached.items()]
    total = Text(f"{counts.states:,} states, {counts.transitions:,} transitions, {searched}")
    how = Text(", ".join(_how(counts, symmetry)))
    parts: list[RenderableType] = [Text(case.bounds), total, how, heading("States by depth"), depths]
    parts += [heading("Actions"), fired, Text(f"impossible: {', '.join(counts.impossible) or 'none'}")]
    return [*parts, heading("Rows of the table"), rows, heading("Out of reach"), *unreached]


def _how(counts: Counted, symmetry: Sequence[str]) -> Iterator[str]:
    """What the search ran on, and what it did not look at."""
    layout = counts.found.layout
    yield f"{counts.found.lowering.name}, {layout.bits} bits in {layout.width} words"
    yield from (f"one state for all that differ in which {family} is which" for family in symmetry)
    yield from (f"{p.party} steps first at {len(p.places)} places of {p.variable}" for p in counts.private)


def _situations(found: list[dict[str, Any]]) -> dict[str, Any]:
    verdict = "holds" if all(item["found"] for item in found) else "fails"
    return {"schema": "recut/situations/1", "verdict": verdict, "results": [], "situations": found}


def _told(found: list[dict[str, Any]]) -> list[RenderableType]:
    table = columns("situation", "variant", "only with", "without it", "steps", numbers=1)
    for item in found:
        without = {None: "", True: "never", False: "also"}[item["only_with_fault"]]
        steps = str(item["depth"]) if item["found"] else "not found"
        table.add_row(item["name"], item["variant"], item["fault"] or "", without, steps)
    return [table]
