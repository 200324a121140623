"""Plain data that all layers share: reading conventions, values, rows.

Shapes have a file of their own, `shapes.py`; other modules import them from here.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

from steelyard.request.options import NAN_CHOICES as NAN_CHOICES
from steelyard.request.options import ROWS_CHOICES as ROWS_CHOICES
from steelyard.request.options import UNSCORED_CHOICES as UNSCORED_CHOICES
from steelyard.request.options import Label as Label
from steelyard.request.options import RecordedOptions
from steelyard.result.shape_fields import Array as Array
from steelyard.result.shape_fields import Floats as Floats
from steelyard.result.shape_fields import Key as Key
from steelyard.result.shape_fields import Mask as Mask
from steelyard.result.shapes import Averages as Averages
from steelyard.result.shapes import CalibrationCurve as CalibrationCurve
from steelyard.result.shapes import ClassConfusion as ClassConfusion
from steelyard.result.shapes import ClassCounts as ClassCounts
from steelyard.result.shapes import ClassReport as ClassReport
from steelyard.result.shapes import Confusion as Confusion
from steelyard.result.shapes import Gains as Gains
from steelyard.result.shapes import GroupValues as GroupValues
from steelyard.result.shapes import PrecisionRecall as PrecisionRecall
from steelyard.result.shapes import PrecisionRecallOfClasses as PrecisionRecallOfClasses
from steelyard.result.shapes import PredictedVsTrue as PredictedVsTrue
from steelyard.result.shapes import Residuals as Residuals
from steelyard.result.shapes import Roc as Roc
from steelyard.result.shapes import RocOfClasses as RocOfClasses
from steelyard.result.shapes import ScoreHistogram as ScoreHistogram
from steelyard.result.shapes import Shape as Shape
from steelyard.result.shapes import Thresholds as Thresholds
from steelyard.result.shapes import missing_shape as missing_shape
from steelyard.result.shapes import same_shape as same_shape

SCORE_TYPES = ("float32", "float64")


@dataclass(frozen=True, slots=True)
class Reading:
    """Reading conventions: how rows were read. Two states merge only if theirs are equal.

    nan: "error" refuses rows with a missing value, "drop" leaves them out and counts them.
    positive: the label that counts as positive; None means 1 (of 0, 1 or of -1, +1).
    score_type: "float32" or "float64"; scores and thresholds are compared in that type.
    unscored: what a missing score means: "error" a missing value like any other, "not_retrieved" a
        row that was judged but is in no ranking.
    downsampled: the share of negatives that the model was trained on; calibration metrics correct
        its probabilities for that. None: all of them.
    clip: probabilities are cut to [clip, 1 - clip] for logarithms; None: unchanged.
    classes: of predictions, the classes to average over, in order; empty: all that occur.
    """

    nan: str = "error"
    positive: str | int | float | bool | None = None
    score_type: str = "float64"
    unscored: str = "error"
    downsampled: float | None = None
    clip: float | None = None
    classes: tuple[Label, ...] = ()


@dataclass(frozen=True, slots=True)
class RequiredColumns:
    """The columns that metrics read, apart from score and weight.

    binary, graded: the label as one of two classes, or as a grade of zero or more
    group: the columns that make a group; document: a document id; position: the row number
    group_weights: columns with the weight of a group
    classes, numbers: label and prediction as classes, or as numbers
    positive_class: label and prediction as one of two classes, of which one is positive
    class_scores: the true class, and one score per class
    probability: the score as a probability
    fields: columns whose values are keys; amounts: columns of bids or revenue
    """

    binary: bool = True
    graded: bool = False
    group: bool = False
    document: bool = False
    position: bool = False
    group_weights: tuple[str, ...] = ()
    classes: bool = False
    positive_class: bool = False
    numbers: bool = False
    class_scores: bool = False
    probability: bool = False
    fields: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()

    @property
    def of_prediction(self) -> bool:
        """Whether rows have a prediction instead of a score."""
        return not (self.binary or self.graded)

    def __or__(self, other: "RequiredColumns") -> "RequiredColumns":
        """The columns that either requires."""
        both: dict[str, Any] = {}
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            columns = isinstance(mine, tuple)
            both[each.name] = tuple(dict.fromkeys(mine + theirs)) if columns else mine or theirs
        return RequiredColumns(**both)


TWO_CLASSES = RequiredColumns()
A_PREDICTION = RequiredColumns(binary=False)
PROBABILITIES = RequiredColumns(probability=True)


@dataclass(frozen=True, slots=True)
class Undefined:
    """The absence of a value, with the reason. Never 0, 0.5 or 1."""

    why: str


Value = float | Undefined


class ClassMean(NamedTuple):
    """A mean over classes, and what it is made of.

    class_values: the value of each class; NaN where it has none
    labels: the classes in order; pairs of them where the mean is over pairs
    """

    value: Value
    class_values: Floats
    details: Mapping[str, Any]
    labels: tuple[Any, ...]


class Detailed(NamedTuple):
    """A value with further details: a p-value, a null level, how many groups were used."""

    value: Value
    details: Mapping[str, Any]


AnyValue = float | Undefined | Shape | ClassMean | Detailed


class EstimatedValue(float):
    """A value with its interval: a float that also has `low`, `high` and `confidence`.

    >>> found = EstimatedValue(0.75, 0.5, 0.9, 0.95)
    >>> found + 1, found.low, found
    (1.75, 0.5, EstimatedValue(0.75, low=0.5, high=0.9, confidence=0.95))
    """

    def __new__(cls, value: float, low: float, high: float, confidence: float) -> "EstimatedValue":
        return super().__new__(cls, value)

    def __init__(self, value: float, low: float, high: float, confidence: float) -> None:
        self.low, self.high, self.confidence = low, high, confidence

    def __repr__(self) -> str:
        value, rest = float(self), (self.low, self.high, self.confidence)
        return "EstimatedValue({!r}, low={!r}, high={!r}, confidence={!r})".format(value, *rest)

    def __reduce__(self) -> tuple[Any, ...]:
        return EstimatedValue, (float(self), self.low, self.high, self.confidence)


@dataclass(frozen=True, slots=True)
class Row:
    """One value of a Result, with counts and sums of its rows; the total has an empty slice.

    What does not apply is None: predictions have no positives, predicted classes have no sum.
    """

    metric: str
    score: str
    value: float | None
    why: str | None
    n: int
    weight: int | float | None = None
    positives: int | None = None
    negatives: int | None = None
    weighted_positives: int | float | None = None
    weighted_negatives: int | float | None = None
    prediction_sum: float | None = None
    weighted_prediction_sum: float | None = None
    dropped: int = 0
    low: float | None = None
    high: float | None = None
    slice: Mapping[str, Key] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class ShapeRow(Row):
    """One shape of a Result, with counts and sums of its rows; it has no value of its own.

    shape: None where there is none, for the reason `why`
    """

    shape: Shape | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ShapeRow):
            return NotImplemented
        return Row.__eq__(self, other) and same_shape(self.shape, other.shape)

    __hash__ = None  # type: ignore[assignment]  # rows hold mappings, which have no hash


@dataclass(frozen=True, kw_only=True)
class Conventions(RecordedOptions):
    """How the values of a Result were computed; stored in it and printed with it.

    The recorded options, and:

    reads: the role of the column that is compared with the label: a score or a prediction
    classes: the classes that have one score each, in the order of the scores; of predictions,
        the classes that were chosen to average over
    roles: the column of each role, as the user wrote it (source, label, weight, where, ...)
    scores: the column or expression of each score, by name; score_types: the type of comparison
    not_probabilities: the scores that have values outside 0 to 1
    by, group: the columns of each slicing, and those that make a group
    cluster: the column of the cluster, or "row"; None where there are no intervals
    metrics: the parameters of each metric, by its printed name
    pictures: the shapes that the total has for pictures, beyond those of `metrics`
    selection: how slices were selected (sort, top, min_rows), and how many there were and are
    """

    reads: str = "score"
    classes: tuple[Label, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, str] = field(default_factory=dict)
    score_types: Mapping[str, str] = field(default_factory=dict)
    not_probabilities: tuple[str, ...] = ()
    by: tuple[tuple[str, ...], ...] = ()
    group: tuple[str, ...] = ()
    cluster: str | None = None
    metrics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    pictures: tuple[str, ...] = ()
    selection: Mapping[str, Any] = field(default_factory=dict)
