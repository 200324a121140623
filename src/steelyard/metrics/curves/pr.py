"""Precision-recall curve: precision against recall as the threshold falls.

(TP(t)/P, TP(t)/(TP(t) + FP(t))) at each threshold that calls something positive

>>> import steelyard as sy
>>> curve = sy.pr([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])
>>> [(float(x), round(float(y), 4)) for x, y in zip(curve.recall, curve.precision)]
[(0.5, 1.0), (0.5, 0.5), (1.0, 0.6667), (1.0, 0.5)]

Only corners are given: calling nothing has no precision, so no point is made up at recall 0.
`points=1000` thins further; `area_error` then bounds the change in area.
"""

import numpy as np

from steelyard.metrics.curves.corners import Path, join, thin
from steelyard.metrics.curves.roc import POINTS, path
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import ratios
from steelyard.model import PrecisionRecall
from steelyard.states import Totals


def pr(parts: list[Path], totals: Totals, points: int | None) -> PrecisionRecall:
    fp, tp, thresholds = (column[1:] for column in join(parts, totals, straight=False))
    precision, recall = ratios(tp, tp + fp), ratios(tp, totals.positives)
    kept, error = thin(recall, precision, points)
    return PrecisionRecall(
        precision[kept], recall[kept], thresholds[kept].astype(np.float64), error
    )


METRIC = CurveMetric(
    name="pr",
    doc=__doc__,
    part=path,
    value=pr,
    parameters=(POINTS,),
    needs=("positives",),
    shape=PrecisionRecall,
)
