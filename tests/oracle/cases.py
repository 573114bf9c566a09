"""The configurations on which the oracle and the model are compared."""
from tests.oracle.case import Case

BOTH = (True, False)


def _case(name: str, faults: str, breaks: str = "", **more: object) -> Case:
    """A case with its faults and marks as words, and its sizes beside its promises."""
    sizes = {key: more.pop(key) for key in list(more) if key in Case.__dataclass_fields__}
    return Case(name, frozenset(faults.split()), more, frozenset(breaks.split()), **sizes)  # type: ignore[arg-type]


CASES = (
    _case("good", "crash loss delay pause", workers=2, crashes=2),
    _case("good, not collapsed", "pause", workers=2, collapse=False),
    _case("two obligations", "crash", obligations=2, crashes=2),
    _case("no fence", "crash pause delay copy", "duplicate completed_unsoundly", workers=2, messages=2, crashes=1,
          enforces_fence=False, recognises=False, copies=True),
    _case("lag", "crash loss outage stale_read", "unknown_left_unseen", lag=("finite", "unbounded"),
          waits_out_lag=BOTH, checks_copy=BOTH),
    _case("authority", "crash expire revoke policy void deny", survives_expiry=False, survives_revocation=False,
          survives_policy=False, durable_admission=False, judged_at_commit=BOTH),
    _case("second submission", "crash resubmit expire", single_use=BOTH),
    _case("fresh identities", "crash delay loss", "duplicate", generations=2, messages=2, stable_identity=False,
          table="blind-retry"),
    _case("next generation", "crash edit delay", "duplicate", generations=2, messages=2,
          per_obligation=BOTH, waits_for_closing=False, crashes=1),
    _case("errors", "crash errors refusals edit", "dropped_wanted", generations=2, remembers_errors=True,
          on_repeat=("frozen", "drives_forward"), sticky_unknown=BOTH),
    _case("repeats", "crash errors delay", messages=2, enforces_fence=False, remembers_errors=True, settles_late=True,
          on_repeat=("current", "drives_forward", "success_dropped", "error_proves", "executes")),
    _case("other payload", "crash errors copy delay distort", "adopted_other", messages=2, regenerates=True,
          copies=True, table="blind-retry", other_payload=("refused", "first_result", "dropped", "executes")),
    _case("retention", "crash delay forget pause", "duplicate", retention=1, delay=1, resume=1, enforces_fence=BOTH,
          rechecks=BOTH, table="key-only"),
    _case("skew", "crash pause skew", retention=2, delay=0, skew=1, fence_told=("before_read", "with_request"),
          rechecks=BOTH, table="key-only"),
    _case("pruning", "crash prune delay", prunes=True),
    _case("settling", "crash refusals delay", settles_late=True, races=BOTH, reports_governed=BOTH),
    _case("undo", "crash withdraw delay", keyed_undo=BOTH, grade=("automatic", "reviewed"), readable=BOTH, reads=BOTH),
    _case("saga", "crash withdraw delay copy", "undid_wrongly", copies=True, keyed_undo=BOTH, table="saga",
          grade=("best_effort", "irreversible")),
    _case("restore", "crash restore stale_read", "bad_edge", workers=2, crashes=1, raises_epochs=BOTH),
    _case("restore, many claims", "crash restore", "bad_edge", raises_epochs=False),
    _case("no claim check", "pause", workers=2, checks_claim=False),
    _case("late records", "crash pause", "acted_unrecorded", workers=2, crashes=1, recorded=("after_reply", "never")),
    _case("undo by two", "pause withdraw", workers=2),
    _case("recorded", "crash delay store_down", "acted_unrecorded", recorded=("after_reply", "never"),
          checks_claim=BOTH, fence_told=("before_read", "with_request", "never")),
    _case("ground", "crash move lookalike diverge distort", conditional=BOTH, by_search=True),
    _case("witness", "crash", witness=("independent", "same_system", "none"), verifies=BOTH),
    _case("unread", "crash delay", readable=BOTH, reads=False, effect_before_authority=BOTH),
    _case("authority first", "crash expire", "accepted_unadmitted", effect_before_authority=False,
          asks_authority=False),
    _case("read-then-act", "crash pause delay", "duplicate superseded_second", workers=2, messages=2, crashes=1,
          table="read-then-act", enforces_fence=False, recognises=False),
    _case("checkpoint-only", "crash pause loss", workers=2, crashes=1, table="checkpoint-only"),
    _case("by dedup", "crash errors refusals", table="by-dedup", retention=1, delay=0, remembers_errors=True,
          settles_late=True, on_repeat=("frozen", "drives_forward", "executes")),
    _case("by dedup, not exact", "crash errors", table="by-dedup", retention=1, delay=0, races=BOTH,
          stable_identity=BOTH, regenerates=BOTH),
    _case("by readback", "crash outage", table="by-readback", lag=("zero", "unbounded"), readable=BOTH, reads=BOTH,
          reports_governed=BOTH, settles_late=True),
    _case("by evidence", "crash withdraw expire distort", "bad_edge dropped_wanted", table="by-evidence",
          judged_at_commit=BOTH, on_repeat="current", witness=("independent", "same_system")),
    _case("read-then-act, pending", "crash refusals", table="read-then-act", settles_late=True, recognises=False),
    _case("at-most-once", "crash loss errors", "dropped_wanted", table="at-most-once"),
)  # fmt: skip
