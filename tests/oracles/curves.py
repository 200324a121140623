"""Oracles of the curves: points by filtering rows at every distinct score."""

from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np

from tests.oracles.answers import (
    Answer,
    AnyAnswer,
    Point,
    Rows,
    Why,
    as_decimal,
    cells,
    oracle,
    quotient,
    rounded,
    written,
)

HALF = Fraction(1, 2)


def points(rows: Rows) -> list[Point]:
    """One point for each distinct score, the highest first; calling nothing is not among them."""
    thresholds = sorted({row.score for row in rows.rows}, reverse=True)
    return [Point(*cells(Rows(rows.rows), t)[:2], t) for t in thresholds]


def path(rows: Rows) -> list[Point]:
    """The points with calling nothing in front."""
    return [Point(Fraction(0), Fraction(0), float("inf")), *points(rows)]


def auc_by_pairs(rows: Rows) -> Fraction:
    """The share of pairs in the right order, tied pairs counting half."""
    won = Fraction(0)
    for up in (row for row in rows.rows if row.label):
        for down in (row for row in rows.rows if not row.label):
            wins = Fraction(up.score > down.score) + HALF * (up.score == down.score)
            won += up.weight * down.weight * wins
    return won / (rows.P * rows.N)


def auc_by_ranks(rows: Rows) -> Fraction:
    """Mann-Whitney: the positives' mid-ranks less what they have among themselves.

    A row of weight w is w rows; the mean rank of a block is the weight below and half its own.
    """
    ranks = Fraction(0)
    for up in (row for row in rows.rows if row.label):
        below = sum((row.weight for row in rows.rows if row.score < up.score), Fraction(0))
        block = sum((row.weight for row in rows.rows if row.score == up.score), Fraction(0))
        ranks += up.weight * (below + block / 2)
    return (ranks - rows.P * rows.P / 2) / (rows.P * rows.N)


def auc_by_area(rows: Rows) -> Fraction:
    """The area under the ROC path, trapezoid by trapezoid."""
    corners = path(rows)
    area = sum(
        ((b.fp - a.fp) * (a.tp + b.tp) / 2 for a, b in pairwise(corners)),
        Fraction(0),
    )
    return area / (rows.P * rows.N)


@oracle("positives", "negatives")
def auc(rows: Rows) -> Answer:
    area = auc_by_pairs(rows)
    assert area == auc_by_ranks(rows) == auc_by_area(rows)
    return area


@oracle("positives", "negatives")
def gini(rows: Rows) -> Answer:
    return 2 * auc_by_pairs(rows) - 1


@oracle("positives", "negatives")
def partial_auc(
    rows: Rows, max_fpr: float = 1.0, min_tpr: float = 0.0, standardize: bool = False
) -> Answer:
    right, bottom = written(max_fpr), written(min_tpr)
    corners = [(p.fp / rows.N, p.tp / rows.P) for p in path(rows)]
    area = Fraction(0)
    for (x0, y0), (x1, y1) in pairwise(corners):
        area += area_within(x0, y0, x1, y1, right, bottom)
    if not standardize:
        return area
    nothing, all_ = Fraction(0), Fraction(1)
    chance = area_within(nothing, nothing, all_, all_, right, bottom)
    return HALF * (1 + (area - chance) / (right * (1 - bottom) - chance))


def area_within(
    x0: Fraction, y0: Fraction, x1: Fraction, y1: Fraction, right: Fraction, bottom: Fraction
) -> Fraction:
    """The area between a rising segment and y = bottom, left of x = right: clip, then measure."""
    if x1 > right:
        if x0 >= right:
            return Fraction(0)
        x1, y1 = right, y0 + (y1 - y0) * (right - x0) / (x1 - x0)
    if y0 < bottom:
        if y1 <= bottom:
            return Fraction(0)
        x0, y0 = x0 + (x1 - x0) * (bottom - y0) / (y1 - y0), bottom
    return (x1 - x0) * ((y0 + y1) / 2 - bottom)


@oracle("positives", "negatives")
def pnr(rows: Rows) -> Answer:
    right = wrong = Fraction(0)
    for up in (row for row in rows.rows if row.label):
        for down in (row for row in rows.rows if not row.label):
            right += up.weight * down.weight * (up.score > down.score)
            wrong += up.weight * down.weight * (up.score < down.score)
    return quotient(right, wrong, "no pair is in the wrong order")


@oracle("positives", "negatives")
def ks(rows: Rows) -> Answer:
    return max(p.tp / rows.P - p.fp / rows.N for p in path(rows))


