"""The map of contracts: as data, as text, and drawn in layers of stronger and stronger promises."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rich.console import RenderableType
from rich.text import Text

from recut.contract_report import BOUNDS, Knowledge
from recut.output import write_bytes
from recut.report_check_text import columns, heading
from solver.assessment import Summary
from solver.contract_map import DIMENSIONS, Map, Place, level_names, map_of, said

AUTOMATIC, PERSON, NONE = "automatic", "person", "none"
COLOURS = {AUTOMATIC: "#2a9d57", PERSON: "#e9b44c", NONE: "#c8553d"}
SUFFIXES = (".svg", ".png", ".pdf")


def known_map(known: Knowledge) -> Map | None:
    """The map, if all of it is stored; None where ``make contracts`` has not been through."""
    try:
        return map_of(known.recovery.known)
    except KeyError:
        return None


def kind(summary: Summary) -> str:
    """What recovery is like at a place: automatic, with a person, or none since something breaks."""
    return NONE if summary.broken else AUTOMATIC if summary.automatic else PERSON


def document(found: Map) -> dict[str, Any]:
    """As JSON data."""
    minimal = set(found.minimal)
    return {
        "schema": "recut/contract-map/1",
        "verdict": "fails" if found.harmful else "holds",
        "results": [_result(found)],
        "dimensions": [{"name": d.name, "levels": [name for name, _ in d.levels]} for d in DIMENSIONS],
        "places": [
            {
                "levels": list(place),
                "class": kind(summary),
                "broken": list(summary.broken),
                "alone": summary.alone,
                "interruptions": summary.interruptions,
                "states": summary.states,
                "minimal": place in minimal,
            }
            for place, summary in found.summary.items()
        ],
        "minimal": [level_names(place) for place in found.minimal],
        "harmful": [{"from": list(below), "to": list(place)} for below, place in found.harmful],
    }


def _result(found: Map) -> dict[str, Any]:
    states = {d.key: found.summary[place].states for place, d in found.definite.items()}
    return {
        "name": "no_stronger_promise_does_harm",
        "verdict": "fails" if found.harmful else "holds",
        "how": f"every step up between {len(found.summary):,} places compared, each contract exhausted within bounds",
        "bounds": BOUNDS,
        "seconds": 0.0,
        "states": sum(states.values()),
    }


def text(found: Map) -> Iterator[RenderableType]:
    """Counts, and the minimal contracts that are enough."""
    kinds = [kind(s) for s in found.summary.values()]
    counts = ", ".join(f"{kinds.count(k):,} {k}" for k in COLOURS)
    different = len({d.key for d in found.definite.values()})
    yield Text(f"{len(found.summary):,} places, {different:,} different contracts: {counts}")
    yield Text(f"steps to a stronger promise that do harm: {len(found.harmful)}")
    yield heading(f"The {len(found.minimal)} weakest contracts with which recovery needs no person")
    shown = columns("", "asks for")
    for number, demand in enumerate(said(found.minimal), 1):
        shown.add_row(str(number), ", ".join(f"{name}: {level}" for name, level in demand.items()) or "nothing")
    yield shown


def draw(found: Map, path: Path) -> None:
    """Write the figure, in the format that the file's ending names: SVG, PNG or PDF."""
    write_bytes(path, figure(found, path.suffix.removeprefix(".")))


def figure(found: Map, format: str) -> bytes:
    """A dot a place, in layers by the number of steps above the weakest; the minimal automatic ones have numbers."""
    import matplotlib

    matplotlib.use("agg")
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "recut"
    spots = _spots(found)
    drawing = Figure(figsize=(11, 8), layout="constrained")
    axes = drawing.add_subplot()
    for name, colour in COLOURS.items():
        some = [spots[p] for p, s in found.summary.items() if kind(s) == name]
        if some:
            across, up = [x for x, _ in some], [y for _, y in some]
            axes.scatter(across, up, s=9, color=colour, label=f"{name} ({len(some):,})", linewidths=0)
    for number, place in enumerate(found.minimal, 1):
        axes.scatter(*spots[place], s=70, facecolors="none", edgecolors="black", linewidths=0.8)
        axes.annotate(str(number), spots[place], xytext=(5, 5), textcoords="offset points", fontsize=8)
    axes.set_xticks([])
    axes.set_ylabel("steps above the weakest contract")
    axes.set_title("Contracts by what they promise; numbered: the weakest that need no person")
    axes.legend(loc="upper left")
    out = io.BytesIO()
    drawing.savefig(out, format=format, metadata={"Date": None} if format == "svg" else None)
    return out.getvalue()


def _spots(found: Map) -> dict[Place, tuple[float, float]]:
    """Where each place is drawn: layers from below, in each the classes side by side."""
    order = list(COLOURS)
    layers: dict[int, list[Place]] = {}
    for place in found.summary:
        layers.setdefault(sum(place), []).append(place)
    spots = {}
    for height, layer in layers.items():
        layer.sort(key=lambda p: (order.index(kind(found.summary[p])), p))
        for at, place in enumerate(layer):
            spots[place] = (at - (len(layer) - 1) / 2, float(height))
    return spots
