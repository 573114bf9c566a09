"""Small systems with known numbers of states, written with the kernel."""

from __future__ import annotations

from dataclasses import dataclass

import z3

from model.kernel import Action, Labels, System, Term, Vocabulary, sets

Manager = Labels("ManagerOf2pc", "init committed aborted")
Resource = Labels("ResourceOf2pc", "working prepared committed aborted")
Place = Labels("PlaceOfPeterson", "idle flagged waiting critical")
Grade = Labels("GradeOfPromises", "low middle high")


def two_phase_commit(n: int) -> System:
    """Lamport's two-phase commit as Stateright has it: 288 states for 3 resource managers, 8,832 for 5."""
    v = Vocabulary()
    manager = v.enum("manager", Manager, "manager", "init")
    commit, abort = v.flag("commit_sent", "net"), v.flag("abort_sent", "net")
    phases = [v.enum(f"phase_{i}", Resource, f"rm{i}", "working") for i in range(n)]
    prepared = [v.flag(f"prepared_{i}", "manager") for i in range(n)]
    sent = [v.flag(f"prepared_sent_{i}", "net") for i in range(n)]
    init = manager == Manager.init
    actions = [
        Action("commit", "manager", z3.And(init, *prepared), (sets(manager, Manager.committed), sets(commit, True))),
        Action("abort", "manager", init, (sets(manager, Manager.aborted), sets(abort, True))),
    ]
    for i, phase in enumerate(phases):
        working = phase == Resource.working
        actions += [
            Action(f"hear_{i}", "manager", z3.And(init, sent[i]), (sets(prepared[i], True),)),
            Action(f"prepare_{i}", f"rm{i}", working, (sets(phase, Resource.prepared), sets(sent[i], True))),
            Action(f"choose_abort_{i}", f"rm{i}", working, (sets(phase, Resource.aborted),)),
            Action(f"obey_commit_{i}", f"rm{i}", commit, (sets(phase, Resource.committed),)),
            Action(f"obey_abort_{i}", f"rm{i}", abort, (sets(phase, Resource.aborted),)),
        ]
    definitions = {
        "all_committed": z3.And(*(p == Resource.committed for p in phases)),
        "torn": z3.And(phases[0] == Resource.committed, phases[1] == Resource.aborted),
    }
    return System(f"two_phase_commit_{n}", tuple(v.variables), tuple(actions), definitions)


def die_hard() -> System:
    """A jug of 3 and a jug of 5: 16 states, and four litres after six steps."""
    v = Vocabulary()
    small, big = v.count("small", 3, "jugs"), v.count("big", 5, "jugs")
    into_big = z3.If(small <= 5 - big, small, 5 - big)
    into_small = z3.If(big <= 3 - small, big, 3 - small)
    always = z3.BoolVal(True)
    actions = (
        Action("fill_small", "jugs", always, (sets(small, 3),)),
        Action("fill_big", "jugs", always, (sets(big, 5),)),
        Action("empty_small", "jugs", always, (sets(small, 0),)),
        Action("empty_big", "jugs", always, (sets(big, 0),)),
        Action("small_to_big", "jugs", always, (sets(small, small - into_big), sets(big, big + into_big))),
        Action("big_to_small", "jugs", always, (sets(big, big - into_small), sets(small, small + into_small))),
    )
    return System("die_hard", tuple(v.variables), actions, {"four": big == 4})


def peterson(*, polite: bool = True) -> System:
    """Peterson's lock for two; without politeness (nobody gives the turn away) two get in."""
    v = Vocabulary()
    places = [v.enum(f"place_{i}", Place, f"p{i}", "idle") for i in range(2)]
    turn = v.flag("turn", "shared")
    actions: list[Action] = []
    for i, here in enumerate(places):
        other = places[1 - i]
        given = (sets(turn, i == 0),) if polite else ()
        may = z3.Or(other == Place.idle, turn == bool(i))
        actions += [
            Action(f"raise_{i}", f"p{i}", here == Place.idle, (sets(here, Place.flagged),)),
            Action(f"yield_{i}", f"p{i}", here == Place.flagged, (sets(here, Place.waiting), *given)),
            Action(f"enter_{i}", f"p{i}", z3.And(here == Place.waiting, may), (sets(here, Place.critical),)),
            Action(f"leave_{i}", f"p{i}", here == Place.critical, (sets(here, Place.idle),)),
        ]
    both = z3.And(*(p == Place.critical for p in places))
    return System(f"peterson_{polite}", tuple(v.variables), tuple(actions), {"both": both})


def counters(n: int, high: int) -> System:
    """``n`` counters that only grow: (high + 1) ** n states, depth n * high."""
    v = Vocabulary()
    terms = [v.count(f"counter_{i}", high, "all") for i in range(n)]
    actions = tuple(Action(f"grow_{i}", "all", t < high, (sets(t, t + 1),)) for i, t in enumerate(terms))
    return System(f"counters_{n}_{high}", tuple(v.variables), actions, {"sum": z3.Sum(*terms)})


def wide(rings: int = 3) -> System:
    """A state of several words: rings of 12 places, 7 bits a place, most of which never change.

    A token passes round the first four places of each ring and pushes the others back, so that a ring
    is as it was after 12 steps: 12 ** rings states, all of them at least 84 * rings bits wide.
    """
    v = Vocabulary()
    actions: list[Action] = []
    for r in range(rings):
        places = [v.count(f"ring_{r}_{i}", 100, f"ring{r}", start=100 if i == 0 else i) for i in range(12)]
        for i in range(4):
            here, there = places[i], places[(i + 1) % 4]
            actions.append(
                Action(f"pass_{r}_{i}", f"ring{r}", here == 100, (sets(here, there), sets(there, here)))
            )
    return System(f"wide_{rings}", tuple(v.variables), tuple(actions))


@dataclass(frozen=True)
class Promising:
    """A system with promises, one of them with a single value, and the terms to talk about it."""

    system: System
    keyed: Term
    grade: Term
    seen: Term


def promising(grades: str = "middle high") -> Promising:
    """Two promises, a flag that nothing sets, a ghost and arithmetic with intermediate negative values."""
    v = Vocabulary()
    keyed = v.promise("keyed", [True])
    grade = v.promise("grade", grades.split(), Grade)
    broken = v.flag("broken", "world")
    level = v.count("level", 4, "world", start=2)
    seen = v.count("seen", 3, "world", ghost=True)
    down = z3.And(keyed, level - 2 >= z3.If(grade == Grade.high, z3.IntVal(-1), z3.IntVal(0)))
    actions = (
        Action("down", "world", z3.And(down, level > 0), (sets(level, level - 1), sets(broken, z3.And(broken, keyed)))),
        Action("see", "world", z3.And(z3.Not(broken), seen < 3), (sets(seen, seen + 1), sets(level, level))),
        Action("break_more", "world", broken, (sets(level, 0),)),
        Action("unkeyed", "world", z3.And(z3.Not(keyed), z3.Distinct(level, seen, z3.IntVal(1))), (sets(level, 4),)),
    )
    system = System("promising", tuple(v.variables), actions, {"low": z3.Implies(keyed, level <= 1)})
    return Promising(system, keyed, grade, seen)


EXAMPLES = {
    system.name: system
    for system in (
        two_phase_commit(2),
        die_hard(),
        peterson(),
        peterson(polite=False),
        counters(3, 4),
        wide(3),
        promising().system,
    )
}
