"""Influence values of the logistic model logit P(y = 1) = a + b·logit q.

The sandwich: J⁻¹·x·w(y − μ), where μ is the fitted chance, x = (1, logit q) for a slope and (1) for
an intercept alone, and J = Σ w·μ(1 − μ)·x·xᵀ. For the slope J⁻¹ is written with the mean of the
logits by the weights w·μ(1 − μ), which keeps the digits of logits that are close to each other.
"""

from typing import NamedTuple

import numpy as np

from steelyard import kernels
from steelyard.metrics.influence import Influences, SliceValues, of_lines
from steelyard.model import Detailed, Floats
from steelyard.views.clustered_scores import ClusteredScores
from steelyard.views.clusters import LineAdder


class _Side(NamedTuple):
    """The rows of one class.

    logits: of the predictions; residuals: y − μ; bends: μ(1 − μ)
    """

    adder: LineAdder
    logits: Floats
    residuals: Floats
    bends: Floats


def of_intercept(rows: ClusteredScores, values: SliceValues) -> Influences:
    """w(y − μ)/Σ wμ(1 − μ), with a slope of 1."""
    sides = _sides(rows, values.numbers, np.ones(len(values.numbers)))
    bends = [side.bends for side in sides]
    return _influences(rows, values, [side.residuals for side in sides], bends)


def of_slope(rows: ClusteredScores, values: SliceValues) -> Influences:
    """w(y − μ)(x − m)/Σ wμ(1 − μ)(x − m)², where x are logits and m their mean by wμ(1 − μ)."""
    sides = _sides(rows, _intercepts(values), values.numbers)
    bend = _added([side.adder.by_slice(side.bends) for side in sides])
    first = _added([side.adder.by_slice(side.bends * side.logits) for side in sides])
    with np.errstate(divide="ignore", invalid="ignore"):  # slices without a value
        means = rows.of_slices(_finite(first / bend))
    off = [side.logits - mean for side, mean in zip(sides, means, strict=True)]
    both = list(zip(sides, off, strict=True))
    bends = [side.bends * x * x for side, x in both]
    return _influences(rows, values, [side.residuals * x for side, x in both], bends)


def _influences(
    rows: ClusteredScores,
    values: SliceValues,
    terms: list[Floats],
    bends: list[Floats],
) -> Influences:
    """Σ w·term by line, of the rows of both classes, over Σ w·bend of the slice."""
    value = rows.lines.spread(values.numbers)
    adders = (rows.positives, rows.negatives)
    above = _added([adder.add(term) for adder, term in zip(adders, terms, strict=True)])
    sums = [adder.add_both(bend) for adder, bend in zip(adders, bends, strict=True)]
    own, below = (_added(list(columns)) for columns in zip(*sums, strict=True))
    total = rows.lines.spread(below)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = of_lines(rows.lines, above / total, own / total, value == value)
    return found._replace(required=(rows.positives.weights > 0, rows.negatives.weights > 0))


def _sides(rows: ClusteredScores, intercepts: Floats, slopes: Floats) -> list[_Side]:
    """The rows of positives and of negatives, at the fit of their slice."""
    fits = zip(rows.of_slices(intercepts), rows.of_slices(slopes), strict=True)
    adders, found = (rows.positives, rows.negatives), []
    for place, (a, b) in enumerate(fits):
        # Logits are infinite, and a fit is absent, only where a slice has no value.
        logits = _finite(rows.logits[place])
        at = _finite(a + b * logits)
        small = kernels.active().exp(-np.abs(at))
        upper, lower = 1.0 / (1.0 + small), small / (1.0 + small)
        # −μ of a negative, and 1 − μ of a positive without the rounding of a difference.
        wrong = -np.where(at > 0, upper, lower) if place else np.where(at > 0, lower, upper)
        found.append(_Side(adders[place], logits, wrong, upper * lower))
    return found


def _intercepts(values: SliceValues) -> Floats:
    """The intercept that was fitted with each slope; NaN where there is none."""
    column = np.full(len(values.numbers), np.nan)
    for number, found in values.found.items():
        if isinstance(found, Detailed):
            column[number] = found.details["intercept"]
    return column


def _added(columns: list[Floats]) -> Floats:
    total: Floats = columns[0] + columns[1]
    return total


def _finite(column: Floats) -> Floats:
    return np.where(np.isfinite(column), column, 0.0)
