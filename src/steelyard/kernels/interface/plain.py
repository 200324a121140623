"""Plain rows: labels of 0 and 1, finite scores, no weights: what few rows need, in one call."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from steelyard.kernels.interface.exact import Array, Columns, ExactSums
from steelyard.kernels.interface.groups import GroupAreas
from steelyard.kernels.interface.lists import ListTerm, Ties


class PlainRows(NamedTuple):
    """How many labels are 1, and the ends of the scores."""

    positives: int
    least: float
    largest: float


class PlainArea(NamedTuple):
    """How many rows each class has; twice the area under the curve, and the tied pairs."""

    positives: int
    negatives: int
    doubled_area: int
    tied_pairs: int


class PlainTerms(NamedTuple):
    """What readers check, and the exact sums of formulas in multiples of 2**power.

    power: any that fits; quotients do not depend on it
    """

    positives: int
    least: float
    largest: float
    power: int
    sums: Sequence[int]


class PlainListTerms(NamedTuple):
    """Ranked lists in any order: how many rows each has, and the columns of each term."""

    rows: Array
    columns: tuple[Columns, ...]


class PlainBins(NamedTuple):
    """Bins of equal mass that have rows, by rising number: see `level_bins` and `level_sums`.

    weight, positives: int64, the rows of each, and the positive ones
    """

    numbers: Array
    weight: Array
    positives: Array
    expected: ExactSums
    variance: ExactSums


class PlainKernels(Protocol):
    """Plain rows: labels are booleans, uint8, int64, float32 or float64, scores float32 or float64.

    Columns are contiguous. The answer is None where a label is neither 0 nor 1 (a grade: no whole
    number from 0 to 255), where a score is infinite or NaN, where the lengths differ, or where
    there are no rows: kernels say nothing more of such rows. A kernel may decline 2**31 rows and
    more. Keys are whole numbers of any type, as many as rows.
    """

    def plain_rows(self, labels: Array, scores: Array) -> PlainRows | None:
        """What readers check of rows of two classes."""

    def plain_area(self, labels: Array, scores: Array) -> PlainArea | None:
        """The same checks, and of the same rows the area: see `CurveTotals`."""

    def plain_terms(
        self, labels: Array, scores: Array, formulas: tuple[str, ...]
    ) -> PlainTerms | None:
        """The same checks, and the exact sum of each formula over all rows: see `SCORE_FORMULAS`.

        Formulas read no amount. Scores that are no probabilities are cut to 0…1, as in `outside`.
        """

    def plain_group_areas(self, labels: Array, scores: Array, keys: Array) -> GroupAreas | None:
        """The same checks, and the groups of the total; their columns are int64.

        Groups are in any order, and their number is their place.
        """

    def plain_list_terms(
        self,
        grades: Array,
        scores: Array,
        keys: Array | None,
        ties: Ties,
        terms: tuple[ListTerm, ...],
    ) -> PlainListTerms | None:
        """The lists of rows with grades, by named terms: see `LIST_TERMS`.

        keys: None: all rows are one list; ties: not by keys
        """

    def plain_level_bins(self, labels: Array, scores: Array, bins: int) -> PlainBins | None:
        """The same checks, and the bins of all rows. None too where a score is no probability."""
