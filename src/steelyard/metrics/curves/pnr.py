"""Positive-negative ratio: pairs in the right order for each pair in the wrong order.

Σ w⁺·w⁻·[s⁺ > s⁻] / Σ w⁺·w⁻·[s⁺ < s⁻]; tied pairs count on neither side

>>> import steelyard as sy
>>> sy.pnr([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
3.0
"""

from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import ratio
from steelyard.model import Value
from steelyard.states import Chunk, Totals

NO_WRONG_PAIR = "no pair is in the wrong order"


def ordered_and_tied(chunk: Chunk) -> tuple[int, int]:
    return (chunk.doubled_area - chunk.tied_pairs) // 2, chunk.tied_pairs


def pnr(parts: list[tuple[int, int]], totals: Totals) -> Value:
    right, tied = (sum(column) for column in zip(*parts, strict=True))
    wrong = totals.positives * totals.negatives - right - tied
    return ratio(right, wrong, NO_WRONG_PAIR)


METRIC = CurveMetric(name="pnr", doc=__doc__, part=ordered_and_tied, value=pnr)
