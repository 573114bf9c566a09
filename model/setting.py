"""The bounds of a run: sizes, faults and durations. A run without a fault has none of its actions."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from model.kernel import ModelError

FAULTS = {
    "crash": "a worker dies at any move and forgets everything",
    "pause": "a worker stands still as long as it likes, also beyond its lease and its deadlines",
    "loss": "requests, fence messages and replies are lost",
    "delay": "a request outlives the wait of its sender",
    "copy": "the transport delivers a request twice, where the contract says it may",
    "outage": "a readback is not answered",
    "errors": "the target answers with an error, with or without the effect",
    "refusals": "the target refuses for good",
    "distort": "the target does something other than it was asked, and its answer only says that it accepted",
    "forget": "the target forgets a key once its retention has passed",
    "prune": "the readable record of an effect disappears, where the contract says it may",
    "lookalike": "a search finds another action's effect",
    "expire": "an approval expires",
    "revoke": "an approval is revoked",
    "policy": "the policy revision changes",
    "void": "the authority voids an admission",
    "deny": "the approver refuses",
    "resubmit": "one approval is submitted twice",
    "edit": "the intent gets a new version",
    "withdraw": "the intent is withdrawn",
    "move": "others move the governed object",
    "store_down": "the checkpoint store refuses writes",
    "stale_read": "the checkpoint is read from a copy that lags",
    "restore": "the checkpoint store is restored from a backup",
    "diverge": "the workflow's code changes so that history no longer replays",
    "skew": "clocks differ as far as the contract allows",
}


@dataclass(frozen=True)
class Ticks:
    """Durations in ticks of the model; None is for ever (a retention) or without bound (a delay)."""

    retention: int | None = None
    delay: int | None = None
    resume: int | None = None
    skew: int = 0


@dataclass(frozen=True)
class Setting:
    """How many of each, which faults, and how long things last.

    ``crashes`` bounds the number of crashes; None is any number. ``messages`` is how many requests can
    be in flight at once. ``collapse`` drops senders and messages that can no longer matter
    (model/collapse.py), ``records`` adds decision and outcome records (model/evidence.py).
    """

    workers: int = 2
    obligations: int = 1
    generations: int = 1
    messages: int = 2
    faults: frozenset[str] = frozenset(FAULTS)
    crashes: int | None = None
    collapse: bool = True
    records: bool = False
    ticks: Ticks = field(default_factory=Ticks)

    def __post_init__(self) -> None:
        for name in ("workers", "obligations", "generations", "messages"):
            if not 1 <= getattr(self, name) <= 4:
                raise ModelError(f"{name} is {getattr(self, name)}; give 1 to 4")
        unknown = sorted(self.faults - set(FAULTS))
        if unknown:
            raise ModelError(f"there is no fault {unknown[0]!r}; the faults are {', '.join(FAULTS)}")

    @property
    def operations(self) -> int:
        """How many operation identities there are: one for each generation of each obligation."""
        return self.obligations * self.generations

    @property
    def epochs(self) -> int:
        """The highest rank an epoch can have: above the workers', the messages' and what the target was told.

        A store that was restored has an epoch of its own, which no worker holds.
        """
        return self.workers + self.messages + (2 if "restore" in self.faults else 1)

    @property
    def counts_time(self) -> bool:
        """Whether any duration is compared with another, so that ticks mean something."""
        return self.ticks.retention is not None or self.ticks.delay is not None

    @property
    def oldest(self) -> int:
        """Where the age of an attempt stops counting: beyond the retention, all ages are alike."""
        return 0 if self.ticks.retention is None else self.ticks.retention + 1

    def without(self, *faults: str) -> Setting:
        """The same bounds with these faults switched off."""
        return self._with_faults(self.faults - set(faults))

    def only(self, *faults: str) -> Setting:
        """The same bounds with no faults but these."""
        return self._with_faults(frozenset(faults))

    def _with_faults(self, faults: frozenset[str]) -> Setting:
        return replace(self, faults=faults)
