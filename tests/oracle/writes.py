"""What a worker writes into the checkpoint (docs/model.md, section 11.10)."""
from tests.oracle import labels as of
from tests.oracle.action import Action
from tests.oracle.cut import attempt, decides
from tests.oracle.history import net, truly_admitted, write_phase
from tests.oracle.notions import (
    accepts,
    gathering,
    intent_now,
    learns_it_lost,
    looks_again,
    refuses,
    still_flying,
    unwanted,
    waits_unanswered,
)
from tests.oracle.run import Run
from tests.oracle.state import IDLE, State, Store, put


def record_attempt(run: Run, s: State, w: int, o: int) -> State | None:
    """The attempt is recorded before it is released, or only claimed to be."""
    x, p, k = s.worker[w], run.promises, run.obligation(o)
    first = p.recorded == "before_release"
    if x.move != "admitted" or x.op != o or (p.asks_authority and s.admission[o] != "standing"):
        return None
    store = s.store[k]
    if first and (not accepts(run, s, w, o) or store.phase in ("NOT_ADMITTED", "NEEDS_REAUTHORISATION")):
        return None
    log: of.Log = "sole" if attempt(run, x) in ("none", "closed") else "own"
    lawful = truly_admitted(run, s, o) and not x.drift and not x.diverged
    after = s.with_worker(w, x._replace(move="recorded", log=log, lawful=lawful))
    if not first:
        return after
    sends = store.phase == "ADMITTED" or (store.phase == "UNKNOWN_OUTCOME" and not x.repeat)
    after = after.with_store(k, store._replace(log=log))
    return write_phase(s, after, k, "EFFECT_PENDING" if sends else store.phase, w)


def admission_is_gone(run: Run, s: State, w: int, o: int) -> State | None:
    """The admission fell before the attempt was recorded."""
    x = s.worker[w]
    gone = run.promises.asks_authority and s.admission[o] != "standing"
    return s.with_worker(w, looks_again(x, gathering(run))) if x.move == "admitted" and x.op == o and gone else None


def file_reply(run: Run, s: State, w: int, o: int) -> State | None:
    """The answer of the target enters the checkpoint."""
    x, k, store = s.worker[w], run.obligation(o), s.store[run.obligation(o)]
    if x.move != "replied" or x.reply == "stale" or not accepts(run, s, w, o):
        return None
    final = x.reply in ("committed", "refused") and x.log == "sole" and not run.promises.copies
    log: of.Log = "closed" if final else x.log
    told = looks_again(x, gathering(run))._replace(log=log, receipt=_receipt(run, x.receipt, x.reply))
    kept_log = store.log if run.promises.recorded == "never" else log
    filed = store._replace(log=kept_log, receipt=_receipt(run, store.receipt, x.reply))
    after = s.with_worker(w, told).with_store(k, filed)
    return write_phase(s, after, k, _phase_after(store.phase, x.reply), w)


def _receipt(run: Run, receipt: of.Receipt, reply: of.Reply) -> of.Receipt:
    """The receipt after a reply: what is settled stays settled."""
    p = run.promises
    settles_it = reply == "refused" or (reply == "error" and not p.sticky_unknown)
    if reply == "committed":
        return "committed"
    if receipt != "committed" and settles_it:
        return "refused"
    burns = reply == "error" and p.recognises and p.remembers_errors and receipt == "none"
    return "burned" if burns else receipt


def _phase_after(phase: of.Phase, reply: of.Reply) -> of.Phase:
    """The phase after a reply."""
    if reply == "committed" and phase in ("EFFECT_PENDING", "UNKNOWN_OUTCOME", "NEEDS_REAUTHORISATION"):
        return "EFFECT_COMMITTED"
    return "UNKNOWN_OUTCOME" if reply == "error" and phase == "EFFECT_PENDING" else phase


def give_up_waiting(run: Run, s: State, w: int, o: int) -> State | None:
    """No answer can come any more."""
    return None if still_flying(s, w) else _given_up(run, s, w, o)


def give_up_too_early(run: Run, s: State, w: int, o: int) -> State | None:
    """The request is late, and the worker stops waiting."""
    return _given_up(run, s, w, o) if still_flying(s, w) else None


