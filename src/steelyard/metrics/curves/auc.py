"""AUC: the chance that a positive scores above a negative; the area under the ROC curve.

Σ over pairs of w⁺·w⁻·([s⁺ > s⁻] + ½[s⁺ = s⁻]) / (W⁺·W⁻)

>>> import steelyard as sy
>>> sy.auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
0.75
>>> sy.roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])
0.875

Hanley & McNeil (1982), Radiology 143(1):29.
"""

from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_ROWS, ratio
from steelyard.model import Value
from steelyard.states import Chunk, Totals


def doubled_area(chunk: Chunk) -> int:
    return chunk.doubled_area


def auc(areas: list[int], totals: Totals) -> Value:
    return ratio(sum(areas), 2 * totals.positives * totals.negatives, NO_ROWS)


METRIC = CurveMetric(name="auc", doc=__doc__, aliases=("roc_auc",), part=doubled_area, value=auc)
