"""The components composed into one model of an effect and its recovery."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from model.approval import Approvals
from model.authority import Authority
from model.checkpoint import Checkpoint
from model.clock import Clock
from model.collapse import Collapse
from model.component import Component
from model.cut import Cut
from model.decision_table import Rule, Table, decision_term, rule_guard
from model.evidence import Evidence
from model.gateway import Gateway
from model.history import History
from model.intent import Intents
from model.journal import Journal
from model.kernel import System, Term, Vocabulary, check_system, no_branching
from model.ledger import Ledger
from model.network import Network
from model.promises import Profile, Promises
from model.resource import Resource
from model.setting import FAULTS, Setting
from model.table_inputs import Decision
from model.worker import Workers


@dataclass(frozen=True)
class Parts:
    """The classes a model is made of; a mutant is the same with one of them replaced."""

    cut: type[Cut] = Cut
    clock: type[Clock] = Clock
    intents: type[Intents] = Intents
    store: type[Checkpoint] = Checkpoint
    approval: type[Approvals] = Approvals
    authority: type[Authority] = Authority
    resource: type[Resource] = Resource
    gateway: type[Gateway] = Gateway
    ledger: type[Ledger] = Ledger
    network: type[Network] = Network
    worker: type[Workers] = Workers
    journal: type[Journal] = Journal
    history: type[History] = History
    evidence: type[Evidence] = Evidence


def _unsettled(cells: Mapping[str, frozenset[str]], attempts: set[str], looks: set[str]) -> bool:
    """A row covers a cut in which an attempt is open, or the effect unknown, as far as these labels occur."""
    known = bool(cells["effect"] - {"unknown"} and cells["attempt"] & attempts)
    return known or ("unknown" in cells["effect"] and bool(cells["readback"] & looks))


class Model:
    """One effect (or several), its parties and a decision table, ready to become a System.

    The variables of every party are attributes: ``model.workers[0].move``.
    """

    def __init__(
        self, setting: Setting, profile: Profile, table: Table, parts: Parts | None = None, name: str = "recovery"
    ) -> None:
        self.setting = setting
        self.profile = profile
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
            self.decision = self._decisions()
            self._actions = [a for c in self.components for a in c.actions()]
            self.evidence = parts.evidence(self) if setting.records else None
            if self.evidence is not None:
                self._actions = [self.evidence.beside(a) for a in self._actions]

    def _decisions(self) -> list[Term]:
        """What each worker decides, as the table says; a cut without a rule is handed over."""
        return [decision_term(self.table, x, Decision.quarantine) for x in self.inputs]

    def rules_of(self, w: int) -> Sequence[Rule]:
        """The rules that worker w decides by."""
        return self.table.rules

    def _declare(self, parts: Parts) -> None:
        self.clock = parts.clock(self)
        self.intents = parts.intents(self)
        self.store = parts.store(self)
        self.approval = parts.approval(self)
        self.authority = parts.authority(self)
        self.resource = parts.resource(self)
        self.gateway = parts.gateway(self)
        self.ledger = parts.ledger(self)
        self.network = parts.network(self)
        self.worker = parts.worker(self)
        self.journal = parts.journal(self)
        self.history = parts.history(self)
        self.components: tuple[Component, ...] = (
            self.clock, self.intents, self.store, self.approval, self.authority, self.resource,
            self.gateway, self.ledger, self.network, self.worker, self.journal, self.history,
        )  # fmt: skip
        self.stores = self.store.records
        self.approvals = self.approval.decisions
        self.admissions = self.authority.admissions
        self.gateways = self.gateway.effects
        self.told = self.gateway.told
        self.workers = self.worker.locals

    def makes_room_for(self, what: str) -> bool:
        """Whether contract, table and sizes leave room for actions that need this."""
        if what in FAULTS:
            return what in self.setting.faults
        if what == "generations":
            return self.setting.generations > 1
        if what == "retention":
            return self.setting.ticks.retention is not None
        if what == "lag":
            return self.profile["lag"] != ("zero",)
        if what == "repeats":
            return self._repeats()
        return self._compensates() if what == "compensation" else True in self.profile[what]

    def _repeats(self) -> bool:
        """Some rule executes beside something unsettled: what a late sender then has to check again.

        Where the target is fenced before it is read, an open attempt does not occur; where a reading
        settles things sooner or later, a readback of none does not.
        """
        p = self.profile
        fenced = p["enforces_fence"] == (True,) and p["fence_told"] == ("before_read",)
        settles = all(p[n] == (True,) for n in ("readable", "reads", "reports_governed", "stable_identity"))
        settles &= p["prunes"] == (False,) and "unbounded" not in p["lag"] and p["waits_out_lag"] == (True,)
        recorded = p["recorded"] == ("before_release",)
        attempts = {"closable"} if fenced and recorded else {"closable", "open"}
        looks = {"available", "delayed"} if settles else {"available", "delayed", "none"}
        return not fenced or any(
            r.decision == "execute" and _unsettled(r.cells, attempts, looks) for r in self.table.rules
        )

    def _compensates(self) -> bool:
        """Some rule compensates under a grade of undo that the contract may have."""
        grades = set(map(str, self.profile["grade"]))
        unsure = any(False in self.profile[clause] for clause in ("keyed_undo", "readable", "reads"))
        if "automatic" in grades and unsure:
            grades.add("best_effort")
        return any(r.decision == "compensate" and grades & r.cells["undo"] for r in self.table.rules)

    def indices(self, parameter: str) -> Sequence[int]:
        """What an action's parameter ranges over."""
        s = self.setting
        sizes = {"w": s.workers, "o": s.operations, "k": s.obligations, "m": s.messages, "n": s.messages}
        if parameter == "c":
            return self.clock.errors()
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
            named |= {f"rule[{w}].{r.name}": rule_guard(r, self.inputs[w]) for r in self.rules_of(w)}
        return named

    def system(self) -> System:
        """The model as a value, checked; ModelError names what an action cannot mean."""
        with no_branching():
            system = System(self.name, tuple(self.vocabulary.variables), tuple(self._actions), self.definitions())
        check_system(system)
        return system
