"""Operating points for pictures: those of a threshold table, and the edges of a histogram.

A threshold table has corners of the ROC curve. Where the scores of a stretch are all negatives it
has no corner, though every threshold there calls other rows; the edges of the bins are thresholds
of such stretches too, and a histogram has their cells.
"""

import numpy as np

from steelyard.model import Array, Mask, ScoreHistogram, Thresholds


def with_edges(table: Thresholds, histogram: ScoreHistogram) -> Thresholds:
    """The table with a line for each edge that calls other rows than the line above it."""
    if histogram.inner is None:
        return table
    columns = [np.concatenate(pair) for pair in zip(table, histogram.inner, strict=True)]
    order = np.argsort(-columns[0], kind="stable")  # an edge that is in the table comes second
    _, tp, fp, *_ = columns = [column[order] for column in columns]
    own = order < len(table.thresholds)
    moved = _moves(tp) | _moves(fp)
    return Thresholds(*(column[own | moved] for column in columns))


def _moves(cells: Array) -> Mask:
    """Whether each is another than the one before, the first another than 0."""
    moves: Mask = np.append(0, cells[:-1]) != cells
    return moves
