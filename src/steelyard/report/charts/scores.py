"""Score histogram: where the scores of positives and of negatives lie.

A bar is the share of its own class in a bin: in counts, a class of one per cent would not be seen.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from steelyard.model import Confusion, ScoreHistogram
from steelyard.report import display
from steelyard.report.charts.binned import edge_axis, outline, share, share_axis
from steelyard.report.charts.chart import Bars, Chart, Line, Mark, Rule
from steelyard.report.charts.series import DIGITS, Series, reasons, said, with_shapes

CLASSES = ("negatives", "positives")


def chart(series: Sequence[Series]) -> Chart:
    """Bars of one series; outlines of several, the negatives dashed."""
    shown = with_shapes(series)
    marks = _bars(shown[0].shape) if len(shown) == 1 else _outlines(shown)
    shares = [share(weights) for each in shown for weights in each.shape[1:]]
    return Chart(
        kind="scores",
        title="Scores of positives and negatives",
        summary=said(
            "Shares of positives and of negatives by score", series, [m.name for m in marks]
        ),
        x=edge_axis("Score", [each.shape.edges for each in shown]),
        y=share_axis("Share of its class in each bin", shares),
        marks=(*marks, *reasons(series)),
    )


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
    marks: list[Mark] = []
    for each in series:
        both = (each.shape.negatives, each.shape.positives)
        for name, weights in zip(CLASSES, both, strict=True):
            x, y = outline(each.shape.edges, share(weights))
            entry, dashed = f"{each.name}: {name}", name == CLASSES[0]
            marks.append(Line(x=x, y=y, name=entry, colour=each.colour, dashed=dashed, role=name))
    return marks


def with_threshold(chart: Chart, threshold: float, cells: Sequence[Any]) -> Chart:
    """A chart with a line at a threshold; of one score, its recall and false positive rate too."""
    name = f"threshold {threshold:g}"
    if len(cells) == 1 and isinstance(cells[0], Confusion):
        tp, fp, fn, tn = cells[0]
        rates = [
            f"{what} {display.number(above / (above + below), DIGITS)}"
            for what, above, below in (("recall", tp, fn), ("FPR", fp, tn))
            if above + below
        ]
        name = ", ".join([name, *rates])
    ends = (min(chart.x.low, threshold), max(chart.x.high, threshold))
    line = Rule(x=threshold, name=name, colour=None, dashed=False, role="threshold")
    return replace(chart, x=replace(chart.x, low=ends[0], high=ends[1]), marks=(*chart.marks, line))
