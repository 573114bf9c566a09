"""Epochs are ranks, and who is put to rest when a newer one comes (docs/model.md, sections 9 and 13)."""
from tests.oracle.run import Run
from tests.oracle.state import EMPTY, IDLE, Slot, State, Worker

NOBODY = -1


def rank(run: Run, s: State, w: int, k: int, epoch: int) -> int:
    """How many different epochs, up to this one, somebody other than the worker still holds."""
    held = {x.epoch for other, x in enumerate(s.worker) if other != w}
    held |= {n.epoch for n in s.slot} | {s.told[k]}
    return sum(1 <= e <= min(epoch, run.epochs) for e in held)


def next_epoch(run: Run, s: State, w: int, k: int) -> int:
    """The epoch that a claim gets: above all that are held, unless the store has forgotten them."""
    if s.lowered:
        return s.store[k].epoch + 1 if s.store[k].epoch < run.epochs else 1
    return rank(run, s, w, k, run.epochs) + 1


def supersede(run: Run, s: State, w: int, k: int, after: State) -> State:
    """Renumbers everybody else (by the state before the step), and drops whom the claim has doomed."""
    workers = tuple(
        after.worker[w] if other == w else _superseded(run, s, w, k, other) for other in range(run.workers)
    )
    after = after._replace(worker=workers)
    if s.lowered:
        return after
    slots = tuple(_renumbered(run, s, w, k, n) for n in s.slot)
    return after._replace(slot=slots).with_told(k, rank(run, s, w, k, s.told[k]))


def _superseded(run: Run, s: State, w: int, k: int, other: int) -> Worker:
    """Another worker after a claim: at rest if it can no longer matter (C1), or with a new rank."""
    x = s.worker[other]
    if run.obligation(x.op) != k:
        return x
    if bound(run) and not may_release(x):
        return IDLE
    return x if s.lowered else x._replace(epoch=rank(run, s, w, k, x.epoch))


def _renumbered(run: Run, s: State, w: int, k: int, n: Slot) -> Slot:
    """A request after a claim."""
    return n._replace(epoch=rank(run, s, w, k, n.epoch)) if run.obligation(n.op) == k else n


def bound(run: Run) -> bool:
    """A superseded worker gets nowhere, and may be dropped."""
    return run.collapse and stopped(run)


def stopped(run: Run) -> bool:
    """The store refuses what a superseded worker has to write before it releases."""
    return run.ranked and run.promises.checks_claim and run.promises.recorded == "before_release"


def may_release(x: Worker) -> bool:
    """A worker has written all that it must before it sends."""
    return x.move in ("recorded", "undo_recorded")


def keeps_record(run: Run, x: Worker) -> bool:
    """Whatever the worker sends is in the log and stays there."""
    return run.generations == 1 or run.promises.per_obligation or x.move != "recorded"


def shut_out(run: Run, s: State, w: int, after: State) -> State:
    """Drops workers and requests of epochs below the one that the target has just been told (C2)."""
    if not bound(run):
        return after
    epoch, k = s.worker[w].epoch, run.obligation(s.worker[w].op)
    for other, x in enumerate(s.worker):
        old = x.move != "idle" and run.obligation(x.op) == k and x.epoch < epoch
        if other != w and old and keeps_record(run, x):
            after = after.with_worker(other, IDLE)
    for m, n in enumerate(s.slot):
        if n.kind != "none" and run.obligation(n.op) == k and n.epoch < epoch:
            after = after.with_slot(m, EMPTY)
    return after
