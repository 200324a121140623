"""Measure every operation by every tool, print the ratios, and write RESULTS.md: python -m bench.

    python -m bench --only auc          operations with this in their name; nothing is written
    python -m bench --rows 1e7          no more rows than these
    python -m bench --quick             only the ratios of whole processes, slices, states, pages

It takes a quarter of an hour on two cores; the exit code is 1 if a ratio is missed.
"""

import argparse
import sys
from collections.abc import Iterable
from itertools import chain

from bench import catalogue, intervals, log, matrix, picture, results, slices, targets
from bench.operations import OPERATIONS
from steelyard import kernels


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT")
    parser.add_argument("--rows", default=1e8, type=float)
    parser.add_argument("--quick", action="store_true")
    asked = parser.parse_args()
    note = f"Kernels: {', '.join(kernels.available())}."
    print(f"{results.machine()}. {note}")
    names = [] if asked.quick else [name for name in OPERATIONS if asked.only in name]
    cells = list(_shown(matrix.cells(names, int(asked.rows))))
    lines = list(targets.lines(cells))
    if not asked.only:
        lines += chain(log.lines(), catalogue.lines(), slices.lines(), intervals.lines())
    for line in lines:
        print(line, flush=True)
    missed = sum(not line.kept for line in lines)
    print(f"{missed} missed" if missed else "all kept")
    if names == list(OPERATIONS):
        results.write(cells, lines, note)
        picture.draw(cells)
    return 1 if missed else 0


def _shown(cells: Iterable[matrix.Cell]) -> Iterable[matrix.Cell]:
    for cell in cells:
        text = cell.why or f"{cell.seconds * 1e3:10.2f} ms, processor {cell.processor * 1e3:10.2f}"
        print(f"{cell.operation:45} {cell.rows:>11,} {cell.tool:25} {text}", flush=True)
        yield cell


if __name__ == "__main__":
    sys.exit(main())
