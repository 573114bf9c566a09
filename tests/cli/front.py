"""The command line as tests call it: in this process, or as a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from typer.testing import CliRunner, Result

import recut
from recut.app import app

SCHEMAS = Path(recut.__file__).parent / "schemas"
COMMAND = (sys.executable, "-m", "recut.cli")


def run(*args: object, given: str | bytes | None = None) -> Result:
    """One command in this process."""
    return CliRunner().invoke(app, [str(a) for a in args], input=given)


def started(*args: object) -> subprocess.Popen[str]:
    """One command as a process."""
    line = [*COMMAND, *map(str, args)]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def refused(result: Result) -> str:
    """The one line with which an input was refused."""
    assert result.exit_code == 2, (result.exit_code, result.stdout, result.stderr)
    assert "Traceback" not in result.stderr
    lines = result.stderr.splitlines()
    assert len(lines) == 1 and lines[0].startswith("recut: "), result.stderr
    return lines[0]


def valid(text: str, command: str) -> dict[str, Any]:
    """A JSON report that its schema accepts."""
    schema = json.loads((SCHEMAS / f"{command}.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    document: dict[str, Any] = json.loads(text)
    Draft202012Validator(schema).validate(document)
    return document


def without_seconds(value: Any) -> Any:
    """A report without how long anything took."""
    if isinstance(value, Mapping):
        return {key: without_seconds(v) for key, v in value.items() if key != "seconds"}
    return [without_seconds(v) for v in value] if isinstance(value, list) else value
