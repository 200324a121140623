"""Influence values: how much each cluster moves a metric, and which metrics have them.

A smooth metric θ is near a sum over rows: θ̂ − θ ≈ Σ u. The influence of a cluster is the sum over
its rows, and the variance of the metric follows from these sums (`steelyard.stats`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from steelyard.model import AnyValue, Array, Floats, Mask
from steelyard.views.clusters import ClusterLines, ClusterSums

Quotient = tuple[Any, Any]  # numerator and denominator: of one slice, or a column of lines
TermSums = Any  # sums by term: of one slice (`SumLine`), or a column of lines for each term

PLAIN, LOGIT, LOG, ATANH = SCALES = ("plain", "logit", "log", "atanh")
INFLUENCE, BOOTSTRAP, NONE = INTERVAL_KINDS = ("influence", "bootstrap", "none")


class Interval(NamedTuple):
    """How a metric gets its interval; why: the reason where it has no influence values.

    rows_taken_as: what its p-value takes rows as, also where a cluster is named
    freedom: the share of the degrees of freedom that it has
    """

    kind: str
    why: str = ""
    rows_taken_as: str = ""
    freedom: float = 1.0

    @property
    def note(self) -> str:
        """What is said beside such a p-value."""
        return f"rows taken as {self.rows_taken_as}" if self.rows_taken_as else ""


BY_INFLUENCE = Interval(INFLUENCE)
# An error without an upper bound: few clusters rarely have the largest errors, and where they do
# not, both the value and its standard error are too small.
OF_ERRORS = Interval(INFLUENCE, freedom=0.5)
DENSITY = Interval(BOOTSTRAP, "it depends on the density of scores at one point")
MAXIMUM = Interval(BOOTSTRAP, "it is a maximum over thresholds, so its interval is optimistic")
ORDER = Interval(BOOTSTRAP, "it depends on the order of all rows")
NEAR_ZERO = Interval(NONE, "it is never below 0, and resampled values near 0 are too high")
A_TEST = Interval(NONE, "it is a test statistic, with a p-value of its own", "independent")
NOT_SMOOTH = Interval(NONE, "it is the value of one row, and moves in jumps")


# Clusters with rows that the value of a class rests on: with so many, another sample of clusters is
# without the class in e**-5 of all cases, 0.7 %. Intervals of macro precision cover 50 % with two
# such clusters, 80 with three, 88 with four, 94 to 98 with five or more (docs/intervals.md).
ENOUGH_FOR_CLASS = 5

# Some of the confusion cells of two classes: tp, fp, fn, tn
CellKinds = tuple[bool, bool, bool, bool]
TRUE, OTHERS = (True, False, True, False), (False, True, False, True)  # positives, negatives


class SliceValues(NamedTuple):
    """The values of a metric in every slice.

    numbers: by slice number, NaN where there is none; found: what was computed, with its details,
        by slice number
    """

    numbers: Floats
    found: Mapping[int, AnyValue]

    def among(self, slices: Array) -> "SliceValues":
        """Those of some slices, numbered by their place."""
        known = ((place, self.found.get(n)) for place, n in enumerate(slices.tolist()))
        found = {place: value for place, value in known if value is not None}
        return SliceValues(self.numbers[slices], found)


class Influences(NamedTuple):
    """The influence of each cluster in each slice.

    columns: one column, or two that are added up: of positives and of negatives (AUC)
    shares: for each column, the share of each line in the weight that the metric divides by
    present: for each column, the lines that have rows in it
    required: further lines of which there must be two or more, such as those with positives
    leaves: by slice number, where a class may leave the mean over classes; None: nowhere
    """

    lines: ClusterLines
    columns: tuple[Floats, ...]
    shares: tuple[Floats, ...]
    present: tuple[Mask, ...]
    required: tuple[Mask, ...] = ()
    leaves: Mask | None = None

    @property
    def all(self) -> Floats:
        """The influence of each line."""
        return self.columns[0] if len(self.columns) == 1 else self.columns[0] + self.columns[1]


def of_no_lines(slices: int) -> Influences:
    """The influences of no cluster; slices: how many slice numbers there are."""
    none = np.zeros(0, np.int64)
    lines = ClusterLines(none, none, np.zeros(slices + 1, np.int64))
    return of_lines(lines, np.zeros(0), np.zeros(0), np.zeros(0, bool))


def of_lines(lines: ClusterLines, column: Floats, share: Floats, present: Mask) -> Influences:
    """Influences in one column; share: of the divisor; present: the lines that count."""
    return Influences(lines, (column,), (share,), (present,))


def of_sums(
    quotient: Callable[..., Quotient] | None,
    influence: Callable[..., Floats] | None,
    view: ClusterSums,
    params: Mapping[str, Any],
    values: SliceValues,
) -> Influences:
    """The influences of a metric of sums, from its quotient or from a function of its own.

    Such a function is of means over all rows, so that it divides by their weight.
    """
    value = view.lines.spread(values.numbers)
    present = value == value
    with np.errstate(divide="ignore", invalid="ignore"):  # slices without a value
        if quotient is not None:
            own, total = (quotient(sums, **params) for sums in (view.own, view.total))
            present &= own[1] != 0
            column, shares = of_quotient(own, total, value), own[1] / total[1]
        else:
            assert influence is not None
            column = influence(view.own, view.total, value, **params)
            shares = view.own["weight"] / view.total["weight"]
    return of_lines(view.lines, column, shares, present)


def of_both_classes(own: TermSums) -> tuple[Mask, Mask]:
    """The lines with positives, and those with negatives: a metric of both needs two of each."""
    positives = own["weighted_positives"]
    return positives > 0, own["weight"] > positives


def needed_cells(denominator: Sequence[float]) -> list[CellKinds]:
    """The cells that must have rows of two clusters or more, each of them for itself.

    A quotient whose denominator is of one cluster does not move with its weight, and nothing shows
    how far it may be off. F-beta has false positives in its denominator: these alone do not show
    how the recall varies, so that it needs the positives too.

    denominator: what a weight of 1 in each cell adds to it
    """
    tp, fp, fn, tn = (each != 0 for each in denominator)
    own = (tp, fp, fn, tn)
    return [own, TRUE] if tp and fp and fn and not tn else [own]


def of_quotient(own: Any, total: Any, value: Floats) -> Floats:
    """The influences on a quotient: (numerator − value · denominator) / denominator of all.

    own, total: numerator and denominator of each line, and of its slice
    """
    column: Floats = (own[0] - value * own[1]) / total[1]
    return column
