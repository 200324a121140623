"""Predicted against true: where rows lie in the square of truth and prediction."""

from collections.abc import Sequence

import numpy as np

from steelyard.model import Array, Floats, PredictedVsTrue
from steelyard.report import display
from steelyard.report.charts.binned import edge_axis, merged_starts, middle
from steelyard.report.charts.chart import Cells, Chart, Line, Mark
from steelyard.report.charts.residuals import numbers_text
from steelyard.report.charts.series import Series, reasons, remark, said, with_shapes

SHADES = "the shade of a square grows with the logarithm of the weight of its rows"
NUMBERS = ("r2", "spearman")  # of the legend
MOST = 50  # squares in a line


def chart(series: Sequence[Series]) -> Chart:
    """The squares of one series and the diagonal; prediction is the upright axis.

    Of long tails, half a per cent of the rows on each side of each axis is left out.
    """
    shown = with_shapes(series)[:1]
    marks: list[Mark] = []
    edges = []
    for each in shown:
        drawn, matrix = _without_tails(each.shape)
        edges.append(drawn)
        marks += [_cells(each, matrix), *_outside(each.shape, matrix)]
    ends = edge_axis("", edges)
    diagonal = np.array([ends.low, ends.high])
    texts = [*(mark.name for mark in marks), *(_near(each.shape) for each in shown)]
    return Chart(
        kind="predicted_vs_true",
        title="Predicted against true",
        summary=said("Rows by truth and prediction", series, texts),
        x=edge_axis("Truth", edges),
        y=edge_axis("Prediction", edges),
        marks=(
            *marks,
            *reasons(series),
            Line(x=diagonal, y=diagonal, colour=None, dashed=True, name="prediction = truth"),
        ),
        square=True,
        notes=(SHADES,) if shown else (),
    )


def _without_tails(shape: PredictedVsTrue) -> tuple[Floats, Array]:
    """The edges and the weights of the squares that are drawn."""
    chosen = middle([shape.matrix.sum(axis=1), shape.matrix.sum(axis=0)])
    starts = merged_starts(chosen, MOST)
    kept = shape.matrix[: chosen.stop, : chosen.stop]
    matrix = np.add.reduceat(np.add.reduceat(kept, starts, axis=0), starts, axis=1)
    edges = shape.edges[[*starts, chosen.stop]]
    if len(edges) > 2:  # the last square may have fewer bins; all are drawn in one size
        edges[-1] = max(edges[-1], edges[-2] + (edges[1] - edges[0]))
    return edges, matrix


def _cells(series: Series, matrix: Array) -> Cells:
    """The highest prediction is the first row. In plain shades a few full squares hide the rest."""
    weights = matrix.T[::-1].astype(np.float64)
    least = weights[weights > 0].min(initial=np.inf)
    with np.errstate(over="ignore"):
        shades = np.log1p(np.minimum(weights / least, np.finfo(np.float64).max))
    name = series.entry(numbers_text(series, NUMBERS))
    return Cells(values=shades, name=name, colour=series.colour, role="cells")


def _outside(shape: PredictedVsTrue, matrix: Array) -> list[Mark]:
    """The share of rows that the picture leaves out."""
    weight, inside = float(shape.matrix.sum()), float(matrix.sum())
    if inside >= weight:
        return []
    return [remark(f"{display.percent(weight - inside, weight)} of rows are outside")]


def _near(shape: PredictedVsTrue) -> str:
    """What the picture shows, in words."""
    weight, right = float(shape.matrix.sum()), float(np.trace(shape.matrix))
    above, below = float(np.triu(shape.matrix, 1).sum()), float(np.tril(shape.matrix, -1).sum())
    on, over, under = (display.percent(part, weight) for part in (right, above, below))
    return f"{on} of rows in squares on the diagonal, {over} predicted higher, {under} lower"
