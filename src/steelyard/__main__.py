"""The entry point of the command, also as `python -m steelyard`.

Importing the rest takes a tenth of a second, during which Ctrl-C must work too.
"""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line, then exit."""
    try:
        from steelyard.cli.main import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
