"""Breadth-first search with a queue: every reachable state, and a shortest way to each."""
from collections import deque
from collections.abc import Callable, Iterator

from tests.oracle import authority, clock, network, resumer, store, target, writes
from tests.oracle.run import Run
from tests.oracle.state import State, start

PARTS = (authority, store, network, target, resumer, writes, clock)

Step = tuple[str, Callable[..., State | None], tuple[int, ...]]
Parents = dict[State, tuple[State, str] | None]


def steps(run: Run) -> tuple[Step, ...]:
    """Every action of a run with each of its indices; the name is the one of docs/model.md."""
    actions = [action for part in PARTS for action in part.ACTIONS]
    return tuple((_label(a.name, index), a.step, index) for a in actions for index in a.instances(run))


def _label(name: str, indices: tuple[int, ...]) -> str:
    """An action and its indices as docs/model.md writes them."""
    return name + "".join(f"[{index}]" for index in indices)


def successors(run: Run, every: tuple[Step, ...], s: State) -> Iterator[tuple[str, State]]:
    """The actions whose guards hold, and the states that they lead to."""
    for name, step, indices in every:
        after = step(run, s, *indices)
        if after is not None:
            yield name, after


def reachable(run: Run) -> Parents:
    """All reachable states, each with the state and the action that first led to it (none for the start)."""
    every, first = steps(run), start(run)
    parents: Parents = {first: None}
    waiting = deque([first])
    while waiting:
        s = waiting.popleft()
        for name, after in successors(run, every, s):
            if after not in parents:
                parents[after] = (s, name)
                waiting.append(after)
    return parents


def path(parents: Parents, s: State) -> list[str]:
    """The actions of a shortest way from the start to a state."""
    names = []
    while (parent := parents[s]) is not None:
        s, name = parent
        names.append(name)
    return names[::-1]
