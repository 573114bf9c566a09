"""Options that every command about an edit of a table has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from recut.table_change import Forbid

ForbidOption = Annotated[Forbid, typer.Option(help="Which changes are rejected.")]
ContractOption = Annotated[str, typer.Option(metavar="NAME|FILE", help="What the provider promises.")]
PolicyOption = Annotated[str, typer.Option(metavar="NAME|FILE", help="The practices around the table.")]
SearchOption = Annotated[
    bool, typer.Option("--search", help="Search for what no stored search knows; takes up to a minute or two.")
]
TogetherOption = Annotated[
    bool, typer.Option("--together", help="Search with half the workers on either table, where no proof says it.")
]
JobsOption = Annotated[int | None, typer.Option(min=1, max=64, help="Worker processes; default: 2.")]
OutputOption = Annotated[Path | None, typer.Option(metavar="FILE", help="Where to; default: standard output.")]
