"""``python -m recut`` is the command ``recut``."""

from recut.cli import main

if __name__ == "__main__":
    main()
