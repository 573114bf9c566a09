"""A defect on purpose, as a value: what is wrong, where it shows and what must notice it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Literal

from model.component import Step
from model.decision_table import EVERYTHING, Rule, Table
from model.promises import good_profile
from model.setting import Setting, Ticks
from model.system import Model, Parts
from model.table_file import load_table

Kind = Literal["model", "cut", "table", "order", "practice"]


@dataclass(frozen=True)
class Run:
    """A small run: which faults, which clauses differ from the good profile, and the sizes."""

    faults: tuple[str, ...] = ()
    profile: Mapping[str, str | bool] = field(default_factory=dict)
    ticks: Ticks = field(default_factory=Ticks)
    workers: int = 2
    generations: int = 1
    messages: int = 2
    crashes: int | None = None
    collapse: bool = True

    @property
    def setting(self) -> Setting:
        """The bounds of the run."""
        return Setting(
            workers=self.workers,
            generations=self.generations,
            messages=self.messages,
            faults=frozenset(self.faults),
            crashes=self.crashes,
            collapse=self.collapse,
            ticks=self.ticks,
        )


@dataclass(frozen=True)
class Edit:
    """A row of the shipped table that decides otherwise, in all of its region or where ``only`` says so."""

    row: str
    decision: str
    only: Mapping[str, str] = field(default_factory=dict)

    def made_in(self, table: Table) -> Table:
        """The table with the edit: a row of its own before the others, of which the first decides."""
        cells = dict(table.rule(self.row).cells) | {n: frozenset({v}) & EVERYTHING[n] for n, v in self.only.items()}
        edited = Rule(f"{self.row} edited", cells, self.decision, "A defect on purpose.")
        return replace(table, rules=(edited, *table.rules))


@dataclass(frozen=True)
class Mutant:
    """One defect: ``parts`` replaces a component, ``practice`` clauses of the profile, ``edits`` rows of the table.

    ``where`` is a small run in which the model without the defect keeps every property and the model with
    it breaks those that ``kills`` names, and no other.
    """

    name: str
    says: str
    kind: Kind
    where: Run
    kills: tuple[str, ...]
    parts: Parts = field(default_factory=Parts)
    practice: Mapping[str, str | bool] = field(default_factory=dict)
    edits: tuple[Edit, ...] = ()

    def model(self) -> Model:
        """The model with the defect, in its run."""
        table = load_table("recovery")
        for edit in self.edits:
            table = edit.made_in(table)
        return _model(self.where, {**self.where.profile, **self.practice}, table, self.parts, self.name)

    def original(self) -> Model:
        """The same run without the defect."""
        return good_model(self.where, f"{self.name}, repaired")


def good_model(run: Run, name: str) -> Model:
    """The model without any defect, under the shipped table, in a run."""
    return model_of(run, load_table("recovery"), name)


def model_of(run: Run, table: Table, name: str) -> Model:
    """The model without any defect, under a table, in a run."""
    return _model(run, run.profile, table, Parts(), name)


def _model(run: Run, changes: Mapping[str, str | bool], table: Table, parts: Parts, name: str) -> Model:
    return Model(run.setting, profile_with(changes), table, parts, name)


def profile_with(changes: Mapping[str, str | bool]) -> dict[str, tuple[str, ...] | tuple[bool, ...]]:
    """The good profile with other values of some clauses."""
    profile = good_profile()
    for clause, value in changes.items():
        profile[clause] = (value,) if isinstance(value, bool) else (str(value),)
    return profile


def instead_of(original: Callable[..., Step]) -> Callable[[Callable[..., Step]], Callable[..., Step]]:
    """Mark a method as the same action as the one it replaces: owner, what it sees, fault and need."""

    def mark(method: Callable[..., Step]) -> Callable[..., Step]:
        method.mark = original.mark  # type: ignore[attr-defined]
        return method

    return mark


def replaced(name: str, kind: Kind, parts: Parts, where: Run, *kills: str) -> Mutant:
    """A mutant that replaces a component; the first line of the class says what is wrong."""
    (cls,) = (getattr(parts, f.name) for f in fields(parts) if getattr(parts, f.name) is not f.default)
    return Mutant(name, " ".join((cls.__doc__ or "").split()), kind, where, kills, parts)
