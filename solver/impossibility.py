"""The two-worlds theorem: unless repeats are harmless, no policy over the checkpoint is safe and able to finish.

Exploration finds, in the model itself, two histories that leave the resumer with the same content of
checkpoint and worker although one world holds the effect and the other does not. z3 then shows that
no function from that content to a decision is both safe and able to finish, and, for a target that
recognises the identity for ever, finds one and shows it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
import z3
from z3 import And, Or

from model.kernel import ModelError, System, Term
from model.labels import Kind, Log, Move
from model.phases import Phase
from model.promises import good_profile
from model.setting import Setting
from model.specialise import specialise
from model.system import Model
from model.table_file import load_table
from model.table_inputs import Decision
from solver.exploration import Exploration, Trace
from solver.explore import Limits, explore

RLIMIT = 1_000_000
MOST_STATES = 200_000
Content = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class TwoWorlds:
    """Two histories of the model with one checkpoint, and what z3 says of policies over it.

    ``absent`` and ``committed`` are traces: the request never arrived in the first, and only its answer
    did not in the second. ``checkpoint`` is what both leave to a fresh resumer, by variable. ``impossible`` is the
    theorem (no policy is safe and able to finish, when a repeat is executed again), ``possible`` the
    converse (one is, when repeats are recognised for ever), and ``policy`` is what that one decides
    for the checkpoint. ``checkpoint_policies`` says for each decision which of the two worlds it
    wrongs, when a repeat is executed again.
    """

    absent: Trace
    committed: Trace
    checkpoint: Mapping[str, bool | int | str]
    impossible: bool
    possible: bool
    policy: Mapping[str, str]
    checkpoint_policies: Mapping[str, str]


@dataclass(frozen=True)
class History:
    """One history as the theorem sees it: what the resumer holds, and how many effects there are."""

    name: str
    content: Content
    commits: int


def two_worlds() -> TwoWorlds:
    """Find the two histories and decide the theorem and its converse.

    Raises ModelError if the model has no such pair, or if z3 does not decide.
    """
    model = _blind_model()
    whole = specialise(model.system())
    found = explore(whole.system, limits=Limits(max_states=MOST_STATES))
    if not found.complete:
        raise ModelError(f"the search for two worlds was cut off by {found.cut_off_by}")
    seen = visible(whole.system)
    without, with_effect = _pair(model, found, whole.term(_fresh(model)), whole.term(model.history.net(0)), seen)
    histories = [_history("absent", found, without, seen, 0), _history("committed", found, with_effect, seen, 1)]
    alone, _ = policy_for(histories, harmless=False)
    kept, policy = policy_for(histories, harmless=True)
    return TwoWorlds(
        found.trace(without), found.trace(with_effect), _decoded(whole.system, histories[0].content),
        not alone, kept, {_text(whole.system, c): d for c, d in policy.items()}, _wrongs(histories),
    )


def visible(system: System) -> tuple[str, ...]:
    """The variables that a resumer can see: the checkpoint, the authority's answers and its own, no ghosts."""
    mine = ("store", "authority", "approver", "intent")
    return tuple(
        v.name for v in system.variables if not v.ghost and (v.owner in mine or v.owner.startswith("worker"))
    )


def policy_for(histories: Iterable[History], *, harmless: bool) -> tuple[bool, dict[Content, str]]:
    """Whether some function from content to decision is safe and able to finish in all histories, and one.

    The function is uninterpreted, so that z3 speaks of all of them. ``harmless`` says that the target
    recognises a repeat for ever. ModelError if z3 does not decide.
    """
    listed = list(histories)
    content = z3.DeclareSort("Checkpoint")
    policy = z3.Function("policy", content, Decision.sort)
    points = {h.content: z3.Const(f"checkpoint_{i}", content) for i, h in enumerate(listed)}
    solver = z3.Solver()
    solver.set("rlimit", RLIMIT)
    solver.add(z3.Distinct(*points.values()))
    for h in listed:
        solver.add(_safe(policy(points[h.content]), h, harmless), _finishes(policy(points[h.content]), h))
    answer = solver.check()
    if answer == z3.unknown:
        raise ModelError(f"z3 does not decide whether a policy exists: {solver.reason_unknown()}")
    if answer == z3.unsat:
        return False, {}
    chosen = solver.model()
    return True, {c: str(chosen.eval(policy(p), model_completion=True)) for c, p in points.items()}


