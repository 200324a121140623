"""The worked numbers of the five articles that the project grew from, and their slips put right."""

from collections.abc import Callable
from fractions import Fraction

import pytest

import steelyard as sy
from tests.tables.classes import CLASSES

Pairs = list[tuple[int, float]]

EXAMPLES: list[tuple[Pairs, Fraction]] = [
    ([(0, 0.1), (0, 0.4), (1, 0.35), (1, 0.8)], Fraction(3, 4)),
    ([(0, 0.1), (0, 0.4), (1, 0.4), (1, 0.8)], Fraction(7, 8)),
    (
        [(0, 0.3), (1, 0.5), (1, 0.5), (0, 0.5), (0, 0.5), (1, 0.7), (1, 0.8)],
        Fraction(10, 12),
    ),
]


# --- the articles' three algorithms, ties mended -------------------------------------------------


def by_integral(rows: Pairs) -> Fraction:
    """Walk down the scores: a negative moves right by 1/N at the height reached.

    003 and 004 walk row by row, so that their area depends on the order of tied rows; here a tied
    block is walked at its mean height.
    """
    positives = sum(label for label, _ in rows)
    negatives = len(rows) - positives
    area, height = Fraction(0), Fraction(0)
    for score in sorted({score for _, score in rows}, reverse=True):
        up = Fraction(sum(1 for row in rows if row == (1, score)), positives)
        right = Fraction(sum(1 for row in rows if row == (0, score)), negatives)
        area += right * (height + up / 2)
        height += up
    return area


def by_pairs(rows: Pairs) -> Fraction:
    """Of all pairs, those in the right order; 000's second code multiplied where it must divide."""
    pairs = [(s, t) for label, s in rows if label for other, t in rows if not other]
    return sum((Fraction(s > t) + Fraction(s == t, 2) for s, t in pairs), Fraction(0)) / len(pairs)


def by_ranks(rows: Pairs) -> Fraction:
    """(Σ rank of positives − M(M+1)/2)/(M·N), tied rows sharing their mean rank."""
    ordered = sorted(score for _, score in rows)
    m = sum(label for label, _ in rows)
    ranks = Fraction(0)
    for score in (score for label, score in rows if label):
        mine = [place for place, other in enumerate(ordered, start=1) if other == score]
        ranks += Fraction(sum(mine), len(mine))
    return (ranks - Fraction(m * (m + 1), 2)) / (m * (len(rows) - m))


@pytest.mark.parametrize("algorithm", [by_integral, by_pairs, by_ranks])
@pytest.mark.parametrize(("rows", "expected"), EXAMPLES)
def test_auc_three_ways(
    rows: Pairs, expected: Fraction, algorithm: Callable[[Pairs], Fraction]
) -> None:
    assert algorithm(rows) == expected
    label, score = zip(*rows, strict=True)
    assert sy.roc_auc(label, score) == expected.numerator / expected.denominator


@pytest.mark.parametrize(("rows", "expected"), EXAMPLES)
def test_fifth_reading_of_auc_is_one_minus_auc(rows: Pairs, expected: Fraction) -> None:
    """003 lists the expected false positive rate among the readings of AUC: it is 1 − AUC.

    A positive drawn at random as the threshold calls, on the mean, this share of the negatives;
    negatives that tie with it are called half of the time.
    """
    positives = [score for label, score in rows if label]
    label, score = zip(*rows, strict=True)
    rates = Fraction(0)
    for threshold in positives:
        at = Fraction(sy.fpr(label, score, threshold=threshold)).limit_denominator(10)
        above = Fraction(sum(s > threshold for s in _negatives(rows)), len(_negatives(rows)))
        rates += (at + above) / 2
    assert rates / len(positives) == 1 - expected


def _negatives(rows: Pairs) -> list[float]:
    return [score for label, score in rows if not label]


def test_auc_may_lie_below_one_half() -> None:
    """003 puts AUC in [0.5, 1]; it lies in [0, 1]."""
    assert sy.auc([1, 0], [0.1, 0.9]) == 0.0


