"""Probability levels: both classes by slice and rising score, for calibration metrics.

Rows are those of two sorted runs with the same slices. The number of a row is its place in its
run, of all slices. A tied block has the rows of a slice with one score, of both classes.
"""

from typing import NamedTuple, Protocol

from steelyard.kernels.interface.curves import KeyedRun
from steelyard.kernels.interface.exact import Array, Columns, ExactSums


class LevelBins(NamedTuple):
    """Bins of equal mass that have rows, by slice and number.

    starts: the first bin of each slice, and the end; numbers: of the bins, rising in each slice
    positives, negatives: the first row of each bin in both classes, and the end
    """

    starts: Array
    numbers: Array
    positives: Array
    negatives: Array


class LevelHull(NamedTuple):
    """The corners of isotonic regression, by slice and rising score.

    starts: the first corner of each slice, and the end
    negatives, positives: the weight of each class below a corner, in the slice: whole numbers
    """

    starts: Array
    negatives: Array
    positives: Array


class LevelWalk(NamedTuple):
    """For each slice its cumulative difference: at the end, the lowest and the highest."""

    total: ExactSums
    lowest: ExactSums
    highest: ExactSums


class LevelCells(NamedTuple):
    """Cells that have rows, by slice and rising probability.

    starts: the first cell of each slice, and the end; codes: of the cells, rising in each slice
    positives, negatives: of each class the sums over the rows of a cell of the weight, and of the
        weight times t, t² and t³, t the place in the cell: whole numbers
    infinite: for each slice the weight of rows in no cell, with a probability of 0 or 1
    """

    starts: Array
    codes: Array
    positives: Columns
    negatives: Columns
    infinite: Array


class LevelKernels(Protocol):
    """Probability levels: both classes by slice and rising score."""

    def level_bins(
        self, positives: KeyedRun, negatives: KeyedRun, totals: Array, below: Array, bins: int
    ) -> LevelBins:
        """The bins of equal mass of each slice: a tied block is in bin ⌊B(2C + w)/2W⌋.

        w is the weight of the block, C that of all rows of the slice below it.
        totals: the W of each slice; below: the part of C that is not among these rows. Both are
        whole numbers, in the unit of the runs' digits, or of rows where these have none.
        """

    def level_sums(
        self, rows: KeyedRun, bounds: Array, term: str, downsampled: float | None
    ) -> ExactSums:
        """The exact Σ weight·term over the rows from each bound to the next; bounds never fall.

        term: of the probability q, rounded in each operation: "expected" q, "variance" q·(1 − q),
        "squares" q·q, "squares_of_rest" (1 − q)·(1 − q)
        downsampled: r, of scores p of which q = p/(p + (1 − p)/r), in three rounded operations,
        1 − p, its quotient by r, the sum, and their quotient; None: q is the score
        """

    def level_hull(self, positives: KeyedRun, negatives: KeyedRun) -> LevelHull:
        """The corners of the lower hull of each slice's cumulative diagram.

        Its points are the weights of negatives (x) and of positives (y) below each tied block,
        and of all rows. The first and the last point are corners, the others only where the line
        turns left: the slopes of the hull are the recalibrated odds, by pooling violators. A slice
        without rows has no corners.
        """

    def level_walk(
        self, positives: KeyedRun, negatives: KeyedRun, downsampled: float | None
    ) -> LevelWalk:
        """The cumulative Σ w(y − q) of each slice, at the ends of its tied blocks and at 0 before.

        y is 1 for positives, q as in `level_sums`; each slice has rows.
        """

    def level_cells(
        self,
        positives: KeyedRun,
        negatives: KeyedRun,
        bits: Array,
        downsampled: float | None,
        clip: float | None,
    ) -> LevelCells:
        """The cells of rows with about the same logit.

        clip: c where q, as in `level_sums`, is cut to [c, 1 − c]; None: it is not
        bits: b of each slice, from 10 to 40: the cells of an exponent are numbered by b bits

        The 64 bits of q, as a float64 with 52 bits of mantissa, are its code (all but the last
        p = 52 − b) and t·2**p (the last p). Where q ≥ ½ they are those of 1 − q, and the code is
        2**61 minus theirs; where q < 2**-1022 those of q·2**60, and the code is theirs minus
        2**60. t is counted in multiples of 2**−p; t·t and t·t·t are rounded to float64 in each
        operation, then cut after 31 binary places and counted in multiples of 2**−31.
        """
