"""An abstract world of one obligation: the least state in which the table's decisions can go wrong.

It forgets workers, messages, epochs and time, and keeps what a decision is about: what exists, what
can still land and whether the target would recognise it, what is admitted, wanted and moved. The
decisions of a table act on it, and an environment that is at least as free as that of the model
(solver/abstraction.py checks this on the states and steps that the model reaches).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields

from z3 import And, If, IntVal, Not, Or

from model.kernel import Action, Labels, System, Term, Update, Vocabulary, no_branching, sets
from model.table_inputs import INPUT_NAMES, INPUTS, Admission, Decision

CasePhase = Labels("CasePhase", "open waiting verified abandoned")
"""Where the case is: waiting is for the approver or for a person."""

Stage = Labels("Stage", "deciding admitting chosen undoing")
"""Where the resumer with the current claim is; ``deciding`` also stands for nobody."""

ENVIRONMENT = "environment"
RESUMER = "resumer"


@dataclass(frozen=True, eq=False)
class World:
    """The abstract state as terms: variables here, and terms over the model in solver/abstraction.py."""

    commits: Term
    """Effects of the obligation minus those that were undone, 0 to 2."""
    pending: Term
    """An effect is accepted and may still come to be."""
    landable: Term
    """Releases, in flight or recorded by a paused sender, that may still be executed and not recognised, 0 to 2."""
    covered: Term
    """Of the outstanding copies and one more, the target executes one and recognises the rest until they are dead."""
    admitted: Term
    """Truly, lawfully and standing."""
    valid: Term
    """The authority would admit now."""
    wanted: Term
    """The obligation wants this operation now."""
    hopeless: Term
    """This identity can never have the effect: it was refused, or answered with an error for ever."""
    moved: Term
    """Others moved the governed object."""
    matches: Term
    """What exists in the world is this intent's."""
    faithful: Term
    """What the resumer would send is what was decided and admitted."""
    undone: Term
    """The effect was there and was undone."""
    undo_out: Term
    """An undo is recorded or in flight."""
    exact: Term
    """The contract has an exact inverse with an identity of its own."""
    asked_admitted: Term
    """The authority held a standing admission when this resumer asked."""
    asked_valid: Term
    """The authority would have admitted when this resumer asked."""
    phase: Term
    stage: Term

    @property
    def effects(self) -> Term:
        """Effects that exist or are under way."""
        return self.commits + If(self.pending, IntVal(1), IntVal(0))

    @property
    def chosen(self) -> Term:
        """The resumer has decided to execute and has not recorded its attempt yet."""
        return Or(self.stage == Stage.admitting, self.stage == Stage.chosen)

    @property
    def room(self) -> Term:
        """One more release makes no second effect."""
        return Or(self.covered, self.effects + self.landable == 0)


def declared(v: Vocabulary) -> World:
    """The abstract state as variables: nothing has happened, and the obligation is wanted."""
    flags = {f.name: f"world.{f.name}" for f in fields(World)}
    true = {"wanted", "matches", "faithful"}
    terms: dict[str, Term] = {
        "commits": v.count("world.commits", 2, ENVIRONMENT),
        "landable": v.count("world.landable", 2, ENVIRONMENT),
        "phase": v.enum("world.phase", CasePhase, ENVIRONMENT, "open"),
        "stage": v.enum("world.stage", Stage, RESUMER, "deciding"),
        "exact": v.promise("world.exact", (False, True)),
    }
    rest = {n: v.flag(name, ENVIRONMENT, n in true) for n, name in flags.items() if n not in terms}
    return World(**{**terms, **rest})


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
        made = _Decisions(self.world, self.cut, self.decision)
        return [_action(getattr(made, name), RESUMER) for name in _Decisions.NAMES]


def _action(step: Callable[[], tuple[Term, *tuple[Update, ...]]], owner: str) -> Action:
    guard, *updates = step()
    name = getattr(step, "__name__", "step")
    return Action(name, owner, guard, tuple(updates), " ".join((step.__doc__ or "").split()))


Step = tuple[Term, *tuple[Update, ...]]


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

    def _afresh(self) -> tuple[Update, ...]:
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
        cleared = (w.admitted, w.valid, w.hopeless, w.undone, w.undo_out)
        return (
            w.phase == CasePhase.abandoned,
            sets(w.phase, CasePhase.open),
            *[sets(term, False) for term in cleared],
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


class _Decisions:
    """What becomes of each decision that has an effect; each needs the current claim."""

    NAMES = (
        "execute_when_admitted", "execute_with_admission_now", "adopt", "abandon", "compensate", "hand_over", "verify",
        "stand_down",
    )

    def __init__(self, world: World, cut: Mapping[str, Term], decision: Term) -> None:
        if set(cut) != set(INPUT_NAMES):
            raise KeyError(f"a cut has the inputs {', '.join(INPUT_NAMES)}")
        self.world, self.cut, self.decision = world, cut, decision

    def _decides(self, *decisions: Term) -> Term:
        w = self.world
        unclosed = Or(w.phase == CasePhase.open, w.phase == CasePhase.waiting)
        return And(w.stage == Stage.deciding, unclosed, Or(*[self.decision == d for d in decisions]))

    def execute_when_admitted(self) -> Step:
        """Act on the admission that stands."""
        guard = And(self._decides(Decision.execute), self.cut["admission"] == Admission.standing)
        return guard, sets(self.world.stage, Stage.chosen)

    def execute_with_admission_now(self) -> Step:
        """Act after asking for an admission."""
        guard = And(self._decides(Decision.execute), self.cut["admission"] != Admission.standing)
        return guard, sets(self.world.stage, Stage.admitting)

    def adopt(self) -> Step:
        """Complete without acting."""
        return self._decides(Decision.adopt), sets(self.world.phase, CasePhase.verified), *self._lets_go()

    def abandon(self) -> Step:
        """Close the operation without an effect."""
        return self._decides(Decision.abandon), sets(self.world.phase, CasePhase.abandoned), *self._lets_go()

    def compensate(self) -> Step:
        """Undo the effect."""
        return self._decides(Decision.compensate), sets(self.world.stage, Stage.undoing)

    def hand_over(self) -> Step:
        """Hand the case to the approver or to a person."""
        guard = self._decides(Decision.quarantine, Decision.reauthorise)
        return guard, sets(self.world.phase, CasePhase.waiting), *self._lets_go()

    def verify(self) -> Step:
        """Look again."""
        return self._decides(Decision.verify), *self._lets_go()

    def stand_down(self) -> Step:
        """Externalise nothing."""
        return self._decides(Decision.stand_down), *self._lets_go()

    def _lets_go(self) -> tuple[Update, ...]:
        return sets(self.world.asked_admitted, False), sets(self.world.asked_valid, False)
