"""The target: requests that arrive, what it does by itself, and what it says (sections 11.6 and 11.7)."""
from tests.oracle import labels as of
from tests.oracle.action import Action
from tests.oracle.epochs import shut_out
from tests.oracle.history import effect_comes_to_be, request_executed
from tests.oracle.notions import (
    drives_on,
    executes,
    fence_lets,
    gate,
    gathering,
    learns_it_lost,
    recognised,
    seen_it,
)
from tests.oracle.run import Run
from tests.oracle.state import EMPTY, Effect, Slot, State, put


def turn_away(run: Run, s: State, m: int, o: int) -> State | None:
    """A request is refused at the gate, without a trace."""
    n = s.slot[m]
    if not _arrives(n, "execute", o) or gate(run, s, n):
        return None
    return _done(s, s, m, "conflict" if fence_lets(run, s, n) else "stale")


def repeat(run: Run, s: State, m: int, o: int) -> State | None:
    """A recognised identity with the same payload is answered and not executed."""
    n = s.slot[m]
    if not _passes_recognised(run, s, n, o) or n.drift != s.effect[o].fingerprint or drives_on(run, s, n):
        return None
    return _learns_epoch(run, s, n, _done(s, s, m, _remembered(run, s.effect[o])))


def _remembered(run: Run, effect: Effect) -> of.Reply:
    """What a recognised identity is answered."""
    there = effect.world in ("committed", "pending")
    if effect.memo == "error" and not (there and run.promises.on_repeat == "drives_forward"):
        return "error"
    if run.promises.on_repeat in ("current", "drives_forward"):
        return _stated(run, effect.world)
    if effect.memo == "ok":
        return _stated(run, "committed")
    return "refused" if effect.memo == "refused" else "accepted"


def repeat_with_other_payload(run: Run, s: State, m: int, o: int) -> State | None:
    """A recognised identity with another payload is refused, or answered as if it were the first."""
    n, other = s.slot[m], run.promises.other_payload
    if not _passes_recognised(run, s, n, o) or n.drift == s.effect[o].fingerprint or other == "executes":
        return None
    answer: of.Reply = "conflict" if other == "refused" else _remembered(run, s.effect[o])
    return _learns_epoch(run, s, n, _done(s, s, m, answer))


def commit(run: Run, s: State, m: int, o: int) -> State | None:
    """A request takes effect at once."""
    if not executes(run, s, m, o):
        return None
    after = _executed(run, s, m, "committed", "ok", _stated(run, "committed"))
    return effect_comes_to_be(run, s, o, after, s.slot[m])


def commit_something_else(run: Run, s: State, m: int, o: int) -> State | None:
    """A request is accepted, and the target does something other than it was asked."""
    if not executes(run, s, m, o):
        return None
    after = _executed(run, s, m, "committed", "accepted", "accepted")
    after = after.with_effect(o, after.effect[o]._replace(drifted=True))
    return effect_comes_to_be(run, s, o, after, s.slot[m])


def accept(run: Run, s: State, m: int, o: int) -> State | None:
    """A request is accepted and settles later."""
    late = run.promises.settles_late and s.effect[o].world not in ("committed", "pending")
    return _executed(run, s, m, "pending", "accepted", "accepted") if late and executes(run, s, m, o) else None


def fail_with_effect(run: Run, s: State, m: int, o: int) -> State | None:
    """A request takes effect and is answered with an error."""
    if not executes(run, s, m, o):
        return None
    after = _executed(run, s, m, "committed", "error" if run.promises.remembers_errors else "ok", "error")
    return effect_comes_to_be(run, s, o, after, s.slot[m])


def _executed(run: Run, s: State, m: int, world: of.World, memo: of.Memo, reply: of.Reply) -> State:
    """The world changes, the answer is remembered and sent, and history notes what the request lacked."""
    return request_executed(run, s, s.slot[m], _answered(run, s, m, world, memo, reply))


