"""A few worker processes that can be stopped, watched and told to save what they know.

Interrupts reach only the parent, which then stops its workers with SIGTERM; to the work this is a
KeyboardInterrupt, so that an exploration writes its checkpoint. A worker whose parent is gone ends at
once, so that nothing writes beside the run that follows.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from typing import Any

Tell = Callable[[object], None]
Work = Callable[[Any, Tell], Any]
"""Gets a job and a way to tell how far it is; must be a function of a module, as must be what it returns."""


class WorkerDied(MemoryError):
    """A worker process ended without an answer: the system took its memory, or somebody stopped it."""


@dataclass(frozen=True)
class Said:
    """What came from a worker: news of how far a job is, or its result."""

    job: int
    value: Any
    finished: bool


@dataclass
class _Worker:
    process: BaseProcess
    pipe: Connection
    job: int | None = None


def over_jobs(work: Work, jobs: Sequence[Callable[[], Any]], processes: int) -> Iterator[Said]:
    """Do jobs in order of the list, ``processes`` at a time, and say what comes in.

    A job is made when it is handed out (so that a time limit counts from then). What a worker raises
    is raised here. However this ends, no worker is left behind.
    """
    context = multiprocessing.get_context("spawn")
    workers = [_started(context, work) for _ in range(min(processes, len(jobs)))]
    try:
        yield from _served(workers, jobs)
    finally:
        _stopped(workers)


def _started(context: Any, work: Work) -> _Worker:
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(work, theirs), daemon=True)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    theirs.close()
    return _Worker(process, ours)


def _served(workers: list[_Worker], jobs: Sequence[Callable[[], Any]]) -> Iterator[Said]:
    waiting = iter(enumerate(jobs))
    for worker in workers:
        _hand_out(worker, waiting)
    while busy := [w for w in workers if w.job is not None]:
        for pipe in wait([w.pipe for w in busy]):
            worker = next(w for w in busy if w.pipe is pipe)
            said = _heard(worker)
            yield said
            if said.finished:
                _hand_out(worker, waiting)


def _hand_out(worker: _Worker, waiting: Iterator[tuple[int, Callable[[], Any]]]) -> None:
    """The next job to a worker, or none if there is none left."""
    worker.job, job = next(waiting, (None, None))
    if job is not None:
        worker.pipe.send(job())


def _heard(worker: _Worker) -> Said:
    try:
        kind, value = worker.pipe.recv()
    except (EOFError, OSError):
        raise WorkerDied("a worker process was stopped from outside") from None
    if kind == "raised":
        raise value
    assert worker.job is not None
    return Said(worker.job, value, kind == "done")


def _stopped(workers: Sequence[_Worker]) -> None:
    """End every worker, giving an exploration the time to save."""
    for worker in workers:
        worker.process.terminate()
    for worker in workers:
        worker.process.join(30)
        if worker.process.is_alive():
            worker.process.kill()
        worker.pipe.close()


def _serve(work: Work, pipe: Connection) -> None:
    """The life of a worker: jobs in, news and results out, until nobody asks any more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _interrupted)
    sys.unraisablehook = _interrupted_while_tidying
    threading.Thread(target=_end_with_parent, daemon=True).start()
    try:
        while True:
            _answer(work, pipe, pipe.recv())
    except (EOFError, KeyboardInterrupt, BrokenPipeError):
        os._exit(0)


def _answer(work: Work, pipe: Connection, job: Any) -> None:
    try:
        result = work(job, lambda news: pipe.send(("news", news)))
    except Exception as problem:
        pipe.send(("raised", _plain(problem)))
    else:
        pipe.send(("done", result))


def _plain(problem: Exception) -> Exception:
    """The same exception without what cannot travel."""
    problem.__traceback__ = problem.__cause__ = problem.__context__ = None
    return problem


def _interrupted(*_: object) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise KeyboardInterrupt


def _interrupted_while_tidying(problem: sys.UnraisableHookArgs) -> None:
    """An interrupt that met a destructor cannot be raised: end at once, with what was saved last."""
    if issubclass(problem.exc_type, KeyboardInterrupt):
        os._exit(0)
    sys.__unraisablehook__(problem)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
