"""ROC curve: the true positive rate against the false positive rate as the threshold falls.

(FP(t)/N, TP(t)/P), from (0, 0) to (1, 1); a tied block is a slanted step

>>> import steelyard as sy
>>> curve = sy.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
>>> [(float(x), float(y)) for x, y in zip(curve.fpr, curve.tpr)]
[(0.0, 0.0), (0.0, 0.5), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0)]

Only corners are given. `points=1000` thins further; `area_error` then bounds the change in area.
"""

import numpy as np

from steelyard.metrics.curves.corners import Path, corners, join, thin
from steelyard.metrics.parameter import count
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import ratios
from steelyard.model import Roc
from steelyard.states import Chunk, Totals

POINTS = count("points", None, least=2)


def path(chunk: Chunk, points: int | None) -> Path:
    return corners(chunk)


def roc(parts: list[Path], totals: Totals, points: int | None) -> Roc:
    whole = join(parts, totals, straight=True)
    fpr, tpr = ratios(whole.fp, totals.negatives), ratios(whole.tp, totals.positives)
    kept, error = thin(fpr, tpr, points)
    return Roc(fpr[kept], tpr[kept], whole.thresholds[kept].astype(np.float64), error)


METRIC = CurveMetric(name="roc", doc=__doc__, part=path, value=roc, parameters=(POINTS,), shape=Roc)
