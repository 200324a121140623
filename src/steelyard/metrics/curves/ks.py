"""Kolmogorov-Smirnov: the largest gap between TPR and FPR over all thresholds."""

import numpy as np

from steelyard.metrics.about import About
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import NO_ROWS, ratio
from steelyard.model import Value
from steelyard.states import Chunk, Totals

# A gap computed in float64 is within 7 units of 2**-53 of the exact one.
SLACK = 2.0**-49


def largest_gap(chunk: Chunk) -> tuple[int, int]:
    """The largest (TPR − FPR)·P·N, a whole number, and the first threshold that has it."""
    positives, negatives, _ = chunk.totals
    if chunk.totals.narrow or not chunk.totals.fits:
        values = chunk.long_tp * negatives - chunk.long_fp * positives
        place = int(values.argmax())
        return int(values[place]), place
    # Only the thresholds that may be the best are worth Python's integers.
    rates = chunk.long_tp.astype(np.float64) / positives
    rates -= chunk.long_fp.astype(np.float64) / max(negatives, 1)
    near = np.flatnonzero(rates >= rates.max() - SLACK).tolist()
    exact = [int(chunk.long_tp[i]) * negatives - int(chunk.long_fp[i]) * positives for i in near]
    largest = max(exact)
    return largest, near[exact.index(largest)]


def ks(largest: list[tuple[int, int]], totals: Totals) -> Value:
    return ratio(max(largest)[0], totals.positives * totals.negatives, NO_ROWS)


METRIC = CurveMetric(
    name="ks",
    doc=__doc__,
    about=About(
        formula="max over t of TP(t)/P − FP(t)/N",
        tex=r"\max_t \left(\frac{\mathrm{TP}(t)}{P} - \frac{\mathrm{FP}(t)}{N}\right)",
        reading=(
            "How far apart the scores of the two classes are at the best cut: 0 if one cannot "
            "tell them apart, 1 if a threshold parts them. It is the largest height of the "
            "ROC curve above its diagonal."
        ),
        range="0 to 1",
        better="higher",
        pitfalls=(
            (
                "It sees one threshold only; two models with the same KS may rank the top quite "
                "differently."
            ),
            (
                "It is the signed gap: a score that runs the wrong way has a KS near 0 here, "
                "while the two-sided test statistic (scipy's `ks_2samp`) would be large."
            ),
            (
                "The maximum is taken on these rows, so small samples make it too high: of pure "
                "noise, 20 rows a class reach 0.3 one time in six."
            ),
        ),
        reference="Smirnov (1948), Annals of Mathematical Statistics 19(2):279.",
        chinese="KS 统计量",
        example="sy.ks([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])",
    ),
    part=largest_gap,
    value=ks,
)
