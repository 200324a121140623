"""The Wald test whether several numbers, such as the changes of slices, are all equal."""

from fractions import Fraction

import numpy as np

from steelyard.model import Floats
from steelyard.stats.tails import chi2_tail

# A direction whose variance is below this share of the variances that it is the rest of has none:
# rounding alone leaves up to 1e-13 of them for 1,000 numbers.
NO_VARIANCE = 1e-10


def wald(differences: Floats, covariance: Floats) -> tuple[float, int, float]:
    """χ² of the hypothesis that K numbers are equal, its degrees of freedom, and its p value.

    With c the contrasts to one of the numbers and V their covariance, χ² = cᵀV⁻¹c. It has K−1
    degrees of freedom; a direction without variance is left out, whatever the contrast in it is,
    and counts for none. Without any degree of freedom there is no test: χ² is 0, and p is NaN.

    The one that others are compared with has the least variance, and elimination takes the largest
    rest first: χ² does not depend on the order of the numbers, nor on a constant added to them,
    beyond rounding. 1,000 numbers take 0.7 s.

    Wald (1943), Transactions of the American Mathematical Society 54:426.

    >>> wald(np.array([0.5, 0.125]), np.array([[0.0625, 0.0], [0.0, 0.0]]))
    (2.25, 1, 0.13361440253771614)
    """
    statistic, freedom = 0.0, 0
    if len(differences) > 1:
        statistic, freedom = _eliminated(*_contrasts(differences, covariance))
    if freedom == 0:
        return statistic, freedom, float("nan")
    return statistic, freedom, chi2_tail(Fraction(statistic), freedom)


def _contrasts(differences: Floats, covariance: Floats) -> tuple[Floats, Floats]:
    """Each number minus the one of least variance, with its covariances, in units of its own.

    The unit is the root of the sum of both variances: what rounding leaves of V is relative to it.
    """
    variances = np.diagonal(covariance)
    last = int(np.lexsort((differences, variances))[0])  # by variance, then by number
    others = np.flatnonzero(np.arange(len(differences)) != last)
    squares = variances[others] + variances[last]
    units = np.sqrt(np.where(squares > 0, squares, 1.0))
    shared = covariance[others, last]
    matrix = covariance[np.ix_(others, others)] + variances[last]
    matrix -= np.add.outer(shared, shared)
    matrix /= np.multiply.outer(units, units)
    return (differences[others] - differences[last]) / units, matrix


def _eliminated(contrasts: Floats, matrix: Floats) -> tuple[float, int]:
    """cᵀV⁻¹c and the rank of V, one direction at a time, in place: the largest variance first.

    Each direction leaves the others what is independent of it: V − vvᵀ/variance.
    """
    statistic = 0.0
    product = np.empty_like(matrix)
    for left in range(len(contrasts) - 1, -1, -1):
        _move_last(contrasts, matrix, left)
        variance = float(matrix[left, left])
        if variance <= NO_VARIANCE:
            return statistic, len(contrasts) - 1 - left
        root = np.sqrt(variance)
        normal = float(contrasts[left] / root)
        statistic += normal * normal
        row = matrix[left, :left] / root
        contrasts[:left] -= row * normal
        matrix[:left, :left] -= np.multiply.outer(row, row, out=product[:left, :left])
    return statistic, len(contrasts)


def _move_last(contrasts: Floats, matrix: Floats, last: int) -> None:
    """Exchange the last contrast with that of the largest variance, of equal ones the lowest."""
    variances = np.diagonal(matrix)[: last + 1]
    best = int(np.lexsort((contrasts[: last + 1], -variances))[0])
    contrasts[[best, last]] = contrasts[[last, best]]
    matrix[[best, last]] = matrix[[last, best]]
    matrix[:, [best, last]] = matrix[:, [last, best]]
