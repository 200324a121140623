"""Spearman's rank correlation: the correlation of the ranks of truth and prediction.

Equal values have the mean of their ranks. A row of weight m has m ranks.
"""

from steelyard.kernels.interface import RankSums
from steelyard.metrics.pair_metrics import RankFold, added, correlations
from steelyard.result.metric_column import MetricColumn
from steelyard.views.pairs import PairsView


def spearman(sums: RankSums) -> MetricColumn:
    cube = sums.weight**3
    return correlations(*(each - cube for each in (sums.both, sums.truth, sums.prediction)))


METRIC = RankFold(
    aliases=("spearmanr",),
    part=PairsView.rank_sums,
    join=added,
    value=spearman,
    formula=(
        "Σ w·a·b / √(Σ w·a² · Σ w·b²), a and b the ranks of truth and prediction less their mean"
    ),
    tex=r"\rho = \frac{\sum_i w_i a_i b_i}{\sqrt{\sum_i w_i a_i^2 \sum_i w_i b_i^2}}",
    reading=(
        "1 where predictions order rows as the truth does, −1 where they reverse it, 0 where the "
        "two orders are unrelated."
    ),
    range="-1 to 1",
    better="higher",
    pitfalls=(
        "It depends on ranks alone: predictions may be wrong by any factor and still have 1.",
        "The formula 1 − 6Σd²/(n(n²−1)) is wrong where values tie.",
        "The mean of the correlations of parts is not that of the whole.",
    ),
    reference="Spearman (1904), American Journal of Psychology 15(1):72.",
    chinese="斯皮尔曼等级相关系数",
    example="sy.spearman([1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 40.0, 30.0])",
)
