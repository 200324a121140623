"""Confusion matrix: of the rows of each true class (down), what they were called (across)."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from steelyard.model import Array, ClassConfusion, Confusion
from steelyard.phrases import shortened
from steelyard.report import display
from steelyard.report.charts.chart import Axis, Cells, Chart
from steelyard.report.charts.series import Series, reasons, said, with_shapes

# At most so many classes have counts and per cent in cells, or whole per cents alone.
BOTH, SHARES = 4, 12
HIGH = 14  # a matrix of more classes is as high as it is wide
MOST = 40  # classes that are shown; the others are one line and one column
LONGEST = 40  # characters of a class
TWO = ("positive", "negative")
CellTexts = tuple[tuple[str, ...], ...]
CELLS = (("TP", "FN"), ("FP", "TN"))


class Matrix(NamedTuple):
    """A confusion matrix to draw; words: what is before the number in each cell."""

    names: tuple[str, ...]
    weights: Array
    words: Sequence[Sequence[str]] = ()

    @property
    def shares(self) -> Array:
        """The share of each cell in its row; 0 where the row is empty."""
        weights = np.nan_to_num(self.weights.astype(np.float64))
        totals = weights.sum(axis=1, keepdims=True)
        shares: Array = np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)
        return shares


def chart(series: Sequence[Series]) -> Chart:
    """The cells of one series, shaded by their share in the true class."""
    shown = with_shapes(series)[:1]
    whole = _matrix(shown[0].shape) if shown else Matrix((), np.zeros((0, 0)))
    matrix = whole if len(whole.names) <= MOST else _largest(whole)
    count = len(matrix.names)
    cells = [
        Cells(
            values=matrix.shares,
            texts=()
            if count > SHARES
            else _texts(matrix, _both if count <= BOTH else _whole_percent),
            whole=_texts(matrix, _both if count <= SHARES else _count),
            name=each.name,
            colour=each.colour,
            role="confusion",
        )
        for each in shown
    ]
    return Chart(
        kind="confusion",
        title="Confusion matrix",
        summary=said("Rows by true and predicted class", series, _sentences(whole)),
        x=Axis(label="Predicted class", names=matrix.names),
        y=Axis(label="True class", names=matrix.names),
        marks=(*cells, *reasons(series)),
        square=count > HIGH,
        notes=("the shade of a cell is its share in the rows of its true class",) if shown else (),
    )


def _matrix(shape: Confusion | ClassConfusion) -> Matrix:
    if isinstance(shape, Confusion):
        weights = np.array([[shape.tp, shape.fn], [shape.fp, shape.tn]])
        return Matrix(TWO, weights, CELLS)
    names = tuple(shortened(display.key(label), LONGEST) for label in shape.labels)
    return Matrix(names, shape.matrix)


def _largest(matrix: Matrix) -> Matrix:
    """The classes with the most rows in their order, and all others together."""
    names, weights = matrix.names, np.nan_to_num(matrix.weights)
    rows = weights.sum(axis=1) + weights.sum(axis=0)
    kept = np.sort(np.argsort(-rows, kind="stable")[:MOST])
    places = np.full(len(names), MOST)
    places[kept] = np.arange(MOST)
    cells = np.zeros((MOST + 1, MOST + 1), weights.dtype)
    np.add.at(cells, (places[:, None], places[None, :]), weights)
    others = f"{len(names) - MOST:,} others"
    return Matrix((*(names[place] for place in kept), others), cells)


def _texts(matrix: Matrix, text: Callable[[int | float, float], str]) -> CellTexts:
    """A text for each cell, of its weight and its share."""
    lines = zip(matrix.weights.tolist(), matrix.shares.tolist(), strict=True)
    found = [tuple(map(text, weights, shares)) for weights, shares in lines]
    if not matrix.words:
        return tuple(found)
    pairs = zip(matrix.words, found, strict=True)
    return tuple(tuple(map("{} {}".format, words, line)) for words, line in pairs)


def _count(weight: int | float, share: float) -> str:
    return display.DASH if weight != weight else display.amount(weight)


def _percent(weight: int | float, share: float) -> str:
    return display.DASH if weight != weight else display.percent(share, 1.0) if weight else ""


def _whole_percent(weight: int | float, share: float) -> str:
    """A share in as few letters as a cell of ten classes has room for: none is shown as 0 or 100.

    >>> _whole_percent(7, 0.717), _whole_percent(1, 0.001), _whole_percent(999, 0.999)
    ('72%', '<1%', '>99%')
    """
    if weight != weight or not weight:
        return display.DASH if weight else ""
    if 0 < share < 0.01:
        return "<1%"
    return ">99%" if 0.99 < share < 1 else f"{100 * share:.0f}%"


def _both(weight: int | float, share: float) -> str:
    return _count(weight, share) + (f" ({_percent(weight, share)})" if weight > 0 else "")


def _sentences(matrix: Matrix) -> list[str]:
    """The share that is right, and the most frequent confusion."""
    weights = np.nan_to_num(matrix.weights.astype(np.float64))
    total = float(weights.sum())
    if not total:
        return []
    found = [f"{display.percent(float(np.trace(weights)), total)} is right"]
    wrong = weights - np.diag(np.diag(weights))
    if wrong.any():
        true, called = np.unravel_index(int(wrong.argmax()), wrong.shape)
        share = display.percent(float(matrix.shares[true, called]), 1.0)
        pair = f"{matrix.names[true]} called {matrix.names[called]}"
        found.append(f"most often wrong: {pair}, {share} of the true class")
    return found
