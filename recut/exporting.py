"""A model in the language of another checker, on standard output or in a file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

from model.system import Model
from recut.failure import Refused
from recut.output import emit, ready, write
from solver.export_murphi import murphi
from solver.export_promela import promela
from solver.export_terms import export_of
from solver.export_tla import can_name_a_module, tla, tla_configuration


class Language(StrEnum):
    """The languages a model can be written in."""

    PROMELA = "promela"
    MURPHI = "murphi"
    TLA = "tla"


def export(model: Model, language: Language, title: list[str], output: Path | None) -> None:
    """Write the model; a TLA+ module in a file with the configuration of TLC beside it.

    Raises Refused for a file that cannot be written or, as a module, cannot have its name.
    """
    found = export_of(model, *title)
    if language is not Language.TLA:
        emit(promela(found) if language is Language.PROMELA else murphi(found), output)
    elif output is None:
        emit(tla(found), None)
    else:
        emit(tla(found, output.stem), output)
        write(output.with_suffix(".cfg"), tla_configuration(found, output.stem))


def ready_for(language: Language, output: Path | None) -> None:
    """Refuse a file of TLA+ that is not named as a module can be, or whose configuration cannot be written."""
    if language is not Language.TLA or output is None:
        return
    if output.suffix != ".tla" or not can_name_a_module(output.stem):
        raise Refused(f"{output}: a module of TLA+ is named as its file; use letters and digits, such as Refund.tla")
    ready(output.with_suffix(".cfg"))
