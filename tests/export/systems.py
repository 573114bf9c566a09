"""Small systems that foreign checkers search too: circular updates, several starts, every operator."""

from __future__ import annotations

from collections.abc import Mapping

import z3

from model.kernel import Action, Labels, System, Vocabulary, sets
from solver.export_terms import Export
from tests.export.configurations import as_export
from tests.kernel.systems import die_hard, promising

Last = Labels("LastOfOperators", "nothing no_and no_or no_not no_implies no_ite eq distinct le lt ge gt add sub truth")
Extra = Labels("ExtraOfRing", "none one two three four")


def operators() -> System:
    """How many states there are says in how many of twelve situations each operator is true."""
    v = Vocabulary()
    a, b = v.count("a", 3, "all"), v.count("b", 2, "all")
    last = v.enum("last", Last, "all", "nothing")
    x, y = a >= 2, b == 1
    tests = {
        "no_and": z3.And(x, y), "no_or": z3.Or(x, y), "no_not": z3.Not(x), "no_implies": z3.Implies(x, y),
        "no_ite": z3.If(x, b, a) == 2, "eq": a == b, "distinct": z3.Distinct(a, b, z3.IntVal(1)), "le": a <= b,
        "lt": a < b, "ge": a >= b + 1, "gt": a > b + 1, "add": a + b == 3, "sub": b - a < -1, "truth": x == y,
    }  # fmt: skip
    free = last == Last.nothing
    actions = [Action(name, "all", z3.And(free, t), (sets(last, getattr(Last, name)),)) for name, t in tests.items()]
    grow = [Action(f"grow_{c}", "all", z3.And(free, c < most), (sets(c, c + 1),)) for c, most in ((a, 3), (b, 2))]
    both = {name: z3.Implies(last == getattr(Last, name), t) for name, t in tests.items()}
    return System("operators", tuple(v.variables), (*actions, *grow), both | {"small": b - a >= -2})


def rotating() -> System:
    """Three values that go round, one of them shared by name, and a start among three that breaks what must hold."""
    v = Vocabulary()
    places = [v.count(f"place[{i}]", 4, "ring", start=i) for i in range(3)]
    extra = v.promise("extra", ["one", "three", "four"], Extra)
    sum_of = places[0] + places[1] - places[2] + z3.If(extra == Extra.one, z3.IntVal(1), z3.IntVal(0))
    turned = tuple(sets(p, q) for p, q in zip(places, places[1:] + places[:1], strict=True))
    capped = z3.If(sum_of < 0, z3.IntVal(0), z3.If(sum_of > 4, z3.IntVal(4), sum_of))
    first = z3.If(sum_of < 0, z3.IntVal(1), places[1])
    actions = (
        Action("turn", "ring", z3.BoolVal(True), turned, "All at once."),
        Action("put", "ring", sum_of != 2, (sets(places[1], capped), sets(places[0], first))),
    )
    return System("rotating", tuple(v.variables), actions, {"never": sum_of > -1, "always": places[0] <= 4})


def small() -> Mapping[str, Export]:
    """By name."""
    systems = (operators(), rotating(), die_hard(), promising("low high").system)
    return {s.name: as_export(s) for s in systems}
