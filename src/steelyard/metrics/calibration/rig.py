"""Relative information gain: the share of the uncertainty about a row that the prediction removes.

It is 1 minus the rounded NE, so that predicting the base rate gives 0.
"""

from steelyard.metrics.calibration.ne import influence as of_ne
from steelyard.metrics.calibration.ne import ne
from steelyard.metrics.influence import TermSums
from steelyard.metrics.probability_metrics import LOG, SumMetric
from steelyard.model import Floats, Undefined, Value
from steelyard.views.sums import SumLine


def rig(sums: SumLine) -> Value:
    value = ne(sums)
    return value if isinstance(value, Undefined) else 1.0 - value


def influence(own: TermSums, total: TermSums, value: Floats) -> Floats:
    """That of NE, with the opposite sign."""
    return -of_ne(own, total, 1.0 - value)


METRIC = SumMetric(
    formula="1 − ne",
    tex=r"\mathrm{RIG} = 1 - \mathrm{NE}",
    reading=(
        "0 is no better than predicting the base rate; 0.2 means that a fifth of the uncertainty "
        "about a row is removed; 1 means certain and always right."
    ),
    range="up to 1; below 0 is worse than the base rate",
    better="higher",
    pitfalls=(
        "It depends on the base rate of the rows: compare models on the same rows.",
        "Predictions in a good order that are much too high may have a RIG below 0.",
    ),
    reference="Graepel et al. (2010), ICML, 13 (adPredictor).",
    chinese="相对信息增益",
    example="sy.rig([1, 0, 1, 0], [0.9, 0.1, 0.8, 0.35])",
    state=LOG,
    value=rig,
    influence=influence,
)
