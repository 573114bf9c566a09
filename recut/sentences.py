"""What the sentences about a table say, taken from where each is proved."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping

from model.kernel import no_branching
from recut.proof_verdicts import SENTENCES
from solver.abstract_world import AbstractWorld
from solver.table_proof import TableProof
from solver.table_proof_clauses import propositions
from solver.table_proof_obligations import Kind

PROVED_BY: Mapping[Kind, Callable[..., object]] = {
    "total": TableProof.total,
    "unique": TableProof.unique,
    "dead-row": TableProof.no_dead_row,
    "initiation": TableProof.initiation,
    "consecution": TableProof.consecution,
    "stability": TableProof.stability,
}


@functools.cache
def meanings() -> Mapping[str, str]:
    """What each sentence says, by its name, in one line."""
    own = {SENTENCES[kind]: inspect.getdoc(method) or "" for kind, method in PROVED_BY.items()}
    world = AbstractWorld()
    with no_branching():
        clauses = propositions(world.cut, world.world, world.decision)
    return {**own, **{clause.name: clause.because for clause in clauses}}
