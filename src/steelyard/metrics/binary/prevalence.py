"""Prevalence: the share of the rows that are positive (in ads, the click-through rate)."""

from steelyard.metrics.count_metrics import CountMetric, Counts
from steelyard.metrics.division import NO_ROWS
from steelyard.metrics.influence import Quotient


def prevalence(cells: Counts) -> Quotient:
    return cells.positives, cells.all


METRIC = CountMetric(
    formula="P / (P + N)",
    tex=r"\frac{P}{P + N}",
    reading=(
        "How frequent the positives are. It says nothing about the model and much about the other "
        "metrics: precision, AP and F1 rise and fall with it."
    ),
    range="0 to 1",
    better="depends",
    pitfalls=(
        (
            "If negatives were sampled before training or logging, this is the rate of the sample: "
            "weight each row by the number of rows it represents."
        ),
        "Before you blame a model for a drop of AP or precision, check whether prevalence changed.",
    ),
    reference="Rothman, Greenland & Lash, Modern Epidemiology (2008), chapter 3.",
    chinese="正样本占比（广告中又称点击率）",
    example="sy.prevalence([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.6, 0.3, 0.8, 0.5, 0.4, 0.2, 0.1])",
    quotient=prevalence,
    why=NO_ROWS,
    parameters=(),
)
