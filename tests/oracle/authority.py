"""The approver, the authority, the business and third parties (sections 11.1, 11.3, 11.4 and 11.5)."""
from tests.oracle import labels as of
from tests.oracle.action import Action
from tests.oracle.clock import young
from tests.oracle.history import predecessor_can_land, write_phase
from tests.oracle.notions import accepts, admissible, gathering, intent_now, looks_again, permission_now, unwanted
from tests.oracle.run import Run
from tests.oracle.state import State, put


def edit(run: Run, s: State, k: int) -> State | None:
    """A second version of the intent replaces the first."""
    intent = s.intent[k]
    if intent.edited or intent.withdrawn:
        return None
    return s._replace(intent=put(s.intent, k, intent._replace(edited=True)))


def withdraw(run: Run, s: State, k: int) -> State | None:
    """The obligation ends."""
    intent = s.intent[k]
    return None if intent.withdrawn else s._replace(intent=put(s.intent, k, intent._replace(withdrawn=True)))


def grant(run: Run, s: State, o: int) -> State | None:
    """The approver agrees."""
    approval = s.approval[o]
    return s.with_approval(o, approval._replace(state="granted")) if approval.state == "asked" else None


def deny(run: Run, s: State, o: int) -> State | None:
    """The approver does not agree."""
    approval = s.approval[o]
    return _lapsed(s.with_approval(o, approval._replace(state="refused")), o) if approval.state == "asked" else None


def expire(run: Run, s: State, o: int) -> State | None:
    """A granted approval ends by time."""
    return _approval_ends(s, o, "expired", run.promises.survives_expiry)


def revoke(run: Run, s: State, o: int) -> State | None:
    """A granted approval is taken back."""
    return _approval_ends(s, o, "revoked", run.promises.survives_revocation)


def change_policy(run: Run, s: State, o: int) -> State | None:
    """A granted approval was given under a policy that no longer holds."""
    return _approval_ends(s, o, "outdated", run.promises.survives_policy)


def _approval_ends(s: State, o: int, state: of.ApprovalState, survives: bool) -> State | None:
    """An approval ends, and its admission falls unless it survives that."""
    if s.approval[o].state != "granted":
        return None
    after = _lapsed(s.with_approval(o, s.approval[o]._replace(state=state)), o)
    falls = s.admission[o] == "standing" and not survives
    return after.with_admission(o, "void") if falls else after


def _lapsed(s: State, o: int) -> State:
    """The latest decision on an operation was a refusal, or holds no longer."""
    return s._replace(lapsed=put(s.lapsed, o, True))


def ask_again(run: Run, s: State, o: int) -> State | None:
    """The approver is asked anew for a case that waits for it."""
    store, approval = s.store[run.obligation(o)], s.approval[o]
    over = approval.state in ("expired", "revoked", "outdated", "unasked")
    if store.phase != "NEEDS_REAUTHORISATION" or store.gen != run.generation(o):
        return None
    if not (over or (approval.state == "granted" and approval.used)):
        return None
    after = s.with_approval(o, approval._replace(state="asked", used=False))
    return after._replace(spent=put(s.spent, o, False), lapsed=put(s.lapsed, o, False))


def submit_twice(run: Run, s: State, o: int) -> State | None:
    """An approval that was used is handed in again."""
    approval = s.approval[o]
    takes_place = approval.used and not approval.resubmitted
    return s.with_approval(o, approval._replace(resubmitted=True)) if takes_place else None


def take_second_submission(run: Run, s: State, o: int) -> State | None:
    """The second submission arrives, and counts only where an approval may be used more than once."""
    approval = s.approval[o]
    if not approval.resubmitted:
        return None
    used = approval.used and run.promises.single_use
    return s.with_approval(o, approval._replace(resubmitted=False, used=used))


