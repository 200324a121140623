"""Partial AUC: the area under the part of the ROC curve with FPR ≤ max_fpr and TPR ≥ min_tpr.

With max_fpr alone it is the area under the curve in a vertical strip, with min_tpr alone that in a
horizontal one.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor
from typing import NamedTuple

import numpy as np

from steelyard.metrics.curve_metrics import SlicedValueMetric
from steelyard.metrics.division import NO_ROWS, decimal, like, ratio
from steelyard.metrics.each_slice import objects
from steelyard.metrics.influence import DENSITY
from steelyard.metrics.parameter import flag, number
from steelyard.model import Array, Value
from steelyard.views.curve import CurveView
from steelyard.views.totals import SliceTotals


class CutBlock(NamedTuple):
    """The rows of one positive score: their weight, and the weight at or above it."""

    pos: int
    tied: int
    tp: int
    fp: int


def area(view: CurveView, max_fpr: float, min_tpr: float, standardize: bool) -> Array:
    """For each slice the area of the blocks of a range: of whole ones, and of parts."""
    right = [decimal(max_fpr) * each for each in view.totals.negatives.tolist()]
    bottom = [decimal(min_tpr) * each for each in view.totals.positives.tolist()]
    low, high = _whole_blocks(view, right, bottom)
    twice = view.add_between("doubled_fp", low.places, high.places)
    count = np.where(low.places < high.places, low.tp - high.tp, 0).tolist()
    found = [
        positives * limit - area / 2
        for positives, limit, area in zip(count, right, twice.fractions(), strict=True)
    ]
    for of, block in _cut_blocks(view, low, high, right, bottom):
        found[of] += _cut_block(block, right[of], bottom[of])
    return objects(found)


class BlockEnd(NamedTuple):
    """An entry of each slice, or the end of the slice, and the positives at or above it."""

    places: Array
    tp: Array


def _whole_blocks(
    view: CurveView, right: list[Fraction], bottom: list[Fraction]
) -> tuple[BlockEnd, BlockEnd]:
    """The first block that is wholly within the part, and the end of such blocks."""
    limits = like(view.above, map(floor, right))
    places, tp, _ = view.most("allowed", limits, limits)
    low = BlockEnd(
        np.where(places < 0, view.starts[1:], places), np.where(places < 0, view.above, tp)
    )
    # A block is above the bottom if the entry above it is.
    limits = like(view.above, map(ceil, bottom))
    places, tp, _ = view.most("reached", limits, limits)
    ends = (view.above >= limits).astype(bool)
    places = np.where(places < 0, view.starts[:-1], places)
    return low, BlockEnd(np.where(ends, view.starts[1:], places), np.where(ends, view.above, tp))


def _cut_blocks(
    view: CurveView, low: BlockEnd, high: BlockEnd, right: list[Fraction], bottom: list[Fraction]
) -> Iterator[tuple[int, CutBlock]]:
    """Blocks that may be partly within the part, with the numbers of their slices.

    Only the one below the whole blocks is cut on the right, and the one above them at the bottom.
    """
    for places, is_right in ((low.places - 1, True), (high.places, False)):
        inside = (view.starts[:-1] <= places) & (places < view.starts[1:])
        slices = np.flatnonzero(inside if is_right else inside & (places != low.places - 1))
        own, tied, fp = view.entries_at(places[slices], slices)
        tp = low.tp[slices] + own if is_right else high.tp[slices]
        columns = (column.tolist() for column in (own, tied, tp, fp))
        yield from zip(slices.tolist(), map(CutBlock, *columns), strict=True)


def _cut_block(block: CutBlock, right: Fraction, bottom: Fraction) -> Fraction:
    """The area of a block within the part."""
    tp_above, start = block.tp - block.pos, block.fp - block.tied
    if start >= right or block.tp <= bottom:
        return Fraction(0)
    low, high = max(bottom, Fraction(tp_above)), Fraction(block.tp)
    if block.tied:
        high = min(high, tp_above + (right - start) * block.pos / block.tied)
    if high <= low:
        return Fraction(0)
    middle = start + ((low + high) / 2 - tp_above) * block.tied / block.pos
    return (high - low) * (right - middle)


def partial_auc(
    found: Fraction, totals: SliceTotals, max_fpr: float, min_tpr: float, standardize: bool
) -> Value:
    pairs = totals.positives * totals.negatives
    area = found / pairs
    if not standardize:
        return ratio(area, 1, NO_ROWS)
    a, b = decimal(max_fpr), decimal(min_tpr)
    chance = max(a - b, Fraction(0)) ** 2 / 2
    largest = a * (1 - b)
    return ratio(1 + (area - chance) / (largest - chance), 2, NO_ROWS)


METRIC = SlicedValueMetric(
    formula="∫ from 0 to max_fpr of max(TPR − min_tpr, 0) d(FPR)",
    tex=(
        r"\int_0^{a} \max\left(\mathrm{TPR}(x) - b, 0\right) dx \quad \text{with } a = \text{max "
        r"fpr}, b = \text{min tpr}"
    ),
    reading=(
        "AUC where only one end of the curve matters, such as that of few false alarms. If "
        "standardized, 0.5 is chance and 1 is perfect, as for AUC."
    ),
    range="0 to max_fpr·(1 − min_tpr); up to 1 where standardized",
    better="higher",
    pitfalls=(
        "The plain area depends on how wide the part is: 0.09 is excellent for `max_fpr=0.1`.",
        (
            "scikit-learn's `max_fpr` gives McClish's standardized area, pROC the plain one by "
            "default: report which."
        ),
        "A narrow part is based on few negatives, so it varies more than AUC does.",
    ),
    reference="McClish (1989), Medical Decision Making 9(3):190.",
    chinese="部分 ROC 曲线下面积",
    example="sy.partial_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], max_fpr=0.5)",
    part=area,
    value=partial_auc,
    interval=DENSITY,
    parameters=(
        number("max_fpr", 1.0, above=0, most=1, means="the largest FPR of the part"),
        number("min_tpr", 0.0, least=0, below=1, means="the smallest TPR of the part"),
        flag("standardize", means="rescale, so that 0.5 is chance and 1 is perfect (McClish)"),
    ),
)
