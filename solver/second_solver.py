"""cvc5 on the same obligations, as text: a second opinion on every answer of z3."""

from __future__ import annotations

import importlib.metadata
import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass

from solver.replayed import EnginesDisagree
from solver.smt_lib import SAID
from solver.table_proof_obligations import Question

RLIMIT = 5_000_000
"""cvc5's own limit for each obligation; its unit is not that of z3."""
NAME = "cvc5"


class NoSecondSolver(RuntimeError):
    """cvc5 is not installed; the message says how to get it."""


@dataclass(frozen=True)
class Opinion:
    """What cvc5 makes of the obligations: how many it decides as z3 does, and which it does not decide.

    What z3 does not decide is in neither, unless cvc5 does not either. ``effort`` is what it has spent in the unit
    of its resource limit, and ``rlimit`` that limit, for each obligation.
    """

    solver: str
    agreed: int
    unsure: tuple[str, ...]
    effort: int
    rlimit: int


def has_second_solver() -> bool:
    """Whether cvc5 is installed."""
    return importlib.util.find_spec(NAME) is not None


def second_opinion(text: str, asked: Sequence[Question], rlimit: int = RLIMIT) -> Opinion:
    """Ask cvc5 what z3 was asked, of which ``text`` is the SMT-LIB.

    Raises EnginesDisagree with the obligation where one says yes and the other no, or where cvc5 answers anything
    else than sat, unsat and unknown; NoSecondSolver without cvc5.
    """
    answers, version, effort = answers_of(text, rlimit)
    if len(answers) != len(asked):
        raise EnginesDisagree(f"{NAME} gave {len(answers)} answers to {len(asked)} obligations")
    for question, answer in zip(asked, answers, strict=True):
        if answer not in SAID.values() or {SAID[question.answer], answer} == {"sat", "unsat"}:
            raise EnginesDisagree(
                f"z3 says {SAID[question.answer]} and {NAME} {answer} of the obligation {question.what!r}"
                " (recut table export --format smt2 writes it)"
            )
    unsure = tuple(q.what for q, a in zip(asked, answers, strict=True) if a == "unknown")
    agreed = sum(SAID[q.answer] == a != "unknown" for q, a in zip(asked, answers, strict=True))
    return Opinion(f"{NAME} {version}", agreed, unsure, effort, rlimit)


def answers_of(text: str, rlimit: int = RLIMIT) -> tuple[list[str], str, int]:
    """What cvc5 says to every ``check-sat`` of a text, its version, and what it has spent."""
    if not has_second_solver():
        raise NoSecondSolver("a second opinion needs cvc5; pip install recovery-cut[second], or give --solver z3")
    import cvc5

    terms = cvc5.TermManager()
    solver, symbols = cvc5.Solver(terms), cvc5.SymbolManager(terms)
    solver.setOption("incremental", "true")
    solver.setOption("rlimit-per", str(rlimit))
    parser = cvc5.InputParser(solver, symbols)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligations")
    said: list[str] = []
    while not (command := parser.nextCommand()).isNull():
        said.append(command.invoke(solver, symbols).strip())
    spent = solver.getStatistics().get(internal=True).get("resource::resourceUnitsUsed", {"value": 0})
    answers = ["unknown" if line.startswith("unknown (") else line for line in said if line]
    return answers, importlib.metadata.version(NAME), int(spent["value"])
