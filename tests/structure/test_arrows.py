"""The shape of the code: which package may import which, and what every file owes its readers."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAY_IMPORT: dict[str, set[str]] = {
    "model": set(),
    "properties": {"model"},
    "solver": {"model", "properties"},
    "recut": {"model", "properties", "solver"},
    "benchmarks": {"model", "solver"},
    "notebooks": {"model", "properties", "solver", "recut"},
    "tests": {"model", "properties", "solver", "recut", "benchmarks", "notebooks"},
}
PACKAGES = ("model", "properties", "solver", "recut")
EXPLAINED = (*PACKAGES, "benchmarks")
LONGEST = 300
UNFINISHED = ("TO" + "DO", "FIX" + "ME")
Function = ast.FunctionDef | ast.AsyncFunctionDef


def sources(*folders: str) -> list[Path]:
    """The Python files of these folders, sorted."""
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def called(path: Path) -> str:
    """A file as messages and test names call it."""
    return path.relative_to(ROOT).as_posix()


def imported(tree: ast.AST) -> Iterator[str]:
    """The top-level packages that a file imports, wherever in the file it does."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." if node.level else str(node.module).partition(".")[0]


def against_the_arrows(package: str, text: str) -> set[str]:
    """What a file of ``package`` imports although no arrow leads there; a relative import is a dot."""
    forbidden = set(MAY_IMPORT) - MAY_IMPORT[package] - {package} | {"."}
    return set(imported(ast.parse(text))) & forbidden


def classes(trees: Iterable[ast.AST]) -> dict[str, list[ast.ClassDef]]:
    """All classes of some files, by name."""
    found: dict[str, list[ast.ClassDef]] = {}
    for node in (node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        found.setdefault(node.name, []).append(node)
    return found


def unexplained(tree: ast.Module, known: dict[str, list[ast.ClassDef]]) -> Iterator[str]:
    """Public functions, methods and classes of a module that have no docstring, of their own or inherited."""
    owners: list[ast.Module | ast.ClassDef] = [tree, *(n for n in tree.body if isinstance(n, ast.ClassDef))]
    for owner in owners:
        if isinstance(owner, ast.ClassDef) and owner.name.startswith("_"):
            continue
        inherited = told(owner, known) if isinstance(owner, ast.ClassDef) else set()
        for node in owner.body:
            if isinstance(node, Function | ast.ClassDef) and needs_words(node) and node.name not in inherited:
                yield f"line {node.lineno}: {node.name}"


def needs_words(node: Function | ast.ClassDef) -> bool:
    """Public, without a docstring, and not one of the variants that an overload only types."""
    overload = any(isinstance(d, ast.Name) and d.id == "overload" for d in node.decorator_list)
    return not node.name.startswith("_") and not overload and not ast.get_docstring(node)


def told(owner: ast.ClassDef, known: dict[str, list[ast.ClassDef]]) -> set[str]:
    """The methods that the bases of a class explain, so that an override need not."""
    bases = [base for name in owner.bases if isinstance(name, ast.Name) for base in known.get(name.id, [])]
    own = {m.name for base in bases for m in base.body if isinstance(m, Function) and ast.get_docstring(m)}
    return own.union(*(told(base, known) for base in bases if base is not owner))


KNOWN = classes(ast.parse(p.read_text("utf-8")) for p in sources(*EXPLAINED))


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_arrows_point_one_way(package: str) -> None:
    wrong = {called(p): against_the_arrows(package, p.read_text("utf-8")) for p in sources(package)}
    assert not {path: names for path, names in wrong.items() if names}


@pytest.mark.parametrize("path", sources(*MAY_IMPORT), ids=called)
def test_files_are_short(path: Path) -> None:
    assert len(path.read_text("utf-8").splitlines()) <= LONGEST


@pytest.mark.parametrize("path", sources(*EXPLAINED), ids=called)
def test_public_names_are_explained(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(tree), "a module says in its first lines what it is for"
    assert not list(unexplained(tree, KNOWN))


@pytest.mark.parametrize("path", sources(*MAY_IMPORT), ids=called)
def test_nothing_is_left_unfinished(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not [word for word in UNFINISHED if word in text]


def test_an_arrow_the_wrong_way_is_seen() -> None:
    hidden = "def late() -> None:\n    from solver.explore import explore\n"
    assert against_the_arrows("model", hidden) == {"solver"}
    assert against_the_arrows("recut", hidden) == set()
    assert against_the_arrows("model", "from . import kernel") == {"."}


def test_a_missing_docstring_is_seen() -> None:
    tree = ast.parse("class Shown:\n    '''Words.'''\n    def bare(self): ...\n    def _own(self): ...\n")
    assert list(unexplained(tree, classes([tree]))) == ["line 3: bare"]


def test_an_override_inherits_its_words() -> None:
    tree = ast.parse(
        "class Base:\n    'Words.'\n    def told(self):\n        'Words.'\n"
        "class Middle(Base):\n    'Words.'\n"
        "class Last(Middle):\n    'Words.'\n    def told(self): ...\n    def bare(self): ...\n"
    )
    assert list(unexplained(tree, classes([tree]))) == ["line 10: bare"]


def test_packages_declare_their_types() -> None:
    assert all((ROOT / package / "py.typed").exists() for package in PACKAGES)
