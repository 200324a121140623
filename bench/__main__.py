"""Print every ratio with its limit; exit with 1 if one is missed."""

import sys
from itertools import chain

from bench import binary, catalogue, groups, intervals, log, slices


def main() -> int:
    print("        ratio  limit    what")
    missed = 0
    for line in chain(
        log.lines(),
        binary.lines(),
        groups.lines(),
        catalogue.lines(),
        slices.lines(),
        intervals.lines(),
    ):
        print(line, flush=True)
        missed += not line.kept
    print(f"{missed} missed" if missed else "all kept")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
