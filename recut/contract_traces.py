"""What a habit breaks under a contract, as trace files that ``recut replay`` walks again."""

from __future__ import annotations

from pathlib import Path

from recut.contract_report import ContractReport
from recut.files import replace_json, slug
from recut.itf import Origin, as_itf


def write_traces(found: ContractReport, where: Path) -> list[Path]:
    """A file for each property that blind retry, or completing on acceptance, breaks under the contract at worst."""
    paths = []
    for kind, some in (("", found.habit), ("on-acceptance--", found.believing or ())):
        for broken in some:
            contract = found.judged.worst.contract
            origin = Origin(contract, broken.policy, broken.setting, broken.run, broken.name, "property")
            paths.append(where / f"{slug(found.contract.name)}--{kind}{broken.name}.itf.json")
            replace_json(paths[-1], as_itf(broken.trace, origin))
    return paths
