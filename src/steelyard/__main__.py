"""The entry point of the command, also as `python -m steelyard`.

Importing the rest takes a third of a second, during which Ctrl-C must work too.
"""

import gc
import os
import sys

INTERRUPTED = 130


def main() -> None:
    """Run the command line, then exit."""
    # No metric is linear algebra of floats, for which NumPy would start threads that wait busily.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    gc.set_threshold(100_000)  # to look for garbage is a quarter of the time of imports
    try:
        from steelyard.cli.main import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
