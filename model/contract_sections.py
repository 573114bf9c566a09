"""The sections of a contract file: what each key may say, and what to do when it says something else.

A provider's clause may be "undefined", which is a statement (nobody promises anything) and is explored
both ways. A caller's clause may not: a caller knows what it does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.fields import FieldInfo

from model.durations import FINITE, UNDEFINED


@dataclass(frozen=True)
class Remedy:
    """What to write instead of a value that a key does not allow."""

    text: str


def _from_list(value: object) -> object:
    """TOML and JSON have lists where a frozen section holds a tuple."""
    return tuple(value) if isinstance(value, list) else value


def _distinct(value: tuple[str, ...]) -> tuple[str, ...]:
    if len(set(value)) < len(value):
        raise ValueError("an entry is given twice")
    return value


def _printable(value: str) -> str:
    if not value.isprintable():
        raise ValueError("a character that cannot be printed")
    return value


def _calendar_day(value: str) -> str:
    date.fromisoformat(value)
    return value


def _no_number(value: object) -> object:
    """1 equals True in Python, but it is not what a contract says."""
    if not isinstance(value, (bool, str)):
        raise ValueError("neither true nor false")
    return value


_SPAN = "give a duration of at least 0s"
Text = Annotated[
    str,
    Field(max_length=2000, pattern=r"^\S(.*\S)?$"),
    AfterValidator(_printable),
    Remedy("give one line of text in quotes"),
]
Lasting = Annotated[
    str,
    Field(pattern=f"^({FINITE}|forever|undefined)$"),
    Remedy(f'{_SPAN}, or "forever", or "undefined"'),
]
Bound = Annotated[
    str,
    Field(pattern=f"^({FINITE}|unbounded|undefined)$"),
    Remedy(f'{_SPAN}, or "unbounded", or "undefined"'),
]
OwnLasting = Annotated[str, Field(pattern=f"^({FINITE}|forever)$"), Remedy(f'{_SPAN}, or "forever"')]
OwnBound = Annotated[str, Field(pattern=f"^({FINITE}|unbounded)$"), Remedy(f'{_SPAN}, or "unbounded"')]
OwnSpan = Annotated[str, Field(pattern=f"^({FINITE})$"), Remedy(_SPAN)]
Day = Annotated[
    str,
    Field(pattern="^[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
    AfterValidator(_calendar_day),
    Remedy('give a day in quotes, such as "2026-09-30"'),
]
_Unique = Field(json_schema_extra={"uniqueItems": True})
Fences = Annotated[
    tuple[Literal["checkpoint", "gateway", "compensation"], ...],
    BeforeValidator(_from_list),
    AfterValidator(_distinct),
    _Unique,
]
Survived = Annotated[
    tuple[Literal["expiry", "revocation", "policy"], ...],
    BeforeValidator(_from_list),
    AfterValidator(_distinct),
    _Unique,
    Remedy('give a list of "expiry", "revocation" and "policy", each at most once'),
]
YesNo = Annotated[Literal[True, False, "undefined"], BeforeValidator(_no_number)]


class Section(BaseModel):
    """A table of a contract file: every key is required, none may be added, no type is converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, use_attribute_docstrings=True)


class Subject(Section):
    """What the contract is about."""

    name: Text
    """What reports call the contract."""
    effect: Text
    """The governed transition in words: what changes in the world."""
    governed: Literal["accepted", "committed", "settled"]
    """How far the target must get before the effect counts as there."""


class Identity(Section):
    """Caller: where the stable operation identity comes from."""

    source: Literal["case-state", "regenerated", "server"]
    """Kept with the case, made anew at each try, or known only from the target's reply."""
    durable: Literal["before-release", "after-reply", "never"]
    """When the identity is written where a crash cannot lose it."""


class Idempotency(Section):
    """Provider: what a repeat under the same identity does."""

    mechanism: Literal["none", "key", "natural", "conditional", "transactional", "undefined"]
    """How a repeat is recognised, if at all."""
    scope: Literal["provider", "application", "none", "undefined"]
    """Where an identity is recognised: everywhere at the provider, or within one account, queue or bucket."""
    on_repeat: Literal[
        "frozen", "current", "drives-forward", "success-dropped", "error-proves", "executes", "undefined"
    ]
    """What a repeat returns: the first answer, the present state, unfinished work driven on, success though
    dropped, an error that proves the effect, or a second effect."""
    on_other_payload: Literal["refused", "first-result", "dropped", "executes", "undefined"]
    """What the same identity with another payload does."""
    remembers_errors: YesNo
    """Whether a failed first answer is repeated as well; then it proves nothing about the effect."""
    on_concurrent: Literal["conflict", "serialised", "races", "undefined"]
    """What two requests of one identity at the same time do."""
    retention: Lasting
    """How long an identity is recognised, at least."""
    retention_from: Literal["use", "completion", "close", "undefined"]
    """From when the retention counts."""


