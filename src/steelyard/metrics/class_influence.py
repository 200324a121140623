"""Influence values of metrics of class cells.

Such a metric is a smooth function of the weights of pairs of classes. Its influence is a sum over
the cells of a cluster: weight · derivative of the metric by the weight of that pair. All weights
are shares of the weight of a slice.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard.metrics.influence import Influences, SliceValues, of_lines
from steelyard.model import Array, ClassMean, Floats, Mask
from steelyard.views.cluster_cells import NOT_CHOSEN, ClusterClasses

Coefficients = Sequence[tuple[float, float]]  # of tp, fp, fn and tn, in numerator and denominator


class Parts(NamedTuple):
    """What a mean over classes is made of; columns have one entry for each class of every slice.

    values: of each class, where it has one; denominators: of their quotients
    shares: how much each counts in the mean
    """

    values: Floats
    denominators: Floats
    shares: Floats


def influences(
    view: ClusterClasses, slopes: Floats, values: SliceValues, counts: Mask | None = None
) -> Influences:
    """The influences of the derivatives by cell; counts: the cells that count, if not all do."""
    value = view.lines.spread(values.numbers)
    present = value == value
    if counts is not None:
        present &= view.add(counts.astype(np.float64)) > 0
    return of_lines(view.lines, view.add(slopes), present)


def slopes_of_mean(
    view: ClusterClasses, coefficients: Coefficients, values: SliceValues, average: str
) -> Floats:
    """The derivatives by cell of a mean over classes of a quotient.

    average: binary, macro, micro or weighted
    """
    parts = _parts(view, coefficients, values, average)
    of_cells = [_of_class(parts, *each) for each in coefficients]
    rest = view.over_classes(of_cells[3])[view.slices]  # as if a cell were of no class
    tp, fp, fn = (each - of_cells[3] for each in of_cells[:3])
    if average == "weighted":
        more = _of_frequency(view, parts, values)
        tp, fn = tp + more, fn + more
    hits = _at(tp, view.true)
    misses = _at(fn, view.true) + _at(fp, view.called)
    slopes: Floats = rest + np.where(view.is_hit, hits, misses)
    return slopes


def class_values(view: ClusterClasses, values: SliceValues) -> Floats:
    """The value of each class of every slice; NaN where it has none."""
    column = np.full(len(view.of_slice), np.nan)
    for number, found in values.found.items():
        assert isinstance(found, ClassMean)
        first, last = view.starts[number : number + 2].tolist()
        if first < last:
            column[first:last] = found.class_values
    return column


def _parts(
    view: ClusterClasses, coefficients: Coefficients, values: SliceValues, average: str
) -> Parts:
    cells, of_slice = view.one_vs_rest, view.of_slice
    each = [below * cell for (_, below), cell in zip(coefficients, cells, strict=True)]
    denominators: Floats = each[0] + each[1] + each[2] + each[3]
    ones = np.ones(len(of_slice))
    if average == "micro":
        return Parts(values.numbers[of_slice], view.over_classes(denominators)[of_slice], ones)
    if average == "binary":
        return Parts(values.numbers[of_slice], denominators, ones * view.is_positive)
    found = class_values(view, values)
    weights = np.where(found == found, cells.truth if average == "weighted" else ones, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):  # slices without a value
        shares = weights / view.over_classes(weights)[of_slice]
    return Parts(found, denominators, shares)


def _of_class(parts: Parts, above: float, below: float) -> Floats:
    """The derivative by the weight of one cell of each class: share · (n − value · d) / D."""
    with np.errstate(divide="ignore", invalid="ignore"):
        column = parts.shares * (above - parts.values * below) / parts.denominators
    # A class that is 0/0 is left out, or has a fixed value.
    return np.where((parts.denominators > 0) & np.isfinite(column), column, 0.0)


def _of_frequency(view: ClusterClasses, parts: Parts, values: SliceValues) -> Floats:
    """The derivative by the weight of each class in the mean: (value − mean) / weight of all."""
    weights = np.where(parts.values == parts.values, view.one_vs_rest.truth, 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        total = view.over_classes(weights)[view.of_slice]
        column = (parts.values - values.numbers[view.of_slice]) / total
    return np.where(np.isfinite(column), column, 0.0)


def _at(column: Floats, numbers: Array) -> Floats:
    """A column of classes for each cell; 0 where its class is not chosen."""
    assert NOT_CHOSEN == -1  # the last entry
    found: Floats = np.append(column, 0.0)[numbers]
    return found
