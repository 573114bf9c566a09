"""What becomes of each decision of a table in the abstract world."""

from __future__ import annotations

from collections.abc import Mapping

from z3 import And, Or

from model.kernel import Term, Update, sets
from model.table_inputs import Admission, Decision
from solver.abstract_state import CasePhase, Stage, Step, World


class Decisions:
    """What becomes of each decision that has an effect; each needs the current claim."""

    NAMES = (
        "execute_when_admitted", "execute_with_admission_now", "adopt", "abandon", "compensate", "hand_over", "verify",
        "stand_down",
    )

    def __init__(self, world: World, cut: Mapping[str, Term], decision: Term) -> None:
        self.world, self.cut, self.decision = world, cut, decision

    def _decides(self, *decisions: Term) -> Term:
        w = self.world
        unclosed = Or(w.phase == CasePhase.open, w.phase == CasePhase.waiting)
        return And(w.stage == Stage.deciding, unclosed, Or(*[self.decision == d for d in decisions]))

    def execute_when_admitted(self) -> Step:
        """Act on the admission that stands."""
        guard = And(self._decides(Decision.execute), self.cut["admission"] == Admission.standing)
        return guard, sets(self.world.stage, Stage.chosen)

    def execute_with_admission_now(self) -> Step:
        """Act after asking for an admission."""
        guard = And(self._decides(Decision.execute), self.cut["admission"] != Admission.standing)
        return guard, sets(self.world.stage, Stage.admitting)

    def adopt(self) -> Step:
        """Complete without acting."""
        return self._decides(Decision.adopt), sets(self.world.phase, CasePhase.verified), *self._lets_go()

    def abandon(self) -> Step:
        """Close the operation without an effect."""
        return self._decides(Decision.abandon), sets(self.world.phase, CasePhase.abandoned), *self._lets_go()

    def compensate(self) -> Step:
        """Undo the effect."""
        return self._decides(Decision.compensate), sets(self.world.stage, Stage.undoing)

    def hand_over(self) -> Step:
        """Hand the case to the approver or to a person."""
        guard = self._decides(Decision.quarantine, Decision.reauthorise)
        return guard, sets(self.world.phase, CasePhase.waiting), *self._lets_go()

    def verify(self) -> Step:
        """Look again."""
        return self._decides(Decision.verify), *self._lets_go()

    def stand_down(self) -> Step:
        """Externalise nothing."""
        return self._decides(Decision.stand_down), *self._lets_go()

    def _lets_go(self) -> tuple[Update, Update]:
        return sets(self.world.asked_admitted, False), sets(self.world.asked_valid, False)
