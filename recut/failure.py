"""How a command ends: five exit statuses, and one line for whatever went wrong. Never a traceback."""

from __future__ import annotations

import contextlib
import functools
import os
import sys
from collections.abc import Callable
from enum import IntEnum
from typing import ParamSpec

import typer

from model.contract import ContractError
from model.decision_table import TableError
from model.policy import PolicyError
from properties.verdict import Outcome
from solver.checkpoint import CheckpointError
from solver.replayed import EnginesDisagree
from solver.second_solver import NoSecondSolver

P = ParamSpec("P")


class Status(IntEnum):
    """The exit statuses of every command."""

    HOLDS = 0
    FAILS = 1
    INPUT = 2
    UNKNOWN = 3
    DEFECT = 4


class Refused(ValueError):
    """An input or an option that cannot be used; the message is one line with the place and a remedy."""


class Interrupted(RuntimeError):
    """The user stopped the command; the message says how to go on."""


STATUS: dict[Outcome, Status] = {
    Outcome.HOLDS: Status.HOLDS,
    Outcome.NOT_APPLICABLE: Status.HOLDS,
    Outcome.FAILS: Status.FAILS,
    Outcome.UNKNOWN: Status.UNKNOWN,
}
OF_THE_INPUT = (ContractError, TableError, PolicyError, CheckpointError, NoSecondSolver, Refused)


def ending(function: Callable[P, int]) -> Callable[P, None]:
    """A command that returns its exit status, as one that ends with it, whatever happens."""

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> None:
        raise typer.Exit(int(status_of(lambda: function(*args, **kwargs))))

    return run


def status_of(work: Callable[[], int]) -> int:
    """The exit status of some work, after saying in one line on stderr what stopped it, if anything did."""
    try:
        return work()
    except ContractError as problem:
        for line in (str(problem), *problem.others):
            say(line, Status.INPUT)
        return Status.INPUT
    except OF_THE_INPUT as problem:
        return say(str(problem), Status.INPUT)
    except OSError as problem:
        return say(reason(problem), Status.INPUT)
    except Interrupted as problem:
        return say(str(problem), Status.UNKNOWN)
    except KeyboardInterrupt:
        return say("interrupted: nothing is known", Status.UNKNOWN)
    except MemoryError as problem:
        cause = str(problem) or "out of memory"
        return say(f"{cause}: nothing is known; give smaller bounds, --max-states or fewer --jobs", Status.UNKNOWN)
    except EnginesDisagree as problem:
        return say(f"two engines disagree, a defect of this program: {problem}; {reproduce()}", Status.DEFECT)
    except Exception as problem:
        if os.environ.get("RECUT_TRACEBACK") == "1":
            raise
        return say(f"a defect of this program: {type(problem).__name__}: {problem}; {reproduce()}", Status.DEFECT)


def say(message: str, status: Status) -> Status:
    """One printable line on stderr."""
    text = " ".join(message.split())
    with contextlib.suppress(OSError):
        print("recut: " + "".join(c if c.isprintable() else "?" for c in text), file=sys.stderr)
    return status


def reproduce() -> str:
    """What somebody needs who looks for the defect."""
    return "please report it with this command line and its files (RECUT_TRACEBACK=1 shows where it happened)"


def reason(problem: OSError) -> str:
    """What the operating system said, with the file that it is about."""
    text = (problem.strerror or str(problem)).lower()
    return f"{problem.filename}: {text}" if problem.filename else text
