"""Influence values of the logistic model logit P(y = 1) = a + b·logit q.

The sandwich: J⁻¹·x·w(y − μ), where μ is the fitted chance, x = (1, logit q) for a slope and (1) for
an intercept alone, and J = Σ w·μ(1 − μ)·x·xᵀ. For the slope J⁻¹ is written with the mean of the
logits by the weights w·μ(1 − μ), which keeps the digits of logits that are close to each other.
"""

from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.kernels.interface import ExactSums
from steelyard.metrics.influence import Influences, SliceValues, of_lines
from steelyard.model import Detailed, Floats
from steelyard.states import exact_sums
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.clusters import LineAdder, LineSums
from steelyard.views.context import LineSteps


class _Side(NamedTuple):
    """The rows of one class.

    logits: of the predictions; residuals: y − μ; bends: μ(1 − μ)
    """

    logits: Floats
    residuals: Floats
    bends: Floats


def lines_of_intercept(rows: ClusteredScores, values: SliceValues) -> LineSteps:
    """Σ w(y − μ) of each line, with a slope of 1; and Σ wμ(1 − μ)."""
    sides = _sides(rows, values.numbers, np.ones(len(values.numbers)))
    yield []
    residuals, bends = ([getattr(side, name) for side in sides] for name in ("residuals", "bends"))
    return _line_sums(rows, residuals, bends)


def lines_of_slope(rows: ClusteredScores, values: SliceValues) -> LineSteps:
    """Σ w(y − μ)(x − m) of each line, and Σ wμ(1 − μ)(x − m)².

    x are logits, and m their mean by wμ(1 − μ) over all rows of the slice
    """
    sides = _sides(rows, _intercepts(values), values.numbers)
    own = [
        _by_slice(rows, [side.bends for side in sides]),
        _by_slice(rows, [side.bends * side.logits for side in sides]),
    ]
    around = yield own
    every = np.arange(len(rows.scale))
    bend, first = (exact_sums.floats(column, every, rows.scale) for column in around.all)
    with np.errstate(divide="ignore", invalid="ignore"):  # slices without a value
        means = rows.of_slices(_finite(first / bend))
    off = [side.logits - mean for side, mean in zip(sides, means, strict=True)]
    both = list(zip(sides, off, strict=True))
    terms = [side.residuals * x for side, x in both]
    return _line_sums(rows, terms, [side.bends * x * x for side, x in both])


def influence(sums: LineSums, values: SliceValues) -> Influences:
    """The first sum of each line over the second of its slice."""
    (above, own, up, down), (_, total, *_) = sums.rounded(2, 3)
    value = sums.lines.spread(values.numbers)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = of_lines(sums.lines, above / total, own / total, value == value)
    return found._replace(required=(up > 0, down > 0))


def _line_sums(rows: ClusteredScores, terms: list[Floats], bends: list[Floats]) -> LineSums:
    """Σ w·term and Σ w·bend of both classes, and the weight of each, by line."""
    weights = (adder.exact() for adder in (rows.positives, rows.negatives))
    return LineSums(rows.lines, (_added(rows, terms), _added(rows, bends), *weights))


def _added(rows: ClusteredScores, columns: list[Floats]) -> ExactSums:
    """Σ w·value of each line, of a column of positives and one of negatives."""
    up, down = map(LineAdder.exact, (rows.positives, rows.negatives), columns)
    exact_sums.add(up, down, None, len(rows.lines))
    return up


def _by_slice(rows: ClusteredScores, columns: list[Floats]) -> ExactSums:
    return exact_sums.by_slice(_added(rows, columns), rows.lines.starts)


def _sides(rows: ClusteredScores, intercepts: Floats, slopes: Floats) -> list[_Side]:
    """The rows of positives and of negatives, at the fit of their slice."""
    fits = zip(rows.of_slices(intercepts), rows.of_slices(slopes), strict=True)
    found = []
    for place, (a, b) in enumerate(fits):
        # Logits are infinite, and a fit is absent, only where a slice has no value.
        logits = _finite(rows.logits[place])
        at = _finite(a + b * logits)
        small = kernels.active().exp(-np.abs(at))
        upper, lower = 1.0 / (1.0 + small), small / (1.0 + small)
        # −μ of a negative, and 1 − μ of a positive without the rounding of a difference.
        wrong = -np.where(at > 0, upper, lower) if place else np.where(at > 0, lower, upper)
        found.append(_Side(logits, wrong, upper * lower))
    return found


def _intercepts(values: SliceValues) -> Floats:
    """The intercept that was fitted with each slope; NaN where there is none."""
    column = np.full(len(values.numbers), np.nan)
    for number, found in values.found.items():
        if isinstance(found, Detailed):
            column[number] = found.details["intercept"]
    return column


def _finite(column: Floats) -> Floats:
    return np.where(np.isfinite(column), column, 0.0)
