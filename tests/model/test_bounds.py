"""One more worker, message or crash than a small run has changes no verdict."""

from __future__ import annotations

import functools
from dataclasses import replace

from properties import endings
from properties.mutants.mutant import Run, good_model
from properties.safety import PROPERTIES
from solver.case_run import CaseRun, Questions, run_case

UNSAFE = {"recognises": False, "enforces_fence": False}
RUNS = {
    "good": Run(("crash", "loss"), messages=1, crashes=1),
    "unkeyed": Run(("crash", "pause"), {"recognises": False}, messages=1, crashes=1),
    "unfenced": Run(("crash", "delay"), {"enforces_fence": False}, messages=1, crashes=1),
    "neither": Run(("crash", "delay"), UNSAFE, messages=1, crashes=1),
    "unrecorded": Run(("crash",), {**UNSAFE, "recorded": "never"}, messages=1, crashes=1),
    "unchecked": Run(("pause",), {**UNSAFE, "checks_claim": False}, messages=1),
    "settling": Run(("crash", "refusals"), {"settles_late": True, "races": True}, messages=1, crashes=1),
    "undo": Run(("crash", "withdraw"), {"keyed_undo": False}, messages=1, crashes=1),
    "unread": Run(("crash", "errors"), {"reads": False, "sticky_unknown": False}, messages=1, crashes=1),
    "unasked": Run(("crash", "void"), {"asks_authority": False}, messages=1, crashes=1),
}
BROKEN = {"neither": "x"}


@functools.cache
def searched_completely(name: str, workers: int, messages: int, crashes: int | None) -> CaseRun:
    run = replace(RUNS[name], workers=workers, messages=messages, crashes=crashes)
    found = run_case(name, "", good_model(run, name), Questions(PROPERTIES))
    assert found.complete
    return found


def verdicts(found: CaseRun) -> dict[str, bool]:
    """Every property by name, and whether it holds."""
    safety = {p.name: p.name not in found.violations for p in PROPERTIES}
    return {**safety, endings.NAME: found.stuck is None}


if __name__ == "__main__":
    import time
    for n, r in RUNS.items():
        for d in ((0,0,0),(1,0,0),(0,1,0),(0,0,1)):
            t=time.process_time()
            f=searched_completely(n, r.workers+d[0], r.messages+d[1], None if r.crashes is None else r.crashes+d[2])
            print(n,d,f.states,[k for k,v in verdicts(f).items() if not v],round(time.process_time()-t,1),flush=True)
