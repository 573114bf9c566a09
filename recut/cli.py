"""The command ``recut``. A command is a function in recut/commands/, registered in recut/app.py."""

from __future__ import annotations

import _thread
import os
import sys
import threading
from typing import TextIO


def main() -> None:
    """Run the command line; an interrupt before a command began is one line, too."""
    sys.stdout, sys.stderr = sys.stdout or _nowhere(), sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    sys.unraisablehook = _interrupted_while_tidying
    try:
        from recut.app import app

        app()
    except KeyboardInterrupt:
        print("recut: interrupted: nothing is known", file=sys.stderr)
        sys.exit(3)
    except OSError as problem:
        print(f"recut: {(problem.strerror or str(problem)).lower()}: the result cannot be written", file=sys.stderr)
        sys.exit(2)


def _nowhere() -> TextIO:
    """Where a stream leads that was closed before the start."""
    return open(os.devnull, "w", encoding="utf-8")


def _interrupted_while_tidying(problem: sys.UnraisableHookArgs) -> None:
    """An interrupt that met a destructor, where Python cannot raise it, comes again a moment later."""
    if issubclass(problem.exc_type, KeyboardInterrupt):
        again = threading.Timer(0.05, _thread.interrupt_main)
        again.daemon = True
        again.start()
    else:
        sys.__unraisablehook__(problem)


if __name__ == "__main__":
    main()
