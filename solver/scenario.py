"""One run of a model, told as turns: who moves, by which named steps, and until when.

A turn only chooses among the steps that can happen. Where an edited table leads elsewhere, a turn that
cannot be taken is missed and the run goes on, so what is read at the end is always what the model did.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from model.kernel import Labels, Term
from model.labels import Kind, Move
from model.system import Model
from model.table_inputs import INPUT_NAMES, LABELS, Decision
from solver.plain_step import PlainModel, State

LONGEST_TURN = 100
"""Steps after which a turn is over: a table under which nobody decides would walk for ever."""

MOVES = (
    "claim", "read_again", "tell", "take_fence", "refuse_fence", "ask_effect", "go_on_unseen", "answer_reading",
    "answer", "observe_postcondition", "stand_down", "choose_execute", "choose_verify", "choose_compensate", "adopt",
    "abandon", "quarantine", "reauthorise", "renew", "admit", "refuse_admission", "record_attempt", "note_admission",
    "admission_is_gone", "release", "withhold", "receive", "learn_of_successor", "file_reply", "admit_undo",
    "record_undo", "undo_not_admitted", "release_undo", "refuse_stale_write", "give_up_waiting",
)  # fmt: skip
"""The steps of one worker and of those who answer it, the preferred ones first."""

TARGET = ("commit", "repeat", "repeat_with_other_payload", "turn_away", "reverse")
"""What the target does with a request that arrives."""

Until = Callable[[Model], Term]


@dataclass(frozen=True)
class Turn:
    """The first of these steps that can happen, again and again until something holds; once where it is None."""

    says: str
    steps: tuple[str, ...]
    until: Until | None = None


def event(says: str, step: str) -> Turn:
    """One step of anybody."""
    return Turn(says, (step,))


def walks(w: int, says: str, until: Until) -> Turn:
    """Worker w moves, and the target answers it."""
    return Turn(f"worker {w} {says}", (*(f"{step}[{w}]" for step in MOVES), *TARGET), until)


def at(w: int, move: str) -> Until:
    """Worker w has come to this move."""
    return lambda model: model.workers[w].move == getattr(Move, move)


def sent(model: Model) -> Term:
    """A request is on its way to the target."""
    return model.network.slots[0].kind == Kind.execute


@dataclass(frozen=True)
class Ruling:
    """What a worker knew, by the table's inputs, what was decided on it and the row that did (None in a gap)."""

    worker: int
    cut: Mapping[str, str]
    decision: str
    rule: str | None


class Run:
    """A scenario played on a model: its states, the steps between them and the turns that could not be taken."""

    def __init__(self, model: Model, plain: PlainModel, turns: Sequence[Turn]) -> None:
        self.model = model
        self.plain = plain
        self.states: list[State] = plain.initial_states()[:1]
        self.actions: list[str] = []
        self.missed: tuple[str, ...] = tuple(turn.says for turn in turns if not self._takes(turn))

    @property
    def end(self) -> State:
        """The last state."""
        return self.states[-1]

    def value(self, term: Term) -> int:
        """The code of a term in the last state (0 or 1 for a formula)."""
        return self.plain.value(term, self.end)

    def label(self, term: Term, labels: Labels) -> str:
        """A term over these labels in the last state, as a word."""
        return labels.labels[self.value(term)]

    @cached_property
    def rulings(self) -> tuple[Ruling, ...]:
        """Every decision that a worker faced, worker by worker, each in the order of the run."""
        found: list[Ruling] = []
        for w in self.model.indices("w"):
            found += self._rulings_of(w)
        return tuple(found)

    def last_ruling(self, w: int) -> Ruling | None:
        """The last decision that worker w faced."""
        return next((r for r in reversed(self.rulings) if r.worker == w), None)

    def _takes(self, turn: Turn) -> bool:
        """Take the steps of a turn; whether there was one."""
        until = None if turn.until is None else turn.until(self.model)
        for taken in range(LONGEST_TURN):
            step = self._chosen(turn.steps)
            if step is None:
                return taken > 0
            self.states.append(self.plain.step(self.end, step))
            self.actions.append(step)
            if until is None or self.value(until):
                return True
        return True

    def _chosen(self, steps: Sequence[str]) -> str | None:
        """The enabled action that the first possible name stands for; a name may leave indices open."""
        enabled = self.plain.enabled(self.end)
        chosen = (a for step in steps for a in enabled if a == step or a.startswith(f"{step}["))
        return next(chosen, None)

    def _rulings_of(self, w: int) -> list[Ruling]:
        found: list[Ruling] = []
        before: Ruling | None = None
        informed = self.model.workers[w].move == Move.informed
        for state in self.states:
            here = self._ruling(w, state) if self.plain.value(informed, state) else None
            if here is not None and here != before:
                found.append(here)
            before = here
        return found

    def _ruling(self, w: int, state: State) -> Ruling:
        inputs = self.model.inputs[w]
        cut = {name: LABELS[name].labels[self.plain.value(inputs[name], state)] for name in INPUT_NAMES}
        decision = Decision.labels[self.plain.value(self.model.decision[w], state)]
        rule = self.model.table.lookup(cut)
        return Ruling(w, cut, decision, None if rule is None else rule.name)
