"""The obligations as SMT-LIB 2: z3 reads them back with the same answers, and cvc5 gives them too."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
import z3

from model.decision_table import Table
from recut.commands import table_check
from recut.table_change import Solver, proved
from solver import second_solver
from solver.replayed import EnginesDisagree
from solver.second_solver import NoSecondSolver, answers_of, second_opinion
from solver.smt_lib import SAID, obligations, smt_lib
from solver.table_proof_obligations import Question
from tests.cli.front import refused, run, valid
from tests.proofs.edits import RECOVERY, deciding

cvc5 = pytest.importorskip("cvc5", reason="the second solver")

TABLES = {
    "proved": RECOVERY,
    "repeats": deciding("absent-open-unrecognised", "execute"),
    "gap": replace(RECOVERY, rules=RECOVERY.rules[1:]),
    "overlap": replace(RECOVERY, rules=(*RECOVERY.rules, replace(RECOVERY.rules[0], name="again"))),
}


def z3_reads(text: str) -> list[str]:
    """What z3 answers to a text that it parses itself, check by check, apart from this process's own sorts."""
    head, *blocks = text.split("(push 1)")
    answers = []
    for block in blocks:
        solver = z3.Solver(ctx=z3.Context())
        solver.from_string(head + block.partition("(check-sat)")[0])
        answers.append(str(solver.check()))
    return answers


@pytest.mark.parametrize("name", TABLES)
def test_cvc5_answers_every_obligation_as_z3_does(name: str) -> None:
    text, asked = obligations(TABLES[name])
    opinion = second_opinion(text, asked)
    assert opinion.agreed == len(asked) > 250 and not opinion.unsure and opinion.effort > 0
    assert ("sat" in answers_of(text)[0]) and (name == "proved") == all(
        q.answer == "holds" for q in asked if not q.what.startswith("dead row")
    )


def test_z3_reads_the_text_back_with_its_own_answers() -> None:
    text, asked = obligations(TABLES["repeats"])
    assert z3_reads(text) == [SAID[q.answer] for q in asked]


def test_a_flipped_clause_in_the_text_is_a_disagreement() -> None:
    text, asked = obligations(RECOVERY)
    flipped = re.sub(r"(define-fun claims\.stale_workers_are_fenced \(\) Bool) (.*)\)\n", r"\1 (not \2))\n", text)
    assert flipped != text
    with pytest.raises(EnginesDisagree, match="z3 says unsat and cvc5 sat of the obligation 'proposition: stale_work"):
        second_opinion(flipped, asked)


def test_an_answer_too_few_is_a_disagreement() -> None:
    text, asked = obligations(RECOVERY)
    with pytest.raises(EnginesDisagree, match="answers to"):
        second_opinion(text, asked[:-1])


def test_an_error_of_cvc5_is_no_agreement() -> None:
    text, asked = obligations(RECOVERY)
    spoilt = text.replace("(check-sat)", "(get-value (world.commits))", 1)
    with pytest.raises(EnginesDisagree, match=r"cvc5 \(error .* of the obligation 'total'"):
        second_opinion(spoilt, asked)


def test_what_cvc5_does_not_decide_is_no_agreement() -> None:
    text, asked = obligations(RECOVERY)
    opinion = second_opinion(text, asked, rlimit=1)
    assert opinion.unsure and opinion.agreed + len(opinion.unsure) == len(asked)


def test_rows_and_comments_of_a_file_cannot_add_commands() -> None:
    rule = replace(RECOVERY.rules[0], name="x\n(assert false)", because="y\r(assert false)\u2028(assert false)")
    text = smt_lib(Table((rule, *RECOVERY.rules[1:]), "a\n(assert false)"))
    assert not any(line.startswith("(assert false)") for line in text.splitlines())


def test_the_report_says_who_has_proved_it() -> None:
    for solver, by in (("both", "by z3 and cvc5"), ("z3", "by z3")):
        result = run("table", "check", "recovery", "--solver", solver, "--format", "json")
        found = valid(result.stdout, "table-check")
        assert result.exit_code == 0 and all(r["how"].endswith(by) for r in found["results"])
        solvers = found["tables"][0]["solvers"]
        assert solvers["z3"] > 0 and (solvers["cvc5"] is None) == (solver == "z3")


def test_a_disagreement_ends_with_4(monkeypatch: pytest.MonkeyPatch) -> None:
    real = second_solver.answers_of

    def wrong(text: str, rlimit: int) -> tuple[list[str], str, int]:
        answers, version, effort = real(text, rlimit)
        return ["sat", *answers[1:]], version, effort

    monkeypatch.setattr(second_solver, "answers_of", wrong)
    result = run("table", "check", "recovery", "--solver", "both")
    assert result.exit_code == 4 and "two engines disagree" in result.stderr and "'total'" in result.stderr


def test_without_cvc5_both_is_refused_and_auto_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(second_solver.importlib.util, "find_spec", lambda name: None)
    assert "pip install recovery-cut[second]" in refused(run("table", "check", "recovery", "--solver", "both"))
    with pytest.raises(NoSecondSolver):
        proved("recovery", RECOVERY, Solver.BOTH)
    assert proved("recovery", RECOVERY, Solver.AUTO).opinion is None


def test_a_limit_that_is_too_small_ends_with_unknown() -> None:
    result = run("table", "check", "recovery", "--rlimit", "1")
    assert result.exit_code == 3 and "unknown" in result.stdout
    assert run("table", "check", "recovery", "--rlimit", "0").exit_code == 2
    assert table_check.RLIMIT > 1


def test_the_obligations_are_exported() -> None:
    result = run("table", "export", "recovery", "--format", "smt2")
    assert result.exit_code == 0 and result.stdout == smt_lib(RECOVERY)
    assert run("table", "export", "recovery").stdout.startswith("rule,claim,")
    assert run("table", "export", "recovery", "--format", "markdown").stdout == run("table", "show", "recovery").stdout


def test_a_question_knows_what_it_is_about() -> None:
    _, asked = obligations(RECOVERY)
    kinds = list(dict.fromkeys(q.what.partition(":")[0] for q in asked))
    assert kinds == ["total", "dead row", "initiation", "consecution", "stability", "proposition"]
    assert all(isinstance(q, Question) for q in asked)


def test_what_z3_does_not_decide_is_not_held_against_cvc5() -> None:
    text, asked = obligations(RECOVERY)
    opinion = second_opinion(text, [replace(q, answer="unknown") for q in asked[:3]] + asked[3:])
    assert not opinion.unsure and opinion.agreed == len(asked) - 3
