"""Names in files, and of files, stay text in every format."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote, urlsplit
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from model.decision_table import table_text
from model.text_file import shown
from recut.findings import place_of
from recut.markdown import code, table, words
from tests.cli.broken import HOSTILE, PATHS, hostile_table, spread_out, written
from tests.cli.front import run
from tests.cli.test_formats import valid_sarif


@pytest.fixture(params=PATHS)
def path(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A hostile table in a file with a hostile name, as seen from the working directory."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / request.param, spread_out(hostile_table()))
    return str(request.param)


def report(path: str, format: str) -> str:
    result = run("table", "check", path, "--format", format)
    assert result.exit_code == 1, result.stderr
    return result.stdout


def printable(text: str) -> str:
    return "".join(c if c.isprintable() else "?" for c in text)


def unescaped(text: str) -> str:
    """A value of a workflow command as the runner reads it."""
    for mark, escaped in {":": "%3A", ",": "%2C", "\n": "%0A", "\r": "%0D", "%": "%25"}.items():
        text = text.replace(escaped, mark)
    return text


def spans(source: str) -> list[Token]:
    """All inline parts of a Markdown text, as GitHub would read it with HTML allowed."""
    blocks = MarkdownIt("commonmark", {"html": True}).enable("table").parse(source)
    assert not [b for b in blocks if b.type in ("html_block", "code_block", "fence", "blockquote_open")]
    return [child for block in blocks for child in block.children or []]


def test_sarif_keeps_names_as_text(path: str) -> None:
    results = valid_sarif(report(path, "sarif"))["results"]
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    assert {unquote(u) for u in uris} == {path}
    assert all(re.fullmatch(r"[A-Za-z0-9/._~%-]+", u) and not urlsplit(u).scheme for u in uris)
    messages = [r["message"]["text"] for r in results]
    for name in HOSTILE:
        text = shown(name).replace("{0}", "{{0}}").replace("](", "] (")
        assert any(text in message for message in messages)
    assert not [m for m in messages if re.search(r"\]\(|(?<!\{)\{\d", m)]


def test_annotations_are_one_line_each_and_say_what_was_meant(path: str) -> None:
    *commands, last = report(path, "github").splitlines()
    assert last == "recut table check: fails" and commands
    rows = set()
    for command in commands:
        match = re.fullmatch(r"::error ([^:]*)::(.*)", command)
        assert match, command
        properties = dict(part.split("=", 1) for part in match[1].split(","))
        assert set(properties) - {"line"} == {"file", "title"}
        assert unescaped(properties["file"]) == path
        rows |= {name for name in HOSTILE if shown(name) in unescaped(match[2])}
    assert rows == set(HOSTILE)


def test_markdown_has_no_markup_of_a_file(path: str) -> None:
    parts = spans(report(path, "markdown"))
    assert {p.type for p in parts} == {"text", "code_inline", "strong_open", "strong_close"}
    codes = {p.content for p in parts if p.type == "code_inline"}
    assert {printable(path), *HOSTILE} <= codes
    texts = "".join(p.content for p in parts if p.type == "text")
    assert not [word for word in ("script", "::error", "http", "img") if word in texts]


def test_other_formats_hold_the_names(path: str) -> None:
    issues = json.loads(report(path, "gitlab"))
    assert {i["location"]["path"] for i in issues} == {path}
    suite = ElementTree.fromstring(report(path, "junit"))[0]
    told = "".join(suite.itertext())
    assert suite.get("name") == path and all(shown(name) in told for name in HOSTILE)


@pytest.mark.parametrize("text", [*HOSTILE, *PATHS, "`", " x ", "``a`", "\\", "\\|", "a\u2028b", "\x07", "x" * 999, ""])
def test_a_code_span_holds_any_text(text: str) -> None:
    for source in (code(text), table(["x"], [[code(text)]])):
        (part,) = [p for p in spans(source) if p.content != "x"] if text != "x" else spans(source)
        assert part.type == "code_inline"
        short = text if len(text) <= 200 else f"{text[:200]}..."
        assert part.content.strip() == printable(short).strip()


@pytest.mark.parametrize("text", [*HOSTILE, "# x", "*a* _b_ ~~c~~ ![d](e) <b> &lt; [f]", "a\n\n<p>", "\\"])
def test_words_stay_words(text: str) -> None:
    parts = spans(words(text))
    assert {p.type for p in parts} <= {"text", "text_special"}
    line = "".join(c if c.isprintable() else " " for c in text)
    assert "".join(p.content for p in parts).split() == line.split()


def test_a_file_is_named_from_the_working_directory_if_it_is_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inside = written(tmp_path / "here" / "a" / "x.csv", table_text(hostile_table()))
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "here")
    monkeypatch.chdir(tmp_path / "here")
    assert {place_of(str(p)) for p in (inside, "a/x.csv", "./a/../a/x.csv", link / "a" / "x.csv")} == {"a/x.csv"}
    outside = tmp_path / "y.csv"
    assert place_of("../y.csv") == outside.as_posix() == place_of(str(outside))
    assert place_of(str(Path("caf\udce9.csv"))) == "caf\N{REPLACEMENT CHARACTER}.csv"
