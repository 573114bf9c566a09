"""A component is a class; its actions are methods, written once over their indices.

``def crash(self, w)`` stands for one action a worker: the names of the parameters say what an action
ranges over (w a worker, o an operation, k an obligation, m a message slot). A mutant is a subclass
that says one method differently.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from model.kernel import Action, ModelError, Term, Update, Vocabulary

if TYPE_CHECKING:
    from model.system import Model

Step = tuple[Term | Update, ...]
"""What an action method returns: a guard, then its updates."""


@dataclass(frozen=True)
class Mark:
    """What the decorator wrote beside a method."""

    owner: str
    sees: tuple[str, ...]
    fault: str | None
    needs: str | None


def action(
    owner: str, sees: tuple[str, ...] = (), fault: str | None = None, needs: str | None = None
) -> Callable[[Callable[..., Step]], Callable[..., Step]]:
    """Mark a method as an action of ``owner``, which also ``sees`` the variables of other owners.

    Both may mention indices: ``worker[{w}]``. With ``fault`` the action exists only in runs that have
    this fault, with ``needs`` only where contract and table make room for it (``Model.makes_room_for``).
    """

    def mark(method: Callable[..., Step]) -> Callable[..., Step]:
        method.mark = Mark(owner, sees, fault, needs)  # type: ignore[attr-defined]
        return method

    return mark


class Component:
    """Declares variables of one party and the steps it takes."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self.declare(model.vocabulary)

    def declare(self, vocabulary: Vocabulary) -> None:
        """Declare this component's variables."""

    def actions(self) -> Iterator[Action]:
        """Every action of this component, instantiated over its indices, in the order they are written."""
        for name in _marked(type(self)):
            method = getattr(self, name)
            mark: Mark = getattr(type(self), name).mark
            if not self._exists(mark):
                continue
            parameters = list(inspect.signature(method).parameters)
            for values in itertools.product(*(self.model.indices(p) for p in parameters)):
                yield _instantiate(name, method, mark, dict(zip(parameters, values, strict=True)))

    def _exists(self, mark: Mark) -> bool:
        """The run has the action's fault, and there is room for it."""
        fault = mark.fault is None or mark.fault in self.model.setting.faults
        return fault and (mark.needs is None or self.model.makes_room_for(mark.needs))


def _guard(name: str, guard: Term | Update) -> Term:
    if isinstance(guard, Update):
        raise ModelError(f"{name} has no guard")
    return guard


def _marked(cls: type[Component]) -> list[str]:
    """Names of the action methods, base classes first, in the order they are written."""
    names: dict[str, None] = {}
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            if hasattr(member, "mark"):
                names.setdefault(name)
            elif name in names:
                raise ModelError(f"{cls.__name__}.{name} replaces an action and is not marked as one")
    return list(names)


def _instantiate(name: str, method: Callable[..., Step], mark: Mark, index: dict[str, Any]) -> Action:
    guard, *updates = method(**index)
    suffix = "".join(f"[{value}]" for value in index.values())
    return Action(
        name=name + suffix,
        owner=mark.owner.format(**index),
        guard=_guard(name, guard),
        updates=tuple(u for u in updates if isinstance(u, Update)),
        doc=" ".join((method.__doc__ or "").split()),
        bridges=tuple(s.format(**index) for s in mark.sees),
        fault=mark.fault,
    )
