"""How the scores of two logs differ: PSI, KS, ties, range; and what recalibration would restore."""

from dataclasses import dataclass

import numpy as np

from steelyard import kernels
from steelyard.diagnosis.models.areas import tied_blocks
from steelyard.diagnosis.two_logs.steady import steady_total
from steelyard.diagnosis.two_logs.two_logs import LogRows, TwoLogs
from steelyard.model import Array, Floats

BINS = 10  # of PSI: tenths of the log before
# Rows with neighbouring scores are one cell of a fit: its slope is then right to 2e-6.
CELLS = 1 << 16
STEPS = 12  # of Newton's method; 6 are usual
SMALLEST = 1e-12  # a logit is that of a probability from here to 1 minus it


@dataclass(frozen=True)
class ScoreShift:
    """What the scores of both logs look like.

    psi: population stability index over tenths of the log before; ks: largest distance of the two
        cumulative shares of rows
    distinct: how many scores; tied: the rows of the largest tied block; low, high: the range
    """

    psi: float
    ks: float
    distinct: tuple[int, int]
    tied: tuple[int, int]
    low: tuple[float, float]
    high: tuple[float, float]


def score_shift(two: TwoLogs) -> ScoreShift:
    """The difference of the scores of two logs; rows count once, whatever their weight."""
    before, after = (log.score for log in two.logs)
    edges = [tied_blocks(log.score) for log in two.logs]
    pairs = [(len(each) - 1, int(np.diff(each).max())) for each in edges]
    return ScoreShift(
        _psi(before, after),
        max(_distance(before, after, edges[0]), _distance(after, before, edges[1])),
        (pairs[0][0], pairs[1][0]),
        (pairs[0][1], pairs[1][1]),
        (float(before[0]), float(after[0])),
        (float(before[-1]), float(after[-1])),
    )


def _psi(before: Array, after: Array) -> float:
    """Σ (q − p)·ln(q/p); half a row is added to each bin, so that none is empty."""
    cuts = np.unique(before[(np.arange(1, BINS) * len(before)) // BINS])
    shares = []
    for scores in (before, after):
        edges = np.concatenate([[0], scores.searchsorted(cuts), [len(scores)]])
        counts = np.diff(edges) + 0.5
        shares.append(counts / counts.sum())
    logs = kernels.active().log(shares[1] / shares[0])
    return float(((shares[1] - shares[0]) * logs).sum())


def _distance(one: Array, other: Array, edges: Array) -> float:
    """The largest distance of two cumulative shares, at the scores of one of them."""
    scores = one[edges[:-1]]
    own = edges[1:] / len(one)
    theirs = other.searchsorted(scores, side="right") / len(other)
    return float(np.abs(own - theirs).max())


@dataclass(frozen=True)
class Recalibration:
    """The fit of logit(y) = intercept + slope·logit(p) to the log after.

    loss: its log loss as it is; restored: the log loss after the fit
    """

    slope: float
    intercept: float
    loss: float
    restored: float


def recalibrated(log: LogRows) -> Recalibration | None:
    """What a recalibration of the scores would restore; None without a fit.

    The fit reads means of CELLS groups of neighbouring scores, the losses read every row.
    """
    assert log.probability is not None
    kernel = kernels.active()
    chances = np.clip(log.probability, SMALLEST, 1.0 - SMALLEST)
    logits = kernel.log(chances) - kernel.log_complement(chances)
    fitted = _fit(logits, log)
    if fitted is None:
        return None
    slope, intercept = fitted
    moved = 1.0 / (1.0 + kernel.exp(-(intercept + slope * logits)))
    weight = log.weights.astype(np.float64)
    losses = [
        steady_total(-weight * kernel.log_chance(p, log.positive)) / steady_total(weight)
        for p in (chances, np.clip(moved, SMALLEST, 1.0 - SMALLEST))
    ]
    return Recalibration(slope, intercept, losses[0], losses[1])


def _fit(logits: Floats, log: LogRows) -> tuple[float, float] | None:
    """Slope and intercept by Newton's method, from slope 1 and intercept 0."""
    # Rows are sorted by score, and a probability rises with the score.
    cell = np.minimum(np.arange(len(logits)) * CELLS // len(logits), CELLS - 1)
    weight = log.weights.astype(np.float64)
    n, up, total = (
        np.bincount(cell, column, minlength=CELLS)
        for column in (weight, weight * log.positive, weight * logits)
    )
    some = n > 0
    n, up, x = n[some], up[some], total[some] / n[some]
    a, b = 0.0, 1.0
    for _ in range(STEPS):
        mean = 1.0 / (1.0 + kernels.active().exp(-(a + b * x)))
        rest, spread = up - n * mean, n * mean * (1.0 - mean)
        s0, s1, s2 = (float((spread * x**k).sum()) for k in (0, 1, 2))
        g0, g1 = float(rest.sum()), float((rest * x).sum())
        whole = s0 * s2 - s1 * s1
        if not whole > 1e-12 * s0 * s2:
            return None
        a, b = a + (s2 * g0 - s1 * g1) / whole, b + (s0 * g1 - s1 * g0) / whole
    return (b, a) if np.isfinite(a) and np.isfinite(b) else None
