"""Search every configuration anew and write tests/expected.json: ``python -m tests.export.regenerate``."""

from __future__ import annotations

import json

from tests.export.configurations import CONFIGURATIONS, EXPECTED, recorded


def main() -> None:
    """Write what the explorer of this project finds."""
    found = {name: recorded(name) for name in CONFIGURATIONS}
    EXPECTED.write_text(json.dumps(found, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()
