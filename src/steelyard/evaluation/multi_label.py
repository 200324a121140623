"""Rows with several labels: a matrix of 0 and 1, and a matrix of scores or predictions beside it.

Every cell is a row of two classes, so that any metric of scores applies. `micro` is its value of
all cells; `macro` and `weighted` are means over the labels (columns), `samples` is the mean over
the rows of the matrix: slices of the cells, computed like all slices.
"""

import warnings
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors, plan
from steelyard.engines import run
from steelyard.engines.choice import engine_of
from steelyard.engines.protocol import Table
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.class_metrics import AVERAGE, SKIP, ZERO_DIVISION, class_mean, filled
from steelyard.metrics.division import NO_WEIGHT
from steelyard.metrics.parameter import THRESHOLD
from steelyard.metrics.record import SCORE, Metric
from steelyard.model import AnyValue, Array, ClassMean, Detailed, Undefined, Value
from steelyard.reading import numbers
from steelyard.reading.row_numbers import KeptRows
from steelyard.request.options import Request
from steelyard.sources import arrays
from steelyard.views.sums import SumsView

MICRO, SAMPLES = "micro", "samples"
AVERAGES = ("macro", MICRO, SAMPLES, "weighted")
LABEL, ROW, WEIGHT = "label", "row", "sample_weight"


class LabelRows(NamedTuple):
    """Truth and scores as matrices of one shape, checked; `weight`: of each row, None: 1."""

    truth: Array
    scores: Array
    weight: Array | None = None

    def columns(self, by: str | None) -> dict[str, Array]:
        """The cells as rows of columns, label by label; `by`: the key that slices need."""
        rows, labels = self.truth.shape
        found = {"y_true": self.truth.ravel("F"), "y_score": self.scores.ravel("F")}
        if self.weight is not None:
            found[WEIGHT] = np.tile(self.weight, labels)
        if by is not None:
            keys = np.arange(labels if by == LABEL else rows)
            found[by] = np.repeat(keys, rows) if by == LABEL else np.tile(keys, labels)
        return found


def takes_labels(metrics: Sequence[Metric]) -> bool:
    """Whether the metrics of a name take a matrix of labels: those with an average."""
    first = metrics[0]
    averaged = first.averages_labels or any(
        parameter.name == AVERAGE.name for metric in metrics[1:] for parameter in metric.parameters
    )
    return first.reads == SCORE and first.shape is None and averaged


def averaged(
    metrics: Sequence[Metric], bound: BoundMetric, rows: LabelRows, how: dict[str, Any]
) -> ClassMean:
    """The average of a metric of scores.

    metrics: those of its name; bound: the first of them; how: `average` and `zero_division`
    """
    name = bound.metric.name
    zero = ZERO_DIVISION.take(how.get(ZERO_DIVISION.name, SKIP), name)
    average = how.get(AVERAGE.name, _default(metrics))
    if average == "" and name == "accuracy":
        return _subset_accuracy(rows, bound.params[THRESHOLD.name])
    if average is not None and average not in AVERAGES:
        raise errors.LABEL_AVERAGE(metric=name, choices=", ".join(AVERAGES))
    by = {MICRO: None, SAMPLES: ROW}.get(average or "", LABEL)
    values, weights = _measured(rows, bound.name, by)
    values = [filled(each, zero) for each in values]
    if average == MICRO:
        return ClassMean(values[0], np.zeros(0), {}, ())
    used = {SAMPLES: weights.weight, "weighted": weights.positives}.get(average or "")
    return _mean(rows, values, used, f"{by}s")


