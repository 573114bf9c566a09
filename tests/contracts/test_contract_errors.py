"""Whatever a contract file says wrongly is one line that names file, place, value and remedy."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.contract import ContractError, parse_contract
from tests.contracts.faulty_contracts import EXAMPLE, FAULTS, edited


def the_error(text: str, where: str = "contracts/payments.toml") -> str:
    """The message, after checking that it is one line that starts with the file."""
    with pytest.raises(ContractError) as caught:
        parse_contract(text, where)
    message = str(caught.value)
    assert message.startswith(f"{where}: ")
    assert len(message.splitlines()) == 1 and message.isprintable()
    return message.removeprefix(f"{where}: ")


@pytest.mark.parametrize("case", FAULTS)
def test_one_line_names_place_value_and_remedy(case: str) -> None:
    text, expected = FAULTS[case]
    assert expected in the_error(text)


def test_the_message_of_the_design() -> None:
    message = the_error(edited("idempotency", "retention", '"-1h"'))
    assert message.startswith('idempotency.retention is "-1h"; give a duration of at least 0s, or "forever"')


def test_the_first_fault_of_the_file_is_reported() -> None:
    text = edited("recovery", "workers", "9").replace('mechanism = "key"', 'mechanism = "kee"')
    assert the_error(text).startswith("idempotency.mechanism")


def test_a_section_that_comes_first_in_the_file_is_reported_first() -> None:
    first, _, second = edited("recovery", "workers", "9").partition("[recovery]")
    text = "[recovery]" + second + first.replace('mechanism = "key"', 'mechanism = "kee"')
    assert the_error(text).startswith("recovery.workers")


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.data())
def test_no_damage_ends_in_anything_but_one_line(data: st.DataObject) -> None:
    """Bytes of a good file are replaced at random: it loads or says what is wrong, nothing else."""
    damaged = bytearray(EXAMPLE.encode())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        damaged[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=5))
    try:
        parse_contract(damaged.decode("utf-8", "replace"), "damaged.toml")
    except ContractError as error:
        message = str(error)
        assert message.startswith("damaged.toml: ") and len(message.splitlines()) == 1 and message.isprintable()
