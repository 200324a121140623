"""Hosmer-Lemeshow statistic: squared differences of observed and expected counts, over bins.

Its p-value is that of χ² with one degree of freedom per bin that can differ. That is right for rows
that the model was not fitted to; on its own training rows there are two fewer. A bin whose
probabilities are all 0 or all 1, and right, adds nothing and is no degree of freedom.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from steelyard.metrics.bin_metrics import BINS, BinMetric
from steelyard.metrics.division import sums_of_quotients
from steelyard.metrics.influence import A_TEST
from steelyard.metrics.values import quotient_values
from steelyard.model import Array, Mask
from steelyard.result.metric_column import ABSENT, ColumnValues, ComputedColumn, MetricColumn
from steelyard.stats.tails import chi2_tail
from steelyard.views.digit_column import DigitColumn
from steelyard.views.part_columns import SliceLists

IMPOSSIBLE = (
    "a bin in which every probability is {end} did not come true: the statistic is infinite"
)
CERTAIN = "in every bin all probabilities are 0 or all are 1, so that nothing is left to chance"


def hosmer_lemeshow(bins: SliceLists) -> MetricColumn:
    sums = bins.columns
    gap, left = sums.positives - sums.predicted, sums.weight - sums.predicted
    different, never, always = ~gap.is_zero, sums.predicted.is_zero, left.is_zero
    above, below = _statistics(bins, gap, left, different & ~never & ~always)
    impossible = np.flatnonzero(different & (never | always))
    slices = bins.slices
    # The first bin of a slice that did not come true is the reason.
    known = {
        place: IMPOSSIBLE.format(end=0 if zero else 1)
        for place, zero in zip(
            slices[impossible[::-1]].tolist(), never[impossible[::-1]].tolist(), strict=True
        )
    }
    freedom: list[Any] = np.bincount(slices[~never & ~always], minlength=len(bins)).tolist()
    for place in known:
        freedom[place] = ABSENT
    details: dict[str, ColumnValues] = {
        "p_value": ComputedColumn(_p_value, (above, below, freedom)),
        "degrees_of_freedom": freedom,
    }
    if 0 in freedom:
        details["why_no_p_value"] = [CERTAIN if each == 0 else ABSENT for each in freedom]
    return quotient_values(above, below, CERTAIN, known).with_details(details)


def _statistics(
    bins: SliceLists, gap: DigitColumn, left: DigitColumn, chosen: Mask
) -> tuple[Array, Array]:
    """Σ (O − E)²·n/(E(n − E)) of each slice, numerator and denominator."""
    places = np.flatnonzero(chosen)
    columns = [
        each.take(places) for each in (gap, bins.columns.weight, bins.columns.predicted, left)
    ]
    power = min(column.power for column in columns)
    o, n, e, rest = (column.integers(power) for column in columns)
    starts = places.searchsorted(bins.starts)
    above, below = sums_of_quotients(o * o * n, e * rest, starts)
    return above << max(power, 0), below << max(-power, 0)


def _p_value(above: int, below: int, freedom: Any) -> Any:
    if freedom is ABSENT:
        return ABSENT
    return chi2_tail(Fraction(above, below), freedom) if freedom else None


METRIC = BinMetric(
    value=hosmer_lemeshow,
    interval=A_TEST,
    parameters=(BINS,),
    formula=(
        "Σ_b (O_b − E_b)²/E_b over both classes, O_b observed and E_b expected in bin b of equal "
        "mass; p-value: the chance of a larger χ² with as many degrees of freedom as bins with 0 < "
        "E_b < W_b, W_b the weight of bin b"
    ),
    tex=(
        r"H = \sum_{b}\left[\frac{(O_b - E_b)^2}{E_b} + \frac{(O_b - E_b)^2}{W_b - E_b}\right], "
        r"\quad O_b = \sum_{i\in b} w_i y_i, E_b = \sum_{i\in b} w_i q_i"
    ),
    reading=(
        "How much the positives of the bins differ from those predicted, relative to chance: about "
        "the number of bins for a calibrated model. Its p-value is among the details."
    ),
    range="0 and above",
    better="lower",
    pitfalls=(
        (
            "With millions of rows the p-value is 0 for any real model: it says that the model is "
            "not perfect, not that it is bad. See ece or mcb for the size of the error."
        ),
        (
            "A bin whose probabilities are all 0 or all 1 cannot differ by chance: it is no degree "
            "of freedom, and if it is wrong there is no value at all."
        ),
        "Other tools use two degrees of freedom fewer: that is for rows the model was fitted to.",
        (
            "A weight of 2 counts as two rows: with weights that are not counts the p-value means "
            "nothing."
        ),
        "It is rough if fewer than about five positives are expected in a bin.",
    ),
    reference=(
        "Hosmer & Lemeshow (1980), Communications in Statistics A 9(10):1043; held-out rows: "
        "Hosmer, Lemeshow & Sturdivant (2013), Applied Logistic Regression, 3rd ed., chapter 5."
    ),
    chinese="霍斯默-莱梅肖检验",
    example="sy.hosmer_lemeshow([0, 1, 0, 1], [0.25, 0.25, 0.5, 0.75], bins=2)",
)
