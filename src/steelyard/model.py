"""Plain data that every layer shares: conventions of reading, values, rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from steelyard.request import NAN_CHOICES as NAN_CHOICES
from steelyard.request import UNSCORED_CHOICES as UNSCORED_CHOICES
from steelyard.request import Label as Label
from steelyard.request import RecordedOptions

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Key = str | int | float | bool | None  # what a slice or a group is called; None: a missing value

SCORE_TYPES = ("float32", "float64")


@dataclass(frozen=True, slots=True)
class Reading:
    """How rows were read. Stored in a state; two states merge only if it is the same.

    nan: "error" refuses rows with a missing value, "drop" leaves them out and counts them.
    positive: the label that counts as positive; None means 1 (of 0, 1 or of -1, +1).
    score_type: "float32" or "float64"; scores and thresholds are compared in that type.
    unscored: what a missing score means: "error" a missing value like any other, "not_retrieved" a
        row that was judged but is in no ranking.
    downsampled: the share of negatives that a model was trained on; its probabilities are corrected
        for that wherever they are read as such. None: all of them.
    clip: logarithms see probabilities cut to [clip, 1 - clip]; None: as they are.
    """

    nan: str = "error"
    positive: str | int | float | bool | None = None
    score_type: str = "float64"
    unscored: str = "error"
    downsampled: float | None = None
    clip: float | None = None


@dataclass(frozen=True, slots=True)
class RequiredColumns:
    """What the metrics of a plan read of a row beside its score and weight.

    binary, graded: the label as one of two classes, as a grade of zero or more
    group: the keys of its group; document: what it is about; position: its number in the source
    group_weights: columns that weigh a group
    probability: the score as a probability; fields: columns whose values are keys
    amounts: columns of bids or revenue
    classes, numbers, class_scores: of a prediction: truth and prediction as classes, as numbers,
        and the truth beside one score for each class
    """

    binary: bool = True
    graded: bool = False
    group: bool = False
    document: bool = False
    position: bool = False
    group_weights: tuple[str, ...] = ()
    classes: bool = False
    numbers: bool = False
    class_scores: bool = False
    probability: bool = False
    fields: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()

    @property
    def of_prediction(self) -> bool:
        """Whether rows have a prediction and not a score."""
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


class Confusion(NamedTuple):
    """The four cells at a threshold: rows, or weight where there are weights."""

    tp: int | float
    fp: int | float
    fn: int | float
    tn: int | float


class ClassConfusion(NamedTuple):
    """What the rows of each true class (down) and each predicted class (across) weigh.

    labels: the classes in order, those that are true or predicted; matrix: int64, or float64 where
        weights are no whole numbers
    """

    labels: tuple[Key, ...]
    matrix: Array


class Roc(NamedTuple):
    """The ROC curve from (0, 0) to (1, 1); `area_error` bounds what thinning did to the area."""

    fpr: Floats
    tpr: Floats
    thresholds: Floats
    area_error: float


class PrecisionRecall(NamedTuple):
    """The precision-recall points, recall rising; `area_error` bounds what thinning did."""

    precision: Floats
    recall: Floats
    thresholds: Floats
    area_error: float


class CalibrationCurve(NamedTuple):
    """What was predicted and what was observed in each bin that has rows, and its weight."""

    predicted: Floats
    observed: Floats
    weight: Floats


Value = float | Undefined


class ClassMean(NamedTuple):
    """A mean over classes: what each class has (NaN where it has no value), and what was used.

    labels: the classes in order; pairs of them where the mean is over pairs
    """

    value: Value
    class_values: Floats
    details: Mapping[str, Any]
    labels: tuple[Any, ...]


class Detailed(NamedTuple):
    """A value that comes with more to say: a p-value, a null level, what was left out."""

    value: Value
    details: Mapping[str, Any]


# What is more than one number.
Shape = Confusion | ClassConfusion | Roc | PrecisionRecall | CalibrationCurve
AnyValue = float | Undefined | Shape | ClassMean | Detailed


@dataclass(frozen=True, slots=True)
class Row:
    """One number of a Result, with the sample it stands on; the total has an empty slice.

    Rows of a prediction are of no two classes, and classes that are predicted have no sum: what
    does not apply is None.
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


@dataclass(frozen=True, kw_only=True)
class Conventions(RecordedOptions):
    """How the numbers of a Result came about; stored in it and printed with it.

    The options that are recorded as they are, and beside them:

    reads: what the rows have beside a label: a score or a prediction
    classes: those that have a score each, in the order of the scores
    roles: what was read as what, as the user wrote it (source, label, weight, where, ...)
    scores: what each score's name stands for; score_types: the type it was compared in
    by, group: the columns that rows were sliced by, and those that make a group
    metrics: the parameters of each metric, by its printed name
    """

    reads: str = "score"
    classes: tuple[Label, ...] = ()
    roles: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, str] = field(default_factory=dict)
    score_types: Mapping[str, str] = field(default_factory=dict)
    by: tuple[tuple[str, ...], ...] = ()
    group: tuple[str, ...] = ()
    metrics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