class Readback(Section):
    """Provider: how the effect can be looked up."""

    by: Literal["operation", "resource", "search", "postcondition", "none", "undefined"]
    """What the look-up goes by."""
    reports: Literal["accepted", "committed", "undefined"]
    """What a positive answer means."""
    lag: Bound
    """How far a look-up may be behind, at most."""
    retention: Lasting
    """How long a record stays readable, at least; later, absent may mean pruned."""
    postcondition: Literal["independent", "same-system", "none", "undefined"]
    """Whether the business postcondition has a path of its own."""


class Settlement(Section):
    """Provider: whether an accepted effect is final at once."""

    mode: Literal["immediate", "pending", "undefined"]
    """Whether an accepted request may stay pending."""
    limit: Bound
    """How long it may stay pending, at most."""


class Delivery(Section):
    """Provider: what can happen to a request on its way."""

    max_delay: Bound
    """How long a request may be in flight, at most."""
    deadline: Literal["enforced", "none", "undefined"]
    """Whether the target itself refuses requests older than max_delay."""
    copies: YesNo
    """Whether the transport may deliver one request twice."""


class Fencing(Section):
    """Provider: where an older epoch is refused."""

    at: Annotated[
        Fences | Literal["undefined"],
        Remedy('give a list of "checkpoint", "gateway" and "compensation", each at most once, or "undefined"'),
    ]
    """The places that compare epochs."""


class Reservation(Section):
    """Provider: whether an effect can be held before it is confirmed."""

    mode: Literal["none", "try-confirm", "undefined"]
    """Whether there is a hold."""
    expiry: Lasting
    """How long an unconfirmed hold lasts, at least."""


class Undo(Section):
    """Provider: what takes an effect back."""

    grade: Literal["automatic", "reviewed", "best_effort", "irreversible", "undefined"]
    """Exact inverse, visible offset, may not work, or none."""
    keyed: YesNo
    """Whether the undo has an identity of its own, so that its repeat is recognised."""


class Authority(Section):
    """Caller: what permits the effect."""

    judged_at: Literal["admission", "commit"]
    """When authority must be valid."""
    survives: Survived
    """What an admission survives."""
    validity: OwnLasting
    """How long an approval is good for."""
    admission: Literal["durable", "none"]
    """Whether an admission is recorded before anything is sent."""
    uses: Annotated[int, Field(ge=1), Remedy("give a whole number of at least 1")]
    """How many operations one approval admits."""


class Recovery(Section):
    """Caller: how it recovers."""

    attempt_recorded: Literal["before-release", "after-reply", "never"]
    """When a release is written to the attempt log."""
    longest_resume: OwnBound
    """How long after the first release a resumer may still act."""
    fence_told: Literal["before-read", "with-request", "never"]
    """When the gateway learns of a new epoch."""
    workers: Annotated[int, Field(ge=1, le=4), Remedy("give a whole number from 1 to 4")]
    """How many workers may hold the case at once, live or stale."""
    clock_skew: OwnSpan
    """How far two clocks may be apart, at most."""


class Evidence(Section):
    """Why a provider's clause is believed."""

    source: Annotated[Text, Remedy('give the address or title of the source, or "no source found"')]
    """Where it says so."""
    date: Day
    """The day of the version that was read."""
    confidence: Annotated[Literal["high", "medium", "low"], Remedy('give "high", "medium" or "low"')]
    """How far the source carries the clause."""
    note: Text | None = None
    """What the source says, in one's own words."""


PROVIDER_SECTIONS: Mapping[str, type[Section]] = MappingProxyType(
    {
        "idempotency": Idempotency,
        "readback": Readback,
        "settlement": Settlement,
        "delivery": Delivery,
        "fencing": Fencing,
        "reservation": Reservation,
        "undo": Undo,
    }
)


def provider_clauses() -> tuple[str, ...]:
    """The names of the provider's clauses, ``section.key``, in the order of the files."""
    return tuple(f"{name}.{key}" for name, section in PROVIDER_SECTIONS.items() for key in section.model_fields)


def allowed_values(field: FieldInfo) -> tuple[str | bool, ...]:
    """The values of a key that takes one of a few, () for every other key."""
    return tuple(v for v in get_args(field.annotation) if isinstance(v, (str, bool)))


def remedy(field: FieldInfo) -> str:
    """What a key takes, as an advice; the one given last is the closest to the key."""
    for item in reversed(field.metadata):
        if isinstance(item, Remedy):
            return item.text
    shown = [str(v).lower() if isinstance(v, bool) else f'"{v}"' for v in allowed_values(field)]
    return f"give {', '.join(shown[:-1])} or {shown[-1]}" if shown else "give one line of text in quotes"


def is_undefined(value: object) -> bool:
    """Whether a provider leaves a clause open."""
    return isinstance(value, str) and value == UNDEFINED
