"""PR area: the area under the continuous precision-recall curve.

∫ precision d(recall), where between two thresholds FP grows in proportion to TP (so precision is a
hyperbola, not a line)

>>> import steelyard as sy
>>> sy.pr_auc([1, 0, 1], [0.5, 0.5, 0.5])
0.6666666666666666

Davis & Goadrich (2006), ICML; Keilwagen, Grosse & Grau (2014), PLoS ONE 9(3):e92209.

Within a block of p positives and t tied negatives, with A positives and F negatives above it
(S = A + F), the mean precision is

    α + (βπ − φα)·ℓ(z)    or, the same,    π + (φα − βπ)·g(z)
    α = p/(p+t), β = t/(p+t), π = A/S, φ = F/S, z = (p+t)/S, ℓ(z) = ln(1+z)/z, g(z) = 1 − ℓ(z)

Of the two, the one whose second term is positive is used: nothing cancels. It is rounded to float64
for each block, the sum over blocks is exact, the result rounded once.
"""

import numpy as np

from steelyard.metrics.curves.fixed_point import places, sum_of_floats
from steelyard.metrics.logarithm import one_minus_log1p_ratio
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_POSITIVES, ratio, ratios
from steelyard.model import Array, Value
from steelyard.states import Chunk, Totals


def area(chunk: Chunk) -> int:
    return sum_of_floats(chunk.pos, mean_precision(chunk), chunk.totals)


def mean_precision(chunk: Chunk) -> Array:
    """Over each block of equal scores."""
    above = chunk.tp_above + chunk.fp_above
    block = chunk.pos + chunk.tied
    alpha, beta = ratios(chunk.pos, block), ratios(chunk.tied, block)
    top = above == 0  # only the highest block has nothing above it: its precision is constant
    safe = np.where(top, 1, above)
    pi, phi = ratios(chunk.tp_above, safe), ratios(chunk.fp_above, safe)
    y = ratios(block, 2 * safe + block)
    g, log_ratio = one_minus_log1p_ratio(ratios(block, safe), y)
    slope = phi * alpha - beta * pi
    mean = np.where(slope > 0, pi + slope * g, alpha - slope * log_ratio)
    return np.minimum(np.where(top, alpha, mean), 1.0)


def pr_auc(areas: list[int], totals: Totals) -> Value:
    return ratio(sum(areas), totals.positives << places(totals), NO_POSITIVES)


METRIC = CurveMetric(name="pr_auc", doc=__doc__, part=area, value=pr_auc, needs=("positives",))