@oracle("positives", "negatives")
def roc(rows: Rows) -> AnyAnswer:
    """The path without the points inside a level or an upright stretch."""
    kept = without_inner(path(rows), ("tp", "fp"))
    return [(p.fp / rows.N, p.tp / rows.P, p.threshold) for p in kept]


@oracle("positives")
def pr(rows: Rows) -> AnyAnswer:
    """The points that call something, without those inside a stretch of negatives alone."""
    kept = without_inner(points(rows), ("tp",))
    return [(p.tp / (p.tp + p.fp), p.tp / rows.P, p.threshold) for p in kept][::-1]


@oracle("positives")
def gains(rows: Rows) -> AnyAnswer:
    """Depth, capture and lift at the corners of the ROC path; None is 0/0."""
    found: list[Any] = []
    for p in without_inner(path(rows), ("tp", "fp")):
        depth, capture = (p.tp + p.fp) / (rows.P + rows.N), p.tp / rows.P
        found.append((depth, capture, capture / depth if depth else None, p.threshold))
    return found


@oracle("rows")
def score_histogram(rows: Rows, bins: int = 50) -> AnyAnswer:
    """Each row goes into the one bin whose edges are around its score."""
    scores = [Fraction(row.score) for row in rows.rows]
    low, high = min(scores), max(scores)
    if low == high:
        more = max(HALF, abs(low) / 1024)
        low, high = (Fraction(_in_type(rows, end)) for end in (low - more, high + more))
    edges = [_in_type(rows, low + (high - low) * i / bins) for i in range(bins + 1)]
    weights = {True: [Fraction(0)] * bins, False: [Fraction(0)] * bins}
    for row in rows.rows:
        inside = [i for i in range(bins) if edges[i] <= row.score < edges[i + 1]]
        assert len(inside) == (row.score != edges[-1])
        weights[row.label][inside[0] if inside else bins - 1] += row.weight
    return [edges, weights[True], weights[False]]


def _in_type(rows: Rows, value: Fraction) -> float:
    """A score's float64, rounded to the type of the scores; the largest finite one at most."""
    kind = np.dtype(rows.type)
    largest = float(np.finfo(kind).max)
    return float(kind.type(max(-largest, min(rounded(value), largest))))


@oracle("positives")
def thresholds(rows: Rows, points: int) -> AnyAnswer:
    """The cells and ratios at every corner of the ROC path; None is 0/0."""
    found = []
    for p in without_inner(path(rows), ("tp", "fp"))[1:]:
        tp, fp, fn, tn = cells(rows, p.threshold)
        ratios = (tp / (tp + fp), tp / rows.P, 2 * tp / (2 * tp + fp + fn))
        false = (fp / rows.N, tn / rows.N) if rows.N else (None, None)
        found.append((p.threshold, tp, fp, fn, tn, *ratios, *false))
    assert len(found) <= points, "this oracle does not thin"
    return found


def without_inner(corners: list[Point], directions: tuple[str, ...]) -> list[Point]:
    def inner(i: int) -> bool:
        near = corners[i - 1 : i + 2]
        return any(len({getattr(point, name) for point in near}) == 1 for name in directions)

    last = len(corners) - 1
    return [p for i, p in enumerate(corners) if i in (0, last) or not inner(i)]


@oracle("positives")
def ap(rows: Rows) -> Answer:
    corners = path(rows)
    return sum(
        ((b.tp - a.tp) / rows.P * (b.tp / (b.tp + b.fp)) for a, b in pairwise(corners)),
        Fraction(0),
    )


@oracle("positives")
def pr_auc(rows: Rows) -> Answer:
    """∫ precision d(recall), FP growing in proportion to TP between thresholds.

    The difference below cancels as many digits as the weights differ in size, twice: the precision
    of the decimals makes up for it.
    """
    corners = path(rows)
    sizes = [row.weight for row in rows.rows]
    spread = max(sizes) * len(sizes) / min(sizes)
    with localcontext(prec=80 + 3 * len(str(int(spread)))):
        area = Decimal(0)
        for a, b in pairwise(corners):
            area += _under_hyperbola(a, b)
        return area / as_decimal(rows.P)


def _under_hyperbola(a: Point, b: Point) -> Decimal:
    """∫ t/(t + FP(t)) dt from TP_a to TP_b: [ΔTP − (k/m)·ln(called_b/called_a)]/m."""
    if a.tp == b.tp:
        return Decimal(0)
    slope = (b.fp - a.fp) / (b.tp - a.tp)
    m, k = 1 + slope, a.fp - slope * a.tp
    if k == 0:  # the precision is the same all along
        return as_decimal((b.tp - a.tp) / m)
    log = as_decimal((b.tp + b.fp) / (a.tp + a.fp)).ln()
    return (as_decimal(b.tp - a.tp) - as_decimal(k / m) * log) / as_decimal(m)


