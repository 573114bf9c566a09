"""What really happened, and the marks of what must not (docs/model.md, section 10)."""
from tests.oracle import labels as of
from tests.oracle.notions import executes, resting
from tests.oracle.run import Run
from tests.oracle.state import Slot, State, put

EDGES: dict[of.Phase, tuple[of.Phase, ...]] = {
    "NOT_ADMITTED": ("ADMITTED", "NEEDS_REAUTHORISATION", "ABANDONED", "UNKNOWN_OUTCOME"),
    "ADMITTED": (
        "NEEDS_REAUTHORISATION", "EFFECT_PENDING", "OUTCOME_VERIFIED", "ABANDONED", "UNKNOWN_OUTCOME",
    ),
    "EFFECT_PENDING": (
        "NEEDS_REAUTHORISATION", "EFFECT_COMMITTED", "UNKNOWN_OUTCOME", "OUTCOME_VERIFIED", "ABANDONED",
    ),
    "EFFECT_COMMITTED": ("OUTCOME_VERIFIED", "ABANDONED", "UNKNOWN_OUTCOME"),
    "OUTCOME_VERIFIED": (),
    "UNKNOWN_OUTCOME": (
        "NEEDS_REAUTHORISATION", "EFFECT_COMMITTED", "EFFECT_PENDING", "OUTCOME_VERIFIED", "ABANDONED",
    ),
    "NEEDS_REAUTHORISATION": ("ADMITTED", "EFFECT_COMMITTED", "OUTCOME_VERIFIED", "ABANDONED", "UNKNOWN_OUTCOME"),
    "ABANDONED": ("NOT_ADMITTED",),
}  # fmt: skip


def net(run: Run, s: State, k: int) -> int:
    """Commits of an obligation that were not undone."""
    return sum(s.commits[o] - s.undos[o] for o in run.operations_of(k))


def write_phase(s: State, after: State, k: int, phase: of.Phase, w: int | None = None) -> State:
    """Writes a phase (new or kept) and marks an unlisted edge and an unknown that nobody looked into."""
    before = s.store[k]
    looked = w is not None and (s.worker[w].saw or before.receipt != "none")
    left_unknown = before.phase == "UNKNOWN_OUTCOME" and phase not in ("UNKNOWN_OUTCOME", "NEEDS_REAUTHORISATION")
    after = after.with_store(k, after.store[k]._replace(phase=phase))
    after = after.marked(k, "bad_edge", phase != before.phase and phase not in EDGES[before.phase])
    return after.marked(k, "unknown_left_unseen", left_unknown and not looked)


def request_executed(run: Run, s: State, n: Slot, after: State) -> State:
    """Marks what a request that the target executes should have had."""
    p, k = run.promises, run.obligation(n.op)
    unapproved = p.judged_at_commit and s.approval[n.op].state != "granted"
    after = after.marked(k, "accepted_unadmitted", not n.lawful or unapproved)
    after = after.marked(k, "accepted_under_old_epoch", p.enforces_fence and n.epoch < s.told[k])
    return after.marked(k, "acted_on_moved_ground", p.conditional and s.moved[k])


def effect_comes_to_be(run: Run, s: State, o: int, after: State, n: Slot | None) -> State:
    """Counts a commit; with no request it is a pending effect that settles."""
    k, store = run.obligation(o), s.store[run.obligation(o)]
    beside = n is not None and s.effect[o].world == "pending"
    commits = 2 if s.commits[o] >= 1 or beside else 1
    after = after._replace(commits=put(after.commits, o, commits))
    after = after.marked(k, "arrived_after_closing", resting(store) or store.gen != run.generation(o))
    second = n is not None and n.epoch != store.epoch and (net(run, s, k) >= 1 or beside)
    return after.marked(k, "superseded_second", second)


def truly_admitted(run: Run, s: State, o: int) -> bool:
    """An admission stands that was lawful when it was made."""
    return s.admission[o] == "standing" and "admitted_unlawfully" not in s.marks[run.obligation(o)]


def predecessor_can_land(run: Run, s: State, o: int) -> bool:
    """Something that was or will be sent for another operation of the obligation would be executed."""
    k = run.obligation(o)
    others = [p for p in run.operations_of(k) if p != o]
    in_flight = any(executes(run, s, m, p) for m in range(run.messages) for p in others)
    let_in = [x for x in s.worker if not run.promises.enforces_fence or x.epoch >= s.told[k]]
    return in_flight or any(x.move == "recorded" and x.op in others for x in let_in)
