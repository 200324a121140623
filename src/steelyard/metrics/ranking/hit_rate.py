"""Hit rate: the share of groups with a relevant row among the first k ranks.

>>> import steelyard as sy
>>> sy.hit_rate([1, 0, 0, 1], [0.9, 0.8, 0.9, 0.8], group=[1, 1, 2, 2], k=1)
0.5

Where k cuts n tied rows after m, with r relevant ones: 1 − C(n − r, m)/C(n, m).
"""

import numpy as np

from steelyard.metrics.over_groups import RankingMetric, ranking_parameters
from steelyard.model import Array, Floats
from steelyard.ragged import classes
from steelyard.states import Lists


def hit_rate(lists: Lists, relevant: Array, rel: float, k: int | None) -> Floats:
    tops = lists.starts[:-1]
    ends = tops + (lists.sizes if k is None else np.minimum(lists.sizes, k))
    cut, blocks = lists.cut_by(ends)
    whole = ends.copy()
    whole[cut] = blocks.first
    values = (lists.hits_above(rel, whole) > lists.hits_above(rel, tops)).astype(np.float64)
    found, taken = lists.hits_in(rel, blocks), ends[cut] - blocks.first
    # None of the smaller number is among the larger: one factor for each of the smaller.
    few, many = np.minimum(found, taken), np.maximum(found, taken)
    missed = np.ones(len(cut))
    for some, bits in classes(few):
        j = np.arange(1 << bits)
        n = blocks.size[some, None]
        factor = np.maximum(n - many[some, None] - j, 0) / np.maximum(n - j, 1)
        factors = np.where(j < few[some, None], factor, 1.0)
        missed[some] = np.cumprod(factors, axis=1)[:, -1]
    open_ = values[cut] == 0
    values[cut[open_]] = 1.0 - missed[open_]
    return values


METRIC = RankingMetric(
    name="hit_rate",
    doc=__doc__,
    aliases=("hr",),
    value=hit_rate,
    parameters=ranking_parameters(),
)
