"""The small data sets that every metric is tried on, each with the reason it is here."""

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np

from tests.tables.case import Sample, sample


def scored(
    why: str,
    label: Sequence[Any],
    score: Sequence[float],
    weight: Sequence[float] | None = None,
    *,
    positive: Any = None,
    score_type: str = "float64",
    weight_type: str | None = None,
) -> Sample:
    """Rows of two classes, each with a score."""
    return sample(
        why,
        {} if positive is None else {"positive": positive},
        label=np.array(label) if len(label) else np.array([], np.int64),
        score=np.array(score, score_type),
        weight=None if weight is None else np.array(weight, weight_type),
    )


def _random(seed: int, count: int, levels: int, share: float) -> tuple[list[int], list[float]]:
    """Labels, and scores on a grid that makes ties."""
    dice = Random(seed)
    label = [int(dice.random() < share) for _ in range(count)]
    return label, [dice.randrange(levels) / levels for _ in range(count)]


TIED = _random(1, 40, 8, 0.4)
FINE = _random(2, 40, 1 << 30, 0.5)
RARE = _random(3, 60, 16, 0.05)
UGLY = [Random(4).choice([0.1, 0.2, 0.3, 0.7, 1.1]) for _ in range(40)]
INTEGERS = [Random(5).randrange(1, 9) for _ in range(40)]
DYADIC = [Random(6).randrange(1, 64) / 16 for _ in range(40)]

