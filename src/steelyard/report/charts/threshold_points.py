"""Operating points for pictures: those of a threshold table, and the edges of a histogram.

A threshold table has corners of the ROC curve. Where the scores of a stretch are all negatives it
has no corner, though every threshold there calls other rows; the edges of the bins are thresholds
of such stretches too, and the sums of the bins above an edge are its cells.
"""

import numpy as np

from steelyard.model import Array, ScoreHistogram, Thresholds


def with_edges(table: Thresholds, histogram: ScoreHistogram) -> Thresholds:
    """The table with a line for each edge that calls other rows than the line above it."""
    columns = [
        np.concatenate(pair)
        for pair in (
            (table.thresholds, histogram.edges[1:-1]),
            (table.tp, _above(histogram.positives)),
            (table.fp, _above(histogram.negatives)),
        )
    ]
    order = np.argsort(-columns[0], kind="stable")  # an edge that is in the table comes second
    thresholds, tp, fp = (column[order] for column in columns)
    own = order < len(table.thresholds)
    moved = (np.diff(tp, prepend=0) != 0) | (np.diff(fp, prepend=0) != 0)
    kept = own | moved
    thresholds, tp, fp = thresholds[kept], tp[kept], fp[kept]
    fn, tn = table.tp[0] + table.fn[0] - tp, table.fp[0] + table.tn[0] - fp
    return Thresholds(
        thresholds,
        *(tp, fp, fn, tn),
        precision=_ratios(tp, tp + fp),
        recall=_ratios(tp, tp + fn),
        f1=_ratios(2 * tp, 2 * tp + fp + fn),
        fpr=_ratios(fp, fp + tn),
        specificity=_ratios(tn, fp + tn),
    )


def _above(weights: Array) -> Array:
    """The weight at or above each edge but the first and the last."""
    return np.asarray(np.cumsum(weights[::-1])[-2::-1])


def _ratios(above: Array, below: Array) -> Array:
    found = np.full(len(above), np.nan)
    np.divide(above, below, out=found, where=below != 0)
    return found
