"""The map of contracts: stored whole, sound on samples, and no stronger promise does harm."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from model.contract import load_contract, shipped_contracts
from model.policy import load_policy
from recut.contract_map import COLOURS, kind, known_map
from recut.contract_page import PAGE, page
from recut.contract_report import knowledge
from solver.assessment import Assessor, Summary
from solver.assessments import Assessments, as_data, from_data, stored_assessments
from solver.completions import Completion, completions, worst_case
from solver.contract_judged import cases_of
from solver.contract_map import DIMENSIONS, Map, definite_at, places, weaker
from solver.definite import bare
from solver.replayed import EnginesDisagree
from tests.cli.front import refused, run, valid

RECOVERY = load_policy("recovery")
ALL = tuple(places())


def whole() -> Map:
    """The map as it is stored."""
    found = known_map(knowledge())
    assert found is not None, "make contracts was not run since the model changed"
    return found


def test_the_map_has_every_combination_and_all_of_it_is_stored() -> None:
    found = whole()
    assert set(found.summary) == set(ALL) and len({d.key for d in found.definite.values()}) >= 1000
    assert {kind(s) for s in found.summary.values()} <= set(COLOURS)
    assert all(s.interruptions > 0 and s.alone <= s.interruptions for s in found.summary.values())


def test_no_stronger_promise_does_harm() -> None:
    assert whole().harmful == ()


def test_the_minimal_ones_are_an_antichain_below_all_that_are_enough() -> None:
    found = whole()
    minimal = found.minimal
    assert minimal and all(found.automatic(p) for p in minimal)

    def above(place: tuple[int, ...], other: tuple[int, ...]) -> bool:
        return all(a >= b for a, b in zip(place, other, strict=True))

    assert not any(above(p, q) for p in minimal for q in minimal if p != q)
    for place in ALL:
        assert found.automatic(place) == any(above(place, q) for q in minimal)


def test_a_step_down_is_one_level_of_one_promise() -> None:
    top = tuple(len(d.levels) - 1 for d in DIMENSIONS)
    assert len(list(weaker(top))) == len(DIMENSIONS) and list(weaker((0,) * len(DIMENSIONS))) == []
    assert all(sum(top) - sum(below) == 1 for below in weaker(top))


def test_a_harmful_step_would_be_seen() -> None:
    """The map with one summary made worse, and with one that breaks something."""
    found = whole()
    place = next(p for p in found.summary if found.automatic(p) and any(map(found.automatic, weaker(p))))
    good = found.summary[place]
    for worse in (
        Summary(good.states, (), (), good.interruptions, 0),
        Summary(good.states, ("no_duplicate_commit",), (), good.interruptions, good.alone),
    ):
        assert Map(found.definite, {**found.summary, place: worse}).harmful


def sample(count: int, seed: int) -> list[tuple[int, ...]]:
    """Some places, the same each time."""
    return random.Random(seed).sample(ALL, count)


@pytest.mark.parametrize("place", sample(4, 1))
def test_a_place_searched_anew_is_what_is_stored(place: tuple[int, ...]) -> None:
    assert Assessor(RECOVERY.table).assess(definite_at(place)).summary == whole().summary[place]


@pytest.mark.slow
@pytest.mark.parametrize("place", sample(60, 2))
def test_more_places_searched_anew_are_what_is_stored(place: tuple[int, ...]) -> None:
    assert Assessor(RECOVERY.table).assess(definite_at(place)).summary == whole().summary[place]


def test_something_else_stored_is_a_disagreement() -> None:
    definite = definite_at(ALL[0])
    good = whole().summary[ALL[0]]
    wrong = Summary(good.states + 1, good.broken, good.late, good.interruptions, good.alone)
    with pytest.raises(EnginesDisagree, match="stored is"):
        Assessments(RECOVERY, {definite.key: wrong}).assessment(definite)


def test_what_is_stored_is_of_this_table_and_model() -> None:
    known = stored_assessments(RECOVERY)
    data = json.loads(as_data([known]))
    assert dict(from_data(data, RECOVERY)) == known.known
    for key, value in (("sources", "x"), ("tables", {"recovery": "x"}), ("format", "x")):
        assert not dict(from_data({**data, key: value}, RECOVERY))


@pytest.mark.parametrize("name", shipped_contracts())
def test_the_catalogue_is_stored(name: str) -> None:
    """Every case of every shipped contract, so that reports of them are quick."""
    known = stored_assessments(RECOVERY)
    contract = load_contract(name)
    keys = {bare(case.definite).key for case in completions(contract, RECOVERY.practices)}
    assert keys <= set(known.known)
    assert bare(worst_case(contract, RECOVERY.practices).definite).key in known.weakest


def test_the_page_is_fresh() -> None:
    known = knowledge()
    assert page(known) == PAGE.read_text("utf-8")
    assert not known.recovery.whole, "something had to be searched"


def test_what_breaks_under_the_policy_to_use_is_what_the_transport_does() -> None:
    """Where a transport delivers one request twice and the target does not notice, no policy of a caller helps."""
    known = stored_assessments(RECOVERY)
    for name in shipped_contracts():
        for case, found in cases_of(load_contract(name), known).cases:
            repeats = case.definite.value("recognises") and case.definite.value("on_repeat") != "executes"
            doubled = case.definite.value("copies") and (not repeats or case.definite.value("races") or _forgets(case))
            assert not found.summary.broken or doubled, (name, case.base, case.varied, found.summary.broken)


def _forgets(case: Completion) -> bool:
    return case.definite.ticks.retention is not None


def test_the_map_as_a_report_and_as_a_figure(tmp_path: Path) -> None:
    result = run("contract", "map", "--format", "json", "--figure", tmp_path / "map.svg")
    found = valid(result.stdout, "contract-map")
    assert result.exit_code == 0 and len(found["places"]) == len(ALL) and found["minimal"]
    first = (tmp_path / "map.svg").read_bytes()
    assert first.startswith(b"<?xml") and b"numbered" in first
    assert run("contract", "map", "--figure", tmp_path / "again.svg").exit_code == 0
    assert (tmp_path / "again.svg").read_bytes() == first
    assert "is no figure" in refused(run("contract", "map", "--figure", tmp_path / "map.gif"))
