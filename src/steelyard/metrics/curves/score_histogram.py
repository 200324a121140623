"""Score histogram: the weight of positives and of negatives in bins of scores.

The bins have equal width, from the lowest score of the rows to the highest. A row is in bin i if
`edges[i] <= score < edges[i + 1]`; the highest score is in the last bin. Edges are rounded to the
type of the score. If all scores are equal, the bins go a little to both sides of them.
"""

from typing import Any, NamedTuple

import numpy as np

from steelyard.kernels.digits import integers
from steelyard.kernels.interface import KeyedRun
from steelyard.metrics.curves.thresholds import operating_points
from steelyard.metrics.division import weights_of
from steelyard.metrics.histograms import bins_parameter, equal_edges
from steelyard.metrics.level_metrics import LevelTableMetric
from steelyard.model import Array, Floats, ScoreHistogram
from steelyard.states.weights import weight_between
from steelyard.views.levels import LevelView
from steelyard.views.totals import Totals


class BinWeights(NamedTuple):
    """The weight of each class in each bin of each slice, as Python integers.

    kind: the type of the scores
    """

    positives: Array
    negatives: Array
    kind: type[np.floating[Any]]


def weigh(levels: LevelView, bins: int) -> BinWeights:
    """The rows of a range in the bins of their slices."""
    kind = levels.positives.scores.dtype.type
    inner = [edges[1:-1].astype(kind) for edges in edges_of(levels.totals, bins, kind)]
    up, down = (_within(side, inner) for side in (levels.positives, levels.negatives))
    return BinWeights(up, down, kind)


def _within(side: KeyedRun, inner: list[Array]) -> Array:
    """The weight of a class between each two edges; inner: all but the first and the last."""
    starts = side.starts.tolist()
    rows = [
        start + np.concatenate([[0], side.scores[start:end].searchsorted(edges), [end - start]])
        for start, end, edges in zip(starts[:-1], starts[1:], inner, strict=True)
    ]
    bounds = np.array(rows)
    weights = integers(weight_between(side.digits, np.append(bounds, bounds[-1:, -1:])))
    return weights.astype(object).reshape(bounds.shape)[:, :-1]


def add(lower: BinWeights, upper: BinWeights) -> BinWeights:
    return BinWeights(
        lower.positives + upper.positives, lower.negatives + upper.negatives, lower.kind
    )


def edges_of(totals: Totals, bins: int, kind: type[np.floating[Any]]) -> list[Floats]:
    """The edges of each slice."""
    ends = zip(totals.lowest.tolist(), totals.highest.tolist(), strict=True)
    return [equal_edges(low, high, bins, kind) for low, high in ends]


def score_histogram(found: BinWeights, totals: Totals, bins: int) -> list[ScoreHistogram]:
    shapes = []
    for place, edges in enumerate(edges_of(totals, bins, found.kind)):
        sides = found.positives[place], found.negatives[place]
        positives, negatives = (weights_of(side.tolist(), totals.power) for side in sides)
        tp, fp = (np.cumsum(side[:0:-1]) for side in sides)
        inner = operating_points(edges[-2:0:-1], tp, fp, totals.at(place))
        shapes.append(ScoreHistogram(edges, positives, negatives, inner))
    return shapes


METRIC = LevelTableMetric(
    formula="for each bin b: Σ w of the positives in b, and Σ w of the negatives in b",
    tex=(
        r"\Bigl(\sum_{i: s_i \in b, y_i = 1} w_i,"
        r" \sum_{i: s_i \in b, y_i = 0} w_i\Bigr)"
    ),
    reading=(
        "How the scores of the two classes are distributed. The less the two overlap, the better "
        "a threshold can separate them; a threshold divides each of them into right and wrong."
    ),
    range="weights from 0, for each bin",
    better="depends",
    pitfalls=(
        "With rare positives their bars are too low to be seen: scale each class by its own sum.",
        "One far score makes all bins wide, and the rest fall into few of them.",
        "A peak may be a single tied block, such as a default score.",
        (
            "NumPy's own edges may differ in the last digit, so that a row on an edge is in "
            "another bin; numpy.histogram(scores, bins=edges) counts as this does."
        ),
    ),
    reference="Pearson (1895), Philosophical Transactions of the Royal Society A 186:343.",
    chinese="得分直方图",
    example="sy.score_histogram([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], bins=2)",
    aliases=("score_distribution",),
    part=weigh,
    join=add,
    value=score_histogram,
    parameters=(bins_parameter(50),),
    picture={},
    shape=ScoreHistogram,
)
