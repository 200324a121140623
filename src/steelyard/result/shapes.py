"""Shapes: values that are more than one number, as small tuples of arrays.

The type of each field says what it holds: JSON, CSV, tables and data frames follow from it.
"""

from typing import Annotated, Any, NamedTuple

import numpy as np

from steelyard.result.shape_fields import (
    Array,
    ClassMatrix,
    Content,
    Count,
    Edges,
    Falling,
    FallingShares,
    Floats,
    FloatWeights,
    FullMatrix,
    Key,
    Labels,
    Numbers,
    Rising,
    RisingShares,
    RowWeights,
    ShapeField,
    Share,
    Shares,
    Weight,
)


class Confusion(NamedTuple):
    """The four cells at a threshold: rows, or weight where there are weights."""

    tp: Weight
    fp: Weight
    fn: Weight
    tn: Weight


class ClassConfusion(NamedTuple):
    """The weight of the rows of each true class (down) and each predicted class (across).

    labels: every class that is true or predicted, in order
    matrix: int64, or float64 where weights are not whole numbers
    """

    labels: Labels
    matrix: ClassMatrix


class ClassCounts(NamedTuple):
    """The four cells of each class against all others: rows, or weight where there are weights.

    labels: every class that is true or predicted, in order
    """

    labels: Labels
    tp: RowWeights
    fp: RowWeights
    fn: RowWeights
    tn: RowWeights

    @property
    def matrices(self) -> Array:
        """[[TN, FP], [FN, TP]] of each class, as scikit-learn's multilabel_confusion_matrix."""
        cells = np.array([self.tn, self.fp, self.fn, self.tp])
        return cells.T.reshape(-1, 2, 2)


class Averages(NamedTuple):
    """A mean over classes of precision, recall and F1; NaN where there is none."""

    precision: Share
    recall: Share
    f1: Share


Means = Annotated[Averages, ShapeField(Content.AVERAGES)]


class ClassReport(NamedTuple):
    """Precision, recall and F1 of each class, and their means; NaN where a value is 0/0.

    labels: every class that is true or predicted, in order; support: the weight of its rows
    accuracy: the share of rows that are right
    macro: the mean over classes that have a value; weighted: the same by support
    """

    labels: Labels
    precision: Shares
    recall: Shares
    f1: Shares
    support: RowWeights
    accuracy: Share
    macro: Means
    weighted: Means


class RocPoints(NamedTuple):
    """The three columns of a ROC curve, which can be unpacked."""

    fpr: RisingShares
    tpr: RisingShares
    thresholds: Falling


class Roc(RocPoints):
    """The ROC curve from (0, 0) to (1, 1), by falling threshold: `fpr, tpr, thresholds = curve`.

    area_error: a bound on the effect of thinning on the area
    """

    area_error: Share = 0.0

    def __new__(
        cls, fpr: Floats, tpr: Floats, thresholds: Floats, area_error: float = 0.0
    ) -> "Roc":
        made = super().__new__(cls, fpr, tpr, thresholds)
        made.area_error = area_error
        return made


class PrecisionRecallPoints(NamedTuple):
    """The three columns of a precision-recall curve, which can be unpacked."""

    precision: Shares
    recall: FallingShares
    thresholds: Rising


class PrecisionRecall(PrecisionRecallPoints):
    """The precision-recall points by rising threshold, and a last one (1, 0) without a threshold.

    area_error: a bound on the effect of thinning on the area
    """

    area_error: Share = 0.0

    def __new__(
        cls, precision: Floats, recall: Floats, thresholds: Floats, area_error: float = 0.0
    ) -> "PrecisionRecall":
        made = super().__new__(cls, precision, recall, thresholds)
        made.area_error = area_error
        return made


class RocOfClasses(dict[Key, Roc]):
    """The ROC curve of each class against all others, by class."""


class PrecisionRecallOfClasses(dict[Key, PrecisionRecall]):
    """The precision-recall curve of each class against all others, by class."""


class Thresholds(NamedTuple):
    """Operating points by falling threshold: the cells of `score >= threshold`, and their ratios.

    A ratio is NaN where it is 0/0. Cells are int64, or float64 where weights are not whole numbers.
    """

    thresholds: Falling
    tp: RowWeights
    fp: RowWeights
    fn: RowWeights
    tn: RowWeights
    precision: Shares
    recall: Shares
    f1: Shares
    fpr: Shares
    specificity: Shares


class CalibrationCurve(NamedTuple):
    """Mean prediction, share of positives and weight of each bin that has rows."""

    predicted: Shares
    observed: Shares
    weight: FloatWeights


