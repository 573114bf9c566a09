"""Files that are no contracts, names that are no files: each is one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from model.contract import Contract, ContractError, load_contract
from tests.contracts.faulty_contracts import EXAMPLE

FILES = {
    "empty": (b"", "is empty"),
    "blank": (b" \n\n", "is empty"),
    "NUL bytes": (b"\0" * 100, "line 1: has the control character U+0000"),
    "not UTF-8": (b'[contract]\nname = "\xff\xfe"\n', "line 2: the byte 0xff is not UTF-8"),
    "UTF-16": ("[contract]".encode("utf-16"), "is not UTF-8; save the file as UTF-8"),
    "byte order mark": (b"\xef\xbb\xbf" + EXAMPLE.encode(), "line 1 starts with a byte order mark"),
    "random bytes": (bytes(range(256)) * 20, "line 2: the byte 0x80 is not UTF-8"),
    "too large": (b"#" * 1_000_001, "is larger than 1,000,000 bytes"),
    "only a comment": (b"# nothing\n", "[contract] is missing; give a table [contract]"),
}


@pytest.mark.parametrize("case", FILES)
def test_a_file_that_is_no_contract(case: str, tmp_path: Path) -> None:
    data, expected = FILES[case]
    path = tmp_path / "bad.toml"
    path.write_bytes(data)
    assert expected in _load_error(str(path))


def _load_error(path: str) -> str:
    with pytest.raises(ContractError) as caught:
        load_contract(path)
    message = str(caught.value)
    assert len(message.splitlines()) == 1 and message.isprintable()
    assert message.startswith(f"{path}: ")
    return message


def test_a_directory(tmp_path: Path) -> None:
    assert "it is a directory; give a contract file" in _load_error(str(tmp_path))


def test_a_missing_file(tmp_path: Path) -> None:
    assert "cannot be read: no such file or directory" in _load_error(str(tmp_path / "gone.toml"))


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    assert "cannot be read: permission denied" in _load_error(str(tmp_path / "locked.toml"))


def test_an_unknown_name_lists_the_shipped_ones() -> None:
    message = _load_error("stripe_v2")
    assert 'did you mean "stripe_v1"?' in message and "example-refund" in message and "smtp" in message


def test_the_file_name_cannot_break_the_line(tmp_path: Path) -> None:
    with pytest.raises(ContractError) as caught:
        load_contract(str(tmp_path / "two\nlines.toml"))
    assert len(str(caught.value).splitlines()) == 1


def test_a_contract_is_read_from_a_path(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_bytes(EXAMPLE.replace("\n", "\r\n").encode())
    contract = load_contract(str(path))
    assert isinstance(contract, Contract) and contract == load_contract("example-refund")
