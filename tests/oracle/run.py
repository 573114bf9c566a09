"""What is fixed before anything happens: promises, sizes, faults and durations (sections 1, 4 and 8)."""
from typing import NamedTuple

from tests.oracle.decision_table import Row
from tests.oracle.labels import FenceTold, Grade, Lag, OnRepeat, OtherPayload, Recorded, Witness


class Promises(NamedTuple):
    """What the provider promises and what the caller does; every default is the good value."""

    enforces_fence: bool = True
    checks_claim: bool = True
    recognises: bool = True
    on_repeat: OnRepeat = "frozen"
    other_payload: OtherPayload = "refused"
    remembers_errors: bool = False
    races: bool = False
    conditional: bool = True
    readable: bool = True
    reports_governed: bool = True
    lag: Lag = "zero"
    prunes: bool = False
    by_search: bool = False
    settles_late: bool = False
    copies: bool = False
    witness: Witness = "independent"
    grade: Grade = "automatic"
    keyed_undo: bool = True
    judged_at_commit: bool = False
    survives_expiry: bool = True
    survives_revocation: bool = True
    survives_policy: bool = True
    durable_admission: bool = True
    single_use: bool = True
    reads: bool = True
    fence_told: FenceTold = "before_read"
    recorded: Recorded = "before_release"
    waits_out_lag: bool = True
    effect_before_authority: bool = True
    verifies: bool = True
    rechecks: bool = True
    sticky_unknown: bool = True
    stable_identity: bool = True
    regenerates: bool = False
    per_obligation: bool = True
    asks_authority: bool = True
    checks_copy: bool = True
    raises_epochs: bool = True
    waits_for_closing: bool = True


class Run(NamedTuple):
    """One run: durations are ticks, None is for ever or without bound; ``table`` is tried from the top."""

    promises: Promises
    table: tuple[Row, ...]
    faults: frozenset[str] = frozenset()
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

    @property
    def operations(self) -> int:
        """How many identities there are."""
        return self.obligations * self.generations

    @property
    def epochs(self) -> int:
        """The highest rank that an epoch can have."""
        return self.workers + self.messages + 1 + ("restore" in self.faults)

    @property
    def oldest(self) -> int:
        """Where the age of an obligation stops."""
        return 0 if self.retention is None else self.retention + 1

    @property
    def keeping(self) -> int:
        """For how many ticks the target keeps an answer."""
        return 0 if self.retention is None else self.retention + 1

    @property
    def life(self) -> int:
        """For how many ticks a request may travel."""
        return self.delay or 0

    @property
    def ranked(self) -> bool:
        """Whether epochs are told apart for ever: no store gives old ones again."""
        return "restore" not in self.faults or self.promises.raises_epochs

    def obligation(self, o: int) -> int:
        """The obligation that an operation belongs to."""
        return o // self.generations

    def generation(self, o: int) -> int:
        """Which generation of its obligation an operation is."""
        return o % self.generations

    def is_last(self, o: int) -> bool:
        """Whether no further generation can follow."""
        return self.generation(o) == self.generations - 1

    def operations_of(self, k: int) -> range:
        """The operations of an obligation."""
        return range(k * self.generations, (k + 1) * self.generations)

    def clock_errors(self) -> tuple[int, ...]:
        """By how much the clock of a worker may be wrong."""
        return (-self.skew, self.skew) if "skew" in self.faults and self.skew > 0 else (0,)
