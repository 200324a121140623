"""Pictures of arrays, drawn by matplotlib: `sy.plot.roc(y, s)`; each returns its axes.

Several scores are a mapping, `{"old": s1, "new": s2}`, and overlaid. `**style` are properties of
matplotlib for lines or bars, such as `linewidth=3`. `Result.plot` draws the same of a result.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from steelyard.api import evaluate
from steelyard.reading.class_scores import are_classes, is_matrix
from steelyard.report.charts import scores as scores_chart
from steelyard.report.charts.draw_matplotlib import draw
from steelyard.report.charts.of_result import chart_of, metrics_of
from steelyard.result.result import Result
from steelyard.sources.arrays import as_array

SCORE, PREDICTION = "score", "prediction"


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
    options = {"weight": sample_weight, "positive": positive, "classes": labels, "nan": nan}
    return _draw("roc", y_true, {SCORE: y_score}, options, ax, style)


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
    options = {"weight": sample_weight, "positive": positive, "classes": labels, "nan": nan}
    return _draw("pr", y_true, {SCORE: y_score}, options, ax, style)


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
    metric = None
    if bins is not None or kind != "mass":
        metric = f"calibration_curve(bins={10 if bins is None else bins}, kind={kind})"
    options = {"weight": sample_weight, "positive": positive, "nan": nan}
    return _draw("calibration", y_true, {SCORE: y_score}, options, ax, style, metric)


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
    options = {"weight": sample_weight, "positive": positive, "nan": nan}
    metric = None if bins is None else f"score_histogram(bins={bins})"
    if threshold is None:
        return _draw("scores", y_true, {SCORE: y_score}, options, ax, style, metric)
    cells = f"confusion({threshold})"
    result = _evaluated("scores", y_true, {SCORE: y_score}, options, metric, cells)
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
    options = {"weight": sample_weight, "positive": positive, "nan": nan}
    return _draw("lift", y_true, {SCORE: y_score}, options, ax, style)


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
    options = {"weight": sample_weight, "positive": positive, "nan": nan}
    return _draw("gain", y_true, {SCORE: y_score}, options, ax, style)


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
    options = {"weight": sample_weight, "positive": positive, "nan": nan}
    return _draw("threshold", y_true, {SCORE: y_score}, options, ax, style)


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
    options = {"weight": sample_weight, "positive": positive, "nan": nan}
    one = next(iter(y_pred.values())) if isinstance(y_pred, Mapping) and y_pred else y_pred
    if threshold is None and are_classes(as_array(one)):
        return _draw("confusion", y_true, {PREDICTION: y_pred}, options, ax, style)
    metric = f"confusion({0.5 if threshold is None else threshold})"
    return _draw("confusion", y_true, {SCORE: y_pred}, options, ax, style, metric)


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
    options = {"group": group, "weight": sample_weight, "positive": positive, "nan": nan}
    return _draw("groups", y_true, {SCORE: y_score}, options, ax, style, metric)


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
    options = {"by": by, "weight": sample_weight, "positive": positive, "nan": nan}
    return _draw("slices", y_true, {SCORE: y_score}, options, ax, style, metric)


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
    options = {"weight": sample_weight, "nan": nan}
    return _draw("residuals", y_true, {PREDICTION: y_pred}, options, ax, style)


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
    options = {"weight": sample_weight, "nan": nan}
    return _draw("predicted_vs_true", y_true, {PREDICTION: y_pred}, options, ax, style)


def _draw(
    kind: str,
    y_true: Any,
    second: Mapping[str, Any],
    options: Mapping[str, Any],
    ax: Any,
    style: Mapping[str, Any],
    metric: str | None = None,
) -> Any:
    """Evaluate what the picture shows, and draw it; arguments as of `_evaluated`."""
    result = _evaluated(kind, y_true, second, options, metric)
    return result.plot(kind, metric=metric, ax=ax, **style)


def _evaluated(
    kind: str,
    y_true: Any,
    second: Mapping[str, Any],
    options: Mapping[str, Any],
    metric: str | None,
    *more: str,
) -> Result:
    """What a picture shows.

    metric: what to evaluate and draw, if it is not what pictures of this kind usually show
    more: further metrics
    """
    given = {name: value for name, value in options.items() if value is not None}
    matrix = any(map(is_matrix, second.values()))
    reads = PREDICTION if matrix else next(iter(second))
    metrics = metrics_of(kind, metric, reads, classes=matrix)
    return evaluate(label=y_true, **second, metrics=[*metrics, *more], **given)
