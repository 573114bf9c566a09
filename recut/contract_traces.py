"""What a habit breaks under a contract, as trace files that ``recut replay`` walks again."""

from __future__ import annotations

from pathlib import Path

from model.policy import load_policy
from recut.contract_report import HABIT, ContractReport
from recut.files import replace_json, slug
from recut.itf import Origin, as_itf


def write_traces(found: ContractReport, where: Path) -> list[Path]:
    """A file for each property that blind retry breaks under the contract at worst."""
    policy = load_policy(HABIT)
    paths = []
    for broken in found.habit:
        origin = Origin(found.judged.worst.contract, policy, broken.setting, broken.run, broken.name, "property")
        paths.append(where / f"{slug(found.contract.name)}--{broken.name}.itf.json")
        replace_json(paths[-1], as_itf(broken.trace, origin))
    return paths