def _answered(run: Run, s: State, m: int, world: of.World, memo: of.Memo, reply: of.Reply) -> State:
    """The world changes, and the answer is remembered and sent."""
    n = s.slot[m]
    effect = s.effect[n.op]._replace(
        world=world, drifted=n.drift, fingerprint=n.drift, behind=run.promises.lag != "zero", pruned=False
    )  # fmt: skip
    if run.promises.recognises:
        effect = effect._replace(memo=memo, kept=run.keeping)
    return _learns_epoch(run, s, n, _done(s, s.with_effect(n.op, effect), m, reply))


def decline(run: Run, s: State, m: int, o: int) -> State | None:
    """The target refuses for good, for reasons of its own."""
    if s.effect[o].world not in ("absent", "failed") or not executes(run, s, m, o):
        return None
    return _answered(run, s, m, "refused", "refused", "refused")


def fail_without_effect(run: Run, s: State, m: int, o: int) -> State | None:
    """A request fails before it takes effect."""
    p, n = run.promises, s.slot[m]
    if s.effect[o].world != "absent" or not executes(run, s, m, o):
        return None
    effect = s.effect[o]._replace(fingerprint=n.drift)
    if p.recognises and p.remembers_errors:
        effect = effect._replace(memo="error", kept=run.keeping)
    return _learns_epoch(run, s, n, _done(s, s.with_effect(o, effect), m, "error"))


def reverse(run: Run, s: State, m: int, o: int) -> State | None:
    """An undo arrives, at whatever is there."""
    n, effect, k = s.slot[m], s.effect[o], run.obligation(o)
    if not _arrives(n, "undo", o):
        return None
    lets = fence_lets(run, s, n)
    there = lets and effect.world == "committed"
    undoes = there or (lets and effect.world == "reversed" and not run.promises.keyed_undo)
    world: of.World = "reversed" if there else effect.world
    after = s.with_slot(m, EMPTY).with_effect(o, effect._replace(world=world))
    for w, x in enumerate(s.worker):
        if x.move == "undo_awaiting" and x.op == n.op and x.epoch == n.epoch:
            after = after.with_worker(w, x._replace(move=gathering(run)))
    after = after._replace(undos=put(s.undos, o, min(2, s.undos[o] + undoes)))
    rightly = effect.world == "committed" and not n.drift and s.undo_admitted[k]
    return after.marked(k, "undid_wrongly", undoes and not rightly)


def take_fence(run: Run, s: State, w: int, o: int) -> State | None:
    """The target is told a newer epoch and acknowledges it."""
    x = s.worker[w]
    if x.move != "telling" or x.op != o or x.epoch < s.told[run.obligation(o)]:
        return None
    after = s.with_told(run.obligation(o), x.epoch)
    return shut_out(run, s, w, after.with_worker(w, x._replace(move=gathering(run), fenced=True)))


def take_fence_unheard(run: Run, s: State, w: int, o: int) -> State | None:
    """The target is told a newer epoch, and its acknowledgement is lost."""
    x = s.worker[w]
    if x.move != "telling" or x.op != o or x.epoch < s.told[run.obligation(o)]:
        return None
    after = s.with_told(run.obligation(o), x.epoch)
    return shut_out(run, s, w, after.with_worker(w, x._replace(move="claimed")))


def refuse_fence(run: Run, s: State, w: int, o: int) -> State | None:
    """The target knows a newer epoch already."""
    x = s.worker[w]
    lost = x.move == "telling" and x.op == o and x.epoch < s.told[run.obligation(o)]
    return s.with_worker(w, learns_it_lost(x)) if lost else None


def answer_reading(run: Run, s: State, w: int, o: int) -> State | None:
    """The target says what it holds for the operation."""
    x = s.worker[w]
    if x.move != "reading" or x.op != o:
        return None
    seen = _statement(run, s.effect[o])
    comparable = seen in ("committed", "accepted", "pending", "reversed")
    same: of.Match = "drifted" if s.effect[o].drifted else "same"
    told = x._replace(
        move=seen_it(run), seen=seen, match=same if comparable else "unseen",
        precondition="moved" if s.moved[run.obligation(o)] else "holds", saw=True,
    )  # fmt: skip
    return s.with_worker(w, told)


def _statement(run: Run, effect: Effect) -> of.Seen:
    """What a readback says."""
    if effect.behind or effect.pruned:
        return "absent"
    if effect.world in ("pending", "committed") and not run.promises.reports_governed:
        return "accepted"
    return effect.world


