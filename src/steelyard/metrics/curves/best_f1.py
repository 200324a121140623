"""Best F1: the largest F1 over all thresholds."""

from steelyard.metrics.about import About
from steelyard.metrics.record import CurveMetric
from steelyard.metrics.value import ratios
from steelyard.model import Array, Value
from steelyard.states import Chunk, Totals


def f1s(chunk: Chunk) -> Array:
    """F1 at each threshold, rounded once."""
    return ratios(2 * chunk.tp, chunk.tp + chunk.fp + chunk.totals.positives)


def largest(chunk: Chunk) -> float:
    return float(f1s(chunk).max())


def best_f1(values: list[float], totals: Totals) -> Value:
    return max(values)


METRIC = CurveMetric(
    name="best_f1",
    doc=__doc__,
    about=About(
        formula="max over t of 2·TP / (TP + FP + P)",
        tex=r"\max_t \frac{2 \mathrm{TP}(t)}{\mathrm{TP}(t) + \mathrm{FP}(t) + P}",
        reading=(
            "What F1 could be if the threshold were chosen well. It compares models whose "
            "scores lie on different scales."
        ),
        range="0 to 1; at least 2·prevalence/(1 + prevalence)",
        better="higher",
        pitfalls=(
            "The threshold is chosen on the rows it is measured on: on new rows, expect less.",
            (
                "Calling everything positive has F1 2π/(1 + π) at a prevalence of π: compare with "
                "that, not with 0."
            ),
            "The threshold itself is `best_threshold(f1)`.",
        ),
        reference="Lipton, Elkan & Naryanaswamy (2014), ECML PKDD, 225.",
        chinese="最佳 F1 值",
        example="sy.best_f1([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])",
    ),
    part=largest,
    value=best_f1,
    needs=("positives",),
)
