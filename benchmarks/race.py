"""The benchmark's model: workers that crash race to carry out operations once each.

It has the shape of the project's own model (claims, epochs, a fence, a gateway that remembers keys for
a while, an approval that lapses) and few enough parts to be written for other checkers, too. An
operation's effect and what a worker has seen of it are numbers, so that seeing is one assignment.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import MappingProxyType

import z3
from z3 import And, If, Not, Or

from model.kernel import Action, Labels, System, Term, Update, Vocabulary, no_branching, sets
from model.specialise import specialise
from model.terms import conjunction

Step = Labels("RaceStep", "idle claimed replayed informed admitted sent verified finished crashed")
Approval = Labels("RaceApproval", "open expired revoked spent")

NONE, PENDING, COMMITTED, FAILED, UNKNOWN = range(5)
"""An operation's effect, and what a worker has seen of it."""

CLAIMED, REPLAYED, INFORMED, ADMITTED, SENT, VERIFIED, FINISHED = range(1, 8)
"""How far the checkpoint says that an operation is."""


@dataclass(frozen=True)
class Bounds:
    """The sizes of a race, and the ticks at which an approval expires and a key may be forgotten."""

    workers: int
    operations: int
    versions: int
    clock: int
    crashes: int
    expiry: int
    retention: int
    broken: bool = False


class _World:
    """The clock and the crashes that are left."""

    def __init__(self, vocabulary: Vocabulary, bounds: Bounds):
        self.bounds = bounds
        self.clock = vocabulary.count("clock", bounds.clock, "world")
        self.crashes = vocabulary.count("crashes", bounds.crashes, "world", bounds.crashes)

    def actions(self) -> Iterator[Action]:
        """Time passes."""
        yield _action("tick", "world", self.clock < self.bounds.clock, sets(self.clock, self.clock + 1))


class _Operation:
    """One operation: its checkpoint, its approval, and the gateway that carries it out."""

    def __init__(self, vocabulary: Vocabulary, world: _World, o: int):
        def name(part: str) -> str:
            return f"operation[{o}].{part}"

        self.world, self.o, versions = world, o, world.bounds.versions
        self.progress = vocabulary.count(name("progress"), FINISHED, "store")
        self.version = vocabulary.count(name("version"), versions, "store")
        self.effect = vocabulary.count(name("effect"), FAILED, "gateway")
        self.commits = vocabulary.count(name("commits"), 2, "gateway", ghost=True)
        self.approval = vocabulary.enum(name("approval"), Approval, "approver", "open")
        self.admitted = vocabulary.flag(name("admitted"), "store")
        self.key = vocabulary.flag(name("key"), "gateway")
        self.fence = vocabulary.count(name("fence"), versions, "gateway")

    def actions(self) -> Iterator[Action]:
        """What happens to an operation without a worker."""
        clock, bounds, at = self.world.clock, self.world.bounds, f"[{self.o}]"
        unused, pending = self.approval == Approval.open, self.effect == PENDING
        forgets = And(self.key, clock >= bounds.retention, self.effect >= COMMITTED)
        more = If(self.commits < 2, self.commits + 1, z3.IntVal(2))
        expired, revoked = sets(self.approval, Approval.expired), sets(self.approval, Approval.revoked)
        yield _action(f"expire{at}", "approver", And(unused, clock >= bounds.expiry), expired)
        yield _action(f"revoke{at}", "approver", unused, revoked)
        yield _action(f"commit{at}", "gateway", pending, sets(self.effect, COMMITTED), sets(self.commits, more))
        yield _action(f"fail{at}", "gateway", pending, sets(self.effect, FAILED))
        yield _action(f"forget{at}", "gateway", forgets, sets(self.key, False))


