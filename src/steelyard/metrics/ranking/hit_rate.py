"""Hit rate: the share of groups with a relevant row among the first k ranks.

If k cuts a block of n tied rows after m of them, and r of the n are relevant, the chance of a hit
is 1 − C(n − r, m)/C(n, m).
"""

import numpy as np

from steelyard.kernels.ragged import by_length
from steelyard.metrics.group_metrics import RankingMetric, ranking_parameters
from steelyard.model import Array, Floats
from steelyard.views.lists import Lists


def hit_rate(lists: Lists, relevant: Array, rel: float, k: int | None) -> Floats:
    tops = lists.starts[:-1]
    ends = tops + (lists.sizes if k is None else np.minimum(lists.sizes, k))
    cut, blocks = lists.cut_by(ends)
    whole = ends.copy()
    whole[cut] = blocks.first
    values = (lists.hits_above(rel, whole) > lists.hits_above(rel, tops)).astype(np.float64)
    found, taken = lists.hits_in(rel, blocks), ends[cut] - blocks.first
    # The rows taken and the relevant rows are two random subsets of the block: a hit is an overlap.
    # One term for each row of the smaller subset.
    few, many = np.minimum(found, taken), np.maximum(found, taken)
    chance = np.zeros(len(cut))
    for some, bits in by_length(few):
        j = np.arange(1 << bits)
        n, m = blocks.size[some, None], many[some, None]
        missed = np.cumprod(np.maximum(n - m - j, 0) / np.maximum(n - j, 1), axis=1)
        before = np.append(np.ones((len(missed), 1)), missed[:, :-1], axis=1)
        # The first overlap comes after j others; chances are added, as 1 − missed loses digits.
        terms = np.where(j < few[some, None], before * m / np.maximum(n - j, 1), 0.0)
        chance[some] = np.cumsum(terms, axis=1)[:, -1]
    certain = found + taken > blocks.size
    open_ = values[cut] == 0
    values[cut[open_]] = np.where(certain, 1.0, np.minimum(chance, 1.0))[open_]
    return values


METRIC = RankingMetric(
    formula="groups with hits@k > 0, over all groups with a relevant row",
    tex=r"\frac{1}{|G|} \sum_{g \in G} [\mathrm{hits}_k \gt 0]",
    reading="The share of users who find at least one relevant row among the first k.",
    range="0 to 1",
    better="higher",
    pitfalls=(
        "One hit counts as much as ten, and rank k as much as rank 1.",
        (
            "Some texts call pooled recall a hit rate: the hits of all users, divided by all "
            "relevant rows. That is `recall(average=micro)@k`."
        ),
        (
            "Against a hundred sampled negatives it is far higher than against the whole "
            "catalogue, and may order models differently."
        ),
    ),
    reference="Deshpande & Karypis (2004), ACM TOIS 22(1):143.",
    seed="001",
    chinese="命中率",
    example="sy.hit_rate([1, 0, 0, 1], [0.9, 0.8, 0.9, 0.8], group=[1, 1, 2, 2], k=1)",
    aliases=("hr",),
    value=hit_rate,
    parameters=ranking_parameters(),
)