def find_a_lookalike(run: Run, s: State, w: int, o: int) -> State | None:
    """A search finds the effect of somebody else."""
    x = s.worker[w]
    if x.move != "reading" or x.op != o or not run.promises.by_search:
        return None
    seen: of.Seen = "committed" if run.promises.reports_governed else "accepted"
    return s.with_worker(w, x._replace(move=seen_it(run), seen=seen, match="foreign", saw=True))


def settle(run: Run, s: State, o: int) -> State | None:
    """An accepted request takes effect, without any worker."""
    if s.effect[o].world != "pending":
        return None
    after = s.with_effect(o, s.effect[o]._replace(world="committed"))
    return effect_comes_to_be(run, s, o, after, None)


def settle_as_failed(run: Run, s: State, o: int) -> State | None:
    """An accepted request comes to nothing."""
    pending = s.effect[o].world == "pending"
    return s.with_effect(o, s.effect[o]._replace(world="failed")) if pending else None


def catch_up(run: Run, s: State, o: int) -> State | None:
    """Readers see the last change."""
    late = s.effect[o].behind and run.promises.lag != "zero"
    return s.with_effect(o, s.effect[o]._replace(behind=False)) if late else None


def forget_key(run: Run, s: State, o: int) -> State | None:
    """The target forgets an identity when its retention is over."""
    effect = s.effect[o]
    forgets = run.retention is not None and effect.memo != "none" and effect.kept == 0
    return s.with_effect(o, effect._replace(memo="none")) if forgets else None


def prune_record(run: Run, s: State, o: int) -> State | None:
    """The readable record of an effect disappears."""
    effect = s.effect[o]
    prunes = run.promises.prunes and effect.world == "committed" and not effect.pruned
    return s.with_effect(o, effect._replace(pruned=True)) if prunes else None


def _arrives(n: Slot, kind: of.Kind, o: int) -> bool:
    """A slot holds a request of this kind for the operation."""
    return n.kind == kind and n.op == o


def _passes_recognised(run: Run, s: State, n: Slot, o: int) -> bool:
    """A request passes the gate and its identity is known."""
    return _arrives(n, "execute", o) and gate(run, s, n) and recognised(run, s, n)


def _stated(run: Run, world: of.World) -> of.Reply:
    """What a reply says about the world."""
    if world == "committed":
        return "committed" if run.promises.reports_governed else "accepted"
    return "refused" if world in ("refused", "failed") else "accepted"


def _learns_epoch(run: Run, s: State, n: Slot, after: State) -> State:
    """The target takes a newer epoch from a request, where requests carry it."""
    k, p = run.obligation(n.op), run.promises
    newer = p.enforces_fence and p.fence_told != "never" and n.epoch > s.told[k]
    return after.with_told(k, n.epoch) if newer else after


def _done(s: State, after: State, m: int, reply: of.Reply) -> State:
    """A request is dealt with: its slot is empty, and whoever waits under its epoch has the reply."""
    n = s.slot[m]
    after = after.with_slot(m, EMPTY)
    for w, x in enumerate(s.worker):
        if x.move == "awaiting" and x.op == n.op and x.epoch == n.epoch:
            after = after.with_worker(w, x._replace(reply=reply))
    return after


ACTIONS = (
    Action(turn_away, "mo"), Action(repeat, "mo"), Action(repeat_with_other_payload, "mo"), Action(commit, "mo"),
    Action(commit_something_else, "mo", "distort"),
    Action(accept, "mo"), Action(decline, "mo", "refusals"), Action(fail_without_effect, "mo", "errors"),
    Action(fail_with_effect, "mo", "errors"), Action(reverse, "mo"),
    Action(take_fence, "wo"), Action(take_fence_unheard, "wo", "loss"), Action(refuse_fence, "wo"),
    Action(answer_reading, "wo"), Action(find_a_lookalike, "wo", "lookalike"),
    Action(settle, "o"), Action(settle_as_failed, "o", "refusals"), Action(catch_up, "o"),
    Action(forget_key, "o", "forget"), Action(prune_record, "o", "prune"),
)  # fmt: skip
