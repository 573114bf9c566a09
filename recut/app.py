"""All commands of ``recut``, in the order in which the help lists them."""

from __future__ import annotations

from importlib import metadata
from typing import Annotated

import typer

from recut.commands.check import check
from recut.commands.compare import compare
from recut.commands.contract import contract_app
from recut.commands.decide import decide
from recut.commands.explore import explore
from recut.commands.harness import harness
from recut.commands.replay import replay
from recut.commands.table import table_app

app = typer.Typer(
    name="recut",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"recut {metadata.version('recovery-cut')}")
        raise typer.Exit


@app.callback()
def recut(
    version: Annotated[
        bool, typer.Option("--version", help="Say which version this is.", callback=_version, is_eager=True)
    ] = False,
) -> None:
    """Decides, with proofs and counterexamples, when a crashed workflow may act on the outside world again."""


app.command()(check)
app.add_typer(table_app, name="table")
app.add_typer(contract_app, name="contract")
app.command()(decide)
app.command()(harness)
app.command()(compare)
app.command()(explore)
app.command()(replay)
