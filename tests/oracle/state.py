"""One state, as nested tuples with the starts of docs/model.md, section 5, and how to name its variables."""
from typing import NamedTuple, TypeVar

from tests.oracle import labels as of
from tests.oracle.run import Run

T = TypeVar("T")

MARKS = (
    "accepted_unadmitted", "accepted_under_old_epoch", "acted_on_moved_ground", "arrived_after_closing",
    "superseded_second", "bad_edge", "unknown_left_unseen", "admitted_unlawfully", "successor_too_early",
    "completed_unsoundly", "completed_unseen", "adopted_other", "adopted_against_answer", "undid_wrongly",
    "acted_unrecorded", "dropped_wanted",
)  # fmt: skip


class Intent(NamedTuple):
    """What the business wants of one obligation."""

    edited: bool = False
    withdrawn: bool = False
    bound_to_edit: bool = False


class Store(NamedTuple):
    """The checkpoint of one obligation."""

    epoch: int = 0
    lease: bool = False
    gen: int = 0
    phase: of.Phase = "NOT_ADMITTED"
    log: of.Log = "none"
    receipt: of.Receipt = "none"
    quarantined: bool = False
    diverged: bool = False
    undo_logged: bool = False


class Approval(NamedTuple):
    """The human decision on one operation."""

    state: of.ApprovalState = "unasked"
    used: bool = False
    resubmitted: bool = False


class Effect(NamedTuple):
    """What the target really holds for one operation, and what it remembers."""

    world: of.World = "absent"
    memo: of.Memo = "none"
    kept: int = 0
    drifted: bool = False
    fingerprint: bool = False
    behind: bool = False
    pruned: bool = False


class Slot(NamedTuple):
    """One request in flight; the start values are an empty slot."""

    kind: of.Kind = "none"
    op: int = 0
    epoch: int = 0
    life: int = 0
    drift: bool = False
    lawful: bool = False


class Worker(NamedTuple):
    """One resumer with its own copies; the start values are an idle worker."""

    move: of.Move = "idle"
    op: int = 0
    epoch: int = 0
    log: of.Log = "none"
    receipt: of.Receipt = "none"
    diverged: bool = False
    drift: bool = False
    fenced: bool = False
    lost: bool = False
    seen: of.Seen = "none"
    match: of.Match = "unseen"
    precondition: of.Precondition = "unobserved"
    postcondition: of.Postcondition = "unobserved"
    admission: of.Admission = "none"
    permission: of.Permission = "none"
    intent: of.IntentNow = "stands"
    young: bool = False
    repeat: bool = False
    astray: bool = False
    reply: of.Reply = "none"
    saw: bool = False
    lawful: bool = False


EMPTY = Slot()
IDLE = Worker()


class State(NamedTuple):
    """Everything; tuples are indexed by obligation, operation, slot or worker."""

    age: tuple[int, ...]
    crashes_left: int
    intent: tuple[Intent, ...]
    store: tuple[Store, ...]
    down: bool
    lowered: bool
    approval: tuple[Approval, ...]
    admission: tuple[of.Admission, ...]
    undo_admitted: tuple[bool, ...]
    moved: tuple[bool, ...]
    effect: tuple[Effect, ...]
    told: tuple[int, ...]
    slot: tuple[Slot, ...]
    worker: tuple[Worker, ...]
    commits: tuple[int, ...]
    undos: tuple[int, ...]
    spent: tuple[bool, ...]
    lapsed: tuple[bool, ...]
    marks: tuple[frozenset[str], ...]

    def with_store(self, k: int, store: Store) -> "State":
        """The state with another checkpoint."""
        return self._replace(store=put(self.store, k, store))

    def with_approval(self, o: int, approval: Approval) -> "State":
        """The state with another decision on an operation."""
        return self._replace(approval=put(self.approval, o, approval))

    def with_admission(self, o: int, admission: of.Admission) -> "State":
        """The state with another admission of an operation."""
        return self._replace(admission=put(self.admission, o, admission))

    def with_effect(self, o: int, effect: Effect) -> "State":
        """The state with another effect of an operation."""
        return self._replace(effect=put(self.effect, o, effect))

    def with_slot(self, m: int, slot: Slot) -> "State":
        """The state with other contents of a slot."""
        return self._replace(slot=put(self.slot, m, slot))

    def with_worker(self, w: int, worker: Worker) -> "State":
        """The state with another worker in place of one."""
        return self._replace(worker=put(self.worker, w, worker))

    def with_told(self, k: int, epoch: int) -> "State":
        """The state in which the target was told another epoch."""
        return self._replace(told=put(self.told, k, epoch))

    def marked(self, k: int, mark: str, condition: bool) -> "State":
        """The state with a mark set where the condition holds; marks are never taken back."""
        return self._replace(marks=put(self.marks, k, self.marks[k] | {mark})) if condition else self


