"""False discovery rate: the share of the rows called positive that are negative."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NONE_CALLED
from steelyard.metrics.influence import Quotient


def fdr(cells: Counts) -> Quotient:
    return cells.fp, cells.tp + cells.fp


METRIC = CountMetric(
    formula="FP / (FP + TP) = 1 − precision",
    tex=r"\frac{\mathrm{FP}}{\mathrm{FP} + \mathrm{TP}} = 1 - \text{precision}",
    reading=(
        "The share of the reported rows that is wrong. If people check every positive call, it is "
        "the share of their work that finds nothing."
    ),
    range="0 to 1",
    better="lower",
    pitfalls=(
        (
            "It is not the false positive rate: that one divides by all negatives, this one by all "
            "positive calls."
        ),
        "It rises as positives get rarer, even if the model does not change.",
        (
            "In the testing of many hypotheses the name means the expected share; here it is the "
            "observed one."
        ),
    ),
    reference="Benjamini & Hochberg (1995), Journal of the Royal Statistical Society B 57(1):289.",
    seed="004",
    chinese="错误发现率",
    example="sy.fdr([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    quotient=fdr,
    why=NONE_CALLED,
)
