"""What people do by habit, and what it breaks under a contract, as shortest histories."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from model.contract import Contract
from model.contract_profile import profile_of
from model.decision_table import Table
from model.policy import Policy
from model.setting import Setting
from model.system import Model
from properties.verdict import Trace
from solver.assessment import RUN, STALE, STILL, Assessor, setting_of
from solver.assessments import Assessments
from solver.completions import definite_of
from solver.plain_step import PlainModel
from solver.replayed import as_trace, replay

DUPLICATE = "no_duplicate_commit"
TOO_EARLY = "no_completion_without_readback"


@dataclass(frozen=True)
class Broken:
    """A property that a policy breaks under a contract, with the shortest history, and the run that it is of.

    ``lanes`` names the party of each step.
    """

    name: str
    policy: Policy
    trace: Trace
    setting: Setting
    run: str
    lanes: tuple[str, ...]


def habit(contract: Contract, known: Assessments) -> tuple[Broken, ...]:
    """What a policy breaks under a contract without open clauses, duplicates first, then the shortest history."""
    definite = definite_of(contract, known.policy.practices)
    found = known.assessment(definite)
    broken: dict[str, Broken] = {}
    for run, searched, ticks in ((RUN, found.crash, definite.ticks), (STALE, found.stale, STILL)):
        shorter = {
            name: trace
            for name, trace in searched.broken.items()
            if name not in broken or len(trace.actions) < len(broken[name].trace.actions)
        }
        broken |= {b.name: b for b in _retraced(contract, known.policy, shorter, run, setting_of(run, ticks))}
    return tuple(sorted(broken.values(), key=lambda b: (b.name != DUPLICATE, len(b.trace.actions))))


def acceptance_believed(contract: Contract, known: Assessments) -> tuple[Broken, ...] | None:
    """What a policy breaks only if it completes on what is merely accepted: completion first, then the shortest.

    For a contract without open clauses; None where nothing can be read, or answers state the governed transition.
    """
    policy = known.policy
    definite = definite_of(contract, policy.practices)
    if definite.value("reports_governed") or not definite.value("readable"):
        return None
    table = _believing(policy.table, str(definite.value("witness")))
    summary = "What the target accepted is taken for done."
    believing = replace(policy, name=f"{policy.name}-on-acceptance", summary=summary, table=table)
    anyway = known.assessment(definite).crash.broken
    broken = Assessor(believing.table).search(definite, RUN).broken
    traces = {name: trace for name, trace in broken.items() if name not in anyway}
    found = _retraced(contract, believing, traces, RUN, setting_of(RUN, definite.ticks))
    return tuple(sorted(found, key=lambda b: (b.name != TOO_EARLY, len(b.trace.actions))))


def _believing(table: Table, witness: str) -> Table:
    """The table with every row that adopts what is committed also for what is pending, before all others.

    Where the target's own word is the only further look, it says no more of what is pending, and that is believed.
    """
    pending, unseen = frozenset({"pending"}), frozenset({"unobserved"})
    more = []
    for rule in table.rules:
        if rule.decision == "adopt" and "committed" in rule.cells["effect"]:
            looks = rule.cells["postcondition"]
            echo = witness == "same_system" and "echoed" in looks
            cells = {**rule.cells, "effect": pending, "postcondition": looks | unseen if echo else looks}
            more.append(replace(rule, name=f"{rule.name}-if-accepted", cells=cells))
    return replace(table, rules=(*more, *table.rules))


def _retraced(
    contract: Contract, policy: Policy, traces: Mapping[str, Trace], run: str, setting: Setting
) -> Iterator[Broken]:
    """The same histories in the model of one contract alone, step by step."""
    system = Model(setting, profile_of(contract, policy.practices), policy.table, name=run).system()
    plain = PlainModel(system)
    start = {v.name: v.starts[0] for v in system.variables}
    owner = {action.name: action.owner for action in system.actions}
    for name, trace in traces.items():
        states = replay(plain, start, trace.actions)
        lanes = tuple(owner[action] for action in trace.actions)
        yield Broken(name, policy, as_trace(system, states, trace.actions, trace.shows), setting, run, lanes)
