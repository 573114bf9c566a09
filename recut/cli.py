"""The command ``recut``. A command is a function in recut/commands/, registered in recut/app.py."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line; an interrupt before a command began is one line, too."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        from recut.app import app

        app()
    except KeyboardInterrupt:
        print("recut: interrupted: nothing is known", file=sys.stderr)
        sys.exit(3)


if __name__ == "__main__":
    main()