def found_at_depth(rows: Rows, depth: Fraction) -> Fraction:
    """Positive weight among the `depth` highest, a tied block giving its share."""
    corners = path(rows)
    for a, b in pairwise(corners):
        start, end = a.tp + a.fp, b.tp + b.fp
        if start <= depth <= end:
            return a.tp + (b.tp - a.tp) * (depth - start) / (end - start)
    raise AssertionError("deeper than all rows")


@oracle("positives")
def break_even(rows: Rows) -> Answer:
    return found_at_depth(rows, rows.P) / rows.P


@oracle("positives")
def capture(rows: Rows, q: float) -> Answer:
    return found_at_depth(rows, written(q) * (rows.P + rows.N)) / rows.P


@oracle("positives")
def lift(rows: Rows, q: float) -> Answer:
    depth = written(q) * (rows.P + rows.N)
    density = found_at_depth(rows, depth) / depth
    return density / (rows.P / (rows.P + rows.N))


@oracle("positives")
def precision_at_recall(rows: Rows, recall: float) -> Answer:
    fit = [p for p in points(rows) if p.tp / rows.P >= written(recall)]
    return max(p.tp / (p.tp + p.fp) for p in fit)


@oracle("positives")
def recall_at_precision(rows: Rows, precision: float) -> Answer:
    fit = [p for p in points(rows) if p.tp / (p.tp + p.fp) >= written(precision)]
    found = [p.tp / rows.P for p in fit if p.tp]
    why = f"no threshold has a precision of {str(float(precision)).removesuffix('.0')} or more"
    return max(found) if found else Why(why)


@oracle("positives", "negatives")
def tpr_at_fpr(rows: Rows, fpr: float) -> Answer:
    return max(p.tp / rows.P for p in path(rows) if p.fp / rows.N <= written(fpr))


@oracle("positives", "negatives")
def fpr_at_tpr(rows: Rows, tpr: float) -> Answer:
    return min(p.fp / rows.N for p in path(rows) if p.tp / rows.P >= written(tpr))


@oracle("positives")
def best_f1(rows: Rows) -> Answer:
    return max(_f1_at(p, rows) for p in points(rows))


@oracle("rows")
def best_threshold(rows: Rows, criterion: str = "youden", fp: float = 1, fn: float = 1) -> Answer:
    if criterion == "cost":  # which there is without positives or negatives too
        best = min(path(rows), key=lambda p: (_cost(p, rows, fp, fn), -p.threshold))
        return Decimal(best.threshold + 0.0)  # which may be infinite; -0.0 is 0.0
    if rows.P == 0:
        return Why("there are no positives")
    if criterion == "youden" and rows.N == 0:
        return Why("there are no negatives")

    def worth(p: Point) -> tuple[Fraction, float]:
        value = _f1_at(p, rows) if criterion == "f1" else p.tp / rows.P - p.fp / rows.N
        return value, p.threshold

    every = points(rows) if criterion == "f1" else path(rows)  # calling nothing has no F1
    return Decimal(max(every, key=worth).threshold + 0.0)


def _cost(p: Point, rows: Rows, fp: float, fn: float) -> Fraction:
    return written(fp) * p.fp + written(fn) * (rows.P - p.tp)


def operating_point(rows: Rows, metric: str, limit: float = 0) -> float:
    """The threshold of a value that is the best of all; of equal ones the highest."""
    limit_, nothing = written(limit), Point(Fraction(0), Fraction(0), float("inf"))
    called = points(rows)
    precision = {p: p.tp / (p.tp + p.fp) for p in called}
    worth: dict[str, list[tuple[Fraction, Point]]] = {
        "best_f1": [(_f1_at(p, rows), p) for p in called],
        "precision_at_recall": [(precision[p], p) for p in called if p.tp >= limit_ * rows.P],
        "recall_at_precision": [(p.tp, p) for p in called if precision[p] >= limit_],
        "ks": [(p.tp / rows.P - p.fp / rows.N, p) for p in path(rows)] if rows.N else [],
        "tpr_at_fpr": [(p.tp, p) for p in [nothing, *called] if p.fp <= limit_ * rows.N],
        "fpr_at_tpr": [(-p.fp, p) for p in [nothing, *called] if p.tp >= limit_ * rows.P],
    }
    return max(worth[metric], key=lambda one: (one[0], one[1].threshold))[1].threshold


def least_cost(rows: Rows, fp: float, fn: float) -> Fraction:
    return min(_cost(p, rows, fp, fn) for p in path(rows))


def _f1_at(p: Point, rows: Rows) -> Fraction:
    return 2 * p.tp / (2 * p.tp + p.fp + (rows.P - p.tp))
