"""Hosmer-Lemeshow statistic: squared differences of observed and expected counts, over bins.

Its p-value is that of χ² with one degree of freedom per bin that can differ. That is right for rows
that the model was not fitted to; on its own training rows there are two fewer. A bin whose
probabilities are all 0 or all 1, and right, adds nothing and is no degree of freedom.
"""

from typing import Any

from steelyard.metrics.bin_metrics import BINS, BinMetric
from steelyard.metrics.division import finite, sum_of_quotients
from steelyard.metrics.influence import A_TEST
from steelyard.model import Detailed, Undefined
from steelyard.stats.tails import chi2_tail
from steelyard.views.levels.bins import Bin

IMPOSSIBLE = (
    "a bin in which every probability is {end} did not come true: the statistic is infinite"
)
CERTAIN = "in every bin all probabilities are 0 or all are 1, so that nothing is left to chance"


def hosmer_lemeshow(bins: list[Bin]) -> Detailed | Undefined:
    different = [each for each in bins if each.positives != each.predicted]
    for each in different:
        if each.predicted in (0, each.weight):
            return Undefined(IMPOSSIBLE.format(end=1 if each.predicted else 0))
    statistic = sum_of_quotients([_term(each) for each in different])
    freedom = sum(0 < each.predicted < each.weight for each in bins)
    details: dict[str, Any] = {"p_value": None, "degrees_of_freedom": freedom}
    if freedom:
        details["p_value"] = chi2_tail(statistic, freedom)
    else:
        details["why_no_p_value"] = CERTAIN
    return Detailed(finite(statistic), details)


def _term(each: Bin) -> tuple[int, int]:
    """(O − E)²/E of both classes together: (O − E)²·n/(E(n − E))."""
    gap = each.positives - each.predicted
    top, bottom = gap * gap * each.weight, each.predicted * (each.weight - each.predicted)
    return top.numerator * bottom.denominator, top.denominator * bottom.numerator


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