def answer(run: Run, s: State, w: int, o: int, c: int) -> State | None:
    """The authority answers what is admitted, permitted and wanted now."""
    x, effect_first, k = s.worker[w], run.promises.effect_before_authority, run.obligation(o)
    if x.op != o or x.move != ("observed" if effect_first else "ready"):
        return None
    told = x._replace(
        move="informed" if effect_first else "asked", admission=s.admission[o],
        permission=permission_now(run, s, o), intent=intent_now(s, k),
        young=x.log == "none" or young(run, s, k, c),
    )  # fmt: skip
    return s.with_worker(w, told)


def admit(run: Run, s: State, w: int, o: int) -> State | None:
    """The authority makes a durable admission and uses the approval up."""
    x, k, approval = s.worker[w], run.obligation(o), s.approval[o]
    if x.move != "admitting" or not accepts(run, s, w, o) or not admissible(run, s, o):
        return None
    after = s.with_worker(w, x._replace(move="admitted")).with_admission(o, "standing")
    after = after.with_approval(o, approval._replace(used=True))
    after = after._replace(spent=put(s.spent, o, True))
    lawful = approval.state == "granted" and not s.lapsed[o] and not (run.promises.single_use and s.spent[o])
    after = after.marked(k, "admitted_unlawfully", not lawful)
    return after.marked(k, "successor_too_early", predecessor_can_land(run, s, o))


def refuse_admission(run: Run, s: State, w: int, o: int) -> State | None:
    """The authority does not admit, so the worker gathers evidence again."""
    x = s.worker[w]
    if x.move != "admitting" or not accepts(run, s, w, o) or admissible(run, s, o):
        return None
    return s.with_worker(w, looks_again(x, gathering(run)))


def void(run: Run, s: State, o: int) -> State | None:
    """An admission is taken back."""
    return s.with_admission(o, "void") if s.admission[o] == "standing" else None


def admit_undo(run: Run, s: State, w: int, o: int) -> State | None:
    """An undo of what is no longer wanted is admitted."""
    x, k = s.worker[w], run.obligation(o)
    if x.move != "undo_admitted" or not accepts(run, s, w, o) or s.undo_admitted[k] or not unwanted(s, k):
        return None
    return s._replace(undo_admitted=put(s.undo_admitted, k, True))


def note_admission(run: Run, s: State, w: int, o: int) -> State | None:
    """The store notes that the operation is admitted."""
    k = run.obligation(o)
    if s.worker[w].move != "admitted" or not accepts(run, s, w, o):
        return None
    if s.store[k].phase not in ("NOT_ADMITTED", "NEEDS_REAUTHORISATION"):
        return None
    return write_phase(s, s, k, "ADMITTED")


def move(run: Run, s: State, k: int) -> State | None:
    """A third party changes the object."""
    return None if s.moved[k] else s._replace(moved=put(s.moved, k, True))


def observe_postcondition(run: Run, s: State, w: int, o: int) -> State | None:
    """The independent witness says whether the business result is there."""
    x, effect = s.worker[w], s.effect[o]
    if x.move != "confirming" or x.op != o:
        return None
    as_intended = effect.world == "committed" and not effect.drifted
    said: of.Postcondition = "confirmed" if as_intended else "contradicted"
    return s.with_worker(w, x._replace(move="informed", postcondition=said))


ACTIONS = (
    Action(edit, "k", "edit"), Action(withdraw, "k", "withdraw"),
    Action(grant, "o"), Action(deny, "o", "deny"),
    Action(expire, "o", "expire"), Action(revoke, "o", "revoke"), Action(change_policy, "o", "policy"),
    Action(ask_again, "o"), Action(submit_twice, "o", "resubmit"), Action(take_second_submission, "o", "resubmit"),
    Action(answer, "woc"), Action(admit, "wo"), Action(refuse_admission, "wo"), Action(void, "o", "void"),
    Action(admit_undo, "wo"), Action(note_admission, "wo"),
    Action(move, "k", "move"), Action(observe_postcondition, "wo"),
)  # fmt: skip
