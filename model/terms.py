"""The closed set of operators a model may use, one fold over them, and constant folding.

Every reader of terms (numpy, plain Python, SMT, Promela, ...) is a table from these operator names
to handlers. A term outside the set is an error when it is met, never a silent guess.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

import z3

from model.kernel import ModelError, Term

LEAVES = ("variable", "true", "false", "int", "label")
CONNECTIVES = ("and", "or", "not", "implies", "ite")
RELATIONS = ("eq", "distinct", "le", "lt", "ge", "gt")
ARITHMETIC = ("add", "sub")
OPERATORS = LEAVES + CONNECTIVES + RELATIONS + ARITHMETIC

R = TypeVar("R")
Handler = Callable[[Term, Sequence[R]], R]

_KINDS = {
    z3.Z3_OP_TRUE: "true",
    z3.Z3_OP_FALSE: "false",
    z3.Z3_OP_ANUM: "int",
    z3.Z3_OP_DT_CONSTRUCTOR: "label",
    z3.Z3_OP_UNINTERPRETED: "variable",
    z3.Z3_OP_AND: "and",
    z3.Z3_OP_OR: "or",
    z3.Z3_OP_NOT: "not",
    z3.Z3_OP_IMPLIES: "implies",
    z3.Z3_OP_ITE: "ite",
    z3.Z3_OP_EQ: "eq",
    z3.Z3_OP_DISTINCT: "distinct",
    z3.Z3_OP_LE: "le",
    z3.Z3_OP_LT: "lt",
    z3.Z3_OP_GE: "ge",
    z3.Z3_OP_GT: "gt",
    z3.Z3_OP_ADD: "add",
    z3.Z3_OP_SUB: "sub",
}


def op_name(term: Term) -> str:
    """The operator of a term, one of OPERATORS; ModelError with the term for anything else."""
    name = _KINDS.get(_kind(term))
    if name is None or name in LEAVES and not _is_plain_leaf(term, name):
        raise ModelError(f"the operator of the term {term} is not one of {', '.join(OPERATORS)}")
    return name


def _kind(term: Term) -> int | None:
    """The kind of the term's operator, asked of z3 without the objects that its Python layer would build."""
    context, ast = term.ctx_ref(), term.as_ast()
    if z3.Z3_get_ast_kind(context, ast) not in (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST):
        return None
    return int(z3.Z3_get_decl_kind(context, z3.Z3_get_app_decl(context, z3.Z3_to_app(context, ast))))


def _is_plain_leaf(term: Term, name: str) -> bool:
    """Whether it is a constant of a sort that has codes (no function application, no fraction)."""
    if term.num_args() > 0:
        return False
    if name == "int":
        return bool(z3.is_int_value(term))
    return term.sort_kind() in (z3.Z3_BOOL_SORT, z3.Z3_INT_SORT, z3.Z3_DATATYPE_SORT)


def child_ids(term: Term) -> list[int]:
    """The ids of a term's children, which z3 shares: equal ids are equal terms, as long as the term lives."""
    context, ast = term.ctx_ref(), term.as_ast()
    if z3.Z3_get_ast_kind(context, ast) != z3.Z3_APP_AST:
        return []
    app = z3.Z3_to_app(context, ast)
    count = z3.Z3_get_app_num_args(context, app)
    return [z3.Z3_get_ast_id(context, z3.Z3_get_app_arg(context, app, i)) for i in range(count)]


def code_of(term: Term) -> int:
    """The code of a constant: 0 or 1 for false and true, the position of a label, the number itself."""
    name = op_name(term)
    if name == "int":
        return int(term.as_long())
    if name == "label":
        sort, decl = term.sort(), term.decl()
        return next(i for i in range(sort.num_constructors()) if sort.constructor(i).eq(decl))
    if name in ("true", "false"):
        return int(name == "true")
    raise ModelError(f"the term {term} is not a constant")