class _Worker:
    """One worker: where it is, the epoch of its claim, what it has seen and which operation it is at."""

    def __init__(self, vocabulary: Vocabulary, world: _World, w: int):
        self.world, self.w, self.owner = world, w, f"worker[{w}]"
        bounds = world.bounds
        self.step = vocabulary.enum(f"{self.owner}.step", Step, self.owner, "idle")
        self.epoch = vocabulary.count(f"{self.owner}.epoch", bounds.versions, self.owner)
        self.seen = vocabulary.count(f"{self.owner}.seen", UNKNOWN, self.owner, UNKNOWN)
        self.operation = vocabulary.count(f"{self.owner}.operation", bounds.operations - 1, self.owner)

    def actions(self, operations: list[_Operation]) -> Iterator[Action]:
        """What a worker does, whatever its operation, and then with each operation."""
        crashes, step = self.world.crashes, self.step
        busy = And(step != Step.idle, step != Step.finished, step != Step.crashed, crashes > 0)
        stops = sets(step, Step.crashed), self.sees(UNKNOWN), sets(crashes, crashes - 1)
        yield self.does("free", step == Step.finished, *self.back())
        yield self.does("crash", busy, *stops)
        yield self.does("restart", step == Step.crashed, *self.back())
        for operation in operations:
            yield from _Errand(self, operation).actions()

    def does(self, name: str, guard: Term, *updates: Update) -> Action:
        """An action of this worker."""
        return _action(f"{name}[{self.w}]", self.owner, guard, *updates)

    def sees(self, effect: Term | int) -> Update:
        """What it has seen of the effect from now on."""
        return sets(self.seen, effect)

    def back(self) -> tuple[Update, ...]:
        """It forgets everything and is idle."""
        return sets(self.step, Step.idle), sets(self.epoch, 0), self.sees(UNKNOWN), sets(self.operation, 0)


