"""A contract with no clause left open, as the model sees it: one value a clause, and the order of its durations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from model.promises import CLAUSES, Profile
from model.setting import Ticks

Value = str | bool


@dataclass(frozen=True)
class Definite:
    """Values of ``model.promises.CLAUSES``, in that order, and durations in ticks. Equal ones behave alike."""

    values: tuple[Value, ...]
    ticks: Ticks

    @property
    def profile(self) -> Profile:
        """As a profile that allows one value each."""
        return {name: (value,) for name, value in zip(CLAUSES, self.values, strict=True)}  # type: ignore[misc]

    def value(self, name: str) -> Value:
        """The value of a clause of the model."""
        return self.values[list(CLAUSES).index(name)]

    def with_values(self, changes: Mapping[str, Value]) -> Definite:
        """The same with other values of some clauses."""
        pairs = zip(CLAUSES, self.values, strict=True)
        return replace(self, values=tuple(changes.get(name, value) for name, value in pairs))

    @property
    def key(self) -> str:
        """A text that two of these share exactly if they are equal: what is not at its good value, and the ticks."""
        pairs = zip(CLAUSES.items(), self.values, strict=True)
        other = [f"{name}={str(value).lower()}" for (name, clause), value in pairs if value != clause.good]
        t = self.ticks
        timed = [f"{n}={v}" for n, v in vars(t).items() if v is not None and (n, v) != ("skew", 0)]
        return " ".join([*other, *timed]) or "all good"


UNTOUCHED = (
    "grade", "keyed_undo", "judged_at_commit", "survives_expiry", "survives_revocation", "survives_policy",
    "single_use", "conditional", "checks_copy", "raises_epochs", "waits_for_closing",
)  # fmt: skip
"""Clauses about undone effects, lapsed or doubled approvals, moved objects, lagging or restored stores and next
generations: nothing of that happens where only workers, requests and answers fail."""
OF_REPEATS: Mapping[str, Value] = {
    "on_repeat": "executes", "other_payload": "executes", "remembers_errors": False, "races": False,
}  # fmt: skip
OF_LOOKS: Mapping[str, Value] = {"lag": "zero", "prunes": False, "by_search": False}


def bare(definite: Definite) -> Definite:
    """The same without what makes no difference where only workers, requests and answers fail."""
    good = {name: CLAUSES[name].good for name in UNTOUCHED}
    repeats = {} if definite.value("recognises") else OF_REPEATS
    looks = {} if definite.value("readable") else OF_LOOKS
    ticks = definite.ticks if definite.value("recognises") else Ticks()
    return replace(definite.with_values({**good, **repeats, **looks}), ticks=ticks)
