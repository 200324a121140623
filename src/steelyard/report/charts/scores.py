"""Score histogram: where the scores of positives and of negatives lie.

A bar is the share of its own class in a bin: in counts, a class of one per cent would not be seen.
"""

from collections.abc import Sequence

import numpy as np

from steelyard.model import Array, Floats, ScoreHistogram
from steelyard.report import display
from steelyard.report.charts.chart import Axis, Bars, Chart, Line, Mark
from steelyard.report.charts.series import Series, reasons, said, with_shapes

ROOM = 1.05  # above the longest bar
CLASSES = ("negatives", "positives")


def chart(series: Sequence[Series]) -> Chart:
    """Bars of one series; outlines of several, the negatives dashed."""
    shown = with_shapes(series)
    marks = _bars(shown[0].shape) if len(shown) == 1 else _outlines(shown)
    shares = [share(weights) for each in shown for weights in each.shape[1:]]
    edges = [each.shape.edges for each in shown]
    return Chart(
        kind="scores",
        title="Scores of positives and negatives",
        summary=said(
            "Shares of positives and of negatives by score", series, [m.name for m in marks]
        ),
        x=Axis(
            label="Score",
            low=float(min((e[0] for e in edges), default=0.0)),
            high=float(max((e[-1] for e in edges), default=1.0)),
        ),
        y=Axis(
            label="Share of its class in each bin",
            high=ROOM * max((float(each.max()) for each in shares), default=1.0) or 1.0,
            percent=True,
        ),
        marks=(*marks, *reasons(series)),
    )


def share(weights: Array) -> Floats:
    """The share of a class in each bin; zeros if the class has no rows."""
    total = weights.sum()
    return weights / total if total else np.zeros(len(weights))


def _bars(shape: ScoreHistogram) -> list[Mark]:
    weights = (shape.negatives, shape.positives)
    return [
        Bars(
            low=shape.edges[:-1],
            high=shape.edges[1:],
            lengths=share(each),
            name=f"{name} ({display.amount(each.sum().item())})",
            colour=colour,
            role=name,
        )
        for colour, (name, each) in enumerate(zip(CLASSES, weights, strict=True))
    ]


def _outlines(series: Sequence[Series]) -> list[Mark]:
    return [
        Line(
            x=np.repeat(each.shape.edges, 2),
            y=np.concatenate([[0.0], np.repeat(share(weights), 2), [0.0]]),
            name=f"{each.name}: {name}",
            colour=each.colour,
            dashed=name == CLASSES[0],
            role=name,
        )
        for each in series
        for name, weights in zip(CLASSES, (each.shape.negatives, each.shape.positives), strict=True)
    ]
