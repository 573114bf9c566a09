"""What is written, whether or not a foreign checker is there to read it."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.kernel import ModelError
from model.terms import OPERATORS
from solver.export_murphi import MURPHI, murphi
from solver.export_promela import PROMELA, promela
from solver.export_terms import Bounds, Export, Language, Written, export_of
from solver.export_text import Names, bare, filled, in_sequence, told, words
from solver.export_tla import TLA, can_name_a_module, tla, tla_configuration
from tests.export.configurations import CONFIGURATIONS, exported
from tests.export.systems import small

LANGUAGES = {"promela": PROMELA, "murphi": MURPHI, "tla": TLA}
BACK_ENDS: dict[str, Callable[[Export], str]] = {"promela": promela, "murphi": murphi, "tla": tla}
RUN = "smtp-blind-retry-two-workers"
each_language = pytest.mark.parametrize("language", LANGUAGES.values(), ids=LANGUAGES)
each_back_end = pytest.mark.parametrize("write", BACK_ENDS.values(), ids=BACK_ENDS)


@each_language
def test_every_operator_is_written(language: Language) -> None:
    export = small()["operators"]
    assert set(Written(export, language).table()) == set(OPERATORS)
    for operator in language.templates:
        fewer = {name: t for name, t in language.templates.items() if name != operator}
        with pytest.raises(ModelError, match=operator):
            Written(export, replace(language, templates=fewer))


@each_language
@pytest.mark.parametrize("name", [RUN, "refund"])
def test_nothing_shares_a_name(name: str, language: Language) -> None:
    written = Written(exported(name), language)
    labels = [label for labels in written.labels.values() for label in labels]
    given_names = [*written.variables.values(), *written.types.values(), *labels, *written.sentences.values()]
    given_names += written.named.values()
    assert len({n.casefold() for n in given_names}) == len(given_names)
    assert not {n.casefold() for n in given_names} & {word.casefold() for word in language.reserved}
    assert all(re.fullmatch(r"[A-Za-z]\w*", n, re.ASCII) for n in given_names)


@given(st.lists(st.text("aB_1[]. -", max_size=6), max_size=12))
def test_names_are_injective(texts: list[str]) -> None:
    names = Names(["a", "b_1"])
    found = [names.fresh(text) for text in texts]
    assert len({name.casefold() for name in found} | {"a", "b_1"}) == len(texts) + 2


@each_back_end
def test_the_text_is_stable(write: Callable[[Export], str]) -> None:
    assert write(built_again()) == write(exported(RUN))


@functools.cache
def built_again() -> Export:
    """The same run from a model of its own, whose terms z3 numbers otherwise."""
    return export_of(CONFIGURATIONS[RUN].model(), *exported(RUN).title)


@each_back_end
def test_actions_variables_and_properties_are_told(write: Callable[[Export], str]) -> None:
    export, prose = exported(RUN), " ".join(re.sub(r"(?m)^ *(--|\\\*)", "", write(exported(RUN))).split())
    assert all(a.doc in prose for a in export.special.system.actions)
    assert all(v.name in prose for v in export.special.system.variables)
    assert all(s.says in prose and s.name in prose for s in export.checked)
    assert export.settled and all(name in prose for name in export.settled)
    assert "Phase_UNKNOWN_OUTCOME" in prose and "decision_0" in prose


@each_back_end
def test_no_line_is_long(write: Callable[[Export], str]) -> None:
    assert max(map(len, write(exported("refund")).splitlines())) <= 120


def test_rows_of_the_table_are_named() -> None:
    assert all(f"-- {row}" in murphi(exported("refund")) for row in ("claim-lost", "absent-admitted"))


def test_a_disjunction_is_assigned_in_parentheses() -> None:
    """In TLA+ ``x' = a \\/ b`` says ``(x' = a) \\/ b``."""
    values = re.findall(r"/\\ \w+' = (.*)", tla(exported("refund")))
    assert values and all(re.match(r"\w+$|\(", value) for value in values)


def test_what_nothing_reads_is_read() -> None:
    """Spin leaves such variables out of the state, and would find fewer states."""
    assert re.search(r"unread = .*worker_1_young", promela(exported(RUN)))


def test_the_configuration_of_tlc_names_every_property() -> None:
    told_to_tlc, module = tla_configuration(exported(RUN)).splitlines(), tla(exported(RUN))
    assert told_to_tlc[:3] == ["INIT Init", "NEXT Next", "INVARIANT TypeOK"]
    assert {line.removeprefix("INVARIANT ") for line in told_to_tlc[3:]} == {s.name for s in exported(RUN).checked}
    assert all(f"\n    {line}\n" in module for line in told_to_tlc)


def test_a_module_is_named_as_nothing_in_it() -> None:
    assert can_name_a_module("Refund_2")
    assert not any(map(can_name_a_module, ("", "2nd", "a-b", "a b", "Integers", "IF")))
    module = tla(exported(RUN), "Phase")
    assert module.startswith("---- MODULE Phase ----") and "\nPhase ==" not in module


@given(st.data())
def test_assignments_in_sequence_are_simultaneous(data: st.DataObject) -> None:
    names = ["a", "b", "c", "d"]
    texts = st.sampled_from([*names, "a + b", "c + d + 1", "b + a + d", "3"])
    values = data.draw(st.dictionaries(st.sampled_from(names), texts))
    before = dict(zip(names, (10, 200, 3000, 40000), strict=True))
    wanted = before | {target: eval(text, {}, before) for target, text in values.items()}
    done, now = in_sequence(values, words), dict(before)
    kept = {target: eval(text, {}, now) for target, text in done.kept.items()}
    for target, text in done.others.items():
        now[target] = eval(text, {}, now)
    assert now | kept == wanted


def test_parentheses_around_the_whole_go() -> None:
    texts = {"(a)": "a", "(a) & (b)": "(a) & (b)", "((a) & (b))": "(a) & (b)", "a": "a", "f()": "f()"}
    assert {text: bare(text) for text in texts} == texts


@given(st.lists(st.sampled_from(["a_long_name", "&", "|", "(b", "c)", "=", "/\\", "~x", "->", ":", "-"]), min_size=1))
def test_breaking_lines_changes_nothing(tokens: list[str]) -> None:
    text = " ".join(tokens)
    assert filled(text, "  ").split() == text.split()


def test_comments_cannot_be_ended_by_what_they_say() -> None:
    assert told("a */ b\n*) \x1b é") == "a * / b * ) ? ?"


@pytest.mark.parametrize("export", small().values(), ids=small())
def test_bounds_hold_in_the_type_of_every_function(export: Export) -> None:
    bounds = Bounds(export.special.system.variables)
    assert all(bounds(v.term) == (0, v.high) for v in export.special.system.variables)
    assert all(low <= high for low, high in map(bounds, export.roots))
