"""The operating points of a score, between which the slider moves: each with its exact cells."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from math import inf, isinf, nan, sqrt
from typing import Any

from steelyard.model import Thresholds
from steelyard.report import display

ABOVE_ALL = "above every score"
RATIOS = (
    ("precision", "TP / (TP + FP): of the rows called positive, how many are"),
    ("recall", "TP / (TP + FN): of the positives, how many are found"),
    ("F1", "2 TP / (2 TP + FP + FN): the harmonic mean of the two"),
    ("specificity", "TN / (TN + FP): of the negatives, how many are left alone"),
    ("MCC", "the correlation of calls and truth, from −1 to 1"),
)

SMALL, LARGE = 1e-70, 1e70  # four cells between them can be multiplied
FIXED_FROM = 1e-6  # smaller numbers have an exponent

CellWeight = int | float


def count_text(value: CellWeight) -> str:
    """A number of rows, or of weight with two decimals.

    >>> count_text(12345), count_text(12345.0), count_text(0.125)
    ('12,345', '12,345', '0.13')
    """
    if value == inf:  # the sum of the largest weights
        return "∞"
    return f"{int(value):,}" if value == int(value) else f"{_rounded(value, 2):,}"


def ratio_text(value: float) -> str:
    """A ratio with four decimals, or two digits if it is small; only 0 and 1 are shown as 0 and 1.

    >>> ratio_text(0.5), ratio_text(0.99999), ratio_text(nan), ratio_text(-0.25), ratio_text(0.0)
    ('0.5000', '0.9999', '–', '−0.2500', '0.0000')
    >>> ratio_text(0.0004), ratio_text(0.0000213), ratio_text(-1.2e-10)
    ('0.0004', '0.000021', '−1.2e-10')
    """
    if value != value:
        return display.DASH
    size = abs(value)
    text = str(_rounded(size, 4))
    if 0 < size < 0.001:
        text = _small(size)
    elif text == "1.0000" and size < 1:
        text = "0.9999"
    return f"{'−' if value < 0 else ''}{text}"


def _small(size: float) -> str:
    """Two digits, as the script writes them."""
    short = f"{size:.2g}"
    return f"{Decimal(short):f}" if size >= FIXED_FROM else short.replace("e-0", "e-")


def percent_text(part: CellWeight, total: CellWeight) -> str:
    """A share of all rows.

    >>> percent_text(1, 3), percent_text(1e307, 4e307), percent_text(0, 0)
    ('33.33%', '25.00%', '–')
    """
    return f"{_rounded(100 * (part / total), 2)}%" if total else display.DASH


def _rounded(value: float, digits: int) -> Decimal:
    """A number rounded as the script rounds it: a half up."""
    return Decimal(value).quantize(Decimal(10) ** -digits, ROUND_HALF_UP)


@dataclass(frozen=True)
class FourCells:
    """The four cells at a threshold, and the ratios that the page shows; NaN where one is 0/0."""

    tp: CellWeight
    fp: CellWeight
    fn: CellWeight
    tn: CellWeight

    @property
    def total(self) -> CellWeight:
        return self.tp + self.fp + self.fn + self.tn

    @property
    def ratios(self) -> tuple[float, ...]:
        """In the order of RATIOS; the script of the page has the same formulas."""
        tp, fp, fn, tn = self._safe
        one, other = (tp + fp) * (tp + fn), (tn + fp) * (tn + fn)
        root = one if one == other else sqrt(one) * sqrt(other)  # of −1 and 1 exact
        return (
            _ratio(tp, tp + fp),
            _ratio(tp, tp + fn),
            _ratio(2 * tp, 2 * tp + fp + fn),
            _ratio(tn, tn + fp),
            _ratio(tp * tn - fp * fn, root),
        )

    @property
    def _safe(self) -> tuple[CellWeight, ...]:
        """The cells, or multiples of them whose products float64 holds."""
        cells = (self.tp, self.fp, self.fn, self.tn)
        most = max(cells)
        return tuple(cell / most for cell in cells) if not SMALL < most < LARGE and most else cells


def _ratio(above: float, below: float) -> float:
    return above / below if below else nan


@dataclass(frozen=True)
class OperatingPoints:
    """The points of one score by rising threshold; the last calls no row positive.

    shown: the thresholds as text; start: where the page starts, the best F1
    """

    score: str
    thresholds: tuple[float, ...]
    shown: tuple[str, ...]
    cells: tuple[FourCells, ...]
    start: int

    @property
    def score_text(self) -> str:
        return display.key(self.score)

    @property
    def now(self) -> FourCells:
        return self.cells[self.start]

    @property
    def as_json(self) -> dict[str, Any]:
        """What the script needs: columns, with null for the infinite threshold."""
        columns = {
            name: [getattr(cells, name) for cells in self.cells]
            for name in ("tp", "fp", "fn", "tn")
        }
        thresholds = [None if isinf(each) else each for each in self.thresholds]
        return {
            "name": self.score_text,
            "thresholds": thresholds,
            "shown": self.shown,
            "start": self.start,
            **columns,
        }


def operating_points(score: str, table: Thresholds, score_type: str | None) -> OperatingPoints:
    """The points of a threshold table, and one that calls nothing positive."""
    columns = [column.tolist()[::-1] for column in table[:5]]
    cells = [FourCells(*four) for four in zip(*columns[1:], strict=True)]
    cells.append(FourCells(0, 0, cells[0].tp + cells[0].fn, cells[0].fp + cells[0].tn))
    f1 = [each.ratios[2] for each in cells]
    best = max(range(len(f1)), key=lambda place: (f1[place], place))  # the highest threshold
    return OperatingPoints(
        score,
        (*columns[0], inf),
        (*(display.threshold(each, score_type) for each in columns[0]), ABOVE_ALL),
        tuple(cells),
        best,
    )