class ScoreBins(NamedTuple):
    """The three columns of a score histogram, which can be unpacked."""

    edges: Edges
    positives: RowWeights
    negatives: RowWeights


class ScoreHistogram(ScoreBins):
    """The weight of the rows of each class in bins of equal width: `edges, positives, negatives`.

    edges: one more than bins, from the lowest score to the highest; a row is in bin i if
        edges[i] <= score < edges[i + 1], in the last bin also if it has the highest score
    positives, negatives: int64, or float64 where weights are not whole numbers
    inner: the operating points of the edges between two bins, by falling threshold; bins are
        rounded, so that sums of them are not these cells. None: not known
    """

    inner: Annotated[Thresholds | None, ShapeField(Content.POINTS)] = None

    def __new__(
        cls, edges: Floats, positives: Array, negatives: Array, inner: Thresholds | None = None
    ) -> "ScoreHistogram":
        made = super().__new__(cls, edges, positives, negatives)
        made.inner = inner
        return made


class GainPoints(NamedTuple):
    """The four columns of a gain curve, which can be unpacked."""

    depth: RisingShares
    capture: RisingShares
    lift: Numbers
    thresholds: Falling


class Gains(GainPoints):
    """The gain curve by falling threshold, from no row to all: `depth, capture, lift, thresholds`.

    depth: the share of rows at or above the threshold; capture: the share of positives there
    lift: capture / depth, NaN at the first point, where depth is 0
    area_error: a bound on the effect of thinning on the area under capture by depth
    """

    area_error: Share = 0.0

    def __new__(
        cls,
        depth: Floats,
        capture: Floats,
        lift: Floats,
        thresholds: Floats,
        area_error: float = 0.0,
    ) -> "Gains":
        made = super().__new__(cls, depth, capture, lift, thresholds)
        made.area_error = area_error
        return made


class GroupValues(NamedTuple):
    """The number of groups in bins of equal width of a value that each group has.

    edges: one more than bins; the last bin has its upper edge
    groups: the number of groups in each bin
    groups_used, groups_total: how many groups have a value, and how many there are
    rows_used, rows_total: the same for the rows of the groups
    """

    edges: Edges
    groups: RowWeights
    groups_used: Count
    groups_total: Count
    rows_used: Count
    rows_total: Count


class Residuals(NamedTuple):
    """The weight of the rows in bins of equal width of prediction − truth.

    edges: one more than bins; the last bin has its upper edge
    weight: int64, or float64 where weights are not whole numbers
    """

    edges: Edges
    weight: RowWeights


class PredictedVsTrue(NamedTuple):
    """The weight of the rows in cells of equal width: truth (down) and prediction (across).

    edges: the same for both, one more than bins; the last bin has its upper edge
    matrix: matrix[true bin, predicted bin]: int64, or float64 where weights are not whole numbers
    """

    edges: Edges
    matrix: FullMatrix


# Values that are more than one number.
Shape = (
    Confusion
    | ClassConfusion
    | ClassCounts
    | ClassReport
    | Roc
    | PrecisionRecall
    | RocOfClasses
    | PrecisionRecallOfClasses
    | Thresholds
    | CalibrationCurve
    | ScoreHistogram
    | Gains
    | GroupValues
    | Residuals
    | PredictedVsTrue
)


def missing_shape(shape: type[Any] | None) -> Any:
    """What stands for a missing value: NaN, a curve of a single point of NaN, curves of no class.

    shape: None: the value is a number
    """
    if shape is None:
        return float("nan")
    if issubclass(shape, dict):
        return shape()
    if shape is PredictedVsTrue:
        return PredictedVsTrue(np.full(2, np.nan), np.full((1, 1), np.nan))
    # Edges are one more than the bins.
    return shape(*(np.full(1 + (name == "edges"), np.nan) for name in shape._fields))


def same_shape(left: Any, right: Any) -> bool:
    """Whether two shapes have the same numbers of the same types; NaN is equal to NaN."""
    if type(left) is not type(right):
        return False
    if isinstance(left, np.ndarray):
        same_type = left.dtype == right.dtype and left.shape == right.shape
        return same_type and bool(((left == right) | ((left != left) & (right != right))).all())
    if isinstance(left, dict):
        return list(left) == list(right) and all(map(same_shape, left.values(), right.values()))
    if isinstance(left, tuple):
        more = (getattr(each, "__dict__", {}) for each in (left, right))
        return same_shape(*more) and len(left) == len(right) and all(map(same_shape, left, right))
    return bool(left == right or (left != left and right != right))
