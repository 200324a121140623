"""MAP: the mean over groups of average precision, the precision at the ranks of relevant rows.

Σ over relevant ranks i ≤ k of hits@i / i, over R; `denominator="min"` takes min(R, k)

>>> import steelyard as sy
>>> sy.map([1, 0, 0, 1], [0.9, 0.8, 0.7, 0.6])
0.75

Ties in expectation: McSherry & Najork (2008), ECIR, 414.
"""

import numpy as np

from steelyard.metrics.over_groups import RankingMetric, ranking_parameters
from steelyard.metrics.parameter import choice
from steelyard.model import Array, Floats
from steelyard.ragged import spread
from steelyard.states import Lists, list_sums


def average_precision(
    lists: Lists, relevant: Array, denominator: str, rel: float, k: int | None
) -> Floats:
    before = lists.hits_above(rel, lists.starts[:-1])  # hits of the lists before
    blocks = lists.blocks_with(rel)
    found = lists.hits_in(rel, blocks)
    above = lists.hits_above(rel, blocks.first) - before[blocks.list]
    rows, block = spread(blocks.first, blocks.size)
    # Of a block's row after j others: r/n is its chance, (r − 1)/(n − 1) that of each of those.
    others = rows - blocks.first[block]
    rank = others + blocks.above[block] + 1
    share = found / blocks.size
    more = (found - 1) / np.maximum(blocks.size - 1, 1)
    terms = share[block] * (above[block] + 1 + others * more[block]) / rank
    kept = slice(None) if k is None else rank <= k
    total = list_sums(blocks.list[block][kept], terms[kept], len(lists))
    return total / (relevant if denominator == "R" else np.minimum(relevant, k or relevant))


METRIC = RankingMetric(
    name="map",
    doc=__doc__,
    aliases=("mean_average_precision",),
    value=average_precision,
    parameters=ranking_parameters(choice("denominator", "R", "min")),
)
