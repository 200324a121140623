"""The values that pages of metrics show, worked out by hand."""

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import steelyard as sy
from steelyard import pages
from steelyard.report.page import Page
from steelyard.report.page import pages as all_pages

FAMILIES = ("binary", "curves", "groups", "ranking")  # those with one metric per name
PAGES: dict[str, Page] = {page.name: page for page in all_pages() if page.family in FAMILIES}

# The cells of the first eight are TP 2, FP 2, FN 1, TN 3: 0.9 and 0.6 of the positives, 0.8 and 0.5
# of the negatives are 0.5 or more.
GIVEN: dict[str, float | Fraction] = {
    "accuracy": Fraction(5, 8),
    "precision": Fraction(2, 4),
    "recall": Fraction(2, 3),
    "specificity": Fraction(3, 5),
    "fpr": Fraction(2, 5),
    "fnr": Fraction(1, 3),
    "npv": Fraction(3, 4),
    "fdr": Fraction(2, 4),
    "f1": Fraction(4, 4 + 2 + 1),
    "fbeta": Fraction(10, 10 + 4 + 2),
    "mcc": float(Decimal(4) / Decimal(240).sqrt()),  # (6 − 2)/√(4·3·5·4)
    "prevalence": Fraction(3, 8),
    "balanced_accuracy": Fraction(1, 2),  # all positives right, all negatives wrong
    "auc": Fraction(3, 4),  # of four pairs, (0.35, 0.4) alone is in the wrong order
    "gini": Fraction(1, 2),
    "pnr": 3,
    "ks": Fraction(1, 2),
    "best_threshold": 0.8,  # TPR − FPR is ½ at 0.8 and at 0.35
    "partial_auc": Fraction(1, 4),  # TPR is ½ up to FPR ½
    "tpr_at_fpr": 1,
    "fpr_at_tpr": Fraction(1, 2),
    "ap": (1 + Fraction(2 / 3)) / 2,  # ½·1 + ½·⅔, each precision rounded once
    "best_f1": Fraction(4, 5),  # at 0.7: 2·2/(3 + 2)
    "break_even": Fraction(1, 2),
    "pr_auc": Fraction(2, 3),  # one block: precision is ⅔ throughout
    "precision_at_recall": Fraction(2, 3),
    "recall_at_precision": Fraction(1, 2),
    "capture": Fraction(1, 2),
    "lift": Fraction(5, 2),
    "gauc": Fraction(7, 10),  # ann 1 of two rows, bob ½ of three
    "uauc": Fraction(3, 4),
    "cg": 11,
    "err": 0.94140625,  # 15/16 + (1/16)·(3/16)/3
    "f1_at_k": Fraction(4, 5),
    "precision_at_k": Fraction(2, 3),
    "recall_at_k": Fraction(1, 2),
    "r_precision": Fraction(2, 3),
    "hit_rate": Fraction(1, 2),
    "map": Fraction(3, 4),  # (1 + 2/4)/2
    "mrr": Fraction(1, 2),
    "rbp": Fraction(5, 8),  # ½·(1 + ¼)
}


@pytest.mark.parametrize("name", GIVEN)
def test_examples_give_the_values_worked_out_by_hand(name: str) -> None:
    assert pages.gives(PAGES[name]) == repr(float(GIVEN[name]))


# Ten digits: seeds/README.md, worked out by hand there.
DIGITS = {"dcg": 6.8611266886, "ndcg": 0.8183541905}


@pytest.mark.parametrize("name", DIGITS)
def test_the_examples_of_the_seeds(name: str) -> None:
    assert float(pages.gives(PAGES[name])) == pytest.approx(DIGITS[name], abs=5e-11)


