"""ROC curve: how many positives are found for each share of the negatives called positive."""

from collections.abc import Sequence

import numpy as np

from steelyard.model import Roc
from steelyard.report.charts.chart import Axis, Chart, Line
from steelyard.report.charts.series import Series, each_class, reasons, said, thinned

ENDS = np.array([0.0, 1.0])


def chart(series: Sequence[Series]) -> Chart:
    """One curve a series; of a `RocOfClasses`, one a class."""
    shown, remarks = each_class(series, area)
    entries = [each.entry(_auc(each, each.shape)) for each in shown]
    lines = [
        Line(
            x=each.shape.fpr,
            y=each.shape.tpr,
            name=entry,
            colour=each.colour,
            filled=len(shown) == 1,
            role="roc",
        )
        for each, entry in zip(shown, entries, strict=True)
    ]
    diagonal = Line(x=ENDS, y=ENDS, name="chance", colour=None, dashed=True)
    return Chart(
        kind="roc",
        title="ROC curve",
        summary=said("ROC curve", series, entries),
        x=Axis(label="False positive rate (FP / N)"),
        y=Axis(label="True positive rate (recall, TP / P)"),
        marks=(*lines, *reasons(series), *remarks, diagonal),
        square=True,
        notes=thinned(shown),
    )


def area(curve: Roc) -> float:
    """The area below the curve: trapezoids, since the curve is straight between its corners."""
    return float(np.trapezoid(curve.tpr, curve.fpr))


def _auc(series: Series, curve: Roc) -> str:
    return series.number("auc", "AUC", area(curve), curve.area_error)
