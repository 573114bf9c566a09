"""``recut contract``: what a contract is good for, and the catalogue."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from model.contract import Contract, load_contract, parse_contract, shipped_contracts
from properties.verdict import Outcome, worst
from recut import contract_diff, contract_map, contract_skeleton
from recut.contract_brief import brief_of, whole_table
from recut.contract_brief import markdown as brief_markdown
from recut.contract_brief import text as brief_text
from recut.contract_report import ContractReport, as_data, interrupted, knowledge, report_of
from recut.contract_text import contract_text
from recut.contract_traces import write_traces
from recut.failure import Interrupted, Refused, Status, ending
from recut.output import as_json, as_text, emit, folder, ready
from recut.report_contract import text
from solver.contract_class import RecoveryClass

HELP = "Classify contracts, compare two, list the shipped ones, or begin a new one."
contract_app = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)
Output = Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")]


class Format(StrEnum):
    """How the report is written."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class MapFormat(StrEnum):
    """How the map is written."""

    TEXT = "text"
    JSON = "json"


class Below(StrEnum):
    """The class below which a check fails."""

    AUTOMATIC = "automatic"
    PERSON = "person"


@contract_app.command()
@ending
def check(
    files: Annotated[list[str], typer.Argument(metavar="FILE|NAME...", help="Contract files, or shipped names.")],
    fail_on: Annotated[
        Below | None, typer.Option(help="Exit with 1 if a contract is of a lower class than this, at worst.")
    ] = None,
    trace_dir: Annotated[Path | None, typer.Option(metavar="DIR", help="Write what habits break.")] = None,
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.TEXT,
    output: Output = None,
) -> int:
    """May the call be repeated after a crash: the class, where people are needed, and what would help."""
    contracts = [load_contract(name) for name in dict.fromkeys(files)]
    ready(output)
    folder(trace_dir)
    known = knowledge()
    brief = format is Format.MARKDOWN
    found = [] if brief and trace_dir is None else [report_of(contract, known) for contract in contracts]
    if trace_dir is not None:
        for one in found:
            write_traces(one, trace_dir)
    if brief:
        rows = [brief_of(contract, known) for contract in contracts]
        emit(whole_table(rows, known), output)
        return _status([row.kind for row in rows], fail_on)
    emit(as_json(document(found)) if format is Format.JSON else as_text(text(found), output), output)
    return _status([one.kind for one in found], fail_on)


def document(found: list[ContractReport]) -> dict[str, Any]:
    """The JSON document."""
    verdict = str(worst(one.outcome for one in found))
    return {"schema": "recut/contract-check/1", "verdict": verdict, "results": [as_data(one) for one in found]}


def _status(kinds: list[RecoveryClass], fail_on: Below | None) -> Status:
    below = any(
        kind is RecoveryClass.NONE or fail_on is Below.AUTOMATIC and not kind.automatic for kind in kinds
    )  # fmt: skip
    return Status.FAILS if fail_on is not None and below else Status.HOLDS


@contract_app.command(name="list")
@ending
def list_contracts(
    format: Annotated[Format, typer.Option(help="How the list is written.")] = Format.TEXT, output: Output = None
) -> int:
    """The shipped contracts with mechanism, class and weakest point."""
    ready(output)
    known = knowledge()
    found = [brief_of(load_contract(name), known) for name in shipped_contracts()]
    if format is Format.JSON:
        results = [one.as_data() for one in found]
        verdict = worst(Outcome(row["verdict"]) for row in results)
        emit(as_json({"schema": "recut/contract-list/1", "verdict": str(verdict), "results": results}), output)
    else:
        emit(brief_markdown(found) if format is Format.MARKDOWN else as_text(brief_text(found), output), output)
    return Status.HOLDS


@contract_app.command(name="map")
@ending
def show_map(
    figure: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw it: .svg, .png or .pdf.")] = None,
    format: Annotated[MapFormat, typer.Option(help="How the map is written.")] = MapFormat.TEXT,
    output: Output = None,
) -> int:
    """Every combination of promises: where recovery needs no person, and the weakest contracts that are enough."""
    ready(output)
    ready(figure)
    if figure is not None and figure.suffix not in contract_map.SUFFIXES:
        raise Refused(f"{figure}: is no figure; give a name that ends with {' or '.join(contract_map.SUFFIXES)}")
    found = contract_map.known_map(knowledge())
    if found is None:
        raise Interrupted("the map that is stored is of another model; make contracts searches it anew")
    if figure is not None:
        contract_map.draw(found, figure)
    data = format is MapFormat.JSON
    emit(as_json(contract_map.document(found)) if data else as_text(contract_map.text(found), output), output)
    return Status.FAILS if found.harmful else Status.HOLDS


@contract_app.command()
@ending
def show(
    file: Annotated[str, typer.Argument(metavar="FILE|NAME", help="A contract file, or a shipped name.")],
    output: Output = None,
) -> int:
    """A contract as a file, with its evidence."""
    contract = load_contract(file)
    ready(output)
    emit(contract_text(contract), output)
    return Status.HOLDS


@contract_app.command()
@ending
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What reports call the contract.")],
    ask: Annotated[bool, typer.Option("--ask", help="Ask for each clause on the terminal.")] = False,
    output: Output = None,
) -> int:
    """A commented skeleton, in which everything of the provider is undefined."""
    ready(output)
    contract_skeleton.require_name(name)
    text = contract_skeleton.asked(name) if ask else contract_skeleton.skeleton(name)
    emit(text, output)
    parse_contract(text, str(output or "the contract"))
    return Status.HOLDS


@contract_app.command()
@ending
def diff(
    old: Annotated[str, typer.Argument(metavar="OLD", help="A contract file, or a shipped name.")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="A contract file, or a shipped name.")],
    format: Annotated[Format, typer.Option(help="How the report is written.")] = Format.TEXT,
    output: Output = None,
) -> int:
    """What changes from one version of a contract to another; exit with 1 if recovery gets worse."""
    both: list[Contract] = [load_contract(old), load_contract(new)]
    ready(output)
    known = knowledge()
    found = contract_diff.compared(*[interrupted(contract, known) for contract in both])
    if format is Format.JSON:
        emit(as_json(contract_diff.document(found)), output)
    else:
        in_words = contract_diff.markdown(found) if format is Format.MARKDOWN else None
        emit(in_words or as_text(contract_diff.text(found), output), output)
    return Status.FAILS if found.worse else Status.HOLDS
