"""The small data sets that every metric is tried on, each with the reason it is here."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np

from steelyard.model import Array
from tests.oracles.answers import Row, Rows


@dataclass(frozen=True)
class Data:
    """Columns as a user would pass them."""

    why: str
    label: Sequence[Any]
    score: Sequence[float]
    weight: Sequence[float] | None = None
    positive: Any = None
    score_type: str = "float64"
    weight_type: str | None = None

    def __len__(self) -> int:
        return len(self.label)

    @property
    def scores(self) -> Array:
        return np.array(self.score, self.score_type)

    @property
    def weights(self) -> Array | None:
        return None if self.weight is None else np.array(self.weight, self.weight_type)

    def columns(self, chosen: Sequence[int]) -> tuple[list[Any], Array, Array | None]:
        """Label, score and weight of some rows, in that order."""
        weights = self.weights
        picked = np.array(chosen, np.intp)
        return (
            [self.label[i] for i in chosen],
            self.scores[picked],
            None if weights is None else weights[picked],
        )

    def rows(self) -> Rows:
        """The same rows for the oracles, with the values that the columns' types hold."""
        positive = 1 if self.positive is None else self.positive
        weights = [1] * len(self) if self.weights is None else self.weights.tolist()
        every = zip(self.label, self.scores.tolist(), weights, strict=True)
        kept = [Row(label == positive, s, Fraction(w)) for label, s, w in every if w != 0]
        return Rows(tuple(kept), self.score_type)


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
    "seed": Data("the first worked example of the seeds", [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]),
    "seed_tie": Data("its second, with one tie", [0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8]),
    "tied": Data("ties within and across the classes", *TIED),
    "fine": Data("no ties: every block is one row", *FINE),
    "rare": Data("few positives: stretches of negatives, chunks without a positive", *RARE),
    "all_tied": Data(
        "one block: AUC is ½ and curves are one slanted line", [1, 0, 0, 1, 0], [0.5] * 5
    ),
    "big_ties": Data(
        "two big blocks: what is linear inside a block matters",
        [1, 0, 0] * 10,
        [0.7, 0.7, 0.2] * 10,
    ),
    "separated": Data("every positive above every negative", [0, 0, 1, 1, 1], [1, 2, 3, 4, 5]),
    "reversed": Data("every positive below every negative", [1, 1, 1, 0, 0], [-3, -2, -1, 0.5, 2]),
    "alternating": Data(
        "many equal Youden gaps: the highest threshold wins",
        [1, 0] * 6,
        [12 - i for i in range(12)],
    ),
    "no_rows": Data("nothing at all", [], []),
    "one_positive": Data("one row", [1], [0.5]),
    "one_negative": Data("one row, below the threshold", [0], [0.25]),
    "positives_only": Data("no negatives", [1, 1, 1], [0.2, 0.5, 0.9]),
    "negatives_only": Data("no positives", [0, 0, 0], [0.2, 0.5, 0.9]),
    "one_pair": Data("the least that has an AUC", [1, 0], [0.5, 0.5]),
    "negative_scores": Data("scores are not probabilities", [0, 1, 0, 1, 1], [-5, -1, -1, 3.5, -9]),
    "signed_zero": Data("-0.0 and 0.0 are one score", [1, 0, 1, 0], [-0.0, 0.0, 0.0, -0.0]),
    "zero_line": Data("-0.0 between its neighbours", [1, 0, 1, 0], [-0.0, 0.0, 5e-324, -5e-324]),
    "extreme_scores": Data(
        "the ends of float64", [1, 0, 1, 0, 1], [1.7e308, -1.7e308, 5e-324, -5e-324, 1e-310]
    ),
    "neighbours": Data(
        "scores one unit in the last place apart, which float32 would tie",
        [1, 0, 1, 0],
        [0.5, 0.5 + 2**-53, 0.5 - 2**-54, 0.5 + 2**-52],
    ),
    "float32": Data(
        "float32 0.3 is above the decimal 0.3, 0.7 below: the threshold is rounded too",
        [1, 0, 1, 0, 1],
        [0.3, 0.3, 0.7, 0.1, 0.2],
        score_type="float32",
    ),
    "float32_ties": Data(
        "scores that float32 ties, with weights that travel with them in a packed sort",
        [1, 0, 1, 0],
        [0.1, 0.1 + 1e-12, 0.2, -0.2],
        [3, 1, 2, 5],
        score_type="float32",
        weight_type="int32",
    ),
    "bool": Data("labels as booleans", [True, False, True, False], [0.9, 0.9, 0.4, 0.6]),
    "signs": Data("labels as -1 and +1", [-1, 1, -1, 1], [0.3, 0.8, 0.8, 0.1]),
    "words": Data(
        "labels as words, with positive=", ["no", "yes", "no", "yes"], [3, 1, 2, 4], positive="yes"
    ),
    "zero_is_positive": Data(
        "positive=0 turns the classes around",
        [0, 1, 0, 1, 1],
        [0.9, 0.8, 0.7, 0.6, 0.1],
        positive=0,
    ),
    "integer_weights": Data("a weight is that many copies", *TIED, INTEGERS),
    "dyadic_weights": Data("weights that are sums of powers of two", *TIED, DYADIC),
    "ugly_weights": Data("0.1 + 0.2: weights whose float sums would depend on order", *TIED, UGLY),
    "float32_weights": Data(
        "float32 weights have values of their own", *TIED, UGLY, weight_type="float32"
    ),
    "zero_weights": Data(
        "weight 0 is absence, even of a class's best row",
        [1, 1, 0, 0, 1],
        [0.9, 0.6, 0.8, 0.1, 0.5],
        [0, 2, 1, 1, 0.5],
    ),
    "no_weight": Data(
        "every weight is 0: no rows are left", [1, 0, 1], [0.1, 0.2, 0.3], [0, 0, 0.0]
    ),
    "class_without_weight": Data("the negatives weigh 0", [1, 0, 1], [0.1, 0.2, 0.3], [1, 0, 2]),
    "wide_integers": Data(
        "sums beyond int64",
        [1, 0, 1, 0, 1, 0],
        [0.9, 0.9, 0.6, 0.5, 0.2, 0.1],
        [2**62, 2**62 + 1, 3, 2**63 - 1, 1, 2**61],
    ),
    "unsigned_weights": Data(
        "weights beyond int64",
        [1, 0, 1, 0],
        [4, 3, 2, 1],
        [2**64 - 1, 2**63, 1, 7],
        weight_type="uint64",
    ),
    "wide_floats": Data(
        "weights from 1e-300 to 1e300: no float sum holds them",
        [1, 0, 1, 0, 1, 0],
        [0.9, 0.8, 0.8, 0.6, 0.4, 0.3],
        [1e-300, 1e300, 1.5, 1e-300, 1e300, 0.1],
    ),
    "subnormal_weights": Data(
        "the smallest weights there are",
        [1, 0, 1, 0],
        [4, 3, 3, 1],
        [5e-324, 1e-323, 1e-320, 5e-324],
    ),
    "whole_sum": Data(
        "one class, whose tiny parts make a whole: the unit rises in the bytes",
        [1, 1],
        [0.5, 0.5],
        [2.0**-40, 1 - 2.0**-40],
    ),
    "whole_sum_negative": Data(
        "the other class alone", [0, 0], [0.5, 0.5], [2.0**-40, 1 - 2.0**-40]
    ),
    "halves": Data(
        "rows that weigh ½ and make 1 a score: more rows than weight",
        [1, 0, 1, 0],
        [0.5, 0.5, 0.5, 0.5],
        [0.5, 0.5, 0.5, 0.5],
    ),
    "heaviest": Data(
        "class weights above the largest float, one of them not whole",
        [1, 1, 0, 0, 1],
        [3, 2, 2, 1, 0],
        [1.7e308, 1.7e308, 1.7e308, 1.7e308, 0.5],
    ),
    "top_binade": Data(
        "the largest weights there are beside a power of two that is no unit of theirs",
        [1, 0, 0, 1],
        [0.5, 0.6, 0.4, 0.4],
        [2.0**1023, 1.5 * 2.0**1023, 2.0**1023, 1.7976931348623157e308],
    ),
    "light_positives": Data(
        "positives of next to no weight: precision far below 2**-93",
        [0, 1, 0, 1],
        [0.9, 0.8, 0.7, 0.7],
        [1e300, 1e-300, 1.0, 3e-300],
    ),
    "light_start": Data(
        "a block 1e600 times heavier than all above it",
        [1, 0, 1, 0],
        [0.9, 0.8, 0.7, 0.7],
        [1e-300, 3e-300, 1e300, 1e299],
    ),
    "light_end": Data(
        "a block 1e600 times lighter than all above it",
        [1, 0, 1, 0],
        [0.9, 0.8, 0.7, 0.6],
        [1e300, 1e-300, 1e-300, 1.0],
    ),
    "faint_positives": Data(
        "a prevalence of 1e-29: 93 binary places of precision would be nearly all zeros",
        [0, 1, 0, 1, 1],
        [0.9, 0.8, 0.7, 0.7, 0.1],
        [1e20, 1e-9, 1.0, 3e-9, 0.7e-9],
    ),
    "even_blocks": Data(
        "a block as heavy as all above it, where 1 − ln(1+z)/z is easily two bits short",
        [0] * 15 + [1] * 4 + [0] * 8,
        [0.6] * 14 + [0.2] * 13,
    ),
    "subnormal_area": Data(
        "a PR area below the smallest normal float", [0, 1], [0.9, 0.1], [1e174, 1e-135]
    ),
}
