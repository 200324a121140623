"""The ratios to reach on ten million rows, all from one run."""

from collections.abc import Iterator, Sequence

from bench.matrix import Cell
from bench.measure import Line
from bench.worker import SORTS

ROWS = 10_000_000


class Times:
    """The seconds of measured cells; NaN where there are none."""

    def __init__(self, cells: Sequence[Cell]) -> None:
        self._cells = {(cell.operation, cell.tool, cell.rows): cell for cell in cells}

    def cell(self, operation: str, tool: str = "rust", rows: int = ROWS) -> Cell:
        missing = Cell(operation, tool, rows, why="not measured")
        return self._cells.get((operation, tool, rows), missing)

    def seconds(self, operation: str, tool: str = "rust", rows: int = ROWS) -> float:
        return self.cell(operation, tool, rows).seconds

    def sort(self, operation: str, rows: int = ROWS) -> float:
        """The faster np.sort of the operation's scores."""
        return min(self.seconds(operation, tool, rows) for tool in SORTS)

    def operations(self) -> set[str]:
        return {operation for operation, _, _ in self._cells}


# Operations, and how many sorts of their scores they may take.
IN_SORTS = {
    "auc, float32, 5%": 0.6,
    "auc, float32, 50%": 0.75,
    "auc, float64, 5%": 0.5,
    "auc, float64, 50%": 0.6,
    "twelve curve metrics, 5%": 0.9,
    "twelve curve metrics, 50%": 1.5,
    "weighted auc, float32 weights, 5%": 0.9,
    "weighted auc, float32 weights, 50%": 0.9,
    "weighted auc, float64 weights, 5%": 1.5,
    "weighted auc, float64 weights, 50%": 1.5,
    "gauc, int64 from 0": 1.8,
    "gauc, any int64": 1.8,
    "gauc, text of 13 bytes": 4,
    "four ranking metrics, in order": 0.5,
    "four ranking metrics, shuffled": 1,
    "logloss, brier, copc, ne": 0.8,
}
# Operations, another tool, and how many times faster we should be.
TIMES_FASTER = [
    ("auc, float32, 5%", "scikit-learn", 80),
    ("auc, float64, 5%", "scikit-learn", 80),
    ("weighted auc, float32 weights, 5%", "scikit-learn", 40),
    ("weighted auc, float64 weights, 5%", "scikit-learn", 40),
    ("gauc, int64 from 0", "Polars", 8),
    ("gauc, any int64", "Polars", 8),
    ("gauc, text of 13 bytes", "Polars", 6),
    ("auc, float32, 5%", "rust, 1 thread", 1.5),
    ("weighted auc, float32 weights, 5%", "rust, 1 thread", 1.5),
    ("gauc, int64 from 0", "rust, 1 thread", 1.2),
]
# Two operations, and what the first may take of the second's time.
IN_ANOTHER = [
    ("twelve curve metrics, weighted, 5%", "twelve curve metrics, 5%", 3),
    ("auc, copc, logloss, ece by 20,000 slices", "auc, copc, logloss, ece by 50 slices", 1.6),
    ("auc, copc, logloss with intervals by user", "auc, copc, logloss", 2),
]
GROWING = (
    "auc, float32, 5%",
    "weighted auc, float32 weights, 5%",
    "gauc, int64 from 0",
    "four ranking metrics, in order",
    "logloss, brier, copc, ne",
)
MEMORY = 1.5  # input columns


def lines(cells: Sequence[Cell]) -> Iterator[Line]:
    times = Times(cells)
    known = times.operations()
    for operation, limit in IN_SORTS.items():
        if operation in known:
            ratio = times.seconds(operation) / times.sort(operation)
            yield Line(f"{operation}, in np.sort", ratio, limit, at_least=False)
    for operation, tool, limit in TIMES_FASTER:
        if operation in known:
            ratio = times.seconds(operation, tool) / times.seconds(operation)
            yield Line(f"{operation}, times faster than {tool}", ratio, limit, at_least=True)
    for operation, other, limit in IN_ANOTHER:
        if {operation, other} <= known:
            ratio = times.seconds(operation) / times.seconds(other)
            yield Line(f"{operation}, in {other}", ratio, limit, at_least=False)
    yield from _growth(times)
    for operation in IN_SORTS:
        if operation in known:
            ratio = times.cell(operation).memory
            what = f"{operation}, extra memory in input columns"
            yield Line(what, ratio, MEMORY, at_least=False)


def _growth(times: Times) -> Iterator[Line]:
    """Ten times the rows, time a row."""
    for operation in GROWING:
        more = times.seconds(operation, rows=10 * ROWS)
        if more == more:
            ratio = more / 10 / times.seconds(operation)
            what = f"{operation}, 100 M rows against 10 M, time a row"
            yield Line(what, ratio, 1.25, at_least=False)
