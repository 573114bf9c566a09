"""What a worker concludes from its own copies and the contract (docs/model.md, section 7)."""
from tests.oracle import labels as of
from tests.oracle.decision_table import decide
from tests.oracle.run import Run
from tests.oracle.state import State, Worker


def decides(run: Run, s: State, w: int, decision: str) -> bool:
    """The worker is ready to decide, and this is what the table says."""
    x = s.worker[w]
    return x.move == "informed" and decide(run.table, cut(run, x)) == decision


def cut(run: Run, x: Worker) -> dict[str, str]:
    """The thirteen inputs of the decision table."""
    return {
        "claim": "lost" if x.lost else "held",
        "history": "diverged" if x.diverged or x.drift else "consistent",
        "intent": x.intent,
        "attempt": attempt(run, x),
        "effect": effect(run, x),
        "match": match(x),
        "admission": admission(run, x),
        "permission": x.permission,
        "precondition": x.precondition,
        "postcondition": postcondition(run, x),
        "dedup": dedup(run, x),
        "readback": readback(run, x),
        "undo": undo(run),
    }


def absence_counts(run: Run) -> bool:
    """A reading that says absent means absent."""
    p = run.promises
    timely = p.lag == "zero" or (p.lag == "finite" and p.waits_out_lag)
    return timely and not p.prunes and p.stable_identity


def attempt(run: Run, x: Worker) -> of.Attempt:
    """Whether something that was sent can still land, and whether a step of ours would end that."""
    p = run.promises
    if x.log == "none":
        return "none" if p.recorded == "before_release" else "open"
    if x.log == "closed" or (x.log == "older" and x.fenced):
        return "closed"
    return "closable" if p.enforces_fence and p.fence_told == "before_read" else "open"


def effect(run: Run, x: Worker) -> of.EffectNow:
    """The join of all evidence: a receipt outranks a reading that says absent."""
    if x.seen == "reversed":
        return "reversed"
    if "committed" in (x.receipt, x.seen):
        return "committed"
    if x.seen in ("accepted", "pending"):
        return "pending"
    if "refused" in (x.receipt, x.seen):
        return "refused"
    if x.seen == "failed":
        return "failed"
    if attempt(run, x) == "none" or (x.seen == "absent" and absence_counts(run)):
        return "absent"
    return "unknown"


def match(x: Worker) -> of.Match:
    """A receipt is bound to the operation, so it stands for a comparison."""
    return "same" if x.receipt == "committed" and x.match != "drifted" else x.match


def admission(run: Run, x: Worker) -> of.Admission:
    """An admission that the target will judge again is worth what today's permission is worth."""
    if x.admission == "standing" and run.promises.judged_at_commit and x.permission != "current":
        return "void"
    return x.admission


def postcondition(run: Run, x: Worker) -> of.Postcondition:
    """What an independent path said, as far as there is one."""
    p = run.promises
    if p.witness == "none" or not p.verifies:
        return "unavailable"
    if p.witness == "same_system":
        return "echoed" if effect(run, x) == "committed" else "unobserved"
    return x.postcondition


def dedup(run: Run, x: Worker) -> of.Dedup:
    """Whether a repeat would be recognised."""
    p = run.promises
    if not (p.recognises and p.on_repeat != "executes" and p.stable_identity):
        return "none"
    if p.on_repeat != "drives_forward" and (x.receipt == "burned" or x.seen == "failed"):
        return "spent"
    return "live" if x.young and not x.drift and not p.races else "none"


def readback(run: Run, x: Worker) -> of.Readback:
    """Whether a further look can settle it."""
    if not (run.promises.readable and run.promises.reads):
        return "none"
    if x.seen == "accepted" or (x.seen == "absent" and not absence_counts(run)):
        return "none"
    return "delayed" if x.seen in ("outage", "pending") else "available"


def undo(run: Run) -> of.Grade:
    """How well the effect can be undone; an undo is exact if it is done once and its result can be read."""
    p = run.promises
    exact = p.keyed_undo and p.readable and p.reads
    return "best_effort" if p.grade == "automatic" and not exact else p.grade
