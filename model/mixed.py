"""Two tables in use at once, as while a new one is rolled out: every worker keeps the one it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from model.decision_table import Rule, Table, decision_term
from model.kernel import Term
from model.promises import Profile
from model.setting import Setting
from model.system import Model, Parts
from model.table_inputs import Decision


class MixedModel(Model):
    """A model whose workers decide by two tables in turn: worker 0 by the first, worker 1 by the second.

    Workers are alike in everything else, so which of two has which table makes no difference.
    """

    def __init__(
        self,
        setting: Setting,
        profile: Profile,
        tables: tuple[Table, Table],
        parts: Parts | None = None,
        name: str = "recovery",
    ) -> None:
        self.tables = tables
        super().__init__(setting, profile, both(*tables), parts, name)

    def _decisions(self) -> list[Term]:
        turns = [self.tables[w % 2] for w in self.indices("w")]
        return [decision_term(t, x, Decision.quarantine) for t, x in zip(turns, self.inputs, strict=True)]

    def rules_of(self, w: int) -> Sequence[Rule]:
        """The rules of the table of worker w, under the names that they have beside the other's."""
        first = len(self.tables[0].rules)
        return self.table.rules[first:] if w % 2 else self.table.rules[:first]


def both(first: Table, second: Table) -> Table:
    """The rows of both tables under names of their own: what either may need room for."""
    rows = [_named(rule, at) for at, table in enumerate((first, second)) for rule in table.rules]
    return Table(tuple(rows), f"{first.path} and {second.path}")


def _named(rule: Rule, at: int) -> Rule:
    return replace(rule, name=f"{rule.name} ({'old' if at == 0 else 'new'})")
