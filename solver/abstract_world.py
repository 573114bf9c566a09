"""An abstract world of one obligation: the least state in which the table's decisions can go wrong.

It forgets workers, messages, epochs and time, and keeps what a decision is about: what exists, what
can still land and whether the target would recognise it, what is admitted, wanted and moved. The
decisions of a table act on it, and an environment that is meant to be at least as free as that of the
model (solver/abstraction.py has exploration check the states that the model reaches, not its single steps).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from z3 import And, If, IntVal, Not, Or

from model.kernel import Action, System, Term, Update, Vocabulary, no_branching, sets
from model.table_inputs import INPUTS, Decision
from solver.abstract_decisions import Decisions
from solver.abstract_state import ENVIRONMENT, RESUMER, CasePhase, Stage, Step, World, declared


class AbstractWorld:
    """The variables, the steps of the environment, and what becomes of each decision.

    ``cut`` gives the inputs of the table as variables. They belong to the resumer that decides and are
    free in each step but for the consistency relation; no step constrains them afterwards.
    """

    def __init__(self) -> None:
        v = Vocabulary()
        with no_branching():
            self.world = declared(v)
            self.cut: Mapping[str, Term] = {
                i.name: v.enum(f"cut.{i.name}", i.labels, RESUMER, i.cautious) for i in INPUTS
            }
            self.decision = v.enum("decision", Decision, RESUMER, "quarantine")
            self.environment = tuple(self._environment())
            self.decisions = tuple(self._decisions())
        self.variables = tuple(v.variables)

    def system(self) -> System:
        """The abstract world as a system; inputs and decision are variables that nothing updates."""
        return System("abstract world", self.variables, (*self.environment, *self.decisions))

    def values(self, state: Mapping[str, int]) -> dict[str, bool | int | str]:
        """A state (name to code) as a person reads it, without the prefixes of the names."""
        return {v.name.rpartition(".")[2]: v.decode(state[v.name]) for v in self.variables if v.name in state}

    def _environment(self) -> list[Action]:
        steps = [getattr(_Environment(self.world), name) for name in _Environment.NAMES]
        return [_action(step, ENVIRONMENT) for step in steps]

    def _decisions(self) -> list[Action]:
        made = Decisions(self.world, self.cut, self.decision)
        return [_action(getattr(made, name), RESUMER) for name in Decisions.NAMES]


def _action(step: Callable[[], Step], owner: str) -> Action:
    guard, *updates = step()
    name = getattr(step, "__name__", "step")
    return Action(name, owner, guard, tuple(updates), " ".join((step.__doc__ or "").split()))


class _Environment:
    """What may happen between a resumer's reading and the arrival of its request, in any order."""

    NAMES = (
        "land", "land_pending", "land_differing", "refuse", "drop", "shut_out", "settle", "settle_as_failed",
        "forget_key", "recognise", "void", "withhold_authority", "grant", "withdraw_or_edit", "move",
        "burn", "unburn", "take_over", "take_over_diverged", "ask", "look_again", "admit", "refuse_admission",
        "find_admission_gone", "record", "record_dead", "record_undo", "give_up_undo", "land_undo", "drop_undo",
        "plan_next_generation", "restore", "come_back",
    )

    def __init__(self, world: World) -> None:
        self.world = world

    def _one_less(self) -> Update:
        """A copy is gone; where it was executed under a recognised identity, all others are recognised."""
        w = self.world
        return sets(w.landable, If(w.covered, IntVal(0), w.landable - 1))

    def _commits_more(self) -> Update:
        w = self.world
        return sets(w.commits, If(w.commits < 2, w.commits + 1, w.commits))

    def land(self) -> Step:
        """A release arrives and is executed."""
        w = self.world
        return w.landable > 0, self._commits_more(), self._one_less(), sets(w.hopeless, False)

    def land_pending(self) -> Step:
        """A release arrives and is accepted, to settle later."""
        w = self.world
        return And(w.landable > 0, Not(w.pending)), sets(w.pending, True), self._one_less(), sets(w.hopeless, False)

    def land_differing(self) -> Step:
        """A release arrives whose effect is not what the intent states."""
        w = self.world
        return (*self.land(), sets(w.matches, False))

    def refuse(self) -> Step:
        """A release arrives and is refused for good."""
        w = self.world
        return And(w.landable > 0, w.effects == 0), self._one_less(), sets(w.hopeless, True)

    def drop(self) -> Step:
        """A release is lost."""
        w = self.world
        return w.landable > 0, sets(w.landable, w.landable - 1)

    def shut_out(self) -> Step:
        """No earlier release can land any more: a newer epoch was told, the object moved, an error is remembered."""
        return And(), sets(self.world.landable, 0)

    def settle(self) -> Step:
        """A pending effect becomes real, with or without a worker."""
        w = self.world
        return w.pending, sets(w.pending, False), self._commits_more()

    def settle_as_failed(self) -> Step:
        """A pending effect comes to nothing."""
        return self.world.pending, sets(self.world.pending, False)

    def forget_key(self) -> Step:
        """The target forgets the identity: only while nothing outstanding or chosen relies on being recognised."""
        w = self.world
        relied = Or(w.landable > 1, And(w.chosen, w.effects + w.landable > 0))
        return Not(relied), sets(w.covered, False)

    def recognise(self) -> Step:
        """All outstanding copies, and one more, are now sure to be recognised."""
        return And(), sets(self.world.covered, True)

    def void(self) -> Step:
        """The admission is taken back, or falls with its approval."""
        return And(), sets(self.world.admitted, False)

    def withhold_authority(self) -> Step:
        """The approval expires, is revoked, outdated, refused or used up, perhaps with its admission."""
        return And(), sets(self.world.valid, False)

    def grant(self) -> Step:
        """The approver allows the operation, for the first time or again."""
        return And(), sets(self.world.valid, True)

    def withdraw_or_edit(self) -> Step:
        """The business no longer wants this operation; that is never taken back for the same operation."""
        return And(), sets(self.world.wanted, False)

    def move(self) -> Step:
        """Others move the governed object."""
        return And(), sets(self.world.moved, True)

    def burn(self) -> Step:
        """The target's remembered error enters the checkpoint."""
        return And(), sets(self.world.hopeless, True)

    def unburn(self) -> Step:
        """A later answer outranks the error, while the case is not closed."""
        w = self.world
        return w.phase != CasePhase.abandoned, sets(w.hopeless, False)

    def take_over(self) -> Step:
        """The resumer crashes or is superseded, and whoever claims next starts from nothing."""
        w = self.world
        return And(), *self._afresh(), sets(w.faithful, True)

    def take_over_diverged(self) -> Step:
        """Another resumer takes over and would send something else."""
        return And(), *self._afresh(), sets(self.world.faithful, False)

    def _afresh(self) -> tuple[Update, Update, Update]:
        w = self.world
        return sets(w.stage, Stage.deciding), sets(w.asked_admitted, False), sets(w.asked_valid, False)

    def ask(self) -> Step:
        """The resumer asks the authority."""
        w = self.world
        return w.stage == Stage.deciding, sets(w.asked_admitted, w.admitted), sets(w.asked_valid, w.valid)

    def look_again(self) -> Step:
        """The resumer forgets what it was told and gathers evidence anew."""
        return self.world.stage == Stage.deciding, *self._afresh()

    def admit(self) -> Step:
        """The authority admits exactly this operation and looks at its own record in the same step."""
        w = self.world
        return And(w.stage == Stage.admitting, w.valid), sets(w.admitted, True), sets(w.stage, Stage.chosen)

    def refuse_admission(self) -> Step:
        """What was permitted when the resumer asked no longer is."""
        return self.world.stage == Stage.admitting, *self._afresh()

    def find_admission_gone(self) -> Step:
        """The admission does not stand when the attempt would be recorded, or it is too late to send."""
        return self.world.stage == Stage.chosen, *self._afresh()

    def record(self) -> Step:
        """The attempt is recorded with the admission standing; from here on the request may land."""
        w = self.world
        recognised = And(w.covered, w.effects > 0)
        more = If(Or(recognised, w.landable > 1), w.landable, w.landable + 1)
        return And(w.stage == Stage.chosen, w.admitted), sets(w.landable, more), *self._afresh()

    def record_dead(self) -> Step:
        """The attempt is recorded, and its request cannot land: it is too late, or the object moved."""
        w = self.world
        return And(w.stage == Stage.chosen, w.admitted), *self._afresh()

    def record_undo(self) -> Step:
        """The undo is admitted because the effect is not wanted, and recorded."""
        w = self.world
        return And(w.stage == Stage.undoing, Not(w.wanted)), sets(w.undo_out, True), *self._afresh()

    def give_up_undo(self) -> Step:
        """Nobody allows the undo."""
        return self.world.stage == Stage.undoing, *self._afresh()

    def land_undo(self) -> Step:
        """The undo arrives; it reverses an effect that is there."""
        w = self.world
        return And(w.undo_out, w.commits > 0), sets(w.commits, w.commits - 1), sets(w.undone, True)

    def drop_undo(self) -> Step:
        """No undo is outstanding any more."""
        return self.world.undo_out, sets(self.world.undo_out, False)

    def plan_next_generation(self) -> Step:
        """A new operation for the same obligation, after its predecessor was closed."""
        w = self.world
        return (
            w.phase == CasePhase.abandoned,
            sets(w.phase, CasePhase.open),
            sets(w.admitted, False),
            sets(w.valid, False),
            sets(w.hopeless, False),
            sets(w.undone, False),
            sets(w.undo_out, False),
            sets(w.wanted, True),
            sets(w.matches, True),
            *self._afresh(),
        )

    def restore(self) -> Step:
        """The checkpoint store comes back from a backup that has seen nothing."""
        w = self.world
        return And(), sets(w.phase, CasePhase.open), sets(w.hopeless, False), *self._afresh()

    def come_back(self) -> Step:
        """A case that waited for its approver is taken up again."""
        w = self.world
        return w.phase == CasePhase.waiting, sets(w.phase, CasePhase.open)
