"""A contract with no clause left open, as the model sees it: one value a clause, and the order of its durations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from model.contract import Contract
from model.contract_profile import profile_of, ticks_of
from model.kernel import ModelError
from model.policy import Practices
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


def definite_of(contract: Contract, practices: Practices) -> Definite:
    """A contract without undefined clauses under some practices; ModelError where a clause is left open."""
    profile = profile_of(contract, practices)
    left = [name for name, values in profile.items() if len(values) != 1]
    if left:
        raise ModelError(f"{contract.name}: {left[0]} is left open")
    return Definite(tuple(profile[name][0] for name in CLAUSES), ticks_of(contract))
