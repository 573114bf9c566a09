"""The checkpoint: claims, generations and what befalls the store (docs/model.md, sections 11.1 and 11.2)."""
from tests.oracle import labels as of
from tests.oracle.action import Action
from tests.oracle.epochs import NOBODY, next_epoch, supersede
from tests.oracle.history import write_phase
from tests.oracle.notions import accepts, first_move, held_by_the_living, older, resting, superseded
from tests.oracle.run import Run
from tests.oracle.state import State, Store, Worker, put


def claim(run: Run, s: State, w: int, o: int) -> State | None:
    """An idle worker takes a case that nobody holds, with a fresh copy of the checkpoint."""
    if not _claimable(run, s, w, o):
        return None
    return _claimed(run, s, w, o, _copied(s.store[run.obligation(o)], Worker(move=first_move(run))))


def claim_and_misread(run: Run, s: State, w: int, o: int) -> State | None:
    """The claim succeeds, and the copy of the checkpoint is older than everything in it."""
    if not _claimable(run, s, w, o):
        return None
    return _claimed(run, s, w, o, Worker(move="misread" if run.promises.checks_copy else first_move(run)))


def _claimable(run: Run, s: State, w: int, o: int) -> bool:
    """The case is open, nobody holds it as far as the store knows, and its approval was decided."""
    store, approval = s.store[run.obligation(o)], s.approval[o].state
    if s.down or store.lease or store.gen != run.generation(o) or s.worker[w].move != "idle":
        return False
    if resting(store) or store.quarantined or approval in ("asked", "unasked"):
        return False
    return not (store.phase == "NEEDS_REAUTHORISATION" and approval != "granted")


def _copied(store: Store, x: Worker) -> Worker:
    """A worker with a copy of the checkpoint (rule 6)."""
    return x._replace(log=older(store.log), receipt=store.receipt, diverged=store.diverged)


def _claimed(run: Run, s: State, w: int, o: int, x: Worker) -> State:
    """What every claim does to the checkpoint, the claimant and everybody else."""
    p, k = run.promises, run.obligation(o)
    store, epoch = s.store[k], next_epoch(run, s, w, k)
    fresh = not run.is_last(o) and store.log != "none" and not p.stable_identity
    after = s.with_worker(w, x._replace(op=o + fresh, epoch=epoch, drift=p.regenerates and store.epoch > 0))
    after = after.with_store(
        k, store._replace(epoch=epoch, lease=True, gen=store.gen + fresh, log=older(store.log))
    )  # fmt: skip
    if fresh:
        after = after.with_approval(o + 1, s.approval[o + 1]._replace(state="asked"))
    if s.admission[o] == "standing" and not p.durable_admission:
        after = after.with_admission(o, "none")
    unsettled = store.phase == "EFFECT_PENDING" and store.log != "none"
    after = write_phase(s, after, k, "UNKNOWN_OUTCOME" if unsettled else store.phase)
    return supersede(run, s, w, k, after)


def read_again(run: Run, s: State, w: int, o: int) -> State | None:
    """A worker that noticed its old copy reads the checkpoint again."""
    x = s.worker[w]
    if x.move != "misread" or x.op != o or s.down:
        return None
    return s.with_worker(w, _copied(s.store[run.obligation(o)], x)._replace(move=first_move(run)))


def renew(run: Run, s: State, w: int, o: int) -> State | None:
    """A worker takes a newer epoch, so as to shut out what it sent itself."""
    x, k = s.worker[w], run.obligation(o)
    if x.move != "renewing" or not accepts(run, s, w, o):
        return None
    epoch = next_epoch(run, s, w, k)
    renewed = x._replace(epoch=epoch, move=first_move(run), fenced=False, log=older(x.log))
    after = s.with_worker(w, renewed)
    after = after.with_store(k, s.store[k]._replace(epoch=epoch, log=older(s.store[k].log)))
    return supersede(run, s, w, k, after)


def lapse(run: Run, s: State, k: int) -> State | None:
    """The lease of a dead worker ends."""
    ends = s.store[k].lease and not held_by_the_living(run, s, k)
    return s.with_store(k, s.store[k]._replace(lease=False)) if ends else None


def lapse_in_a_pause(run: Run, s: State, k: int) -> State | None:
    """The lease of a living worker ends, because it was paused."""
    ends = s.store[k].lease and held_by_the_living(run, s, k)
    return s.with_store(k, s.store[k]._replace(lease=False)) if ends else None


def refuse_writes(run: Run, s: State) -> State | None:
    """The store goes down."""
    return None if s.down else s._replace(down=True)


def take_writes_again(run: Run, s: State) -> State | None:
    """The store comes back."""
    return s._replace(down=False) if s.down else None


def change_code(run: Run, s: State, k: int) -> State | None:
    """A deployment after which history does not replay."""
    return None if s.store[k].diverged else s.with_store(k, s.store[k]._replace(diverged=True))


def restore_backup(run: Run, s: State, k: int) -> State | None:
    """The store goes back to a backup from before the first attempt."""
    store = s.store[k]
    if s.lowered or store.quarantined or (store.log == "none" and store.receipt == "none"):
        return None
    store = store._replace(receipt="none", lease=False)
    if not run.promises.raises_epochs:
        forgotten = store._replace(log="none", phase="NOT_ADMITTED", epoch=0)
        return s.with_store(k, forgotten)._replace(lowered=True)
    raised = store._replace(log="older", phase="UNKNOWN_OUTCOME", epoch=next_epoch(run, s, NOBODY, k))
    return supersede(run, s, NOBODY, k, s.with_store(k, raised))


def next_generation(run: Run, s: State, k: int, o: int) -> State | None:
    """A new operation for the obligation follows one that was closed, or should have been."""
    store = s.store[k]
    if run.obligation(o) != k or run.is_last(o) or store.gen != run.generation(o):
        return None
    if s.down or s.intent[k].withdrawn:
        return None
    needed = superseded(s, k) or store.receipt in ("refused", "burned") or store.phase == "ABANDONED"
    early = not run.promises.waits_for_closing and not store.quarantined and store.phase != "OUTCOME_VERIFIED"
    if not needed or not (store.phase == "ABANDONED" or early):
        return None
    intent = s.intent[k]._replace(bound_to_edit=s.intent[k].edited)
    after = s._replace(intent=put(s.intent, k, intent))
    after = after.with_store(k, store._replace(gen=store.gen + 1, receipt="none", log=_inherited(run, store)))
    after = after.with_approval(o + 1, s.approval[o + 1]._replace(state="asked"))
    return write_phase(s, after, k, "NOT_ADMITTED")


def _inherited(run: Run, store: Store) -> of.Log:
    """What a next generation knows of the attempts of its predecessor."""
    if not run.promises.per_obligation or store.log == "none":
        return "none"
    return "closed" if store.phase == "ABANDONED" else "older"


ACTIONS = (
    Action(claim, "wo"), Action(claim_and_misread, "wo", "stale_read"), Action(read_again, "wo"), Action(renew, "wo"),
    Action(lapse, "k"), Action(lapse_in_a_pause, "k", "pause"), Action(refuse_writes, "", "store_down"),
    Action(take_writes_again, "", "store_down"), Action(change_code, "k", "diverge"),
    Action(restore_backup, "k", "restore"), Action(next_generation, "ko"),
)  # fmt: skip
