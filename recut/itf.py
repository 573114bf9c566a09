"""Traces as files: ITF JSON (``#meta``, ``vars``, ``states``), with all that is needed to replay them.

Numbers are written as ITF writes whole numbers, ``{"#bigint": "2"}``; plain ones are read too. Nothing
in a file is executed: contract, table, practices and bounds are read by the same readers as files of
people, and everything else is compared.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from model.contract import Contract, ContractError, parse_contract
from model.decision_table import table_text
from model.policy import PRACTICES, Policy, Practices
from model.setting import FAULTS, Setting, Ticks
from model.table_file import parse_table
from properties.verdict import Trace
from recut.contract_text import contract_text
from recut.failure import Refused
from recut.inputs import setting

FORMAT = "recut-trace/1"
REMEDY = "give a file that recut wrote with --trace-dir"
Value = bool | int | str


@dataclass(frozen=True)
class Origin:
    """The model that a trace is of, and the sentence or situation that it shows at its end."""

    contract: Contract
    policy: Policy
    setting: Setting
    run: str
    about: str
    kind: str


@dataclass(frozen=True)
class TraceFile:
    """What a file says: where it is from, what it shows, and its steps (the first has no action)."""

    origin: Origin
    shows: str
    actions: tuple[str, ...]
    states: tuple[Mapping[str, Value], ...]


def as_itf(trace: Trace, origin: Origin) -> dict[str, Any]:
    """A trace as an ITF document."""
    return {
        "#meta": {
            "format": FORMAT,
            "format-description": "https://apalache-mc.org/docs/adr/015adr-trace.html",
            "description": trace.shows,
            "about": origin.about,
            "kind": origin.kind,
            "run": origin.run,
            "actions": list(trace.actions),
            **_described(origin),
        },
        "vars": list(trace.steps[0].state),
        "states": [
            {"#meta": {"index": at, "action": step.action}, **{name: _written(v) for name, v in step.state.items()}}
            for at, step in enumerate(trace.steps)
        ],
    }


def _described(origin: Origin) -> dict[str, Any]:
    """Everything that the model is made from."""
    policy = origin.policy
    sizes = asdict(origin.setting)
    return {
        "contract": contract_text(origin.contract),
        "policy": {"name": policy.name, "summary": policy.summary, "practices": asdict(policy.practices)},
        "table": table_text(policy.table),
        "table-digest": policy.table.digest,
        "setting": {**sizes, "faults": [f for f in FAULTS if f in origin.setting.faults]},
    }


def _written(value: Value) -> object:
    return {"#bigint": str(value)} if isinstance(value, int) and not isinstance(value, bool) else value


def from_itf(document: object, where: str) -> TraceFile:
    """What a document says; Refused in one line where it is no trace of ours.

    ContractError or TableError where its contract or table cannot be used.
    """
    return _Reader(where).trace(document)


class _Reader:
    """One reading of one document, which knows which file it is about."""

    def __init__(self, where: str) -> None:
        self.where = where

    def refuse(self, fault: str) -> Refused:
        return Refused(f"{self.where}: {fault}; {REMEDY}")

    def get(self, holder: Mapping[str, Any], key: str, kind: type, inside: str) -> Any:
        """The value of a key, which must be of a kind."""
        value = holder.get(key)
        if not isinstance(value, kind) or isinstance(value, bool) and kind is int:
            raise self.refuse(f"{inside}{key} is {'missing' if key not in holder else 'not a ' + kind.__name__}")
        return value

    def trace(self, document: object) -> TraceFile:
        """The whole of it."""
        if not isinstance(document, dict):
            raise self.refuse("is no ITF object")
        meta = self.get(document, "#meta", dict, "")
        if meta.get("format") != FORMAT:
            raise self.refuse(f"#meta.format is not {FORMAT!r}")
        states = self._states(document)
        actions = self._texts(meta, "actions", "#meta.")
        if len(states) != len(actions) + 1:
            raise self.refuse(f"{len(actions)} actions do not lead through {len(states)} states")
        shows = self._line(meta, "description")
        return TraceFile(self._origin(meta), shows, actions, states)

    def _contract(self, text: str) -> Contract:
        """The contract, or the first thing that is wrong with it: one line, as for everything else of the file."""
        try:
            return parse_contract(text, f"{self.where} (its contract)")
        except ContractError as problem:
            raise ContractError(str(problem)) from None

    def _line(self, meta: Mapping[str, Any], key: str) -> str:
        """A text that is printed as it is: one line, nothing that steers a terminal."""
        text: str = self.get(meta, key, str, "#meta.")
        if not text.isprintable():
            raise self.refuse(f"#meta.{key} is not one printable line")
        return text

    def _states(self, document: Mapping[str, Any]) -> tuple[Mapping[str, Value], ...]:
        names = set(self._texts(document, "vars", ""))
        found = []
        for at, state in enumerate(self.get(document, "states", list, "")):
            if not isinstance(state, dict) or set(state) - {"#meta"} != names:
                raise self.refuse(f"state {at} does not give exactly the variables of vars")
            found.append({name: self._value(state[name], f"state {at}: {name}") for name in sorted(names)})
        return tuple(found)

    def _texts(self, holder: Mapping[str, Any], key: str, inside: str) -> tuple[str, ...]:
        listed = self.get(holder, key, list, inside)
        if not all(isinstance(item, str) for item in listed):
            raise self.refuse(f"{inside}{key} is not a list of texts")
        return tuple(listed)

    def _value(self, value: object, place: str) -> Value:
        """A label, a flag or a number in either of ITF's two forms."""
        if isinstance(value, dict) and set(value) == {"#bigint"}:
            text = value["#bigint"]
            if isinstance(text, str) and text.isascii() and text.isdigit() and len(text) <= 9:
                return int(text)
        elif isinstance(value, (bool, int, str)):
            return value
        raise self.refuse(f"{place} is no flag, label or small number")

    def _origin(self, meta: Mapping[str, Any]) -> Origin:
        texts = {key: self._line(meta, key) for key in ("run", "about", "kind")}
        texts |= {key: self.get(meta, key, str, "#meta.") for key in ("contract", "table")}
        contract = self._contract(texts["contract"])
        table = parse_table(texts["table"], f"{self.where} (its table)")
        if table.digest != meta.get("table-digest"):
            raise self.refuse("#meta.table-digest is not that of #meta.table")
        told = self.get(meta, "policy", dict, "#meta.")
        name, summary = (self.get(told, key, str, "#meta.policy.") for key in ("name", "summary"))
        practices = self._practices(self.get(told, "practices", dict, "#meta.policy."))
        policy = Policy(name, summary, table, practices, self.where)
        sizes = self._setting(self.get(meta, "setting", dict, "#meta."))
        return Origin(contract, policy, sizes, texts["run"], texts["about"], texts["kind"])

    def _practices(self, told: Mapping[str, Any]) -> Practices:
        wrong = list(set(told) ^ set(PRACTICES))
        wrong += [k for k, v in told.items() if k in PRACTICES and _practice(v) not in _choices(k)]
        if wrong:
            raise self.refuse(f"#meta.policy.practices.{sorted(wrong)[0]} is no practice, missing or has no such value")
        return Practices(**told)

    def _setting(self, told: Mapping[str, Any]) -> Setting:
        names = {f.name for f in fields(Setting)}
        if set(told) != names:
            raise self.refuse(f"#meta.setting does not give exactly {', '.join(sorted(names))}")
        ticks = self._ticks(self.get(told, "ticks", dict, "#meta.setting."))
        faults = frozenset(self._texts(told, "faults", "#meta.setting."))
        flags = {n: self.get(told, n, bool, "#meta.setting.") for n in ("collapse", "records")}
        sizes = ("workers", "obligations", "generations", "messages")
        counts: dict[str, Any] = {n: self.get(told, n, int, "#meta.setting.") for n in sizes}
        counts["crashes"] = self._bound(told, "crashes")
        try:
            return setting(Setting(), faults=faults, ticks=ticks, **flags, **counts)
        except Refused as problem:
            raise self.refuse(f"#meta.setting: {problem}") from None

    def _ticks(self, told: Mapping[str, Any]) -> Ticks:
        if set(told) != {f.name for f in fields(Ticks)}:
            raise self.refuse("#meta.setting.ticks does not give the durations of a setting")
        skew = self._bound(told, "skew")
        if skew is None:
            raise self.refuse("#meta.setting.ticks.skew is missing")
        retention, delay, resume = (self._bound(told, key) for key in ("retention", "delay", "resume"))
        return Ticks(retention, delay, resume, skew)

    def _bound(self, told: Mapping[str, Any], key: str) -> int | None:
        if told.get(key) is None:
            return None
        number: int = self.get(told, key, int, "#meta.setting.")
        if not 0 <= number <= 90:
            raise self.refuse(f"#meta.setting.{key} is {number}, which no run has")
        return number


def _practice(value: object) -> object:
    """A practice by type and value: true, and not the text that says so."""
    return type(value), value if isinstance(value, (bool, str)) else None


def _choices(name: str) -> list[object]:
    flags = {"true": True, "false": False}
    return [_practice(flags.get(choice, choice)) for choice in PRACTICES[name]]
