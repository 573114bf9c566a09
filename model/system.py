"""The components composed into one model of an effect and its recovery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from model.approval import Approvals
from model.authority import Authority
from model.checkpoint import Checkpoint
from model.clock import Clock
from model.collapse import Collapse
from model.component import Component
from model.cut import Cut
from model.decision_table import Table, decision_term, rule_guard
from model.gateway import Gateway
from model.history import History
from model.intent import Intents
from model.journal import Journal
from model.kernel import System, Term, Vocabulary, check_system, no_branching
from model.ledger import Ledger
from model.network import Network
from model.promises import Profile, Promises
from model.resource import Resource
from model.setting import Setting
from model.table_inputs import Decision
from model.worker import Workers


@dataclass(frozen=True)
class Parts:
    """The classes a model is made of; a mutant is the same with one of them replaced."""

    cut: type[Cut] = Cut
    components: Mapping[str, type[Component]] = field(
        default_factory=lambda: {
            "promises_of_time": Clock,
            "intents": Intents,
            "store": Checkpoint,
            "approval": Approvals,
            "authority": Authority,
            "resource": Resource,
            "gateway": Gateway,
            "ledger": Ledger,
            "network": Network,
            "worker": Workers,
            "journal": Journal,
            "history": History,
        }
    )

    def replacing(self, **classes: type[Component]) -> Parts:
        """The same parts with some components replaced."""
        return Parts(self.cut, {**self.components, **classes})


class Model:
    """One effect (or several), its parties and a decision table, ready to become a System.

    The variables of every party are attributes: ``model.workers[0].move``.
    """

    def __init__(
        self, setting: Setting, profile: Profile, table: Table, parts: Parts | None = None, name: str = "recovery"
    ) -> None:
        self.setting = setting
        self.table = table
        self.name = name
        self.vocabulary = Vocabulary()
        parts = parts or Parts()
        with no_branching():
            self.promises = Promises(self.vocabulary, profile)
            self._declare(parts)
            self.collapse = Collapse(self)
            self.cut = parts.cut(self)
            self.inputs = [self.cut.inputs(w) for w in self.indices("w")]
            self.decision = [decision_term(table, x, Decision.quarantine) for x in self.inputs]
            self._actions = [a for c in self._components for a in c.actions()]

    def _declare(self, parts: Parts) -> None:
        make = parts.components
        self.clock: Any = make["promises_of_time"](self)
        self.intents: Any = make["intents"](self)
        self.store: Any = make["store"](self)
        self.approval: Any = make["approval"](self)
        self.authority: Any = make["authority"](self)
        self.resource: Any = make["resource"](self)
        self.gateway: Any = make["gateway"](self)
        self.ledger: Any = make["ledger"](self)
        self.network: Any = make["network"](self)
        self.worker: Any = make["worker"](self)
        self.journal: Any = make["journal"](self)
        self.history: Any = make["history"](self)
        self._components: list[Component] = [
            self.clock, self.intents, self.store, self.approval, self.authority, self.resource,
            self.gateway, self.ledger, self.network, self.worker, self.journal, self.history,
        ]
        self.stores = self.store.records
        self.approvals = self.approval.decisions
        self.admissions = self.authority.admissions
        self.gateways = self.gateway.effects
        self.told = self.gateway.told
        self.workers = self.worker.locals

    def indices(self, parameter: str) -> Sequence[int]:
        """What an action's parameter ranges over."""
        s = self.setting
        sizes = {"w": s.workers, "o": s.operations, "k": s.obligations, "m": s.messages, "n": s.messages}
        if parameter == "c":
            return self.clock.errors()  # type: ignore[no-any-return]
        return range(sizes[parameter])

    def obligation(self, o: int) -> int:
        """The obligation that operation o is for."""
        return o // self.setting.generations

    def generation(self, o: int) -> int:
        """Which generation of its obligation operation o is."""
        return o % self.setting.generations

    def definitions(self) -> dict[str, Term]:
        """Named terms: each worker's cut, its decision and the rows of the table that match."""
        named: dict[str, Term] = {}
        for w in self.indices("w"):
            named |= {f"cut[{w}].{name}": term for name, term in self.inputs[w].items()}
            named[f"decision[{w}]"] = self.decision[w]
            named |= {f"rule[{w}].{r.name}": rule_guard(r, self.inputs[w]) for r in self.table.rules}
        return named

    def system(self) -> System:
        """The model as a value, checked; ModelError names what an action cannot mean."""
        with no_branching():
            system = System(self.name, tuple(self.vocabulary.variables), tuple(self._actions), self.definitions())
        check_system(system)
        return system
