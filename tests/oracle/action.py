"""What an action is here: a function of the state before the step, and the indices that it runs over."""
from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from tests.oracle.run import Run
from tests.oracle.state import State


class Action(NamedTuple):
    """``step(run, state, *indices)`` gives the state after the step, or None where the guard fails.

    ``indices`` has one letter each: w worker, o operation, k obligation, m or n slot, c clock error.
    """

    step: Callable[..., State | None]
    indices: str = ""
    fault: str | None = None

    @property
    def name(self) -> str:
        """The name of docs/model.md, without indices."""
        return self.step.__name__

    def instances(self, run: Run) -> Iterator[tuple[int, ...]]:
        """Every tuple of indices, or none at all where the run has not the fault of the action."""
        if self.fault is None or self.fault in run.faults:
            yield from product(*(_domain(run, letter) for letter in self.indices))


def _domain(run: Run, letter: str) -> tuple[int, ...]:
    """What an index runs over."""
    if letter == "c":
        return run.clock_errors()
    sizes = {"w": run.workers, "o": run.operations, "k": run.obligations, "m": run.messages, "n": run.messages}
    return tuple(range(sizes[letter]))
