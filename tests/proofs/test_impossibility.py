"""Two worlds leave one checkpoint, and then no policy over the checkpoint is safe and able to finish."""

from __future__ import annotations

import pytest

from model.table_inputs import DECISIONS
from solver.impossibility import History, TwoWorlds, policy_for, two_worlds


@pytest.fixture(scope="module")
def found() -> TwoWorlds:
    return two_worlds()


def test_the_two_histories_come_from_the_model(found: TwoWorlds) -> None:
    absent, committed = ([action for action, _ in trace] for trace in (found.absent, found.committed))
    assert "lose_request[0]" in absent and "commit[0][0]" not in absent
    assert "commit[0][0]" in committed
    assert found.absent[-1][1]["history.commits[0]"] == 0
    assert found.committed[-1][1]["history.commits[0]"] == 1


def test_they_leave_the_same_checkpoint(found: TwoWorlds) -> None:
    assert any(name.startswith("store.") for name in found.checkpoint)
    assert not any(name.startswith(("gateway.", "network.", "history.")) for name in found.checkpoint)
    for name in found.checkpoint:
        assert found.absent[-1][1][name] == found.committed[-1][1][name], name


def test_no_policy_is_safe_and_able_to_finish(found: TwoWorlds) -> None:
    assert found.impossible
    assert set(found.checkpoint_policies) == set(DECISIONS)


def test_recognition_for_ever_makes_one_possible(found: TwoWorlds) -> None:
    assert found.possible
    assert list(found.policy.values()) == ["execute"]


def test_a_checkpoint_that_tells_the_worlds_apart_allows_a_policy() -> None:
    histories = [History("absent", (("seen", 0),), 0), History("committed", (("seen", 1),), 1)]
    exists, policy = policy_for(histories, harmless=False)
    assert exists and policy == {(("seen", 0),): "execute", (("seen", 1),): "adopt"}
