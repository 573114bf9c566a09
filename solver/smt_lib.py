"""The proof obligations of a table as SMT-LIB 2: what z3 was asked, for any other solver and for people.

Labels carry the name of their sort (``Dedup.none``), since several sorts have a label in common.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from model.decision_table import Table
from model.kernel import Labels, Term, Variable
from model.table_inputs import INPUTS, Decision
from model.terms import Folder, Handler, code_of, key_of, op_name, variable_name
from solver.abstract_state import CasePhase, Stage
from solver.table_proof import RLIMIT, TableProof
from solver.table_proof_obligations import Question

SAID = {"holds": "unsat", "fails": "sat", "unknown": "unknown"}
_SORTS: tuple[Labels, ...] = (*(i.labels for i in INPUTS), Decision, CasePhase, Stage)


def smt_lib(table: Table, rlimit: int = RLIMIT) -> str:
    """Every obligation of a table, each between push and pop, with what z3 answered as a comment."""
    return obligations(table, rlimit)[0]


def obligations(table: Table, rlimit: int = RLIMIT) -> tuple[str, list[Question]]:
    """The text, and the questions in the order of its ``check-sat`` commands."""
    asked: list[Question] = []
    proof = TableProof(table, rlimit, asked)
    proof.results()
    return text_of(proof, asked), asked


def text_of(proof: TableProof, asked: Sequence[Question]) -> str:
    """The questions that a proof has asked, as one file."""
    return "".join(f"{line}\n" for line in _Text(proof).lines(asked))


class _Text:
    """One file while it is written; clauses and rows are defined once and mentioned by name."""

    def __init__(self, proof: TableProof) -> None:
        self.proof = proof
        self.write = _writer()

    def lines(self, asked: Sequence[Question]) -> Iterator[str]:
        """The whole file."""
        yield f"; Proof obligations of the decision table {_plain(self.proof.table.path)}."
        yield "; Each is unsatisfiable exactly if it holds: what is asked for is a counterexample."
        yield "(set-logic ALL)"
        yield from (self._sort(labels) for labels in _SORTS)
        for variable in self.proof.world.variables:
            yield from self._variable(variable)
        yield from self._definitions()
        for number, question in enumerate(asked, 1):
            yield from self._question(number, question)

    def _sort(self, labels: Labels) -> str:
        constructors = " ".join(f"({labels.name}.{label})" for label in labels.labels)
        return f"(declare-datatypes (({labels.name} 0)) (({constructors})))"

    def _variable(self, variable: Variable) -> Iterator[str]:
        yield f"(declare-const {variable.name} {variable.term.sort()})"
        if op_name(variable.domain) != "true":
            yield f"(assert {self.write(variable.domain)})"

    def _definitions(self) -> Iterator[str]:
        p = self.proof
        for prefix, about, clauses in (
            ("fits", "What a cut lets one conclude about the world.", p.fits),
            ("keeps", "The invariant.", p.invariant),
            ("claims", "The propositions.", p.propositions),
        ):
            yield f"\n; {about}"
            for clause in clauses:
                yield f"; {_plain(clause.because)}"
                yield self._defined(f"{prefix}.{clause.name}", clause.term)
        yield "\n; The cuts that each row decides."
        for number, rule in enumerate(p.table.rules, 1):
            yield f"; {_plain(rule.name)}: {_plain(rule.because)}"
            yield self._defined(f"row.{number}", p.guards[rule.name])
        yield "\n; What the table decides."
        yield self._defined("decides", p.decides)

    def _defined(self, name: str, term: Term) -> str:
        text = f"(define-fun {name} () Bool {self.write(term)})"
        if op_name(term) not in ("true", "false"):
            self.write.memo[key_of(term)] = name
        return text

    def _question(self, number: int, question: Question) -> Iterator[str]:
        yield f"\n; {number}. {_plain(question.what)}"
        yield "(push 1)"
        if question.assumed:
            yield f"(assert (and true {' '.join(self.write(term) for term in question.assumed)}))"
        yield f"(assert (not {self.write(question.goal)}))"
        yield f"(check-sat) ; {SAID[question.answer]}"
        yield "(pop 1)"


def _writer() -> Folder[str]:
    """Terms as SMT-LIB; a table over the operators."""
    table: dict[str, Handler[str]] = {name: _applied(symbol) for name, symbol in _SYMBOLS.items()}
    table |= {"true": lambda t, _: "true", "false": lambda t, _: "false", "int": lambda t, _: str(code_of(t))}
    table |= {"variable": lambda t, _: variable_name(t), "label": lambda t, _: f"{t.sort()}.{t.decl().name()}"}
    return Folder(table)


_SYMBOLS = {
    "and": "and", "or": "or", "not": "not", "implies": "=>", "ite": "ite", "eq": "=", "distinct": "distinct",
    "le": "<=", "lt": "<", "ge": ">=", "gt": ">", "add": "+", "sub": "-",
}  # fmt: skip
_NEUTRAL = {"and": "true", "or": "false"}


def _applied(symbol: str) -> Callable[[Term, Sequence[str]], str]:
    """An operator before its operands; one without operands is its neutral constant."""
    return lambda _, parts: f"({symbol} {' '.join(parts)})" if parts else _NEUTRAL[symbol]


def _plain(text: str) -> str:
    """A text of a file as a part of a comment, which ends with its line."""
    return "".join(c if c.isprintable() else "?" for c in text)
