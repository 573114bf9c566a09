"""Requests in flight: released, lost, delivered twice (docs/model.md, section 11.8)."""
from tests.oracle import labels as of
from tests.oracle.action import Action
from tests.oracle.clock import in_time
from tests.oracle.epochs import bound
from tests.oracle.notions import gathering, looks_again, seen_it
from tests.oracle.run import Run
from tests.oracle.state import EMPTY, IDLE, Slot, State, Worker


def release(run: Run, s: State, w: int, m: int, c: int) -> State | None:
    """A recorded attempt is sent; with collapse a superseded sender does not wait for the answer (C3)."""
    x, k = s.worker[w], run.obligation(s.worker[w].op)
    if x.move != "recorded" or not _takes(s, m) or not in_time(run, s, w, c):
        return None
    doomed = bound(run) and x.epoch != s.store[k].epoch
    sender = IDLE if doomed else x._replace(move="awaiting", repeat=False, lawful=False, saw=False)
    after = s.with_slot(m, _carried(run, x, "execute", x.drift, x.lawful)).with_worker(w, sender)
    return after.marked(k, "acted_unrecorded", s.store[k].log == "none")


def withhold(run: Run, s: State, w: int, c: int) -> State | None:
    """A recorded attempt is too old to be recognised on arrival, and is not sent."""
    x = s.worker[w]
    if x.move != "recorded" or in_time(run, s, w, c):
        return None
    return s.with_worker(w, looks_again(x, gathering(run)))


def release_undo(run: Run, s: State, w: int, m: int) -> State | None:
    """A recorded undo is sent."""
    x = s.worker[w]
    if x.move != "undo_recorded" or not _takes(s, m):
        return None
    k = run.obligation(x.op)
    after = s.with_slot(m, _carried(run, x, "undo", x.astray, True)).with_worker(w, x._replace(move="undo_awaiting"))
    return after.marked(k, "acted_unrecorded", not s.store[k].undo_logged)


def lose_request(run: Run, s: State, m: int) -> State | None:
    """A request never arrives."""
    return s.with_slot(m, EMPTY) if s.slot[m].kind != "none" else None


def copy_request(run: Run, s: State, m: int, n: int) -> State | None:
    """The transport delivers a request twice."""
    copies = run.promises.copies and m != n and s.slot[m].kind != "none" and s.slot[n].kind == "none"
    return s.with_slot(n, s.slot[m]) if copies else None


def lose_reply(run: Run, s: State, w: int) -> State | None:
    """An answer does not reach the worker."""
    x = s.worker[w]
    return s.with_worker(w, x._replace(reply="none")) if x.move == "awaiting" and x.reply != "none" else None


def lose_fence(run: Run, s: State, w: int) -> State | None:
    """A fence does not reach the target."""
    x = s.worker[w]
    return s.with_worker(w, x._replace(move="claimed")) if x.move == "telling" else None


def lose_reading(run: Run, s: State, w: int) -> State | None:
    """The target does not answer a question."""
    x = s.worker[w]
    return s.with_worker(w, x._replace(move=seen_it(run), seen="outage")) if x.move == "reading" else None


def _takes(s: State, m: int) -> bool:
    """A slot is the first empty one."""
    return s.slot[m].kind == "none" and all(n.kind != "none" for n in s.slot[:m])


def _carried(run: Run, x: Worker, kind: of.Kind, drift: bool, lawful: bool) -> Slot:
    """A request as a worker sends it."""
    return Slot(kind, x.op, x.epoch, run.life, drift, lawful)


ACTIONS = (
    Action(release, "wmc"), Action(withhold, "wc"), Action(release_undo, "wm"), Action(lose_request, "m", "loss"),
    Action(copy_request, "mn", "copy"), Action(lose_reply, "w", "loss"), Action(lose_fence, "w", "loss"),
    Action(lose_reading, "w", "outage"),
)  # fmt: skip
