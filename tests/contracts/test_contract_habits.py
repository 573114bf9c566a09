"""What habits break: completing on acceptance, beside blind retry (which tests/cli shows)."""

from __future__ import annotations

import pytest

from model.contract import Contract, load_contract
from model.contract_rules import Value
from model.policy import load_policy
from recut.told_lanes import turns
from solver.assessments import stored_assessments
from solver.contract_habits import TOO_EARLY, acceptance_believed

KNOWN = stored_assessments(load_policy("recovery"))


def accepting(**changes: Value) -> Contract:
    """A target whose answers tell what it accepted, and that settles later (clauses as ``section__key``)."""
    said = {"readback__reports": "accepted", "settlement__mode": "pending", "readback__postcondition": "none"} | changes
    return load_contract("example-refund").with_clauses({k.replace("__", "."): v for k, v in said.items()})


@pytest.mark.parametrize("look", ["none", "same-system"])
def test_completion_without_readback_is_what_breaks(look: str) -> None:
    found = acceptance_believed(accepting(readback__postcondition=look), KNOWN)
    assert found and found[0].name == TOO_EARLY
    first = found[0]
    assert first.trace.actions[-1].startswith("adopt[")
    assert first.trace.steps[-1].state["gateway.world[0]"] == "pending"
    assert len(turns(first.trace.actions, first.lanes)) <= 8


@pytest.mark.parametrize(
    "changes",
    [
        pytest.param({"readback__postcondition": "independent"}, id="a look of one's own comes first"),
        pytest.param({"settlement__mode": "immediate"}, id="what is accepted is there"),
    ],
)
def test_nothing_breaks_where_acceptance_is_checked_or_is_the_effect(changes: dict[str, Value]) -> None:
    assert acceptance_believed(accepting(**changes), KNOWN) == ()


@pytest.mark.parametrize("changes", [{"readback__reports": "committed"}, {"contract__governed": "accepted"}])
def test_it_is_no_question_where_answers_state_the_governed_transition(changes: dict[str, Value]) -> None:
    assert acceptance_believed(accepting(**changes), KNOWN) is None


def test_what_breaks_anyway_is_not_blamed_on_it() -> None:
    found = acceptance_believed(accepting(delivery__copies=True, idempotency__retention="1s"), KNOWN)
    assert found is not None and {b.name for b in found} <= {TOO_EARLY, "no_silent_omission"}
