"""Partial AUC: the area under the part of the ROC curve with FPR ≤ max_fpr and TPR ≥ min_tpr.

With max_fpr alone it is the area under the curve in a vertical strip, with min_tpr alone that in a
horizontal one.
"""

from fractions import Fraction
from math import ceil, floor

import numpy as np

from steelyard.metrics.curve_metrics import SlicedCurveMetric
from steelyard.metrics.division import NO_ROWS, decimal, ratio
from steelyard.metrics.influence import DENSITY
from steelyard.metrics.parameter import flag, number
from steelyard.model import Value
from steelyard.views.curve import SliceEntries
from steelyard.views.totals import SliceTotals


def area(entries: SliceEntries, max_fpr: float, min_tpr: float, standardize: bool) -> Fraction:
    """The area as a weight of pairs; each tied block is a trapezoid, as high as its positives."""
    right = decimal(max_fpr) * entries.totals.negatives
    bottom = decimal(min_tpr) * entries.totals.positives
    whole = (entries.fp <= floor(right)) & (entries.tp_above >= ceil(bottom))
    pos, upper, lower = entries.pos[whole], entries.fp_above[whole], entries.fp[whole]
    if len(pos):
        twice = int((pos * upper).sum()) + int((pos * lower).sum())
        total = int(pos.sum()) * right - Fraction(twice, 2)
    else:
        total = Fraction(0)
    cut = ~whole & (entries.fp_above < ceil(right)) & (entries.tp > floor(bottom))
    return total + sum(_cut_block(entries, int(i), right, bottom) for i in np.flatnonzero(cut))


def _cut_block(entries: SliceEntries, i: int, right: Fraction, bottom: Fraction) -> Fraction:
    """The part of one block's trapezoid left of `right` and above `bottom`; at most two are cut."""
    pos, tied = int(entries.pos[i]), int(entries.tied[i])
    start, low = int(entries.fp_above[i]), max(bottom, Fraction(int(entries.tp_above[i])))
    high = Fraction(int(entries.tp[i]))
    if tied:
        high = min(high, int(entries.tp_above[i]) + (right - start) * pos / tied)
    if high <= low:
        return Fraction(0)
    middle = start + ((low + high) / 2 - int(entries.tp_above[i])) * tied / pos
    return (high - low) * (right - middle)


def partial_auc(
    found: Fraction, totals: SliceTotals, max_fpr: float, min_tpr: float, standardize: bool
) -> Value:
    pairs = totals.positives * totals.negatives
    area = found / pairs
    if not standardize:
        return ratio(area, 1, NO_ROWS)
    a, b = decimal(max_fpr), decimal(min_tpr)
    chance = max(a - b, Fraction(0)) ** 2 / 2
    largest = a * (1 - b)
    return ratio(1 + (area - chance) / (largest - chance), 2, NO_ROWS)


METRIC = SlicedCurveMetric(
    formula="∫ from 0 to max_fpr of max(TPR − min_tpr, 0) d(FPR)",
    tex=(
        r"\int_0^{a} \max\left(\mathrm{TPR}(x) - b, 0\right) dx \quad \text{with } a = \text{max "
        r"fpr}, b = \text{min tpr}"
    ),
    reading=(
        "AUC where only one end of the curve matters, such as that of few false alarms. If "
        "standardized, 0.5 is chance and 1 is perfect, as for AUC."
    ),
    range="0 to max_fpr·(1 − min_tpr); up to 1 where standardized",
    better="higher",
    pitfalls=(
        "The plain area depends on how wide the part is: 0.09 is excellent for `max_fpr=0.1`.",
        (
            "scikit-learn's `max_fpr` gives McClish's standardized area, pROC the plain one by "
            "default: report which."
        ),
        "A narrow part is based on few negatives, so it varies more than AUC does.",
    ),
    reference="McClish (1989), Medical Decision Making 9(3):190.",
    chinese="部分 ROC 曲线下面积",
    example="sy.partial_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], max_fpr=0.5)",
    part=area,
    value=partial_auc,
    interval=DENSITY,
    parameters=(
        number("max_fpr", 1.0, above=0, most=1, means="the largest FPR of the part"),
        number("min_tpr", 0.0, least=0, below=1, means="the smallest TPR of the part"),
        flag("standardize", means="rescale, so that 0.5 is chance and 1 is perfect (McClish)"),
    ),
)
