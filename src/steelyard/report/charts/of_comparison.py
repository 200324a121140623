"""The charts of a comparison: which metric, candidate and slices a picture shows."""

from dataclasses import replace

from steelyard import errors
from steelyard.phrases import listing
from steelyard.report.charts import forest
from steelyard.report.charts.chart import Chart
from steelyard.report.charts.of_result import OneOrMore, check_kind
from steelyard.report.charts.series import remark
from steelyard.report.comparison_layout import by_slicing
from steelyard.report.drawn_comparison import DrawnComparison
from steelyard.report.interval_notes import heading
from steelyard.report.lookup import find_comparison_row

FOREST = "forest"
COMPARISON_KINDS = (FOREST,)


def comparison_chart(
    comparison: DrawnComparison,
    kind: str,
    *,
    metric: str | None = None,
    by: OneOrMore | None = None,
    score: str | None = None,
    against: str | None = None,
) -> Chart:
    """The chart of a kind; the first metric, candidate and `by`, where none are named."""
    check_kind(kind, COMPARISON_KINDS)
    metric = comparison.metrics[0] if metric is None else metric
    if metric not in comparison.metrics:
        raise errors.NOT_IN_RESULT(metric=metric, known=", ".join(comparison.metrics))
    score = comparison.candidates[0] if score is None else score
    if score not in comparison.candidates:
        raise errors.NO_SCORE(score=score, known=listing(comparison.candidates))
    total = find_comparison_row(comparison.rows, metric, score, against, {})
    pair = (metric, total.score, total.against)
    slicings = [each for each in by_slicing(comparison.rows) if each[:3] == pair]
    if not slicings:
        raise errors.ONLY_TOTAL()
    names = slicings[0].by if by is None else (by,) if isinstance(by, str) else tuple(by)
    wanted = [each for each in slicings if each.by == names]
    if not wanted:
        raise errors.NOT_A_BY(by=by, known=listing([",".join(each.by) for each in slicings]))
    made = forest.chart(total, wanted[0])
    return replace(made, marks=(*made.marks, remark(heading(comparison.conventions))))
