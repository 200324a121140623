"""Pairs of truth and prediction in ranges: they are exchanged as scores are, by (slice, value).

The value is the error |p − y|. Where metrics read ranks it is the truth, and then, with the rank of
its truth beside each row, the prediction: so a range has both ranks of its rows. To `score_ranges`
the value is the score of a positive, and truth and prediction are columns that rows carry.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, NoReturn

import numpy as np

from steelyard import errors, kernels
from steelyard.engines.score_ranges import slices_of
from steelyard.kernels.interface import ScoreChunk
from steelyard.kernels.ragged import steps
from steelyard.metrics.fold import MakeParts, Ranges, SliceParts
from steelyard.metrics.pair_metrics import RankFold
from steelyard.model import Array, Reading
from steelyard.phrases import phrase
from steelyard.states import Pairs
from steelyard.states.pairs import PairChunk, PairTable
from steelyard.states.score_table.state import KeptChunk
from steelyard.states.weights import Weights, digits_at, digits_in_unit
from steelyard.views.context import Context
from steelyard.views.pairs import PairsView
from steelyard.views.weightings import Weighting

BY_ERROR, BY_RANK = "error", "rank"
PairExchange = Callable[[str], Ranges]


class PairSlices(NamedTuple):
    """What is known of all rows: the numbers of the slices to show, in order."""

    slices: Array

    def order_sums(self) -> NoReturn:
        """Two rows in order may be in any two ranges: all ranges would have to meet."""
        raise errors.NOT_BY_PARTS(what=phrase("kendall"))


class PairRanges:
    """The ranges of a table of pairs; those of an order are exchanged when a task needs them."""

    def __init__(self, slices: Array, exchange: PairExchange) -> None:
        self.whole, self._exchange = PairSlices(slices), exchange
        self._known: dict[str, Ranges] = {}

    def weighted(
        self, weightings: Sequence[Weighting], hashes: Array, metrics: Sequence[str]
    ) -> NoReturn:
        """Ranks are others in each replicate: rows would travel once for each of them."""
        raise errors.NOT_BY_PARTS(what=phrase("a bootstrap of {names}", names=", ".join(metrics)))

    def map(self, task: MakeParts) -> Iterator[list[SliceParts]]:
        order = BY_RANK if isinstance(task.wanted[0][0].metric, RankFold) else BY_ERROR
        if order not in self._known:
            self._known[order] = self._exchange(order)
        return self._known[order].map(task)


def keyed(chunks: Sequence[PairChunk], order: str) -> list[KeptChunk]:
    """Rows to exchange by their errors, or by their truths: the first exchange by rank."""
    found = []
    for codes, truth, prediction, weights, _ in chunks:
        with np.errstate(over="ignore"):
            value = truth if order == BY_RANK else np.abs(prediction - truth)
        given = weights.digits if weights.weight is None else weights.weight
        rows = ScoreChunk(codes, value, np.ones(len(value), bool), given)
        found.append(KeptChunk(rows, weights.unit, (truth, prediction)))
    return found


def ranked(
    chunks: Sequence[KeptChunk], slices: Array, context: Context, reading: Reading
) -> list[KeptChunk]:
    """The rows of a range of truths to exchange by their predictions: they carry their ranks."""
    view = _view_of(chunks, slices, context)
    starts, truth, prediction, digits, unit, _ = view.table
    codes = np.repeat(slices, steps(starts))
    rows = ScoreChunk(codes, prediction, np.ones(len(codes), bool), digits)
    return [KeptChunk(rows, unit, (truth, prediction, *view.ranks_of_truth))]


def made_of_range(
    task: MakeParts,
    chunks: Sequence[KeptChunk],
    slices: Array,
    context: Context,
    reading: Reading,
) -> list[list[SliceParts]]:
    """What a task makes of a range, whose slices have these numbers in the job."""
    return task.of_some(_view_of(chunks, slices, context), slices)


def _view_of(chunks: Sequence[KeptChunk], slices: Array, context: Context) -> PairsView:
    """The rows of a range by slice."""
    codes = np.concatenate([slices.searchsorted(slices_of(each)) for each in chunks])
    order, starts = kernels.active().bring_together(codes, len(slices))
    truth, prediction = (
        np.concatenate([each.carried[place] for each in chunks])[order] for place in range(2)
    )
    unit = context.totals.power
    digits = digits_in_unit([_weights(each) for each in chunks], unit)
    view = PairsView(Pairs(), 0, len(slices), np.arange(len(slices)))
    view.table = PairTable(starts, truth, prediction, digits_at(digits, order), unit)
    view.context = context
    if len(chunks[0].carried) > 2:
        ranks = [Weights(len(each.rows.scores), None, each.carried[2:]) for each in chunks]
        view.truth_ranks = digits_at(digits_in_unit(ranks, 0), order)
    return view


def _weights(chunk: KeptChunk) -> Weights:
    given, count = chunk.rows.weights, len(chunk.rows.scores)
    if isinstance(given, tuple):
        return Weights(count, None, given, chunk.unit)
    return Weights(count, given)
