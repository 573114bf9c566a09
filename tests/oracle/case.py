"""One configuration on which the oracle and the model are compared, and how each side is run."""
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from tests.oracle.decision_table import read_table
from tests.oracle.run import Promises, Run

Value = bool | str


@dataclass(frozen=True)
class Case:
    """A configuration; ``changed`` are the promises and practices that do not have their good value.

    A tuple is several values at once, each with start states of its own. ``breaks`` names marks that
    some reachable state shows; "duplicate" is more than one commit that was not undone.
    """

    name: str
    faults: frozenset[str]
    changed: Mapping[str, Value | tuple[Value, ...]] = field(default_factory=dict)
    breaks: frozenset[str] = frozenset()
    table: str = "recovery"
    workers: int = 1
    obligations: int = 1
    generations: int = 1
    messages: int = 1
    crashes: int | None = None
    collapse: bool = True
    retention: int | None = None
    delay: int | None = None
    resume: int | None = None
    skew: int = 0

    def values(self) -> dict[str, tuple[Value, ...]]:
        """The values that are explored of each promise and practice that is changed."""
        return {name: value if isinstance(value, tuple) else (value,) for name, value in self.changed.items()}

    def runs(self) -> Iterator[Run]:
        """One run of the oracle for each combination of values."""
        changed = self.values()
        for chosen in product(*changed.values()):
            values: dict[str, Any] = dict(zip(changed, chosen, strict=True))
            yield Run(
                Promises(**values), read_table(self.table), self.faults,
                workers=self.workers, obligations=self.obligations, generations=self.generations,
                messages=self.messages, crashes=self.crashes, collapse=self.collapse, retention=self.retention,
                delay=self.delay, resume=self.resume, skew=self.skew,
            )  # fmt: skip
