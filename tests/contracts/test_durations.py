"""Ticks keep every order that matters, and are as few as can be."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.contract import Contract, load_contract
from model.durations import Ticks, compile_ticks, duration_text, fewest_ticks, parse_duration, tick_alternatives

FIELDS = ("retention", "delay", "resume", "skew", "lag", "record_retention")
Spans = dict[str, float]


@pytest.mark.parametrize(
    ("text", "milliseconds"),
    [
        ("0s", 0),
        ("500ms", 500),
        ("1s", 1_000),
        ("15m", 900_000),
        ("72h", 259_200_000),
        ("30d", 2_592_000_000),
        ("forever", None),
        ("unbounded", None),
    ],
)
def test_a_duration_is_read(text: str, milliseconds: int | None) -> None:
    assert parse_duration(text) == milliseconds


@pytest.mark.parametrize("text", ["0ms", "500ms", "1s", "90s", "15m", "72h", "30d", "3599999ms"])
def test_a_duration_is_written_in_its_largest_unit(text: str) -> None:
    assert duration_text(parse_duration(text) or 0) == {"72h": "3d"}.get(text, text)


@pytest.mark.parametrize("text", ["", "1", "s", "-1h", "1.5h", "1 h", "1H", "1w", "1h30m", "undefined", "1s\n", "٣d"])
def test_what_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="is no duration; give one such as"):
        parse_duration(text)


def compared(s: Spans) -> list[list[float]]:
    """The sums whose order matters, written from the specification and not from the code."""
    arrival = s["resume"] + s["delay"] + s["skew"]
    return [
        [
            s["retention"], arrival, s["resume"] + s["delay"], s["resume"] + s["skew"], s["delay"] + s["skew"],
            s["resume"], s["delay"], s["skew"], 0,
        ],
        [s["record_retention"], arrival, s["lag"], 0],
    ]


def order(s: Spans) -> list[tuple[bool, bool]]:
    """Smaller or equal, for every pair that matters (endless spans are infinite)."""
    return [(a < b, a == b) for group in compared(s) for i, a in enumerate(group) for b in group[:i]]


def endless(ticks: Ticks) -> Spans:
    """Ticks with infinity where a duration never ends."""
    return {name: np.inf if getattr(ticks, name) is None else getattr(ticks, name) for name in FIELDS}


def contract(spans: dict[str, str]) -> Contract:
    """The example with these durations by field."""
    clauses = {
        "retention": "idempotency.retention",
        "delay": "delivery.max_delay",
        "resume": "recovery.longest_resume",
        "skew": "recovery.clock_skew",
        "lag": "readback.lag",
        "record_retention": "readback.retention",
    }
    return load_contract("example-refund").with_clauses({clauses[name]: text for name, text in spans.items()})


finite = st.builds(lambda n, unit: f"{n}{unit}", st.integers(0, 40), st.sampled_from(["ms", "s", "m", "h", "d"]))
lasting = finite | st.just("forever")
bounded = finite | st.just("unbounded")
durations = st.fixed_dictionaries(
    {
        "retention": lasting,
        "delay": bounded,
        "resume": bounded,
        "skew": finite,
        "lag": bounded,
        "record_retention": lasting,
    }
)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(durations)
def test_ticks_keep_every_order(spans: dict[str, str]) -> None:
    real = {name: parse_duration(text) for name, text in spans.items()}
    ticks = compile_ticks(contract(spans))
    assert order(endless(ticks)) == order({n: np.inf if v is None else v for n, v in real.items()})
    for name, value in real.items():
        got = getattr(ticks, name)
        assert (got is None) == (value is None) and (got == 0) == (value == 0)


def smallest(real: dict[str, int]) -> tuple[int, int]:
    """Least maximum and then least sum, by trying everything."""
    want = np.array(order({n: float(v) for n, v in real.items()}))
    for top in range(13):
        grid = [g.ravel() for g in np.meshgrid(*[np.arange(top + 1, dtype=np.int16)] * 6, indexing="ij")]
        fits = np.ones(len(grid[0]), bool)
        pairs = [
            (a, b)
            for group in compared(dict(zip(FIELDS, grid, strict=True)))  # type: ignore[arg-type]
            for i, a in enumerate(group)
            for b in group[:i]
        ]
        for (a, b), (less, same) in zip(pairs, want, strict=True):
            fits &= (np.less(a, b) == less) & (np.equal(a, b) == same)
        if fits.any():
            return top, int(np.sum(grid, axis=0)[fits].min())
    raise AssertionError("no ticks up to 12")


small = st.fixed_dictionaries({name: st.integers(0, 4) for name in FIELDS})


@settings(max_examples=40, deadline=None, derandomize=True)
@given(small)
def test_ticks_are_the_fewest(real: dict[str, int]) -> None:
    ticks = fewest_ticks(real)
    assert (max(ticks.values()), sum(ticks.values())) == smallest(real)


def test_ticks_are_the_fewest_for_the_example() -> None:
    ticks = compile_ticks(load_contract("example-refund"))
    assert ticks == Ticks(retention=8, delay=2, resume=4, skew=1, lag=0, record_retention=None)


def test_equal_sums_stay_equal() -> None:
    spans = {"retention": "73h", "delay": "59m", "resume": "72h", "skew": "1m", "lag": "0s", "record_retention": "1s"}
    ticks = compile_ticks(contract(spans))
    assert ticks.retention == sum(t for t in (ticks.resume, ticks.delay, ticks.skew) if t is not None)


def test_the_mapping_is_shown() -> None:
    assert compile_ticks(load_contract("sqs_fifo")).text().splitlines() == [
        "idempotency.retention: 5m, is 2 ticks",
        "delivery.max_delay: undefined, taken as unbounded, is without end",
        "recovery.longest_resume: 72h, is 3 ticks",
        "recovery.clock_skew: 1s, is 1 tick",
        "readback.lag: 0s, is 0 ticks",
        "readback.retention: forever, is without end",
    ]


def test_an_undefined_duration_is_explored_both_ways() -> None:
    spans = {"retention": "undefined", "delay": "undefined", "lag": "undefined", "record_retention": "undefined"}
    found = tick_alternatives(contract(spans))
    ends = {(t.retention, t.delay, t.lag, t.record_retention) for t in found}
    assert ends == set(product((0, None), repeat=4)) and len(found) == 16
    worst = found[0]
    assert (worst.retention, worst.delay, worst.lag, worst.record_retention) == (0, None, None, 0)
    assert compile_ticks(contract(spans)) == worst
    assert "readback.lag: undefined, taken as 0s, is 0 ticks" in found[-1].text()


def test_a_defined_contract_has_one_mapping() -> None:
    example = load_contract("example-refund")
    assert tick_alternatives(example) == (compile_ticks(example),)