class _Errand:
    """One worker and one operation: the steps from the claim to the end."""

    def __init__(self, worker: _Worker, operation: _Operation):
        self.worker, self.op = worker, operation
        self.current = operation.version == worker.epoch
        self.accepted = worker.epoch >= operation.fence

    def actions(self) -> Iterator[Action]:
        """Every step, by where the worker is."""
        for part in (self.claiming, self.reading, self.judging, self.sending, self.verifying, self.ending):
            yield from part()

    def at(self, name: str, step: Term, guard: Term | bool, *updates: Update) -> Action:
        """A step that a worker takes at a place of its way, for this operation."""
        here = And(self.worker.step == step, self.worker.operation == self.op.o, guard)
        return self.worker.does(f"{name}[{self.op.o}]", here, *updates)

    def goes(self, step: Term, progress: int | None = None) -> tuple[Update, ...]:
        """To another place; the checkpoint notes progress if the claim still stands."""
        moved = sets(self.worker.step, step)
        return (moved,) if progress is None else (moved, self.notes(progress, self.current))

    def notes(self, progress: int, when: Term | bool = True) -> Update:
        """The checkpoint says that the operation is at least this far."""
        before = self.op.progress
        return sets(before, If(And(when, before < progress), z3.IntVal(progress), before))

    def fences(self) -> Update:
        """The gateway has met this epoch."""
        return sets(self.op.fence, self.worker.epoch)

    def claiming(self) -> Iterator[Action]:
        """An idle worker claims an operation and replays what is there."""
        worker, op, epoch = self.worker, self.op, self.op.version + 1
        free = And(worker.step == Step.idle, op.progress < FINISHED, op.version < worker.world.bounds.versions)
        claimed = sets(worker.epoch, epoch), sets(op.version, epoch), sets(worker.operation, op.o)
        yield worker.does(f"claim[{op.o}]", free, *self.goes(Step.claimed), *claimed, self.notes(CLAIMED))
        yield self.at("replay", Step.claimed, self.current, *self.goes(Step.replayed), self.notes(REPLAYED))
        yield self.at("lose", Step.claimed, Not(self.current), *worker.back())

    def reading(self) -> Iterator[Action]:
        """It reads the effect back, or waits for an answer in vain."""
        here, onwards, worker = Step.replayed, self.goes(Step.informed, INFORMED), self.worker
        yield self.at("read", here, self.accepted, *onwards, worker.sees(self.op.effect), self.fences())
        yield self.at("miss", here, True, *onwards, worker.sees(UNKNOWN))

    def judging(self) -> Iterator[Action]:
        """It asks for permission, relies on the old one, finds the work done or refused, or reads again."""
        here, op, seen = Step.informed, self.op, self.worker.seen
        unsent, unused = And(seen != PENDING, seen != COMMITTED), op.approval == Approval.open
        lapsed = Or(op.approval == Approval.expired, op.approval == Approval.revoked)
        spends = sets(op.admitted, True), sets(op.approval, Approval.spent)
        refused = And(seen != COMMITTED, Not(op.admitted), lapsed, self.current)
        onwards, ends = self.goes(Step.admitted, ADMITTED), (*self.goes(Step.finished), sets(op.progress, FINISHED))
        yield self.at("admit", here, And(unsent, unused, Not(op.admitted)), *onwards, *spends)
        yield self.at("readmit", here, And(unsent, op.admitted), *onwards)
        yield self.at("skip", here, seen == COMMITTED, *self.goes(Step.verified, VERIFIED))
        yield self.at("refuse", here, refused, *ends)
        yield self.at("reread", here, seen == PENDING, *self.goes(Step.replayed))

    def sending(self) -> Iterator[Action]:
        """It sends; the gateway carries out, recognises, or turns away; answers and requests get lost."""
        here, op, worker, sees = Step.admitted, self.op, self.worker, self.worker.sees
        fresh = Or(op.effect == NONE, And(op.effect == FAILED, op.key))
        forgotten = And(op.effect >= COMMITTED, Not(op.key))
        takes = And(self.accepted, Or(fresh, forgotten) if worker.world.bounds.broken else fresh)
        known = And(self.accepted, op.effect >= PENDING, op.effect <= COMMITTED, op.key)
        starts, onwards = (sets(op.effect, PENDING), sets(op.key, True), self.fences()), self.goes(Step.sent, SENT)
        yield self.at("send", here, takes, *onwards, *starts, sees(PENDING))
        yield self.at("send_unheard", here, takes, *onwards, *starts, sees(UNKNOWN))
        yield self.at("send_lost", here, True, *onwards, sees(UNKNOWN))
        yield self.at("repeat", here, known, *onwards, self.fences(), sees(op.effect))
        if not worker.world.bounds.broken:
            late = And(self.accepted, forgotten)
            yield self.at("repeat_late", here, late, *self.goes(Step.sent), self.fences(), sees(op.effect))
        yield self.at("fenced_sending", here, Not(self.accepted), *worker.back())

    def verifying(self) -> Iterator[Action]:
        """It looks whether the effect is there, tries again, or learns nothing."""
        here, op, sees = Step.sent, self.op, self.worker.sees
        again = And(self.accepted, Or(op.effect == NONE, op.effect == FAILED))
        there, found = And(self.accepted, op.effect == COMMITTED), self.goes(Step.verified, VERIFIED)
        yield self.at("verify", here, there, *found, self.fences(), sees(COMMITTED))
        yield self.at("retry", here, again, *self.goes(Step.informed), self.fences(), sees(op.effect))
        yield self.at("verify_unheard", here, self.worker.seen != UNKNOWN, sees(UNKNOWN))
        yield self.at("fenced_verifying", here, Not(self.accepted), *self.worker.back())

    def ending(self) -> Iterator[Action]:
        """It records the end; one that was thought dead goes on where the checkpoint lets it."""
        ends = (*self.goes(Step.finished), sets(self.op.progress, FINISHED))
        wakes = sets(self.worker.step, If(self.op.admitted, Step.admitted, Step.replayed))
        yield self.at("finish", Step.verified, self.current, *ends)
        yield self.at("finish_late", Step.verified, Not(self.current), *self.worker.back())
        yield self.at("wake", Step.crashed, True, wakes)


def race(
    workers: int,
    operations: int,
    versions: int,
    clock: int,
    crashes: int,
    expiry: int,
    retention: int,
    broken: bool = False,
) -> System:
    """The race as a system, what never changes folded away; ``once`` says that nothing is committed twice.

    With ``broken``, the gateway carries a request out again after it has forgotten the key.
    """
    with no_branching():
        return _system(Bounds(workers, operations, versions, clock, crashes, expiry, retention, broken))


def _system(bounds: Bounds) -> System:
    vocabulary = Vocabulary()
    world = _World(vocabulary, bounds)
    operations = [_Operation(vocabulary, world, o) for o in range(bounds.operations)]
    workers = [_Worker(vocabulary, world, w) for w in range(bounds.workers)]
    actions = [*world.actions()]
    for operation in operations:
        actions += operation.actions()
    for worker in workers:
        actions += worker.actions(operations)
    once = MappingProxyType({"once": conjunction([op.commits <= 1 for op in operations])})
    return specialise(System("race", tuple(vocabulary.variables), tuple(actions), once)).system


def _action(name: str, owner: str, guard: Term, *updates: Update) -> Action:
    return Action(name, owner, guard, updates)