# --- counts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("negatives", "expected", "printed"),
    [(20, 1 / 2, 0.5), (200, 1 / 11, 0.0909), (2000, 1 / 101, 0.0099)],
)
def test_precision_falls_as_negatives_grow(negatives: int, expected: float, printed: float) -> None:
    """004: ten positives all found, half of N negatives called; recall and FPR do not move."""
    label = [1] * 10 + [0] * negatives
    score = [0.9] * 10 + [0.8, 0.2] * (negatives // 2)
    assert sy.precision(label, score) == expected
    assert round(expected, 4) == printed
    assert sy.recall(label, score) == 1.0
    assert sy.fpr(label, score) == 0.5


def test_accuracy_fails_under_imbalance() -> None:
    """004: nine to one, all called positive."""
    label, score = [1] * 90 + [0] * 10, [0.7] * 100
    assert sy.accuracy(label, score) == 0.9
    assert sy.balanced_accuracy(label, score) == 0.5


def test_accuracy_counts_true_negatives() -> None:
    """000 prints (TP + FN)/all; three of these five are called right."""
    label, score = [1, 1, 0, 0, 0], [0.9, 0.2, 0.8, 0.1, 0.3]
    assert sy.confusion(label, score) == (1, 1, 1, 2)
    assert sy.accuracy(label, score) == 3 / 5


def test_one_positive_of_a_hundred() -> None:
    """Precision alone says nothing: one sure call, 99 positives missed."""
    label, score = [1] * 100 + [0] * 50, [0.9] + [0.1] * 149
    assert sy.precision(label, score) == 1.0
    assert sy.recall(label, score) == 0.01


def test_false_discovery_falls_as_precision_rises() -> None:
    """004: at recall 0.95 precision .1 → .5 is false discovery .9 → .5."""
    # The 20th positive comes last, so that the point at recall 0.95 is the best one from there on.
    rest = [0] * 100 + [1], [0.2] * 100 + [0.1]
    before = [1] * 19 + [0] * 171 + rest[0], [0.9] * 190 + rest[1]
    after = [1] * 19 + [0] * 19 + rest[0], [0.9] * 38 + rest[1]
    for (label, score), precision, false in ((before, 0.1, 0.9), (after, 0.5, 0.5)):
        assert sy.recall(label, score) == 0.95
        assert sy.precision(label, score) == precision
        assert sy.precision_at_recall(label, score, recall=0.95) == precision
        assert sy.fdr(label, score) == false


def test_all_called_positive() -> None:
    """003 says precision 1 and recall 0.5 for 50 and 50, all called; it is the other way round."""
    label, score = [1] * 50 + [0] * 50, [0.9] * 100
    assert sy.precision(label, score) == 0.5
    assert sy.recall(label, score) == 1.0
    assert sy.f1(label, score) == 2 / 3


def test_f1_is_the_seeds_formula() -> None:
    """004: TP/(TP + (FP + FN)/2), the harmonic mean of precision and recall."""
    label, score = [1, 1, 1, 0, 0], [0.9, 0.8, 0.1, 0.7, 0.2]
    assert sy.f1(label, score) == 2 / (2 + (1 + 1) / 2)


def test_raising_one_of_precision_and_recall_raises_f1() -> None:
    """004 doubts it. Recall alone from ⅓ to ⅔ at precision 1: F1 from ½ to ⅘."""
    label = [1, 1, 1, 0]
    assert sy.f1(label, [0.9, 0.1, 0.1, 0.1]) == 0.5
    assert sy.f1(label, [0.9, 0.9, 0.1, 0.1]) == 0.8


def test_a_score_at_the_threshold_is_called() -> None:
    """000 writes >, 001 writes >=; ours is >=."""
    assert sy.recall([1, 0], [0.5, 0.1]) == 1.0


def test_sensitivity_and_specificity_are_not_swapped() -> None:
    """002 explains them in swapped order: sensitivity is of the positives."""
    label, score = [1, 1, 1, 1, 0, 0], [0.9, 0.9, 0.9, 0.1, 0.9, 0.1]
    assert sy.sensitivity(label, score) == 0.75
    assert sy.specificity(label, score) == 0.5


def test_break_even_is_where_precision_is_recall() -> None:
    """001 prints "P-R": it is the point P = R."""
    label, score = [1, 1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6, 0.5]
    assert sy.break_even(label, score) == 2 / 3
    assert sy.precision(label, score, threshold=0.7) == 2 / 3
    assert sy.recall(label, score, threshold=0.7) == 2 / 3


# --- many classes --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "average", "expected"),
    [
        ("accuracy", None, 0.7758620690),
        ("balanced_accuracy", None, 0.7955015134),
        *((name, "micro", 0.7758620690) for name in ("precision", "recall", "f1")),
        ("precision", "macro", 0.7875229677),
        ("recall", "macro", 0.7955015134),
        ("f1", "macro", 0.7747046012),
        ("accuracy", "macro", 0.8505747126),
        ("accuracy", "micro", 0.8505747126),
    ],
)
def test_the_table_of_three_classes(name: str, average: str | None, expected: float) -> None:
    """004's table has the prediction going down."""
    columns = CLASSES["seeds"].columns
    more = {} if average is None else {"average": average}
    value = getattr(sy, name)(
        columns["label"], y_pred=columns["prediction"], sample_weight=columns["weight"], **more
    )
    assert round(value, 10) == expected
