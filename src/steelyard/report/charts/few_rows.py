"""Few rows, few bins: fifty bars of twelve rows would show nothing but chance."""

from typing import Any

import numpy as np

from steelyard.metrics.catalogue import BoundMetric
from steelyard.model import Array, CalibrationCurve, Residuals, ScoreHistogram
from steelyard.report.drawn_result import DrawnResult, SliceKeys
from steelyard.result.result_rows import ResultRows

FEWEST, USUAL_BARS = 5, 50  # bars of a histogram
IN_A_BAR, IN_A_BIN = 5, 10  # rows on average: of a bar, of a bin of a reliability diagram
FEWEST_BINS = 2


def with_few_bins(shape: Any, bound: BoundMetric, rows: int | None) -> Any:
    """A shape with neighbouring bins as one where rows are few; unchanged if bins were chosen."""
    if rows is None or not _is_usual(bound):
        return shape
    if isinstance(shape, CalibrationCurve):
        return _merged_curve(shape, max(FEWEST_BINS, rows // IN_A_BIN))
    if not isinstance(shape, ScoreHistogram | Residuals):
        return shape
    bins = len(shape.edges) - 1
    if rows >= IN_A_BAR * USUAL_BARS:
        return shape
    starts = _starts(bins, max(FEWEST, rows // IN_A_BAR))
    edges = shape.edges[[*starts, len(shape.edges) - 1]]
    if isinstance(shape, ScoreHistogram):
        up, down = (np.add.reduceat(each, starts) for each in (shape.positives, shape.negatives))
        return ScoreHistogram(edges, up, down)
    return Residuals(edges, np.add.reduceat(shape.weight, starts))


def rows_of(result: DrawnResult, score: str, slice_: SliceKeys) -> int | None:
    """How many rows a score and slice has; None if it is not in the result by these very keys."""
    names, keys = tuple(slice_), tuple(slice_.values())
    for section in ResultRows.both(result.rows, result.shapes).sections:
        if (section.score, section.names) == (score, names) and keys in section.keys:
            found: int = section.of_slices("n")[section.keys.index(keys)]
            return found
    return None


def _is_usual(bound: BoundMetric) -> bool:
    """Whether the bins are those of pictures, and nobody chose them."""
    usual = {each.name: each.default for each in bound.metric.parameters}
    given = {**usual, **(bound.metric.picture or {})}
    return all(bound.params[name] == given[name] for name in given if name in ("bins", "kind"))


def _starts(bins: int, most: int) -> Array:
    """The first of each of a few bins that are all equally wide."""
    step = next(each for each in range(-(-bins // most), bins + 1) if bins % each == 0)
    return np.arange(0, bins, step)


def _merged_curve(curve: CalibrationCurve, most: int) -> CalibrationCurve:
    bins = len(curve.weight)
    if bins <= most:
        return curve
    starts = np.unique(np.arange(most) * bins // most)
    shares = curve.weight / curve.weight.max()  # products of the largest weights are infinite
    predicted, observed = (
        np.add.reduceat(each * shares, starts) / np.add.reduceat(shares, starts)
        for each in (curve.predicted, curve.observed)
    )
    return CalibrationCurve(predicted, observed, np.add.reduceat(curve.weight, starts))