def _given_up(run: Run, s: State, w: int, o: int) -> State | None:
    """A worker notes that it does not know, and gathers evidence again."""
    x, k = s.worker[w], run.obligation(o)
    if not waits_unanswered(x) or not accepts(run, s, w, o):
        return None
    phase = s.store[k].phase
    after = s.with_worker(w, looks_again(x, gathering(run)))
    return write_phase(s, after, k, "UNKNOWN_OUTCOME" if phase == "EFFECT_PENDING" else phase, w)


def refuse_stale_write(run: Run, s: State, w: int, o: int) -> State | None:
    """The store refuses what a superseded worker wants to write."""
    x = s.worker[w]
    if not refuses(run, s, w, o):
        return None
    writes = x.move in ("replied", "renewing", "admitting", "undo_admitted", "misread")
    records = x.move == "admitted" and run.promises.recorded == "before_release"
    gives_up = waits_unanswered(x) and not still_flying(s, w)
    closes = any(decides(run, s, w, d) for d in ("adopt", "quarantine", "abandon", "reauthorise"))
    return s.with_worker(w, learns_it_lost(x)) if writes or records or gives_up or closes else None


def adopt(run: Run, s: State, w: int, o: int) -> State | None:
    """The effect is there and is ours: the case is complete."""
    x, k, effect = s.worker[w], run.obligation(o), s.effect[o]
    after = _closed(run, s, w, o, "adopt", "OUTCOME_VERIFIED", s.store[k])
    if after is None:
        return None
    after = after.marked(k, "completed_unsoundly", net(run, s, k) != 1 or effect.world != "committed")
    after = after.marked(k, "completed_unseen", not x.saw and x.receipt != "committed")
    after = after.marked(k, "adopted_other", effect.drifted or effect.world == "absent")
    against_authority = run.promises.asks_authority and x.admission != "standing"
    return after.marked(k, "adopted_against_answer", against_authority or x.intent != "stands")


def abandon(run: Run, s: State, w: int, o: int) -> State | None:
    """There is no effect and none can come: the operation is closed."""
    k = run.obligation(o)
    store = s.store[k]
    closed = store._replace(log="none" if store.log == "none" else "closed")
    after = _closed(run, s, w, o, "abandon", "ABANDONED", closed)
    if after is None:
        return None
    excused = s.effect[o].world in ("refused", "failed") or store.receipt == "burned"
    return after.marked(k, "dropped_wanted", intent_now(s, k) == "stands" and not excused)


def quarantine(run: Run, s: State, w: int, o: int) -> State | None:
    """The case is handed to a person."""
    store = s.store[run.obligation(o)]._replace(quarantined=True)
    return _closed(run, s, w, o, "quarantine", "UNKNOWN_OUTCOME", store)


def reauthorise(run: Run, s: State, w: int, o: int) -> State | None:
    """The case waits for a new approval."""
    return _closed(run, s, w, o, "reauthorise", "NEEDS_REAUTHORISATION", s.store[run.obligation(o)])


def _closed(run: Run, s: State, w: int, o: int, decision: str, phase: of.Phase, store: Store) -> State | None:
    """A worker lets go of a case and says how it left it."""
    if not accepts(run, s, w, o) or not decides(run, s, w, decision):
        return None
    k = run.obligation(o)
    after = s.with_worker(w, IDLE).with_store(k, store._replace(lease=False))
    return write_phase(s, after, k, phase, w)


def record_undo(run: Run, s: State, w: int, o: int) -> State | None:
    """An admitted undo is recorded before it is released."""
    x, k = s.worker[w], run.obligation(o)
    if x.move != "undo_admitted" or not s.undo_admitted[k] or not accepts(run, s, w, o):
        return None
    after = s.with_worker(w, x._replace(move="undo_recorded"))
    return after._replace(store=put(s.store, k, s.store[k]._replace(undo_logged=True)))


def undo_not_admitted(run: Run, s: State, w: int, o: int) -> State | None:
    """The effect is wanted, so an undo is not admitted."""
    x, k = s.worker[w], run.obligation(o)
    if x.move != "undo_admitted" or x.op != o or s.undo_admitted[k] or unwanted(s, k):
        return None
    return s.with_worker(w, looks_again(x, gathering(run)))


ACTIONS = tuple(
    Action(step, "wo", "delay" if step is give_up_too_early else None)
    for step in (
        record_attempt, admission_is_gone, file_reply, give_up_waiting, give_up_too_early, refuse_stale_write,
        adopt, abandon, quarantine, reauthorise, record_undo, undo_not_admitted,
    )
)  # fmt: skip
