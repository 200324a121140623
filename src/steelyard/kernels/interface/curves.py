"""Rows by slice and score: the points of curves, the areas under them, and sorted tables.

**Rows** are given as they came, in one or more chunks, or sorted already; functions take both forms
and give the same answer. A chunk may have no rows. Inputs are never changed. An output may be an
array of the input, or share memory with it, where it has the same content.

**Whole numbers.** W is the largest weight of a slice, both classes together, in multiples of
2**unit. A column of whole numbers is uint32 where W < 2**32, int64 where W < 2**63, else Python
integers in an array of objects: all such columns of one answer have one type, but where it is that
of objects a column may be int64 if that holds it. Only areas and pairs are Python integers always,
as they are products of two weights. Compiled kernels leave calls to NumPy where W is 2**63 or
more.

**Order.** -0.0 is the same score as 0.0, and every score in an answer is 0.0 instead of -0.0.
Points are by slice number and rising score, rows of sorted tables too.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from steelyard.kernels.interface.exact import Array, Digits, ExactSums


class ScoreChunk(NamedTuple):
    """Rows of both classes as they came.

    codes: the slice number of each row, unsigned or int64; None: all rows are of slice 0
    scores: float32 or float64, finite; of one type in all chunks
    positive: bool, the class of each row
    weights: None: 1 each, 2**-unit multiples of 2**unit; an array: float32, float64 or whole
        numbers, each above 0 and a multiple of 2**unit; a tuple: digits of whole numbers, each
        above 0, in multiples of 2**unit
    clusters: any column that `sort_scores` is to keep beside the rows, or the lines of
        `line_areas`; other functions ignore it
    """

    codes: Array | None
    scores: Array
    positive: Array
    weights: Array | Digits | None = None
    clusters: Array | None = None


class Run(NamedTuple):
    """Rows by rising score, with their weights; digits None: each weight is 1."""

    scores: Array
    digits: Digits | None


class KeyedRun(NamedTuple):
    """Rows by slice and rising score, with their weights; digits None: each weight is 1.

    starts: int64, where each slice starts, and the end of all
    """

    starts: Array
    scores: Array
    digits: Digits | None

    @property
    def run(self) -> Run:
        """The rows without their slices."""
        return Run(self.scores, self.digits)


class SortedTable(NamedTuple):
    """The rows of both classes by slice and rising score; weights are multiples of 2**unit.

    Both classes have the same slices. Rows of one slice, class and score are in any order.
    clusters: of both classes, the `clusters` of each row; None where a chunk has none
    """

    positives: KeyedRun
    negatives: KeyedRun
    unit: int
    clusters: tuple[Array, Array] | None = None


ScoreRows = Sequence[ScoreChunk] | SortedTable


class CurveTotals(NamedTuple):
    """What is known of each slice without points; a column has one entry for each slice.

    positives, negatives: whole numbers, the weight of each class
    lowest, highest: float64, the ends of the scores of both classes; NaN without rows
    doubled_area: Python integers, twice the weight of the pairs of a positive and a negative in
        which the positive has the higher score, plus once the weight of tied pairs
    tied_pairs: Python integers, the weight of the pairs with equal scores
    The weight of a pair is the product of the two rows' weights, in multiples of 4**unit.
    """

    positives: Array
    negatives: Array
    lowest: Array
    highest: Array
    doubled_area: Array
    tied_pairs: Array


class CurvePoints(NamedTuple):
    """The distinct positive scores of each slice, by slice and rising score.

    starts: int64, the first entry of each slice, and the end of all
    scores: in the type of the rows' scores
    positives: whole numbers, the weight of positives at each score; None: 1 each
    below: whole numbers, the weight of the slice's negatives with a lower score
    tied: whole numbers, the weight of the slice's negatives at it; None: 0 everywhere
    positives is None only where all rows have weight 1 and no two positives of a slice have one
    score, tied only where it would be 0 everywhere: a kernel may give columns of 1 and 0 instead.
    """

    starts: Array
    scores: Array
    positives: Array | None
    below: Array
    tied: Array | None


class Upwards(NamedTuple):
    """The weight of each class from the lowest of some points of a slice up to its end.

    Both are int64 or Python integers, one entry for each slice of the points. With the points of a
    whole slice they are its totals. Where points start in the middle of a slice, `positives` is
    less by the weight of the positives below them, `negatives` less by that part of the negatives
    below them which their own `below` does not count.
    At entry i of slice s, TP = positives[s] − the positives of the entries of s before i, and
    FP = negatives[s] − below[i]: the weights at or above its score.
    """

    positives: Array
    negatives: Array


class Chosen(NamedTuple):
    """One entry of each slice: its place among all points, −1: none; its TP and FP, 0 for none.

    tp, fp: int64 or Python integers
    """

    places: Array
    tp: Array
    fp: Array


class Placements(NamedTuple):
    """For each row, whole numbers: the weight of the other class of its slice.

    below: of the rows with a lower score; tied: of those with the same, None: 0 everywhere
    Rows are in input order, one chunk after the other; of a sorted table the positives come first.
    """

    below: Array
    tied: Array | None


Term = Literal["precision", "pr_segment", "doubled_fp"]
CurveMeasure = Literal["gain", "share", "precise", "allowed", "within", "reached"]


class LineAreas(NamedTuple):
    """What the rows of each line add to the area of their slice: of positives, and of negatives.

    weights: Σ weight, in multiples of 2**unit
    areas: Σ weight · (2 · a + b), in multiples of 2**(2 · unit): a is the weight of the other
        class below the row's score, of a negative that above it, and b the weight at it
    """

    weights: tuple[ExactSums, ExactSums]
    areas: tuple[ExactSums, ExactSums]


class CurveKernels(Protocol):
    """Rows by slice and score: the points of curves, and sorted tables."""

    def curve_points(
        self, rows: ScoreRows, slices: int, unit: int, *, points: bool
    ) -> tuple[CurveTotals, CurvePoints | None]:
        """Areas, totals and, with `points`, the points of the curve of each slice.

        slices: how many slice numbers there are, at least 1; a slice may have no rows, as may all
        unit: every weight is a whole multiple of 2**unit; where a weight is 1 it is 0 or less
        """

    def curve_sums(self, points: CurvePoints, upwards: Upwards, term: Term) -> ExactSums:
        """For each slice, the exact Σ positive weight · term over its points.

        The term is a float64, or a whole number. With A = TP − p and F = FP − t above the entry's
            p positives and t tied negatives, S = A + F, each quotient of whole numbers rounded
            once:
        precision: TP / (TP + FP)
        pr_segment: the mean precision on the way from S to TP + FP: α = p/(p+t) where S is 0; else
            with β = t/(p+t), π = A/S, φ = F/S, z = (p+t)/S, y = (p+t)/(2S+p+t) and the slope
            m = φ·α − β·π: π + m·g where m > 0, else α − m·l; at most 1. g and l are those of
            `one_minus_log1p_ratio(z, y)`.
        doubled_fp: FP + F, a whole number: twice the mean of FP on the way
        """

    def curve_most(
        self, points: CurvePoints, upwards: Upwards, measure: CurveMeasure, up: Array, down: Array
    ) -> Chosen:
        """For each slice the entry that a measure chooses; of equal ones the highest.

        up, down: one whole number from 0 for each slice, int64 or Python integers
        gain: the largest up·TP − down·FP, if it is above 0
        share: the largest TP / (TP + FP + down) among entries with TP ≥ up
        precise: the lowest entry with up·TP ≥ down·FP
        allowed: the lowest entry with FP ≤ down
        within: the lowest entry with TP + FP ≤ down
        reached: the highest entry with TP ≥ up
        """

    def next_above(self, rows: ScoreRows, slices: int, codes: Array, scores: Array) -> Array:
        """The lowest negative score of a slice above each of some scores; infinite without one.

        codes, scores: the slice and the score of each query, by slice and rising score
        The answer is of the type of the scores.
        """

    def sort_scores(self, chunks: Sequence[ScoreChunk], slices: int, unit: int) -> SortedTable:
        """The rows of both classes by slice and rising score.

        Digits are None where all chunks have no weights and the unit
        is 0; else they are uint32 or int64.
        """

    def placements(self, rows: ScoreRows, slices: int, unit: int) -> Placements:
        """For each row, the weight of the other class of its slice below its score and at it."""

    def line_areas(self, rows: ScoreRows, slices: int, unit: int, lines: int) -> LineAreas:
        """For each line below `lines`, its weight and what it adds to the area, of both classes.

        The line of a row is its number in `clusters`. A column of sums is as long as there are
        lines; it may be empty (`{}`) where all are 0.
        """
