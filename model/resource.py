"""The governed object and those who look at the business result by another path."""

from __future__ import annotations

from z3 import And, If, Not

from model.component import Component, Step, action
from model.kernel import Vocabulary, sets
from model.labels import Move, World
from model.table_inputs import Postcondition


class Resource(Component):
    """An object that others move too, and an independent witness of the postcondition."""

    def declare(self, vocabulary: Vocabulary) -> None:
        self.moved = [vocabulary.flag(f"resource.moved[{k}]", "others") for k in self.model.indices("k")]

    @action(owner="others", fault="move")
    def move(self, k: int) -> Step:
        """Somebody else changes the object after its version was recorded."""
        return Not(self.moved[k]), sets(self.moved[k], True)

    @action(owner="others", sees=("worker[{w}]", "gateway"))
    def observe_postcondition(self, w: int, o: int) -> Step:
        """The resumer looks at the business result by a path that does not pass the target."""
        worker, g = self.model.workers[w], self.model.gateways[o]
        there = And(g.world == World.committed, Not(g.drifted))
        return (
            And(worker.move == Move.confirming, worker.op == o),
            sets(worker.move, Move.informed),
            sets(worker.postcondition, If(there, Postcondition.confirmed, Postcondition.contradicted)),
        )