# Other values that pages state, and why they are so.
Y, S = [1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1]
SHOWN: list[tuple[str, Any]] = [
    ("sy.accuracy(Y, S)", 0.5),
    ("sy.f1(Y, S, threshold=0.3)", 0.8),  # 4/(4 + 1)
    ("sy.fbeta(Y, S, beta=2)", 0.5),
    ("sy.mcc([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])", 1.0),
    ("sy.recall(Y, S, threshold=0.3)", 1.0),
    ("sy.confusion(Y, S)", (1, 1, 1, 1)),
    ("sy.confusion(Y, S, sample_weight=[1, 1, 0.5, 1])", (1, 0.5, 1, 1)),
    ("sy.accuracy([1] * 90 + [0] * 10, [0.9] * 100)", 0.9),  # seed 004
    ("sy.precision([1] * 10 + [0] * 200, [0.9] * 110 + [0.1] * 100)", 10 / 110),
    (
        "sy.precision([1] * 100, [0.9] + [0.1] * 99), sy.recall([1] * 100, [0.9] + [0.1] * 99)",
        (1, 0.01),
    ),
    ("sy.roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])", 0.875),  # a tie counts ½
    ("sy.partial_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], max_fpr=0.5, standardize=True)", 2 / 3),
    ("sy.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).fpr.tolist()", [0.0, 0.0, 0.5, 0.5, 1.0]),
    ("sy.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).tpr.tolist()", [0.0, 0.5, 0.5, 1.0, 1.0]),
    ("sy.pr([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6]).precision.tolist()", [0.5, 2 / 3, 0.5, 1.0, 1.0]),
    ("sy.pr([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6]).recall.tolist()", [1.0, 1.0, 0.5, 0.5, 0.0]),
    ("sy.gauc([1, 0, 0, 1], [0.9, 0.1, 0.4, 0.3], group=['ann', 'ann', 'bob', 'bob'])", 0.5),
    ("sy.ndcg([0, 1, 2], [0.3, 0.2, 0.1], k=1)", 0.0),
    ("sy.ndcg([2, 1, 0], [0.3, 0.2, 0.1])", 1.0),
    ("sy.f1_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=2)", 0.5),
    ("sy.precision_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=4)", 0.5),
    ("sy.r_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])", 0.5),
    # Three rows, one relevant, no order among them: (1 + 1/log2(3) + ½)/3.
    ("round(sy.ndcg([1, 0, 0], [0.5, 0.5, 0.5]), 2)", 0.71),
    # max_grade 4: a grade of 1 satisfies one reader in sixteen.
    ("sy.err([1], [0.5])", 1 / 16),
    # Everything called positive: 2π/(1 + π) at a prevalence of π.
    ("sy.best_f1([1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5])", 0.4),
    # Of many classes: every class alike, and certain but wrong; with two classes half of it.
    ("sy.brier([0, 1, 2, 3], [[0.25] * 4] * 4)", 3 / 4),
    ("sy.brier([0, 1, 2], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])", 2.0),
    ("sy.brier([0, 1], [[0.5, 0.5], [0.5, 0.5]])", 1 / 4),
    ("sy.brier([0, 1], [[0, 1], [1, 0]])", 1.0),
    # A score that runs the wrong way.
    ("sy.ks([1, 1, 0, 0], [0.1, 0.2, 0.3, 0.4])", 0.0),
]


@pytest.mark.parametrize(("expression", "value"), SHOWN)
def test_other_values_that_pages_state(expression: str, value: object) -> None:
    assert eval(expression, {"sy": sy, "Y": Y, "S": S}) == value


def test_noise_has_a_ks_of_three_tenths_one_time_in_six() -> None:
    """The exact law of the one-sided statistic, two samples of 20: C(40, 14)/C(40, 20)."""
    chance = math.comb(40, 14) / math.comb(40, 20)
    assert 1 / chance == pytest.approx(6, abs=0.1)
    assert any("one time in six" in pitfall for pitfall in PAGES["ks"].about.pitfalls)


def test_the_brier_score_of_two_classes_is_half_of_the_sum() -> None:
    (page,) = (page for page in all_pages() if (page.family, page.name) == ("multiclass", "brier"))
    for said in ("wrong is 2, with two classes 1", "1 − 1/k, with two classes 1/4"):
        assert said in page.about.reading
    assert "h = 2" in page.about.tex
