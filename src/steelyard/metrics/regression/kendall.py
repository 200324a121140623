"""Kendall's τ-b: pairs in the right order minus those in the wrong order, corrected for ties.

The weight of a pair is the product of the two weights; a row of weight m is m tied copies.
"""

from steelyard.metrics.pair_metrics import WholePairMetric, correlations
from steelyard.result.metric_column import MetricColumn
from steelyard.views.pairs import PairsView


def kendall(view: PairsView) -> MetricColumn:
    return correlations(*view.order_sums())


METRIC = WholePairMetric(
    aliases=("kendalltau", "kendall_tau"),
    values=kendall,
    formula=(
        "(C − D) / √((N − T)(N − U)), of N pairs C concordant, D discordant, T tied in truth, U "
        "tied in prediction"
    ),
    tex=r"\tau_b = \frac{C - D}{\sqrt{(N - T)(N - U)}}",
    reading=(
        "Without ties, (1 + τ)/2 is the probability that predictions order two random rows as the "
        "truth does."
    ),
    range="-1 to 1",
    better="higher",
    pitfalls=(
        (
            "Other variants treat ties differently (τ-a, τ-c, Goodman and Kruskal's γ): with many "
            "ties their values are far apart."
        ),
        (
            "Where truth and prediction have different numbers of distinct values, 1 cannot be "
            "reached."
        ),
        "It is usually nearer 0 than Spearman's ρ of the same data: do not compare the two.",
    ),
    reference=(
        "Kendall (1945), Biometrika 33(3):239; Knight (1966), JASA 61(314):436, for the algorithm."
    ),
    chinese="肯德尔等级相关系数",
    example="sy.kendall([1.0, 2.0, 3.0, 4.0], [10.0, 20.0, 40.0, 30.0])",
)
