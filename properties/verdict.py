"""How a check can end: one type for all engines. Unknown is never success."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Outcome(StrEnum):
    """The four ends of a check."""

    HOLDS = "holds"
    FAILS = "fails"
    NOT_APPLICABLE = "not-applicable"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Step:
    """One state of a trace and the action that led to it (None for the first)."""

    action: str | None
    state: Mapping[str, bool | int | str]


@dataclass(frozen=True)
class Trace:
    """A run from a start to the state that shows something; every step was replayed concretely."""

    steps: tuple[Step, ...]
    shows: str

    @property
    def actions(self) -> tuple[str, ...]:
        """The names of the actions, which replay to the last state."""
        return tuple(s.action for s in self.steps if s.action is not None)


@dataclass(frozen=True)
class Verdict:
    """What is known of one named sentence, and how.

    ``how`` says by what engine and how completely; ``reason`` says why a verdict is not applicable or
    unknown; ``bounds`` names the run; ``states`` is how many were searched.
    """

    name: str
    outcome: Outcome
    how: str
    bounds: str
    states: int = 0
    seconds: float = 0.0
    reason: str = ""
    trace: Trace | None = None
    rules: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.outcome in (Outcome.UNKNOWN, Outcome.NOT_APPLICABLE) and not self.reason:
            raise ValueError(f"{self.name}: a verdict of {self.outcome} needs a reason")


def worst(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome of several checks together: a failure, else something unknown, else that all hold.

    Several of which none applies do not apply; an empty collection is unknown.
    """
    found = set(outcomes)
    for outcome in (Outcome.FAILS, Outcome.UNKNOWN, Outcome.HOLDS, Outcome.NOT_APPLICABLE):
        if outcome in found:
            return outcome
    return Outcome.UNKNOWN
