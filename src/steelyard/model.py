"""Plain data that every layer shares: conventions of reading, values, rows."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]
Label = str | int | float | bool | None
Key = str | int | float | bool | None  # what a slice or a group is called; None: a missing value

NAN_CHOICES = ("error", "drop")
UNSCORED_CHOICES = ("error", "not_retrieved")
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
class Wants:
    """What the metrics of a plan read of a row beside its score and weight.

    binary, graded: the label as one of two classes, as a grade of zero or more
    group: the keys of its group; document: what it is about; position: its number in the source
    group_weights: columns that weigh a group
    probability: the score as a probability; fields: columns that rows are told apart by
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

    def __or__(self, other: "Wants") -> "Wants":
        """What either wants."""
        both: dict[str, Any] = {}
        for each in fields(self):
            mine, theirs = getattr(self, each.name), getattr(other, each.name)
            columns = isinstance(mine, tuple)
            both[each.name] = tuple(dict.fromkeys(mine + theirs)) if columns else mine or theirs
        return Wants(**both)


TWO_CLASSES = Wants()
A_PREDICTION = Wants(binary=False)
PROBABILITIES = Wants(probability=True)


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


class OverGroups(NamedTuple):
    """A mean over groups: what each group has (NaN where it has no value), and what was used."""

    value: Value
    of_groups: Floats
    details: Mapping[str, Any]


class OverClasses(NamedTuple):
    """A mean over classes: what each class has (NaN where it has no value), and what was used.

    labels: the classes in order; pairs of them where the mean is over pairs
    """

    value: Value
    of_classes: Floats
    details: Mapping[str, Any]
    labels: tuple[Any, ...]


class Detailed(NamedTuple):
    """A value that comes with more to say: a p-value, a null level, what was left out."""

    value: Value
    details: Mapping[str, Any]


# What is more than one number.
Shape = Confusion | ClassConfusion | Roc | PrecisionRecall | CalibrationCurve
AnyValue = float | Undefined | Shape | OverGroups | OverClasses | Detailed


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


@dataclass(frozen=True, slots=True)
class Conventions:
    """How the numbers of a Result came about; stored in it and printed with it.

    reads: what the rows have beside a label: a score or a prediction
    classes: those that have a score each, in the order of the scores
    downsampled, clip: what was done to probabilities, where that was asked for
    roles: what was read as what, as the user wrote it (source, label, weight, where, ...)
    scores: what each score's name stands for; score_types: the type it was compared in
    by, group: the columns that rows were sliced by, and those that make a group
    metrics: the parameters of each metric, by its printed name
    """

    reads: str = "score"
    nan: str = "error"
    unscored: str = "error"
    positive: Label = None
    preset: str | None = None
    classes: tuple[Label, ...] = ()
    downsampled: float | None = None
    clip: float | None = None
    roles: Mapping[str, str] = field(default_factory=dict)
    scores: Mapping[str, str] = field(default_factory=dict)
    score_types: Mapping[str, str] = field(default_factory=dict)
    by: tuple[tuple[str, ...], ...] = ()
    group: tuple[str, ...] = ()
    metrics: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Preset:
    """The conventions of another tool, where they differ from ours.

    parameters: other defaults, by the metric's function
    undefined: what it shows where there is no value, by the metric's function
    score_type: the type it compares scores in, where that is not their own
    clips: whether its logarithms see probabilities cut at the epsilon of the score's type
    """

    parameters: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    undefined: Mapping[str, float] = field(default_factory=dict)
    score_type: str | None = None
    clips: bool = False


RANKING = (
    *("cg", "dcg", "ndcg", "map", "mrr", "hit_rate", "r_precision", "err", "rbp"),
    *("precision_at_k", "recall_at_k", "f1_at_k"),
)

PRESETS: Mapping[str, Preset] = {
    # zero_division="warn" shows 0.0; roc_auc_score(max_fpr=) is McClish's standardized area.
    "sklearn": Preset(
        {
            "partial_auc": {"standardize": True},
            # Of many classes; those of a threshold have no such parameter.
            **{name: {"zero_division": 0} for name in ("precision", "recall", "f1", "fbeta")},
            # Whatever gains anything is relevant: rel is the smallest number above zero.
            "dcg": {"rel": 5e-324, "empty": 0},
            "ndcg": {"rel": 5e-324, "empty": 0},
        },
        dict.fromkeys(("precision", "recall", "f1", "fbeta", "mcc", "ap"), 0.0),
        clips=True,
    ),
    "lightgbm": Preset(
        {
            "ndcg": {"gain": "exp2", "ties": "stable", "empty": 1},
            "map": {"denominator": "min", "ties": "stable", "empty": 1},
        },
        {"auc": 1.0},
    ),
    # A list without a cut is cut at rank 32; what has no relevant row counts as perfect, save for
    # precision. All its numbers are float32.
    "xgboost": Preset(
        {
            "ndcg": {"gain": "exp2", "ties": "stable", "empty": 1, "k": 32},
            "map": {"denominator": "min", "ties": "stable", "empty": 1, "k": 32},
            "precision_at_k": {"denominator": "min", "ties": "stable", "empty": 0},
        },
        score_type="float32",
    ),
    # Ties go by document, the last in the alphabet first; scores are compared as float32.
    "trec_eval": Preset(
        {name: {"ties": "trec", "empty": 0} for name in RANKING}
        | {"rbp": {"ties": "trec", "empty": 0, "p": 0.9}},
        score_type="float32",
    ),
}
