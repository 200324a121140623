"""Metrics of pairs from ranges have the values of all rows, for any cuts and partitions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from steelyard.engines import pair_ranges, score_ranges
from steelyard.metrics import catalogue
from steelyard.metrics.catalogue import BoundMetric
from steelyard.metrics.fold import MakeParts, SliceParts, WholeView, measured
from steelyard.model import Array, Reading
from steelyard.reading.batch import Batch
from steelyard.reading.predictions import NumericPredictions
from steelyard.reading.slices import KeyNumbers, Slices
from steelyard.states import Pairs
from steelyard.states.score_table.state import KeptChunk
from steelyard.views.context import Context
from steelyard.views.pairs import PairsView
from tests.effort import random_cases

SPECS = [
    *("median_ae", "spearman", "normalized_gini", "residuals(3)", "predicted_vs_true(4)"),
    *("residuals(1)", "residuals(40)"),
]
SLICES = 5
NUMBERS = {
    "ties": [0.0, -0.0, 1.0, 2.0, 3.0],
    "below 0": [-2.5, 0.0, -0.0, 1e-3, 7.0],
    "far apart": [0.0, 5e-324, 1e-300, 1.0, 1e300, 1.7e308],
    "beyond float64": [-1.7e308, 0.0, 1.7e308],
    "zeros": [0.0] * 9 + [3.0],
}
WEIGHTS: dict[str, list[float] | None] = {
    "none": None,
    "ones": [1.0],
    "whole": [1, 2, 3],
    "thirds": [1 / 3, 1.0, 2.5],
    "huge": [2.0**61, 1.0, 2.0**-70],
}


Rows = tuple[list[KeptChunk], Array, Context]


@dataclass
class Ranges:
    """Ranges that lie in this process."""

    whole: pair_ranges.PairSlices
    rows: dict[int, Rows]

    def weighted(self, *given: Any) -> Any:
        raise NotImplementedError

    def map(self, task: MakeParts) -> Iterator[list[SliceParts]]:
        for number in sorted(self.rows):
            yield from pair_ranges.made_of_range(task, *self.rows[number], Reading())


def partition(columns: Sequence[Any], rows: slice) -> Pairs:
    truth, prediction, codes = (column[rows] for column in columns[:3])
    weight = None if columns[3] is None else columns[3][rows]
    keys = KeyNumbers()
    keys.number([(number,) for number in range(SLICES)])
    state = Pairs(2)
    sliced = Slices(keys, codes, np.zeros(SLICES, np.int64))
    numbers = NumericPredictions(truth, prediction)
    state.update(Batch(len(truth), Reading(), weight, slices=(sliced,), numbers=numbers))
    return state


def brought_together(parts: Sequence[list[KeptChunk]], random: Any) -> dict[int, Rows]:
    samples = [score_ranges.sample_of(part, int(random.integers(1, 9))) for part in parts]
    cuts, unit = score_ranges.choose_cuts(samples, int(random.integers(1, 12)))
    splits = [score_ranges.split(part, cuts, unit) for part in parts]
    return score_ranges.brought_together(splits, unit, SLICES)[1]


def check(seed: int) -> None:
    random = np.random.default_rng(seed)
    rows = int(random.choice([0, 1, 2, 5, 40, 300]))
    kinds = [NUMBERS[str(random.choice([*NUMBERS]))] for _ in range(2)]
    truth, prediction = (random.choice(kind, rows) for kind in kinds)
    if random.random() < 0.4:
        prediction = random.normal(size=rows)
    weights = WEIGHTS[str(random.choice([*WEIGHTS]))]
    weight = None if weights is None else random.choice(weights, rows)
    codes = random.integers(0, int(random.integers(1, SLICES)), rows)
    columns = [truth, prediction, codes, weight]
    cuts = np.sort(random.integers(0, rows + 1, 2)).tolist()
    bounds = zip([0, *cuts], [*cuts, rows], strict=True)
    states = [partition(columns, slice(*each)) for each in bounds]
    slices = random.permutation(SLICES)[: int(random.integers(1, SLICES + 1))]
    metrics = [catalogue.resolve(spec, reads="prediction") for spec in SPECS]
    whole = PairsView(partition(columns, slice(None)), 1, SLICES, slices)
    expected = of_passes(WholeView(whole), metrics)

    def exchange(order: str) -> Ranges:
        numbers = np.arange(SLICES)
        kept = [each.kept(1, numbers, numbers) for each in states]
        found = brought_together([pair_ranges.keyed(each, order) for each in kept], random)
        if order == pair_ranges.BY_RANK:
            ranked = [pair_ranges.ranked(*each, Reading()) for each in found.values()]
            found = brought_together(ranked, random)
        return Ranges(pair_ranges.PairSlices(slices), found)

    found = of_passes(pair_ranges.PairRanges(slices, exchange), metrics)
    assert found == expected, seed


def of_passes(ranges: Any, metrics: Sequence[BoundMetric]) -> list[str]:
    """The values as text, which tells all their bits."""
    with np.printoptions(threshold=10**6, floatmode="unique"):
        return [repr(list(column)) for one in metrics for column in measured(ranges, [one])]


@pytest.mark.parametrize("start", range(4))
def test_ranges_add_up_to_all_rows(start: int) -> None:
    for seed in range(start, random_cases(240, 20_000), 4):
        check(seed)