def is_constant(term: Term) -> bool:
    """Whether the term is true, false, a number or a label."""
    return op_name(term) in ("true", "false", "int", "label")


class Folder(Generic[R]):
    """A bottom-up fold that computes each shared subterm once, over as many terms as are given to it.

    ``handlers`` must be total over OPERATORS. Terms are kept alive, because z3 gives the id of a
    dead term to a new one. The depth of a term is not limited by Python's stack.
    """

    def __init__(self, handlers: Mapping[str, Handler[R]]):
        missing = [name for name in OPERATORS if name not in handlers]
        if missing:
            raise ModelError(f"a lowering has no handler for {', '.join(missing)}")
        self.handlers = handlers
        self.memo: dict[int, R] = {}
        self._roots: list[Term] = []

    def __call__(self, term: Term) -> R:
        """The folded value of a term."""
        self._roots.append(term)
        stack = [(term, term.get_id())]
        opened: dict[int, list[int]] = {}
        while stack:
            node, key = stack[-1]
            if self.known(key):
                stack.pop()
            elif key in opened:
                children = opened.pop(key)
                self.memo[key] = self.handlers[op_name(node)](node, [self.memo[k] for k in children])
            else:
                opened[key] = child_ids(node)
                stack += [(node.arg(i), k) for i, k in reversed(list(enumerate(opened[key]))) if not self.known(k)]
        return self.memo[term.get_id()]

    def known(self, key: int) -> bool:
        """Whether the value of the term with this id is in the memo; a subclass may fetch it here."""
        return key in self.memo


def fold(term: Term, handlers: Mapping[str, Handler[R]]) -> R:
    """Fold one term bottom-up: ``handlers[operator](term, folded children)``, shared subterms once."""
    return Folder(handlers)(term)


def variable_name(term: Term) -> str:
    """The name of a variable leaf."""
    return str(term.decl().name())


def free_variables(term: Term) -> frozenset[str]:
    """The names of the variables a term mentions."""
    return fold(term, _FREE)


def _union(_: Term, parts: Sequence[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*parts)


_FREE: dict[str, Handler[frozenset[str]]] = dict.fromkeys(OPERATORS, _union) | {
    "variable": lambda term, _: frozenset({variable_name(term)})
}


def conjuncts(term: Term) -> tuple[Term, ...]:
    """The conjuncts of a term, through nested Ands, in the order written; true has none."""
    name = op_name(term)
    if name == "and":
        return tuple(part for child in term.children() for part in conjuncts(child))
    return () if name == "true" else (term,)


def conjunction(parts: Sequence[Term]) -> Term:
    """The n-ary And of the parts: true for none, the part itself for one."""
    return _nary(parts, z3.And, True)


def _nary(parts: Sequence[Term], build: Callable[..., Term], empty: bool) -> Term:
    if len(parts) == 0:
        return z3.BoolVal(empty)
    return parts[0] if len(parts) == 1 else build(*parts)


# The comparisons call the method: Python's operators would turn them round for a number on the right.
BUILDERS: dict[str, Callable[..., Term]] = {
    "and": z3.And,
    "or": z3.Or,
    "not": z3.Not,
    "implies": z3.Implies,
    "ite": z3.If,
    "eq": lambda a, b: a.__eq__(b),
    "distinct": z3.Distinct,
    "le": lambda a, b: a.__le__(b),
    "lt": lambda a, b: a.__lt__(b),
    "ge": lambda a, b: a.__ge__(b),
    "gt": lambda a, b: a.__gt__(b),
    "add": z3.Sum,
    "sub": lambda *parts: functools.reduce(lambda a, b: a - b, parts),
}


def rebuilt(term: Term, children: Sequence[Term]) -> Term:
    """The same operator over other children; the term itself when they are the same."""
    if child_ids(term) == [child.get_id() for child in children]:
        return term
    return BUILDERS[op_name(term)](*children)
