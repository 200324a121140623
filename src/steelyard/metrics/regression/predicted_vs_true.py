"""Predicted against true: the weight of the rows in squares of truth and prediction.

Both axes have the same bins of equal width, from the lowest to the highest value of the two.
"""

from steelyard.metrics.binned_pairs import BinnedPairs, Ends
from steelyard.metrics.histograms import bin_numbers, bins_parameter
from steelyard.model import Array, Floats, PredictedVsTrue
from steelyard.views.pairs import PairRows

MOST_BINS = 500  # a matrix of 250,000 squares


def ends(rows: PairRows) -> Ends:
    both = (rows.truth, rows.prediction)
    low = min(float(column.min()) for column in both)
    return Ends(low, max(float(column.max()) for column in both))


def numbers(rows: PairRows, edges: Floats) -> Array:
    bins = len(edges) - 1
    return bin_numbers(rows.truth, edges) * bins + bin_numbers(rows.prediction, edges)


def squares(edges: Floats, weights: Array) -> PredictedVsTrue:
    return PredictedVsTrue(edges, weights.reshape(len(edges) - 1, -1))


METRIC = BinnedPairs(
    ends=ends,
    numbers=numbers,
    dimensions=2,
    value=squares,
    shape=PredictedVsTrue,
    picture={"bins": 100},
    formula="for each pair of bins a, b: Σ w over the rows whose y is in a and whose p is in b",
    tex=r"\Bigl(\sum_{i : y_i \in a, p_i \in b} w_i\Bigr)_{a,b}",
    reading=(
        "Rows on the diagonal are predicted right. Rows above it, where the prediction is the "
        "upright axis, are predicted too high. A cloud flatter than the diagonal means that small "
        "truths are predicted too high and large ones too low."
    ),
    range="a weight for each square; the first index is the bin of the truth",
    better="depends",
    pitfalls=(
        "One large value makes all squares wide, and most rows are then in one of them.",
        (
            "A flat cloud is not an error by itself: a prediction of the mean of noisy truths "
            "varies less than they do. Ask whether the mean truth of each predicted value is that "
            "value."
        ),
        (
            "A line is to be fitted with the truth as its y, as Piñeiro et al. show; "
            "scikit-learn's display has the truth upright, this one across."
        ),
        "Thousands of points drawn one over another hide where most rows are: squares do not.",
    ),
    reference="Piñeiro et al. (2008), Ecological Modelling 216(3-4):316.",
    chinese="预测值与真实值对照",
    example="sy.predicted_vs_true([1.0, 2.0, 3.0, 4.0], [1.5, 2.5, 2.0, 4.0], bins=3)",
    parameters=(bins_parameter(40, MOST_BINS),),
)
