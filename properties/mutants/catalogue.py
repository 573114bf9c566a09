"""Every mutant, in the order of the kill matrix."""

from __future__ import annotations

from properties.mutants.catalogue_cut import CUT
from properties.mutants.catalogue_ends import ENDS
from properties.mutants.catalogue_parties import PARTIES
from properties.mutants.catalogue_practices import PRACTICES
from properties.mutants.catalogue_records import RECORDS
from properties.mutants.catalogue_rows import ACTS
from properties.mutants.catalogue_target import TARGET
from properties.mutants.mutant import Mutant

MUTANTS: tuple[Mutant, ...] = (*CUT, *TARGET, *RECORDS, *PARTIES, *ACTS, *ENDS, *PRACTICES)


def mutant_named(name: str) -> Mutant:
    """The mutant with this name; KeyError if there is none."""
    return {m.name: m for m in MUTANTS}[name]
