"""The command's first step, and `python -m steelyard` where it is not on the path.

Importing the rest takes a tenth of a second, in which Ctrl-C is as welcome as later.
"""

import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line that was typed, and exit."""
    try:
        from steelyard.cli.main import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
