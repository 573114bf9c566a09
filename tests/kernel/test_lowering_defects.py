"""Defects that are planted in a lowering: each is noticed when states and steps are compared with a plain walk."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import z3

from model.kernel import Action, ModelError, System, Vocabulary, sets
from solver.engine import Engine
from solver.explore import explore
from solver.llvm_successors import _Successors
from solver.llvm_writer import LlvmWriter
from solver.numpy_lowering import _RowUpdate
from solver.numpy_writer import NumpyWriter
from solver.packing import Field
from tests.kernel.oracle import walk
from tests.kernel.test_explore import keys, steps

Patch = pytest.MonkeyPatch


def ladder() -> System:
    """A count that goes up to a bound under every relation and sum, and a flag that goes with it."""
    v = Vocabulary()
    n, m, odd = v.count("n", 6, "world"), v.count("m", 6, "world", start=6), v.flag("odd", "world")
    actions = (
        Action("up", "world", n < 6, (sets(n, n + 1), sets(odd, z3.Not(odd)))),
        Action("down", "world", z3.And(m > 0, n >= 3), (sets(m, m - 1),)),
        Action("leap", "world", z3.And(n <= 1, m != 0), (sets(n, z3.If(odd, n + 2, n + 3)),)),
        Action("meet", "world", z3.Or(n == m, z3.And(odd, n == 5)), (sets(n, z3.IntVal(0)), sets(odd, False))),
    )
    return System("ladder", tuple(v.variables), actions)


def agrees(engine: Engine) -> bool:
    """Whether states and steps are those of a plain walk."""
    depth, edges = walk(ladder())
    try:
        found = explore(ladder(), keep_edges=True, engine=engine)
    except ModelError:
        return False
    return set(keys(found)) == set(depth) and steps(found) == edges


def off_by_one(patch: Patch, writer: type, one: str, other: str) -> None:
    """A relation that is another at its edge."""
    patch.setattr(writer, f"_{one}", getattr(writer, f"_{other}"))


def dropped_update(patch: Patch, kernel: type) -> None:
    """The last change of a word is forgotten."""
    original = kernel._word  # type: ignore[attr-defined]
    patch.setattr(kernel, "_word", lambda self, word, changes: original(self, word, changes[:-1]))


def narrow(patch: Patch, _: type) -> None:
    """A field of three bits is read and written as one of two."""
    patch.setattr(Field, "mask", property(lambda f: (1 << min(f.bits, 2)) - 1))


def sum_without_carry(patch: Patch, writer: type) -> None:
    """A sum loses its last part."""
    original = writer._add  # type: ignore[attr-defined]
    patch.setattr(writer, "_add", lambda self, parts: original(self, parts[:1]))


DEFECTS: dict[str, Callable[[Patch, type, type], None]] = {
    "lt is le": lambda patch, writer, _: off_by_one(patch, writer, "lt", "le"),
    "le is lt": lambda patch, writer, _: off_by_one(patch, writer, "le", "lt"),
    "gt is ge": lambda patch, writer, _: off_by_one(patch, writer, "gt", "ge"),
    "ge is gt": lambda patch, writer, _: off_by_one(patch, writer, "ge", "gt"),
    "eq is distinct": lambda patch, writer, _: off_by_one(patch, writer, "eq", "distinct"),
    "and is or": lambda patch, writer, _: off_by_one(patch, writer, "and", "or"),
    "or is and": lambda patch, writer, _: off_by_one(patch, writer, "or", "and"),
    "a sum loses a part": lambda patch, writer, _: sum_without_carry(patch, writer),
    "a dropped update": lambda patch, _, kernel: dropped_update(patch, kernel),
    "a wrong bit width": lambda patch, _, kernel: narrow(patch, kernel),
}

LOWERINGS = {
    "numpy": (Engine("numpy"), NumpyWriter, _RowUpdate),
    "compiled": (Engine("compiled", 1), LlvmWriter, _Successors),
}


@pytest.mark.parametrize("name", LOWERINGS)
def test_the_lowering_as_it_is_agrees(name: str) -> None:
    assert agrees(LOWERINGS[name][0])


@pytest.mark.parametrize("defect", DEFECTS.values(), ids=DEFECTS.keys())
@pytest.mark.parametrize("name", LOWERINGS)
def test_a_defect_is_noticed(name: str, defect: Callable[[Patch, type, type], None], monkeypatch: Patch) -> None:
    engine, writer, kernel = LOWERINGS[name]
    defect(monkeypatch, writer, kernel)
    assert not agrees(engine)