def put(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """A copy of a tuple with one place changed."""
    return (*values[:index], value, *values[index + 1 :])


def start(run: Run) -> State:
    """The one start state that belongs to the promises of a run."""
    ks, os = run.obligations, run.operations
    first, later = Approval("asked"), Approval("unasked")
    not_admitted: of.Admission = "none"
    return State(
        age=(0,) * ks, crashes_left=run.crashes or 0, intent=(Intent(),) * ks, store=(Store(),) * ks,
        down=False, lowered=False,
        approval=tuple(first if run.generation(o) == 0 else later for o in range(os)),
        admission=(not_admitted,) * os, undo_admitted=(False,) * ks, moved=(False,) * ks,
        effect=(Effect(),) * os, told=(0,) * ks, slot=(EMPTY,) * run.messages, worker=(IDLE,) * run.workers,
        commits=(0,) * os, undos=(0,) * os, spent=(False,) * os, lapsed=(False,) * os,
        marks=(frozenset(),) * ks,
    )  # fmt: skip


def variables(run: Run) -> tuple[str, ...]:
    """The names of docs/model.md, in the order in which ``values`` gives their values."""
    ks, os = range(run.obligations), range(run.operations)
    names = [f"promise.{name}" for name in run.promises._fields]
    names += [f"clock.age[{k}]" for k in ks] + ["crashes_left"]
    names += [f"intent.{name}[{k}]" for k in ks for name in Intent._fields]
    names += [f"store.{name}[{k}]" for k in ks for name in Store._fields] + ["store.down", "store.lowered"]
    names += [f"approval.{name}[{o}]" for o in os for name in Approval._fields]
    names += [f"authority.admission[{o}]" for o in os] + [f"authority.undo_admitted[{k}]" for k in ks]
    names += [f"resource.moved[{k}]" for k in ks]
    names += [f"gateway.{name}[{o}]" for o in os for name in Effect._fields] + [f"gateway.told[{k}]" for k in ks]
    names += [f"network.{name}[{m}]" for m in range(run.messages) for name in Slot._fields]
    names += [f"worker[{w}].{name}" for w in range(run.workers) for name in Worker._fields]
    names += [f"history.{name}[{o}]" for name in ("commits", "undos", "spent", "lapsed") for o in os]
    return (*names, *(f"history.{mark}[{k}]" for k in ks for mark in MARKS))


def values(run: Run, s: State) -> tuple[object, ...]:
    """The values of a state in the order of ``variables``: labels are text, flags bool, counts int."""
    marks = (mark in s.marks[k] for k in range(run.obligations) for mark in MARKS)
    return (
        *run.promises, *s.age, s.crashes_left, *_flat(s.intent), *_flat(s.store), s.down, s.lowered,
        *_flat(s.approval), *s.admission, *s.undo_admitted, *s.moved, *_flat(s.effect), *s.told,
        *_flat(s.slot), *_flat(s.worker), *s.commits, *s.undos, *s.spent, *s.lapsed, *marks,
    )  # fmt: skip


def _flat(records: tuple[tuple[object, ...], ...]) -> tuple[object, ...]:
    """The fields of several records, one after the other."""
    return tuple(value for record in records for value in record)
