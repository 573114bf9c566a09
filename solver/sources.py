"""What a stored result depends on, as digests, so that one of another model, contract or bound is never taken."""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path

import model
import properties
import solver
from solver.check import Subject

FOLDERS = {package.__name__: Path(str(package.__file__)).parent for package in (model, properties, solver)}


def subject_digests(subject: Subject) -> dict[str, str]:
    """What the runs of a subject depend on beside its table and the program."""
    cases = [(c.name, c.bounds, c.setting.ticks) for c in subject.cases()]
    return {
        "contract": digest_of(sorted(subject.contract.clauses().items())),
        "practices": digest_of(sorted(asdict(subject.policy.practices).items())),
        "bounds": digest_of(cases),
    }


def digest_of(value: object) -> str:
    """SHA-256 of a value's text, in hex."""
    return hashlib.sha256(repr(value).encode()).hexdigest()


@cache
def sources_digest(*modules: str) -> str:
    """SHA-256, in hex, of modules such as ``model.system`` and of everything of this program that they import."""
    content = hashlib.sha256()
    for name in sorted(_closure(modules)):
        content.update(name.encode() + b"\0" + _path(name).read_bytes())
    return content.hexdigest()


def _closure(modules: tuple[str, ...]) -> set[str]:
    found: set[str] = set()
    left = list(modules)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += [other for other in _imported(name) if _path(other).is_file()]
    return found


def _imported(name: str) -> Iterator[str]:
    """What a module imports of these packages, as modules; a name imported from a package may be one too."""
    for node in ast.walk(ast.parse(_path(name).read_bytes())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
        else:
            continue
        yield from (n for n in names if n.split(".")[0] in FOLDERS)


def _path(name: str) -> Path:
    package, _, rest = name.partition(".")
    inside = FOLDERS[package].joinpath(*rest.split(".")) if rest else FOLDERS[package]
    return inside / "__init__.py" if inside.is_dir() else inside.with_suffix(".py")
