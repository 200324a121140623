"""Gain curve: the share of positives found, and the lift, by the share of rows that are called.

`depth, capture, lift, thresholds = sy.gains(y, s)` are the corners of the curve, the highest scores
first; between two of them `capture` by `depth` is straight. `points=1000` thins the curve;
`area_error` then bounds the change in area.
"""

import numpy as np

from steelyard.metrics.curves.corners import Corners, CornersMetric, RocPath, corners, join, thin
from steelyard.metrics.curves.roc import IN_A_TABLE, POINTS
from steelyard.metrics.division import quotients, ratios
from steelyard.model import Array, Floats, Gains
from steelyard.views.totals import SliceTotals


def gains(found: Corners, totals: SliceTotals, points: int | None) -> Gains:
    whole = found.curve(totals).corners
    error = 0.0
    if not whole.is_whole(points):
        depth, capture = ratios(whole.tp + whole.fp, totals.all), ratios(whole.tp, totals.positives)
        kept, error = thin(depth, capture, points, _missing(whole))
        whole = whole.take(kept)
    called, thresholds = whole.tp + whole.fp, whole.thresholds.astype(np.float64)
    return Gains(
        quotients(called, totals.all),
        quotients(whole.tp, totals.positives),
        np.append(np.nan, _lift(whole.tp[1:], called[1:], totals)),  # the first calls nothing
        thresholds,
        error,
    )


def _missing(path: RocPath) -> Array:
    """How many entries are left out above each point, but for those within a run of positives.

    Such a run is straight, so that the area does not change without them.
    """
    bent = np.diff(path.missing) * (np.diff(path.fp) > 0)
    return np.append(0, np.cumsum(bent))


def _lift(tp: Array, called: Array, totals: SliceTotals) -> Floats:
    """(TP/P) / (called/all), rounded once."""
    return quotients(tp.astype(object) * totals.all, called.astype(object) * totals.positives)


METRIC = CornersMetric(
    formula="((TP(t) + FP(t))/(P + N), TP(t)/P), and the lift TP(t)/P · (P + N)/(TP(t) + FP(t))",
    tex=(
        r"\left(\frac{\mathrm{TP}(t) + \mathrm{FP}(t)}{P + N}, "
        r"\frac{\mathrm{TP}(t)}{P}\right)"
    ),
    reading=(
        "If only the rows with the highest scores are used, say to call or to mail people: the "
        "share of all rows on one axis, the share of the positives among them on the other. The "
        "diagonal is a random order; the lift says how many times better than that it is."
    ),
    range="points from (0, 0) to (1, 1); the lift ends at 1, and is at most 1/prevalence",
    better="higher",
    pitfalls=(
        (
            "A perfect order is not the upper left corner: it rises to 1 at a depth equal to the "
            "prevalence."
        ),
        "Between two points the lift is not a straight line, as the capture is.",
        "At a depth of a few rows the lift depends on chance.",
        ("It depends on prevalence: curves of data with different prevalence cannot be compared."),
    ),
    reference="Ling & Li (1998), KDD, 73.",
    chinese="增益曲线（又称累积增益图、提升图）",
    example="sy.gains([1, 0, 1, 0], [0.9, 0.8, 0.5, 0.5])",
    aliases=("gain_curve", "lift_curve", "cumulative_gains"),
    part=corners,
    join=join,
    value=gains,
    parameters=(POINTS,),
    table_defaults=IN_A_TABLE,
    picture=IN_A_TABLE,
    requires=("positives",),
    shape=Gains,
)
