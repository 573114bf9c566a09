"""The reachable states of both sides, as tuples of values in one order, and what differs between them."""
from typing import Any, NamedTuple

from model.promises import good_profile
from model.setting import Setting, Ticks
from model.specialise import specialise
from model.system import Model
from model.table_file import load_table
from solver.explore import explore
from tests.oracle.case import Case
from tests.oracle.decision_table import table_path
from tests.oracle.explore import Parents, path, reachable
from tests.oracle.run import Run
from tests.oracle.state import State, values, variables

Values = tuple[object, ...]


class OracleSide(NamedTuple):
    """What the oracle reaches, in breadth-first order of each run."""

    names: tuple[str, ...]
    found: dict[Values, tuple[Run, Parents, State]]

    def path(self, state: Values) -> list[str]:
        """The actions of a shortest way to a state."""
        _, parents, s = self.found[state]
        return path(parents, s)

    def before(self, state: Values) -> Values:
        """The state before the last step of that way, or the state itself if it is a start."""
        run, parents, s = self.found[state]
        parent = parents[s]
        return state if parent is None else values(run, parent[0])


class ModelSide(NamedTuple):
    """What the model reaches, in breadth-first order."""

    names: tuple[str, ...]
    found: dict[Values, int]
    exploration: Any

    def path(self, state: Values) -> list[str]:
        """The actions of a shortest way to a state."""
        return [str(name) for name, _ in self.exploration.trace(self.found[state]) if name is not None]

    def before(self, state: Values) -> Values:
        """The state before the last step of that way, or the state itself if it is a start."""
        trace = self.exploration.trace(self.found[state])
        index = self.exploration.index_of(trace[max(0, len(trace) - 2)][1])
        return next(known for known, at in self.found.items() if at == index)


def oracle_side(case: Case) -> OracleSide:
    """Every state that the oracle reaches."""
    found: dict[Values, tuple[Run, Parents, State]] = {}
    names: tuple[str, ...] = ()
    for run in case.runs():
        names, parents = variables(run), reachable(run)
        found |= {values(run, s): (run, parents, s) for s in parents}
    return OracleSide(names, found)


def model_side(case: Case, names: tuple[str, ...]) -> ModelSide:
    """Every state that the model reaches, with its variables in the given order."""
    setting = Setting(
        workers=case.workers, obligations=case.obligations, generations=case.generations, messages=case.messages,
        faults=case.faults, crashes=case.crashes, collapse=case.collapse,
        ticks=Ticks(retention=case.retention, delay=case.delay, resume=case.resume, skew=case.skew),
    )  # fmt: skip
    profile: Any = {**good_profile(), **case.values()}
    special = specialise(Model(setting, profile, load_table(str(table_path(case.table)))).system())
    exploration: Any = explore(special.system)
    assert exploration.complete
    columns = _columns(special, exploration)
    assert not (odd := set(columns) ^ set(names)), f"variables of one side only: {sorted(odd)}"
    rows = zip(*(columns[name] for name in names), strict=True)
    return ModelSide(names, {row: index for index, row in enumerate(rows)}, exploration)


def _columns(special: Any, exploration: Any) -> dict[str, list[object]]:
    """The decoded values of each variable in every state."""
    coded = exploration.evaluate({variable.name: variable.term for variable in special.system.variables})
    columns = {}
    for variable in special.original.variables:
        if variable.name in coded:
            labels = {code: variable.decode(code) for code in set(coded[variable.name].tolist())}
            columns[variable.name] = [labels[code] for code in coded[variable.name].tolist()]
        else:
            constant = variable.decode(special.constants[variable.name])
            columns[variable.name] = [constant] * exploration.states
    return columns


def difference(oracle: OracleSide, model: ModelSide) -> str:
    """The nearest state that only one side reaches, each side in turn; empty where they agree."""
    text = ""
    for who, side, other in (("oracle", oracle, model), ("model", model, oracle)):
        only = [state for state in side.found if state not in other.found]
        if only:
            text += f"\n{len(only)} of {len(side.found)} states are reached by the {who} only; the nearest:\n"
            text += _described(side, only[0])
    return text


def _described(side: OracleSide | ModelSide, state: Values) -> str:
    """The way to a state, and what its last step changed."""
    changed = zip(side.names, side.before(state), state, strict=True)
    lines = [f"    {name}: {old} -> {new}" for name, old, new in changed if old != new]
    return "  by " + ", ".join(side.path(state)) + "\n  the last step changes\n" + "\n".join(lines) + "\n"
