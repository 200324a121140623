"""Score histogram: where the scores of positives and of negatives lie.

A bar is the share of its own class in a bin: in counts, a class of one per cent would not be seen.
"""

from collections.abc import Sequence

from steelyard.model import ScoreHistogram
from steelyard.report import display
from steelyard.report.charts.binned import edge_axis, outline, share, share_axis
from steelyard.report.charts.chart import Bars, Chart, Line, Mark
from steelyard.report.charts.series import Series, reasons, said, with_shapes

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
