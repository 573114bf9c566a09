"""True time, counted only where one duration is compared with another (docs/model.md, section 8)."""
from tests.oracle.action import Action
from tests.oracle.notions import unfinished
from tests.oracle.run import Run
from tests.oracle.state import Effect, Slot, State, Worker

AT_EASE = ("idle", "waiting", "telling", "reading", "awaiting", "undo_awaiting")


def young(run: Run, s: State, k: int, c: int) -> bool:
    """Whatever is sent now, by a clock that is wrong by c, arrives while the identity is remembered."""
    if run.retention is None:
        return True
    if run.delay is None:
        return False
    return s.age[k] + c + run.skew + run.delay <= run.retention


def in_time(run: Run, s: State, w: int, c: int) -> bool:
    """A sender that depends on being recognised finds the identity young enough."""
    p, x = run.promises, s.worker[w]
    fenced = p.enforces_fence and p.fence_told == "before_read" and not x.repeat
    depends = run.delay is not None and p.recognises and p.rechecks and not fenced
    return not depends or young(run, s, run.obligation(x.op), c)


def tick(run: Run, s: State) -> State | None:
    """Time passes for everybody at once."""
    if not (_nothing_is_due(run, s) and _nobody_hurries(run, s) and _something_counts(run, s)):
        return None
    ages = tuple(age + _grows_older(run, s, k) for k, age in enumerate(s.age))
    return s._replace(
        worker=tuple(_waited(x) for x in s.worker), effect=tuple(_later_effect(run, e) for e in s.effect),
        age=ages, slot=tuple(_later_slot(run, n) for n in s.slot),
    )  # fmt: skip


def _nothing_is_due(run: Run, s: State) -> bool:
    """No request has to arrive first, and no case has to be taken up first."""
    if run.delay is not None and any(n.kind != "none" and n.life == 0 for n in s.slot):
        return False
    if run.resume is None or run.resume > run.oldest:
        return True
    return not any(_overdue(run, s, k, run.resume) for k in range(run.obligations))


def _overdue(run: Run, s: State, k: int, resume: int) -> bool:
    """A case has waited for a resumer as long as agreed."""
    at_work = any(x.move != "idle" and run.obligation(x.op) == k for x in s.worker)
    return s.age[k] >= resume and unfinished(s.store[k]) and not at_work


def _nobody_hurries(run: Run, s: State) -> bool:
    """Workers act without losing time, unless they can be paused."""
    return "pause" in run.faults or all(x.move in AT_EASE for x in s.worker)


def _something_counts(run: Run, s: State) -> bool:
    """Some duration goes on, so that a tick changes something."""
    if any(x.move == "waiting" for x in s.worker):
        return True
    if run.promises.lag == "finite" and any(e.behind for e in s.effect):
        return True
    if any(_grows_older(run, s, k) for k in range(run.obligations)):
        return True
    if run.retention is not None and any(e.memo != "none" and e.kept > 0 for e in s.effect):
        return True
    return run.delay is not None and any(n.kind != "none" and n.life > 0 for n in s.slot)


def _grows_older(run: Run, s: State, k: int) -> bool:
    """The age of an obligation is counted and has not reached its end."""
    return run.retention is not None and s.store[k].log != "none" and s.age[k] < run.oldest


def _waited(x: Worker) -> Worker:
    """A worker that waited out the lag goes on."""
    return x._replace(move="ready") if x.move == "waiting" else x


def _later_effect(run: Run, e: Effect) -> Effect:
    """A finite lag is over, and a memo has one tick less."""
    less = 1 if run.retention is not None and e.kept > 0 else 0
    return e._replace(behind=e.behind and run.promises.lag != "finite", kept=e.kept - less)


def _later_slot(run: Run, n: Slot) -> Slot:
    """A request may travel one tick less."""
    return n._replace(life=n.life - 1) if run.delay is not None and n.life > 0 else n


ACTIONS = (Action(tick),)
