"""All commands of ``recut``, in the order in which the help lists them."""

from __future__ import annotations

import typer

from recut.commands.check import check
from recut.commands.compare import compare
from recut.commands.decide import decide
from recut.commands.explore import explore
from recut.commands.harness import harness
from recut.commands.replay import replay
from recut.commands.table import table_app

app = typer.Typer(
    name="recut",
    help="Decides, with proofs and counterexamples, when a crashed workflow may act on the outside world again.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
app.command()(check)
app.add_typer(table_app, name="table")
app.command()(decide)
app.command()(harness)
app.command()(compare)
app.command()(explore)
app.command()(replay)
