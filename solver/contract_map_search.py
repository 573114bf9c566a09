"""Searches every contract of the map and of the catalogue, and stores what came out: ``make contracts``.

What is stored already is kept, so an interrupted run goes on where it was.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed

from model.contract import load_contract, shipped_contracts
from model.policy import load_policy
from solver.assessment import Assessor, Summary
from solver.assessments import STORED, Assessments, as_data, stored_assessments
from solver.completions import definite_of, worst_case
from solver.contract_judged import all_thresholds, cases_of, strengthenings
from solver.contract_map import definite_at, map_of, places
from solver.definite import Definite

POLICIES = ("recovery", "blind-retry", "key-only")
BATCH = 12
Known = Mapping[str, tuple[Mapping[str, Summary], Mapping[str, str]]]
"""Summaries and weakest interruptions by policy and key."""


def search_all(definites: Sequence[Definite]) -> Known:
    """The summaries of some contracts under the policy to use."""
    assessor = Assessor(load_policy(POLICIES[0]).table)
    return {POLICIES[0]: ({d.key: assessor.assess(d).summary for d in definites}, {})}


def search_contract(name: str) -> Known:
    """Everything that a report of a shipped contract needs to know."""
    known = [stored_assessments(load_policy(policy)) for policy in POLICIES]
    recovery, blind, repeating = known
    contract = load_contract(name)
    cases_of(contract, recovery)
    worst = worst_case(contract, recovery.policy.practices)
    recovery.weakest_of(worst.definite)
    blind.summary(definite_of(worst.contract, blind.policy.practices))
    strengthenings(worst.contract, recovery)
    all_thresholds(worst.contract, recovery, repeating)
    return {some.policy.name: (some.known, some.weakest) for some in known}


def missing(known: Assessments) -> list[list[Definite]]:
    """The contracts of the map of which nothing is stored, in batches with the same durations."""
    left = {d.key: d for place in places() if (d := definite_at(place)).key not in known.known}
    ordered = sorted(left.values(), key=lambda d: str(d.ticks))
    return [ordered[at : at + BATCH] for at in range(0, len(ordered), BATCH)]


def searched(known: Sequence[Assessments], processes: int) -> Iterator[str]:
    """Do everything that is missing, and say after each part what is done; the file is written each time."""
    batches = missing(known[0])
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(processes, mp_context=context) as pool:
        for jobs in _submitted(pool, batches):
            try:
                for at, job in enumerate(as_completed(jobs), 1):
                    _add(known, job.result())
                    yield f"{at} of {len(jobs)} parts, {sum(len(k.known) for k in known):,} contracts known"
            except BaseException:
                pool.shutdown(cancel_futures=True, wait=False)
                raise


def _submitted(pool: ProcessPoolExecutor, batches: Sequence[Sequence[Definite]]) -> Iterator[list[Future[Known]]]:
    """First the map, then the catalogue, which finds much of what it needs there."""
    yield [pool.submit(search_all, batch) for batch in batches]
    yield [pool.submit(search_contract, name) for name in shipped_contracts()]


def _add(known: Sequence[Assessments], found: Known) -> None:
    for some in known:
        summaries, weakest = found.get(some.policy.name, ({}, {}))
        some.known.update(summaries)
        some.weakest.update(weakest)
    text = as_data(known)
    partial = STORED.with_suffix(".partial")
    partial.write_text(text, "utf-8")
    os.replace(partial, STORED)


def main() -> int:
    """Search, store, and say what the map shows; 1 where a stronger promise does harm."""
    known = [stored_assessments(load_policy(policy)) for policy in POLICIES]
    began = time.monotonic()
    try:
        for line in searched(known, min(2, os.cpu_count() or 1)):
            print(f"{line}, {time.monotonic() - began:.0f} s", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("interrupted: the same command goes on", file=sys.stderr)
        return 3
    found = map_of(known[0].known)
    automatic = sum(map(found.automatic, found.summary))
    print(f"{len({d.key for d in found.definite.values()}):,} contracts at {len(found.summary):,} places")
    print(f"{automatic:,} places need no person, {len(found.minimal)} of them minimal")
    print(f"{len(found.harmful)} steps up do harm")
    return 1 if found.harmful else 0


if __name__ == "__main__":
    sys.exit(main())
