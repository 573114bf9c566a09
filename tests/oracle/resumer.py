"""What a worker does by itself: it decides, asks, hears and dies (docs/model.md, section 11.9)."""
from tests.oracle.action import Action
from tests.oracle.cut import attempt, decides, effect, match, postcondition
from tests.oracle.epochs import stopped
from tests.oracle.notions import gathering, learns_it_lost, looking, looks_again, seen_it
from tests.oracle.run import Run
from tests.oracle.state import IDLE, State


def crash(run: Run, s: State, w: int) -> State | None:
    """A worker dies with all that it had not written down."""
    if s.worker[w].move == "idle" or (run.crashes is not None and s.crashes_left == 0):
        return None
    spent = 0 if run.crashes is None else 1
    return s.with_worker(w, IDLE)._replace(crashes_left=s.crashes_left - spent)


def stand_down(run: Run, s: State, w: int) -> State | None:
    """A worker that lost its claim does nothing more."""
    return s.with_worker(w, IDLE) if decides(run, s, w, "stand_down") else None


def choose_execute(run: Run, s: State, w: int) -> State | None:
    """The effect is to be made, after an admission where one is needed."""
    if not decides(run, s, w, "execute"):
        return None
    x = s.worker[w]
    to_admit = run.promises.asks_authority and x.admission != "standing"
    repeats = effect(run, x) == "unknown" or attempt(run, x) in ("open", "closable")
    after = s.with_worker(w, looks_again(x, "admitting" if to_admit else "admitted")._replace(repeat=repeats))
    k = run.obligation(x.op)
    in_vain = stopped(run) and x.epoch != s.store[k].epoch
    return after.marked(k, "acted_on_moved_ground", x.precondition == "moved" and not in_vain)


def choose_verify(run: Run, s: State, w: int) -> State | None:
    """Something can still be learnt: the business result, what a newer epoch shuts out, or the next reading."""
    if not decides(run, s, w, "verify"):
        return None
    x = s.worker[w]
    if effect(run, x) == "committed" and postcondition(run, x) == "unobserved":
        return s.with_worker(w, x._replace(move="confirming"))
    closable = attempt(run, x) == "closable"
    return s.with_worker(w, looks_again(x, "renewing" if closable else gathering(run)))


def choose_compensate(run: Run, s: State, w: int) -> State | None:
    """The effect is to be undone."""
    if not decides(run, s, w, "compensate"):
        return None
    x = s.worker[w]
    return s.with_worker(w, looks_again(x, "undo_admitted")._replace(astray=match(x) != "same"))


def tell(run: Run, s: State, w: int) -> State | None:
    """The target is told the new epoch."""
    x = s.worker[w]
    return s.with_worker(w, x._replace(move="telling")) if x.move == "claimed" else None


def ask_effect(run: Run, s: State, w: int) -> State | None:
    """The target is asked what it holds."""
    x, asks = s.worker[w], run.promises.readable and run.promises.reads
    return s.with_worker(w, x._replace(move="reading")) if asks and x.move == looking(run) else None


def go_on_unseen(run: Run, s: State, w: int) -> State | None:
    """The target cannot be asked, or is not."""
    x, asks = s.worker[w], run.promises.readable and run.promises.reads
    return s.with_worker(w, x._replace(move=seen_it(run))) if not asks and x.move == looking(run) else None


def receive(run: Run, s: State, w: int) -> State | None:
    """The answer of the target is read."""
    x = s.worker[w]
    answered = x.move == "awaiting" and x.reply != "none"
    return s.with_worker(w, x._replace(move="replied", saw=True)) if answered else None


def learn_of_successor(run: Run, s: State, w: int) -> State | None:
    """The target said that a newer epoch exists."""
    x = s.worker[w]
    return s.with_worker(w, learns_it_lost(x)) if x.move == "replied" and x.reply == "stale" else None


ACTIONS = (
    Action(crash, "w", "crash"), Action(stand_down, "w"), Action(choose_execute, "w"), Action(choose_verify, "w"),
    Action(choose_compensate, "w"), Action(tell, "w"), Action(ask_effect, "w"), Action(go_on_unseen, "w"),
    Action(receive, "w"), Action(learn_of_successor, "w"),
)  # fmt: skip