def lrap(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Label ranking average precision: how high the labels of a row are ranked, averaged over rows.

    Of each row it is the average precision (`ap`) of its labels, tied scores being one threshold; a
    row without a label, or with all of them, has 1. It is scikit-learn's
    label_ranking_average_precision_score. `sy.explain("ap")` has the formula; lrap has no page of
    its own, since files and tables of rows have no matrix of labels.

    >>> lrap([[1, 0, 0], [0, 0, 1]], [[0.75, 0.5, 0.1], [1.0, 0.2, 0.5]])  # ranks 1 and 2
    0.75
    """
    rows = label_rows(y_true, y_score, sample_weight, classes=False)
    values, weights = _measured(rows, "ap", ROW)
    precisions = [filled(each, 1) for each in values]
    found = _mean(rows, precisions, weights.weight, f"{ROW}s").value
    if isinstance(found, Undefined):
        warnings.warn(errors.no_value("lrap", found.why), stacklevel=2)
        return float("nan")
    return found


label_ranking_average_precision_score = lrap  # scikit-learn's name


def matrices(y_true: Any, second: Any) -> tuple[Array, Array]:
    """Two matrices of numbers and of one shape."""
    truth, scores = _matrix("y_true", y_true), _matrix("y_score", second)
    if truth.ndim != 2 or truth.shape != scores.shape:
        raise errors.LABEL_SHAPES(truth=truth.shape, scores=scores.shape)
    return truth, scores


def label_rows(y_true: Any, second: Any, sample_weight: Any, *, classes: bool) -> LabelRows:
    """The matrices, checked. classes: whether integers and booleans in the second are predictions,
    which are 0 or 1."""
    truth, scores = matrices(y_true, second)
    _refuse_cells("y_true", truth, ~np.isin(truth, (0, 1)), "0 or 1")
    if classes and scores.dtype.kind in "biu":
        _refuse_cells(
            "y_pred", scores, ~np.isin(scores, (0, 1)), "0 or 1, since integers are classes"
        )
    _refuse_cells("y_score", scores, ~np.isfinite(scores), "a finite number")
    if sample_weight is None:
        return LabelRows(truth, scores)
    weight = arrays.column(WEIGHT, sample_weight)
    arrays.check_lengths({"y_true": len(truth), WEIGHT: len(weight.values)})
    if weight.missing is not None and weight.missing.any():
        raise errors.MISSING_WEIGHT(name=WEIGHT, **KeptRows().where(weight.missing))
    return LabelRows(truth, scores, numbers.weight(WEIGHT, weight.values, KeptRows()))


def _default(metrics: Sequence[Metric]) -> str:
    """The average if none is given: macro of curves; none of counts, where it is a choice."""
    return "macro" if THRESHOLD not in metrics[0].parameters else ""


class CellWeights(NamedTuple):
    """Of each slice, the weight of its cells and of those that are labels, in one unit."""

    weight: list[int]
    positives: list[int]


def _measured(rows: LabelRows, metric: str, by: str | None) -> tuple[list[Value], CellWeights]:
    """The values of a metric of scores by label, by row, or (None) of all cells."""
    columns = rows.columns(by)
    weight = WEIGHT if WEIGHT in columns else None
    found = Request(
        source=columns, label="y_true", score="y_score", weight=weight, by=by, metrics=[metric]
    )
    job, source = plan.make_job(found), arrays.Arrays(columns)
    engine = engine_of(found)
    kept = engine.scan(job, source.name, source.blocks(job.roles.column_requests()))
    states, number = kept.states["y_score"], 0 if by is None else 1
    keys = [key for (key,) in kept.slices["y_score"][0].keys] if by else [0]
    order = np.argsort(np.array(keys, np.int64))
    table = Table(states, number, max(len(keys), 1), order)
    [values] = run.values(job.plan.metrics, table, engine)
    view = table.view(job.plan.sample)
    assert isinstance(view, SumsView)
    weights = CellWeights(view.columns["weight"], view.columns["weighted_positives"])
    return [_number(each) for each in values], weights


def _mean(rows: LabelRows, values: list[Value], weights: list[int] | None, kind: str) -> ClassMean:
    """The mean of the values of labels or rows; if every weight is 0, that is why there is none."""
    found = class_mean(values, weights, range(len(values)), kind)
    weightless = rows.weight is not None and len(rows.weight) > 0 and not rows.weight.any()
    if weightless and isinstance(found.value, Undefined):
        return found._replace(value=Undefined(NO_WEIGHT))
    return found


def _number(value: AnyValue) -> Value:
    """A value without its details."""
    found = value.value if isinstance(value, Detailed) else value
    assert isinstance(found, float | Undefined)
    return found


def _subset_accuracy(rows: LabelRows, threshold: float) -> ClassMean:
    """The share of rows whose labels are all right."""
    cells = numbers.score("y_score", rows.scores.ravel(), KeptRows())
    called = (cells >= cells.dtype.type(threshold)).reshape(rows.scores.shape)
    right = (called == (rows.truth == 1)).all(axis=1)
    whole = LabelRows(np.ones((len(right), 1), np.int8), right[:, None] * 1.0, rows.weight)
    values, _ = _measured(whole, "accuracy", None)
    return ClassMean(values[0], np.zeros(0), {}, ())


def _matrix(name: str, values: Any) -> Array:
    """An array of numbers; a sparse matrix is filled up."""
    try:
        array = np.asarray(values.toarray() if hasattr(values, "toarray") else values)
    except ValueError as error:
        raise arrays.not_array(name, values, error) from error
    if array.dtype.kind not in "biuf":
        wanted = "numbers, one for each label,"
        raise errors.BAD_TYPE(name=name, type=array.dtype.name, position=0, wanted=wanted)
    return array


def _refuse_cells(name: str, matrix: Array, bad: Array, wanted: str) -> None:
    if bad.any():
        row, column = np.argwhere(bad)[0].tolist()
        raise errors.BAD_CELL(
            name=name,
            count=int(np.count_nonzero(bad)),
            position=row,
            column=column,
            value=repr(matrix[row, column].item()),
            wanted=wanted,
        )
