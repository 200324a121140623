"""Influence values of metrics of class cells.

Such a metric is a smooth function of the weights of pairs of classes. Its influence is a sum over
the cells of a cluster: weight · derivative of the metric by the weight of that pair. All weights
are shares of the weight of a slice.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from steelyard.metrics.influence import (
    ENOUGH_FOR_CLASS,
    TRUE,
    Influences,
    SliceValues,
    needed_cells,
    of_lines,
)
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
    view: ClusterClasses,
    slopes: Floats,
    share: Floats,
    values: SliceValues,
    counts: Mask | None = None,
) -> Influences:
    """The influences of the derivatives by cell.

    share: of each line in what the metric divides by; counts: the cells that count, if not all do
    """
    value = view.lines.spread(values.numbers)
    present = value == value
    if counts is not None:
        present &= view.add(counts.astype(np.float64)) > 0
    return of_lines(view.lines, view.add(slopes), share, present)


def share_of_rows(view: ClusterClasses, counts: Mask | None = None) -> Floats:
    """The share of each line in the rows of its slice; counts: those of chosen classes."""
    if counts is None:
        return view.add()
    all_ = view.lines.spread(view.over_classes(view.among_chosen.truth))
    with np.errstate(divide="ignore", invalid="ignore"):  # slices without a value
        share: Floats = view.add(counts.astype(np.float64)) / all_
    return share


def influences_of_mean(
    view: ClusterClasses, coefficients: Coefficients, values: SliceValues, average: str
) -> Influences:
    """The influences on a mean over classes of a quotient.

    average: binary, macro, micro or weighted
    """
    parts = _parts(view, coefficients, values, average)
    slopes = _slopes_of_mean(view, coefficients, values, average, parts)
    denominator = [below for _, below in coefficients]
    share = view.add(_by_cell(view, [_share_of_class(parts, below) for below in denominator]))
    used = (parts.shares > 0) & (parts.denominators > 0)
    weighted = average == "weighted"
    counts = _counting_cells(view, denominator, used, weighted)
    found = influences(view, slopes, share, values, counts)
    if average == "micro":  # one quotient of all classes' cells
        return found
    few = used & _of_one_cluster(view, denominator, weighted)
    found = without_few(found, view, few)
    if average == "binary":
        return found
    return found._replace(leaves=_any_of_slice(view, _may_leave(view, denominator, weighted)))


def _may_leave(view: ClusterClasses, denominator: Sequence[float], weighted: bool) -> Mask:
    """The classes whose quotient is 0/0, or rests on so few clusters that it may be.

    A weighted mean does not jump where the rows that give a class its weight are part of the
    denominator, as for the recall: without them it counts for nothing.
    """
    own = [each != 0 for each in denominator]
    few: Mask = view.lines_with(own) < ENOUGH_FOR_CLASS
    if weighted:
        jumps = own != _moving(denominator, weighted)
        few = few & (view.one_vs_rest.truth > 0) & jumps
    return few


def _counting_cells(
    view: ClusterClasses, denominator: Sequence[float], used: Mask, weighted: bool
) -> Mask:
    """The cells that count for a class in use: in its quotient, or weighted as its true rows."""
    tp, fp, fn, tn = _moving(denominator, weighted)
    ones = used.astype(np.float64)
    true, called = (_at(ones, side) > 0 for side in (view.true, view.called))
    counts: Mask = np.where(view.is_hit, tp & true, (fn & true) | (fp & called))
    if tn:
        touched = true * 1.0 + (called & ~view.is_hit)
        counts |= view.over_classes(ones)[view.slices] > touched
    return counts


def _of_one_cluster(view: ClusterClasses, denominator: Sequence[float], weighted: bool) -> Mask:
    """The classes with a value that rests on the rows of one cluster.

    A weighted mean counts a class by its true rows. If these are of the one cluster too, it adds
    weight · value to a sum over clusters, as others do: that is an observation like any other.
    """
    few = np.zeros(len(view.of_slice), bool)
    for kinds in needed_cells(denominator):
        few |= view.lines_with(kinds) == 1  # 0: a class that is never true has an F1 of 0
    if weighted:
        few &= view.lines_with(_moving(denominator, weighted)) > 1
    return few


def _moving(denominator: Sequence[float], weighted: bool) -> list[bool]:
    """The cells of a class that move its part of the mean."""
    return [each != 0 or (weighted and true) for each, true in zip(denominator, TRUE, strict=True)]


def without_few(found: Influences, view: ClusterClasses, few: Mask) -> Influences:
    """The influences, of which slices with any of these classes have not enough lines."""
    enough = ~view.lines.spread(_any_of_slice(view, few))
    return found._replace(required=(found.present[0] & enough,))


def _any_of_slice(view: ClusterClasses, classes: Mask) -> Mask:
    """The slices that have any of these classes."""
    found = np.zeros(len(view.starts) - 1, bool)
    found[view.of_slice[classes]] = True
    return found


def _slopes_of_mean(
    view: ClusterClasses,
    coefficients: Coefficients,
    values: SliceValues,
    average: str,
    parts: Parts,
) -> Floats:
    """The derivatives by cell of a mean over classes of a quotient."""
    tp, fp, fn, tn = (_of_class(parts, *each) for each in coefficients)
    if average == "weighted":
        more = _of_frequency(view, parts, values)
        tp, fn = tp + more, fn + more
    return _by_cell(view, [tp, fp, fn, tn])


def _by_cell(view: ClusterClasses, of_cells: Sequence[Floats]) -> Floats:
    """What each cell adds to all classes, from what each class has for its tp, fp, fn and tn."""
    rest = view.over_classes(of_cells[3])[view.slices]  # as if a cell were of no class
    tp, fp, fn = (each - of_cells[3] for each in of_cells[:3])
    hits = _at(tp, view.true)
    misses = _at(fn, view.true) + _at(fp, view.called)
    found: Floats = rest + np.where(view.is_hit, hits, misses)
    return found


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


def _share_of_class(parts: Parts, below: float) -> Floats:
    """The share of a weight of 1 in the denominator of each class, as much as the class counts."""
    with np.errstate(divide="ignore", invalid="ignore"):
        column = parts.shares * below / parts.denominators
    return np.where(parts.denominators > 0, column, 0.0)


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
