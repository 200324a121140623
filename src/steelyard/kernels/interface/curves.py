"""Rows by slice and score: sorting them, and the places of one class among the other."""

from typing import NamedTuple, Protocol

from steelyard.kernels.interface.exact import Array, Columns, Digits, ExactSums


class Run(NamedTuple):
    """Rows by rising score, with their weights; digits None: each weight is 1."""

    scores: Array
    digits: Digits | None


class KeyedRun(NamedTuple):
    """Rows by slice and rising score, with their weights; digits None: each weight is 1.

    starts: where each slice starts, and the end of all
    """

    starts: Array
    scores: Array
    digits: Digits | None

    @property
    def run(self) -> Run:
        """The rows without their slices."""
        return Run(self.scores, self.digits)


class Placement(NamedTuple):
    """The distinct positive scores, rising, and their places in the runs of both classes.

    starts: the first positive row with that score
    below: the first negative row with that score or a higher one: how many have a lower one
    past: the first negative row with a higher score; the same array as `below` without any tie
    """

    scores: Array
    starts: Array
    below: Array
    past: Array


class SortedRows(NamedTuple):
    """Rows by slice and rising score.

    starts: where each slice starts, and the end of all; columns: other columns of the rows
    """

    starts: Array
    scores: Array
    columns: Columns


class CurveKernels(Protocol):
    """Rows by slice and score: sorting them, and the places of one class among the other."""

    def split(self, chosen: Array, columns: Columns) -> tuple[Columns, Columns]:
        """The columns of the rows that are chosen, and of the rows that are not, in new arrays."""

    def sort_rows(self, scores: Array, columns: Columns) -> tuple[Array, Columns]:
        """Rows by rising score (-0.0 as 0.0), with their columns; `scores` is overwritten."""

    def sort_keyed(
        self, codes: Array | None, count: int, scores: Array, columns: Columns
    ) -> SortedRows:
        """Rows by code and rising score (-0.0 as 0.0), their columns; `scores` is overwritten."""

    def collapse(self, rows: KeyedRun) -> KeyedRun:
        """One row for each distinct score of each slice, with its total weight."""

    def place(self, positives: Run, negatives: Run) -> Placement:
        """The place of every distinct positive score among the negatives."""

    def place_keyed(self, positives: KeyedRun, negatives: KeyedRun) -> Placement:
        """The place of every distinct positive score of each slice among its negatives."""

    def cumulative(self, run: Run) -> Digits:
        """Digit by digit, the weight before each row and of all.

        No digits where each weight is 1: the weight before a row is its number.
        """

    def weight_before(self, sums: Digits, rows: Array) -> Digits:
        """The weight before each of these row numbers; sums: the result of `cumulative`."""

    def weight_between(self, sums: Digits, rows: Array) -> Digits:
        """The weight from each of these row numbers to the next; sums: as in `weight_before`."""

    def sum_between(self, column: Array, starts: Array) -> Array:
        """The sum of each slice's whole numbers, which must fit their type."""

    def dot_by_slice(self, weights: Digits, numbers: Array, starts: Array) -> ExactSums:
        """The exact Σ weight·number over the rows of each slice."""
