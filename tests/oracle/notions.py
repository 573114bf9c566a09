"""Terms that several actions use (docs/model.md, section 6), all of the state before the step."""
from tests.oracle import labels as of
from tests.oracle.run import Run
from tests.oracle.state import Slot, State, Store, Worker


def looks_again(x: Worker, move: of.Move) -> Worker:
    """Forgets what was gathered, and keeps what the claim, the log and the fence gave."""
    return Worker(
        move=move, op=x.op, epoch=x.epoch, log=x.log, receipt=x.receipt, diverged=x.diverged, drift=x.drift,
        fenced=x.fenced, lost=x.lost, saw=x.saw,
    )  # fmt: skip


def learns_it_lost(x: Worker) -> Worker:
    """Decides next, and knows that its claim is superseded."""
    return looks_again(x, "informed")._replace(lost=True)


def current(run: Run, s: State, w: int, o: int) -> bool:
    """The claim of a worker on an operation is the newest one."""
    x, store = s.worker[w], s.store[run.obligation(o)]
    return x.op == o and x.epoch == store.epoch and store.gen == run.generation(o)


def accepts(run: Run, s: State, w: int, o: int) -> bool:
    """The store takes a write of a worker."""
    return not s.down and s.worker[w].op == o and (not run.promises.checks_claim or current(run, s, w, o))


def refuses(run: Run, s: State, w: int, o: int) -> bool:
    """The store answers a write of a worker with: superseded."""
    return not s.down and s.worker[w].op == o and run.promises.checks_claim and not current(run, s, w, o)


def resting(store: Store) -> bool:
    """The case is closed."""
    return store.phase in ("OUTCOME_VERIFIED", "ABANDONED")


def unfinished(store: Store) -> bool:
    """Somebody other than a person should be at work on the case."""
    return not (resting(store) or store.phase == "NEEDS_REAUTHORISATION" or store.quarantined)


def superseded(s: State, k: int) -> bool:
    """A newer version of the intent exists than the one the current operation was made for."""
    return s.intent[k].edited != s.intent[k].bound_to_edit


def unwanted(s: State, k: int) -> bool:
    """The effect of the current operation is no longer what the business wants."""
    return s.intent[k].withdrawn or superseded(s, k)


def intent_now(s: State, k: int) -> of.IntentNow:
    """What the obligation says when it is asked."""
    if s.intent[k].withdrawn:
        return "withdrawn"
    return "superseded" if superseded(s, k) else "stands"


def older(log: of.Log) -> of.Log:
    """A log as the next epoch sees it."""
    return "older" if log in ("sole", "own") else log


def held_by_the_living(run: Run, s: State, k: int) -> bool:
    """Some worker still works under the newest epoch."""
    epoch = s.store[k].epoch
    return any(x.move != "idle" and x.epoch == epoch and run.obligation(x.op) == k for x in s.worker)


def gathering(run: Run) -> of.Move:
    """Where evidence is gathered: after a wait where readings lag behind the fence."""
    p = run.promises
    return "waiting" if p.lag == "finite" and p.readable and p.waits_out_lag else "ready"


def first_move(run: Run) -> of.Move:
    """What comes after a claim."""
    fence_first = run.promises.enforces_fence and run.promises.fence_told == "before_read"
    return "claimed" if fence_first else gathering(run)


def looking(run: Run) -> of.Move:
    """From where the effect is read."""
    return "ready" if run.promises.effect_before_authority else "asked"


def seen_it(run: Run) -> of.Move:
    """What comes after a reading."""
    return "observed" if run.promises.effect_before_authority else "informed"


def admissible(run: Run, s: State, o: int) -> bool:
    """The approval lets the authority admit the operation."""
    approval = s.approval[o]
    return approval.state == "granted" and not (run.promises.single_use and approval.used)


def permission_now(run: Run, s: State, o: int) -> of.Permission:
    """What the authority answers about an operation."""
    approval = s.approval[o]
    if approval.state == "granted":
        spent = approval.used and run.promises.single_use and s.admission[o] != "standing"
        return "consumed" if spent else "current"
    if approval.state in ("expired", "outdated"):
        return "expired"
    return "revoked" if approval.state == "revoked" else "none"


def still_flying(s: State, w: int) -> bool:
    """A request of the worker's own epoch is in flight."""
    x = s.worker[w]
    return any(n.kind != "none" and n.op == x.op and n.epoch == x.epoch for n in s.slot)


def waits_unanswered(x: Worker) -> bool:
    """A worker has released and nothing came back yet."""
    return x.move in ("awaiting", "undo_awaiting") and x.reply == "none"


def fence_lets(run: Run, s: State, n: Slot) -> bool:
    """The target does not refuse the epoch of a request."""
    return not run.promises.enforces_fence or n.epoch >= s.told[run.obligation(n.op)]


def gate(run: Run, s: State, n: Slot) -> bool:
    """Nothing but a remembered identity keeps a request from being executed."""
    p = run.promises
    ground_holds = not (p.conditional and s.moved[run.obligation(n.op)])
    authority_holds = not p.judged_at_commit or s.approval[n.op].state == "granted"
    return fence_lets(run, s, n) and ground_holds and authority_holds


def recognised(run: Run, s: State, n: Slot) -> bool:
    """The target knows the identity of a request."""
    p, effect = run.promises, s.effect[n.op]
    lost_race = p.races and effect.world == "pending"
    return p.recognises and p.on_repeat != "executes" and effect.memo != "none" and not lost_race


def drives_on(run: Run, s: State, n: Slot) -> bool:
    """A repeat of a failed request goes on where the first one stopped."""
    effect = s.effect[n.op]
    unfinished_work = effect.memo == "error" and effect.world not in ("committed", "pending")
    return run.promises.on_repeat == "drives_forward" and unfinished_work


def executes(run: Run, s: State, m: int, o: int) -> bool:
    """A request in a slot would be executed for an operation, if it arrived now."""
    n = s.slot[m]
    if not (n.kind == "execute" and n.op == o and gate(run, s, n)):
        return False
    if not recognised(run, s, n):
        return True
    if n.drift == s.effect[o].fingerprint:
        return drives_on(run, s, n)
    return run.promises.other_payload == "executes"