def _safe(decision: Term, history: History, harmless: bool) -> Term:
    """Never a second effect; never complete without one; never close a wanted case without one."""
    there = z3.BoolVal(history.commits > 0)
    twice = And(there, z3.BoolVal(not harmless), decision == Decision.execute)
    hollow = And(z3.Not(there), Or(decision == Decision.adopt, decision == Decision.abandon))
    lost = And(there, Or(decision == Decision.abandon, decision == Decision.compensate))
    return z3.Not(Or(twice, hollow, lost))


def _finishes(decision: Term, history: History) -> Term:
    """The decision leads on to exactly one effect without a person; looking again changes nothing here."""
    repeat = decision == Decision.execute
    return Or(repeat, decision == Decision.adopt) if history.commits > 0 else repeat


def _wrongs(histories: Iterable[History]) -> dict[str, str]:
    """For each decision, what it does to the first of the two worlds that it fails in."""
    wrongs: dict[str, str] = {}
    for label in Decision.labels:
        decision = getattr(Decision, label)
        for h in histories:
            unsafe = z3.is_false(z3.simplify(_safe(decision, h, harmless=False)))
            stuck = z3.is_false(z3.simplify(_finishes(decision, h)))
            if (unsafe or stuck) and label not in wrongs:
                wrongs[label] = f"{'unsafe' if unsafe else 'never finishes'} when {h.name}"
    return wrongs


def _blind_model() -> Model:
    """A target that neither recognises repeats nor can be asked, in a world that loses messages and crashes workers."""
    profile = good_profile() | {"recognises": (False,), "readable": (False,), "enforces_fence": (False,)}
    profile |= {"witness": ("none",), "reports_governed": (True,)}
    setting = Setting(workers=1, messages=1, faults=frozenset({"crash", "loss"}))
    return Model(setting, profile, load_table("recovery"), name="two worlds")


def _fresh(model: Model) -> Term:
    """A fresh claimant, after an attempt without an answer, is about to decide and nothing is in flight."""
    worker, store = model.workers[0], model.stores[0]
    idle = [slot.kind == Kind.none for slot in model.network.slots]
    claimed = And(worker.epoch == store.epoch, worker.log == Log.older)
    return And(worker.move == Move.informed, store.phase == Phase.UNKNOWN_OUTCOME, claimed, *idle)


def _pair(model: Model, found: Exploration, fresh: Term, net: Term, seen: tuple[str, ...]) -> tuple[int, int]:
    """The first state without an effect, and the first with one, that no resumer can tell apart."""
    values = found.evaluate({"fresh": fresh, "net": net})
    words = found.words
    first: dict[bytes, int] = {}
    columns = np.stack([found.layout.field(words, name) for name in seen])
    for i in np.flatnonzero(values["fresh"] & (values["net"] == 0)):
        first.setdefault(columns[:, i].tobytes(), int(i))
    for i in np.flatnonzero(values["fresh"] & (values["net"] == 1)):
        key = columns[:, i].tobytes()
        if key in first:
            return first[key], int(i)
    raise ModelError(f"{model.name} has no two histories that leave one checkpoint")


def _history(name: str, found: Exploration, index: int, seen: tuple[str, ...], commits: int) -> History:
    state = found.valuation(index)
    return History(name, tuple((v, state[v]) for v in seen), commits)


def _decoded(system: System, content: Content) -> dict[str, bool | int | str]:
    return {name: system.variable(name).decode(code) for name, code in content}


def _text(system: System, content: Content) -> str:
    """The part of a checkpoint that is not at its start value, as people read it."""
    parts = [(system.variable(n), c) for n, c in content]
    return ", ".join(f"{v.name} {v.decode(c)}" for v, c in parts if c != v.starts[0])
