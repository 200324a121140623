"""Pictures of arrays, drawn by matplotlib: `sy.plot.roc(y, s)`; each returns its axes.

Several scores are a mapping, `{"old": s1, "new": s2}`, and overlaid. `**style` are properties of
matplotlib for lines or bars, such as `linewidth=3`. `Result.plot` draws the same of a result.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from steelyard.api import evaluate
from steelyard.reading.class_scores import are_classes, is_matrix
from steelyard.report.charts import scores as scores_chart
from steelyard.report.charts.draw_matplotlib import draw
from steelyard.report.charts.of_result import chart_of, metrics_of
from steelyard.result.result import Result
from steelyard.sources.arrays import as_array

# The options of `evaluate` whose arguments have other names here.
OPTIONS = {
    "y_true": "label",
    "y_score": "score",
    "y_pred": "prediction",
    "sample_weight": "weight",
    "labels": "classes",
}


def roc(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    positive: Any = None,
    labels: Sequence[Any] | None = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """ROC curve with its area; of a matrix with a column per class, one curve a class."""
    return _draw("roc", **locals())


def pr(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    positive: Any = None,
    labels: Sequence[Any] | None = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """Precision-recall curve with its AP; of a matrix with a column per class, one a class."""
    return _draw("pr", **locals())


def calibration(
    y_true: Any,
    y_score: Any,
    *,
    bins: int | None = None,
    kind: str = "mass",
    sample_weight: Any = None,
    positive: Any = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """Reliability diagram of probabilities; kind: bins of equal "mass" or of equal "width".

    bins: 10, or fewer where rows are few, if not given
    """
    given = {"sample_weight": sample_weight, "positive": positive, "nan": nan}
    metric = None
    if bins is not None or kind != "mass":
        metric = f"calibration_curve(bins={10 if bins is None else bins}, kind={kind})"
    return _draw("calibration", y_true, metric, ax, style, y_score=y_score, **given)


def scores(
    y_true: Any,
    y_score: Any,
    *,
    bins: int | None = None,
    threshold: float | None = None,
    sample_weight: Any = None,
    positive: Any = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """Histograms of the scores of positives and of negatives.

    bins: 50, or fewer where rows are few, if not given
    threshold: is marked, with the share of each class at or above it
    """
    given = {"sample_weight": sample_weight, "positive": positive, "nan": nan}
    metric = None if bins is None else f"score_histogram(bins={bins})"
    if threshold is None:
        return _draw("scores", y_true, metric, ax, style, y_score=y_score, **given)
    cells = f"confusion({threshold})"
    result = _evaluated("scores", metric, {"y_true": y_true, "y_score": y_score, **given}, cells)
    chart = chart_of(result, "scores", metric=metric)
    shapes = [result.picture_shape(cells, score) for score in result.scores]
    return draw(scores_chart.with_threshold(chart, float(threshold), shapes), ax, style)


def lift(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    positive: Any = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """Lift by share of rows, highest scores first."""
    return _draw("lift", **locals())


def gain(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    positive: Any = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """Share of positives found by share of rows, highest scores first."""
    return _draw("gain", **locals())


def threshold(
    y_true: Any,
    y_score: Any,
    *,
    sample_weight: Any = None,
    positive: Any = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """Precision, recall, F1 and specificity by threshold."""
    return _draw("threshold", **locals())


def confusion(
    y_true: Any,
    y_pred: Any,
    *,
    threshold: float | None = None,
    sample_weight: Any = None,
    positive: Any = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """Confusion matrix: of predicted classes, or of scores (floats) at a threshold, 0.5."""
    given = {"sample_weight": sample_weight, "positive": positive, "nan": nan}
    one = next(iter(y_pred.values())) if isinstance(y_pred, Mapping) and y_pred else y_pred
    if threshold is None and are_classes(as_array(one)):
        return _draw("confusion", y_true, None, ax, style, y_pred=y_pred, **given)
    metric = f"confusion({0.5 if threshold is None else threshold})"
    return _draw("confusion", y_true, metric, ax, style, y_score=y_pred, **given)


def groups(
    y_true: Any,
    y_score: Any,
    *,
    group: Any,
    metric: str = "gauc",
    sample_weight: Any = None,
    positive: Any = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """Distribution of a mean over groups, such as gauc or ndcg@10, over its groups."""
    return _draw("groups", **locals())


def slices(
    y_true: Any,
    y_score: Any,
    *,
    by: Any,
    metric: str = "auc",
    sample_weight: Any = None,
    positive: Any = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """A metric by slice, the worst first; by: as in `evaluate`, {"country": column} say."""
    return _draw("slices", **locals())


def residuals(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """Histogram of prediction − truth."""
    return _draw("residuals", **locals())


def predicted_vs_true(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    nan: str = "error",
    ax: Any = None,
    **style: Any,
) -> Any:
    """Predicted against true numbers, as shaded cells."""
    return _draw("predicted_vs_true", **locals())


def _draw(
    kind: str,
    y_true: Any,
    metric: str | None = None,
    ax: Any = None,
    style: Mapping[str, Any] = MappingProxyType({}),
    **given: Any,
) -> Any:
    """Evaluate what the picture shows, and draw it; arguments as of `_evaluated`."""
    result = _evaluated(kind, metric, {"y_true": y_true, **given})
    return result.plot(kind, metric=metric, ax=ax, **style)


def _evaluated(kind: str, metric: str | None, given: Mapping[str, Any], *more: str) -> Result:
    """What a picture shows.

    metric: what to evaluate and draw, if it is not what pictures of this kind usually show
    given: the arguments of its function by name; more: further metrics
    """
    options = {OPTIONS.get(n, n): value for n, value in given.items() if value is not None}
    matrix = is_matrix(options.get("score", options.get("prediction")))
    reads = "prediction" if matrix or "prediction" in options else "score"
    metrics = metrics_of(kind, metric, reads, classes=matrix)
    return evaluate(**options, metrics=[*metrics, *more])
