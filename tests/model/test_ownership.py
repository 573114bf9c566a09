"""Every action reads only what its owner can see; the exceptions are a list with reasons."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from model.kernel import Action, System
from model.system import Parts
from model.terms import free_variables, variable_name
from properties.mutants.parties import PeeksAtTheTarget, ReadsGhostHistory
from properties.ownership import Offence, may_see, offences, readings, unused_bridges
from tests.model.whole import whole_model, whole_system

BRIDGES = Path(__file__).with_name("bridges.toml")


def kind(name: str) -> str:
    """A name without its indices."""
    return name.partition("[")[0]


def written_bridges() -> list[dict[str, object]]:
    return list(tomllib.loads(BRIDGES.read_text("utf-8"))["bridge"])


def test_every_action_reads_only_what_its_owner_sees() -> None:
    assert list(offences(whole_system())) == []


def test_no_bridge_leads_nowhere() -> None:
    assert list(unused_bridges(whole_system())) == []


def test_every_bridge_is_listed_with_a_reason() -> None:
    used: dict[tuple[str, str], set[str]] = {}
    for action in whole_system().actions:
        for party in action.bridges:
            used.setdefault((kind(action.owner), kind(party)), set()).add(kind(action.name))
    listed = {(b["owner"], b["sees"]): set(b["actions"]) for b in written_bridges()}  # type: ignore[call-overload]
    assert listed == used
    assert all(str(b["because"]).endswith(".") for b in written_bridges())


def test_a_worker_sees_itself_the_contract_and_its_own_clock() -> None:
    """Neither the target nor the network, neither another worker nor the store."""
    bridges = {kind(a.name): set(a.bridges) for a in whole_system().actions if kind(a.owner) == "worker"}
    assert bridges.pop("withhold") == {"clock", "contract"}
    assert set().union(*bridges.values()) == {"contract"}


def test_a_worker_changes_only_itself() -> None:
    system = whole_system()
    owner = {v.name: v.owner for v in system.variables if not v.ghost}
    for action in system.actions:
        if kind(action.owner) == "worker":
            written = {variable_name(u.target) for u in action.updates} & set(owner)
            assert {owner[name] for name in written} <= {action.owner}


def test_nobody_reads_ghost_history() -> None:
    system = whole_system()
    ghosts = {v.name for v in system.variables if v.ghost}
    assert not [(a.name, name) for a in system.actions for name in readings(system, a) & ghosts]
    assert not ghosts & set().union(*(free_variables(term) for term in system.definitions.values()))


@pytest.mark.parametrize(
    ("parts", "seen"),
    [(Parts(worker=PeeksAtTheTarget), "gateway"), (Parts(worker=ReadsGhostHistory), "history")],
    ids=["target", "history"],
)
def test_an_omniscient_worker_is_caught(parts: Parts, seen: str) -> None:
    found = list(offences(whole_model(parts).system()))
    assert {kind(o.action) for o in found} == {"choose_execute"}
    assert {o.belongs_to for o in found} == {seen}


def test_a_reading_in_an_update_is_seen() -> None:
    system = whole_system()
    action = system.action("tell[0]")
    target, other = action.updates[0].target, system.action("tell[1]").updates[0].target
    spied = replace(action, updates=(replace(action.updates[0], value=other),))
    assert list(offences(with_only(system, spied))) == [Offence("tell[0]", "worker[0]", str(other), "worker[1]")]
    kept = replace(action, updates=(replace(action.updates[0], value=target),))
    assert list(offences(with_only(system, kept))) == []


def test_all_workers_are_one_party_and_each_is_another() -> None:
    system = whole_system()
    first, second = (system.variable(f"worker[{w}].move") for w in (0, 1))
    one = replace(system.action("tell[0]"), bridges=())
    assert may_see(one, first) and not may_see(one, second)
    assert may_see(replace(one, bridges=("worker",)), second)


def with_only(system: System, action: Action) -> System:
    return system.with_actions([action])
