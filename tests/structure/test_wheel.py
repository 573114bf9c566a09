"""A wheel holds everything, and runs where nothing of the source tree is in sight."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.structure.test_arrows import PACKAGES, ROOT

BESIDE = ("pyproject.toml", "README.md", "LICENSE")
LEFT_OUT = shutil.ignore_patterns("__pycache__", "*.egg-info")
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet")


def ran(*command: str | Path, cwd: Path) -> str:
    """What a command printed; the test fails with all it said if it did not end well."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=kept, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy of the sources."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=LEFT_OUT)
    for name in BESIDE:
        shutil.copy(ROOT / name, source / name)
    build = ("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", out, source)
    ran(*PIP, *build, cwd=out)
    (built,) = out.iterdir()
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and, on a path of their own, the packages that it needs.

    A line in a ``.pth`` file is put on the path, and ``.pth`` files there are not read: an installation of the
    source tree in the running environment stays out of it.
    """
    home = tmp_path_factory.mktemp("empty")
    ran(sys.executable, "-m", "venv", "--without-pip", home, cwd=home)
    python = home / "bin" / "python"
    ran(*PIP, "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=home)
    (site,) = home.glob("lib/python*/site-packages")
    (site / "needed.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return home


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    held = {name for name in zipfile.ZipFile(wheel).namelist() if name.split("/")[0] in PACKAGES}
    files = (p for package in PACKAGES for p in (ROOT / package).rglob("*") if p.is_file())
    wanted = {p.relative_to(ROOT).as_posix() for p in files if "__pycache__" not in p.parts}
    assert held == wanted
    assert {f"{package}/py.typed" for package in PACKAGES} <= held


def test_the_installed_packages_are_those_of_the_wheel(installed: Path, tmp_path: Path) -> None:
    where = f"import {', '.join(PACKAGES)}; print(*(p.__file__ for p in ({', '.join(PACKAGES)})), sep='\\n')"
    found = ran(installed / "bin" / "python", "-c", where, cwd=tmp_path).split()
    assert len(found) == len(PACKAGES) and all(Path(path).is_relative_to(installed) for path in found)


def test_both_names_of_the_command_say_the_version(installed: Path, tmp_path: Path) -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert ran(installed / "bin" / "recut", "--version", cwd=tmp_path) == f"recut {version}\n"
    assert ran(installed / "bin" / "python", "-m", "recut", "--version", cwd=tmp_path) == f"recut {version}\n"


def test_recut_check_runs_from_any_directory(installed: Path, tmp_path: Path) -> None:
    said = ran(installed / "bin" / "recut", "check", "--contract", "smtp", "--workers", "1", cwd=tmp_path)
    assert said.splitlines()[-1].startswith("holds: ")
    assert list(tmp_path.iterdir()) == []