DATA = {
    "seed": scored("the first worked example of the seeds", [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]),
    "seed_tie": scored("its second, with one tie", [0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]),
    "tied": scored("ties within and across the classes", *TIED),
    "fine": scored("no ties: every block is one row", *FINE),
    "rare": scored("few positives: stretches of negatives, chunks without a positive", *RARE),
    "all_tied": scored(
        "one block: AUC is ½ and curves are one slanted line", [1, 0, 0, 1, 0], [0.5] * 5
    ),
    "big_ties": scored(
        "two big blocks: what is linear inside a block matters",
        [1, 0, 0] * 10,
        [0.7, 0.7, 0.2] * 10,
    ),
    "separated": scored("every positive above every negative", [0, 0, 1, 1, 1], [1, 2, 3, 4, 5]),
    "reversed": scored(
        "every positive below every negative", [1, 1, 1, 0, 0], [-3, -2, -1, 0.5, 2]
    ),
    "alternating": scored(
        "many equal Youden gaps: the highest threshold wins",
        [1, 0] * 6,
        [12 - i for i in range(12)],
    ),
    "no_rows": scored("nothing at all", [], []),
    "one_positive": scored("one row", [1], [0.5]),
    "one_negative": scored("one row, below the threshold", [0], [0.25]),
    "positives_only": scored("no negatives", [1, 1, 1], [0.2, 0.5, 0.9]),
    "negatives_only": scored("no positives", [0, 0, 0], [0.2, 0.5, 0.9]),
    "one_pair": scored("the least that has an AUC", [1, 0], [0.5, 0.5]),
    "negative_scores": scored(
        "scores are not probabilities", [0, 1, 0, 1, 1], [-5, -1, -1, 3.5, -9]
    ),
    "signed_zero": scored("-0.0 and 0.0 are one score", [1, 0, 1, 0], [-0.0, 0.0, 0.0, -0.0]),
    "zero_line": scored("-0.0 between its neighbours", [1, 0, 1, 0], [-0.0, 0.0, 5e-324, -5e-324]),
    "extreme_scores": scored(
        "the ends of float64", [1, 0, 1, 0, 1], [1.7e308, -1.7e308, 5e-324, -5e-324, 1e-310]
    ),
    "neighbours": scored(
        "scores one unit in the last place apart, which float32 would tie",
        [1, 0, 1, 0],
        [0.5, 0.5 + 2**-53, 0.5 - 2**-54, 0.5 + 2**-52],
    ),
    "float32": scored(
        "float32 0.3 is above the decimal 0.3, 0.7 below: the threshold is rounded too",
        [1, 0, 1, 0, 1],
        [0.3, 0.3, 0.7, 0.1, 0.2],
        score_type="float32",
    ),
    "float32_ties": scored(
        "scores that float32 ties, with weights that travel with them in a packed sort",
        [1, 0, 1, 0],
        [0.1, 0.1 + 1e-12, 0.2, -0.2],
        [3, 1, 2, 5],
        score_type="float32",
        weight_type="int32",
    ),
    "bool": scored("labels as booleans", [True, False, True, False], [0.9, 0.9, 0.4, 0.6]),
    "signs": scored("labels as -1 and +1", [-1, 1, -1, 1], [0.3, 0.8, 0.8, 0.1]),
    "words": scored(
        "labels as words, with positive=", ["no", "yes", "no", "yes"], [3, 1, 2, 4], positive="yes"
    ),
    "zero_is_positive": scored(
        "positive=0 turns the classes around",
        [0, 1, 0, 1, 1],
        [0.9, 0.8, 0.7, 0.6, 0.1],
        positive=0,
    ),
    "integer_weights": scored("a weight is that many copies", *TIED, INTEGERS),
    "dyadic_weights": scored("weights that are sums of powers of two", *TIED, DYADIC),
    "ugly_weights": scored(
        "0.1 + 0.2: weights whose float sums would depend on order", *TIED, UGLY
    ),
    "float32_weights": scored(
        "float32 weights have values of their own", *TIED, UGLY, weight_type="float32"
    ),
    "zero_weights": scored(
        "weight 0 is absence, even of a class's best row",
        [1, 1, 0, 0, 1],
        [0.9, 0.6, 0.8, 0.1, 0.5],
        [0, 2, 1, 1, 0.5],
    ),
    "no_weight": scored(
        "every weight is 0: no rows are left", [1, 0, 1], [0.1, 0.2, 0.3], [0, 0, 0.0]
    ),
    "class_without_weight": scored("the negatives weigh 0", [1, 0, 1], [0.1, 0.2, 0.3], [1, 0, 2]),
    "wide_integers": scored(
        "sums beyond int64",
        [1, 0, 1, 0, 1, 0],
        [0.9, 0.9, 0.6, 0.5, 0.2, 0.1],
        [2**62, 2**62 + 1, 3, 2**63 - 1, 1, 2**61],
    ),
    "unsigned_weights": scored(
        "weights beyond int64",
        [1, 0, 1, 0],
        [4, 3, 2, 1],
        [2**64 - 1, 2**63, 1, 7],
        weight_type="uint64",
    ),
    "wide_floats": scored(
        "weights from 1e-300 to 1e300: no float sum holds them",
        [1, 0, 1, 0, 1, 0],
        [0.9, 0.8, 0.8, 0.6, 0.4, 0.3],
        [1e-300, 1e300, 1.5, 1e-300, 1e300, 0.1],
    ),
    "subnormal_weights": scored(
        "the smallest weights there are",
        [1, 0, 1, 0],
        [4, 3, 3, 1],
        [5e-324, 1e-323, 1e-320, 5e-324],
    ),
    "whole_sum": scored(
        "one class, whose tiny parts make a whole: the unit rises in the bytes",
        [1, 1],
        [0.5, 0.5],
        [2.0**-40, 1 - 2.0**-40],
    ),
    "whole_sum_negative": scored(
        "the other class alone", [0, 0], [0.5, 0.5], [2.0**-40, 1 - 2.0**-40]
    ),
    "halves": scored(
        "rows that weigh ½ and make 1 a score: more rows than weight",
        [1, 0, 1, 0],
        [0.5, 0.5, 0.5, 0.5],
        [0.5, 0.5, 0.5, 0.5],
    ),
    "heaviest": scored(
        "class weights above the largest float, one of them not whole",
        [1, 1, 0, 0, 1],
        [3, 2, 2, 1, 0],
        [1.7e308, 1.7e308, 1.7e308, 1.7e308, 0.5],
    ),
    "top_binade": scored(
        "the largest weights, and a power of two that is not their unit",
        [1, 0, 0, 1],
        [0.5, 0.6, 0.4, 0.4],
        [2.0**1023, 1.5 * 2.0**1023, 2.0**1023, 1.7976931348623157e308],
    ),
    "light_positives": scored(
        "positives of next to no weight: precision far below 2**-93",
        [0, 1, 0, 1],
        [0.9, 0.8, 0.7, 0.7],
        [1e300, 1e-300, 1.0, 3e-300],
    ),
    "light_start": scored(
        "a block 1e600 times heavier than all above it",
        [1, 0, 1, 0],
        [0.9, 0.8, 0.7, 0.7],
        [1e-300, 3e-300, 1e300, 1e299],
    ),
    "light_end": scored(
        "a block 1e600 times lighter than all above it",
        [1, 0, 1, 0],
        [0.9, 0.8, 0.7, 0.6],
        [1e300, 1e-300, 1e-300, 1.0],
    ),
    "faint_positives": scored(
        "a prevalence of 1e-29: 93 binary places of precision would be nearly all zeros",
        [0, 1, 0, 1, 1],
        [0.9, 0.8, 0.7, 0.7, 0.1],
        [1e20, 1e-9, 1.0, 3e-9, 0.7e-9],
    ),
    "even_blocks": scored(
        "a block as heavy as all above it, where 1 − ln(1+z)/z is easily two bits short",
        [0] * 15 + [1] * 4 + [0] * 8,
        [0.6] * 14 + [0.2] * 13,
    ),
    "subnormal_area": scored(
        "a PR area below the smallest normal float", [0, 1], [0.9, 0.1], [1e174, 1e-135]
    ),
}
