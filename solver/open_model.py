"""The model with the table left open: a worker that decides may take any decision, and each is marked on its step.

Its graph holds the runs of every table. Those of one table are the ones whose marked steps it agrees with.
"""

from __future__ import annotations

from dataclasses import replace

import z3

from model.folding import simplifier
from model.kernel import Action, System, Term, Update, check_system, no_branching
from model.promises import Profile
from model.setting import Setting
from model.system import Model
from model.table_file import load_table
from model.table_inputs import Decision
from model.terms import mentions, op_name, variable_name

MARK = " as "


class OpenModel(Model):
    """A model whose workers decide freely; it keeps no records and makes room for all that a table may need."""

    def __init__(self, setting: Setting, profile: Profile, name: str = "recovery") -> None:
        super().__init__(setting, profile, load_table("recovery"), name=name)

    def _decisions(self) -> list[Term]:
        return [z3.Const(f"decision of worker {w}", Decision.sort) for w in self.indices("w")]

    def _repeats(self) -> bool:
        return True

    def _compensates(self) -> bool:
        return True

    def definitions(self) -> dict[str, Term]:
        """Each worker's cut."""
        return {n: t for n, t in super().definitions().items() if n.startswith("cut[")}

    def system(self) -> System:
        """The open system: an action that depends on a decision is there once for each that lets it happen."""
        with no_branching():
            actions = [made for action in self._actions for made in self._opened(action)]
            system = System(self.name, tuple(self.vocabulary.variables), tuple(actions), self.definitions())
        check_system(system)
        return system

    def _opened(self, action: Action) -> list[Action]:
        for term in self.decision:
            if any(mentions(part, term) for part in (action.guard, *(u.value for u in action.updates))):
                made = [_decided(action, term, label) for label in Decision.labels]
                return [a for a in made if op_name(a.guard) != "false"]
        return [action]


def marked(name: str) -> tuple[str, str | None]:
    """The action of the model behind an action of the open system, and the decision it was taken by."""
    action, mark, decision = name.partition(MARK)
    return action, decision if mark else None


def _decided(action: Action, term: Term, label: str) -> Action:
    """The action where this decision was taken."""
    put_in = simplifier({variable_name(term): getattr(Decision, label)})
    updates = tuple(Update(u.target, put_in(u.value)) for u in action.updates)
    return replace(action, name=f"{action.name}{MARK}{label}", guard=put_in(action.guard), updates=updates)
