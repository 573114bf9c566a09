"""The closed set of operators a model may use, one fold over them, and constant folding.

Every reader of terms (numpy, plain Python, SMT, Promela, ...) is a table from these operator names
to handlers. A term outside the set is an error when it is met, never a silent guess.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
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
    return shape_of(term).operator


def key_of(term: Term) -> int:
    """What z3 shares: terms with the same key are the same term, as long as one of them lives."""
    return int(term.as_ast().value)


@dataclass(frozen=True, slots=True)
class Shape:
    """A term as its readers see it, asked of z3 once: operator, children, and the code of a constant.

    It keeps its term alive, so that the key stays its own.
    """

    term: Term
    key: int
    operator: str
    children: tuple[Shape, ...]
    code: int | None


_APPLICATIONS = (z3.Z3_APP_AST, z3.Z3_NUMERAL_AST)
_MOST_SHAPES = 1 << 16
_SHAPES: dict[int, Shape] = {}


def shape_of(term: Term) -> Shape:
    """The shape of a term; ModelError where an operator is not one of OPERATORS.

    Shapes are remembered, since a call of z3 costs more than all that is done with its answer. What is
    remembered is forgotten as a whole when it becomes too much, which changes nothing but the time.
    """
    found = _SHAPES.get(key_of(term))
    if found is None:
        if len(_SHAPES) > _MOST_SHAPES:
            _SHAPES.clear()
        found = _read(term)
    return found


def mentions(term: Term, part: Term) -> bool:
    """Whether a term has another one in it."""
    wanted, left, seen = key_of(part), [shape_of(term)], set[int]()
    while left:
        shape = left.pop()
        if shape.key == wanted:
            return True
        if shape.key not in seen:
            seen.add(shape.key)
            left += shape.children
    return False


def _read(root: Term) -> Shape:
    """The shapes of a term and of everything in it, children first; deep terms need no deep stack."""
    stack = [(root, *_asked(root))]
    while True:
        term, operator, keys = stack[-1]
        missing = next((i for i, key in enumerate(keys) if key not in _SHAPES), None)
        if missing is not None:
            child = term.arg(missing)
            stack.append((child, *_asked(child)))
            continue
        key = key_of(term)
        shape = _SHAPES[key] = Shape(term, key, operator, tuple(_SHAPES[k] for k in keys), _code(term, operator))
        stack.pop()
        if not stack:
            return shape


def _asked(term: Term) -> tuple[str, list[int]]:
    """The operator of a term and the keys of its children, without the objects that z3's Python layer would build."""
    context, ast = term.ctx_ref(), term.as_ast()
    app = z3.Z3_to_app(context, ast) if z3.Z3_get_ast_kind(context, ast) in _APPLICATIONS else None
    name = None if app is None else _KINDS.get(z3.Z3_get_decl_kind(context, z3.Z3_get_app_decl(context, app)))
    if name is None or name in LEAVES and not _is_plain_leaf(term, name):
        raise ModelError(f"the operator of the term {term} is not one of {', '.join(OPERATORS)}")
    count = 0 if name in LEAVES else z3.Z3_get_app_num_args(context, app)
    return name, [int(z3.Z3_get_app_arg(context, app, i).value) for i in range(count)]


def _is_plain_leaf(term: Term, name: str) -> bool:
    """Whether it is a constant of a sort that has codes (no function application, no fraction)."""
    if term.num_args() > 0:
        return False
    if name == "int":
        return bool(z3.is_int_value(term))
    return term.sort_kind() in (z3.Z3_BOOL_SORT, z3.Z3_INT_SORT, z3.Z3_DATATYPE_SORT)


def _code(term: Term, operator: str) -> int | None:
    """0 or 1 for false and true, the position of a label, the number itself; None for what varies."""
    if operator == "int":
        return int(term.as_long())
    if operator == "label":
        sort, decl = term.sort(), term.decl()
        return next(i for i in range(sort.num_constructors()) if sort.constructor(i).eq(decl))
    return {"true": 1, "false": 0}.get(operator)


def code_of(term: Term) -> int:
    """The code of a constant: 0 or 1 for false and true, the position of a label, the number itself."""
    code = shape_of(term).code
    if code is None:
        raise ModelError(f"the term {term} is not a constant")
    return code


def is_constant(term: Term) -> bool:
    """Whether the term is true, false, a number or a label."""
    return shape_of(term).code is not None


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
        self._roots: list[Shape] = []

    def __call__(self, term: Term) -> R:
        """The folded value of a term."""
        root = shape_of(term)
        self._roots.append(root)
        stack = [root]
        while stack:
            node = stack[-1]
            missing = [] if self.known(node.key) else [c for c in node.children if not self.known(c.key)]
            if missing:
                stack += missing[::-1]
                continue
            if not self.known(node.key):
                parts = [self.memo[c.key] for c in node.children]
                self.memo[node.key] = self.handlers[node.operator](node.term, parts)
            stack.pop()
        return self.memo[root.key]

    def known(self, key: int) -> bool:
        """Whether the value of the term with this key is in the memo; a subclass may fetch it here."""
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
    if [child.key for child in shape_of(term).children] == [key_of(child) for child in children]:
        return term
    return BUILDERS[op_name(term)](*children)
