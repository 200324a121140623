"""The tables of many classes: predictions as classes, and a score for each class."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from inspect import signature
from itertools import pairwise
from random import Random
from typing import Any, NamedTuple

import numpy as np

from steelyard.model import Row
from steelyard.result.result import Result
from tests.oracles import class_shapes
from tests.oracles import classes as oracles
from tests.oracles.answers import Answer, Why
from tests.oracles.classes import Called, Scored
from tests.tables.case import Case, Family, Options, Sample, functions_of, parsed, sample

AVERAGES = ("macro", "micro", "weighted")
RATIOS = ("precision", "recall", "f1")
RATES = ("specificity", "fpr", "fnr", "npv", "fdr")
# Without an average: the value of the positive class of two.
BINARY = (
    *(f"{name}()" for name in (*RATIOS, *RATES)),
    *("fbeta(beta=2)", "f1(zero_division=0)", "precision(zero_division=1)"),
)
SHARES = ('"true"', "pred", "all")

OF_CLASSES = (
    "accuracy()",
    "balanced_accuracy()",
    "mcc()",
    "kappa()",
    "kappa(weights=linear)",
    "kappa(weights=quadratic)",
    *(f"accuracy(average={average})" for average in AVERAGES),
    *(f"{name}(average={average})" for name in RATIOS for average in AVERAGES),
    *(f"{name}(average=macro, zero_division={zero})" for name in RATIOS for zero in (0, 1)),
    "precision(average=weighted, zero_division=0)",
    "recall(average=weighted, zero_division=1)",
    *(f"{name}(average={average})" for name in RATES for average in AVERAGES),
    *BINARY,
    *(f"fbeta(average={average}, beta=2)" for average in AVERAGES),
    "fbeta(average=macro, beta=0.5, zero_division=0)",
    "confusion()",
    *(f"confusion(normalize={share})" for share in SHARES),
    "one_vs_rest()",
    "class_report()",
    "class_report(zero_division=0)",
)
OF_SCORES = (
    *("accuracy()", "precision(average=macro)", "recall(average=macro)", "mcc()"),
    *(f"auc(multi_class=ovr, average={average})" for average in AVERAGES),
    *(f"auc(multi_class=ovo, average={average})" for average in ("macro", "weighted")),
    *(f"top_k_accuracy(k={k})" for k in (1, 2, 3)),
    *("logloss()", "brier()"),
    "roc()",
    "pr()",
    "class_report()",
)
# The loss is a sum of rounded logarithms: as in calibration. All else is exact to the bit.
# Of a row's Brier score, each class's difference and square and the sum over classes are rounded.
ROUNDINGS = {"logloss": 4, "brier": 8}


def predicted(why: str, truth: Any, guess: Any, weight: Any = None) -> Sample:
    """Rows whose prediction is a class."""
    return sample(why, {}, label=truth, prediction=guess, weight=weight)


def scored(why: str, truth: Any, matrix: Any, classes: list[Any], weight: Any = None) -> Sample:
    """Rows with a score for each class."""
    names = [f"s{place}" for place in range(len(classes))]
    columns = dict(zip(names, np.asarray(matrix).T, strict=True))
    roles = {"score": names, "classes": classes}
    return sample(why, roles, label=truth, weight=weight, **columns)


def _guesses(seed: int, classes: list[Any], count: int) -> tuple[list[Any], list[Any]]:
    dice = Random(seed)
    truth = [dice.choice(classes) for _ in range(count)]
    return truth, [t if dice.random() < 0.6 else dice.choice(classes) for t in truth]


ANIMALS = ["ant", "bee", "cat", "dog"]
SEEDS_TRUTH, SEEDS_GUESS = [1, 1, 1, 2, 2, 2, 3, 3, 3], [1, 2, 3, 1, 2, 3, 1, 2, 3]
SEEDS_COUNT = [500, 10, 10, 20, 480, 50, 100, 200, 370]
UGLY = [Random(4).choice([0.1, 0.2, 0.3, 0.7, 1.1]) for _ in range(60)]

CLASSES = {
    "seeds": predicted("the seeds' table", SEEDS_TRUTH, SEEDS_GUESS, SEEDS_COUNT),
    "words": predicted("words", *_guesses(1, ANIMALS, 60)),
    "numbers": predicted("whole numbers, below zero too", *_guesses(2, [-7, 0, 3, 10**12], 60)),
    "two": predicted("two classes are classes like any other", *_guesses(3, ["no", "yes"], 30)),
    "booleans": predicted("true and false", *_guesses(4, [False, True], 30)),
    "bits": predicted(
        "0 and 1, weighted", *_guesses(9, [0, 1], 60), [0.1 * (i % 7) for i in range(60)]
    ),
    "signs": predicted("-1 and 1", *_guesses(10, [-1, 1], 30)),
    "all_zero": predicted("no positive, and none is called so", [0, 0], [0, 0]),
    "never_called": predicted("no positive is found", [0, 1, 1], [0, 0, 0]),
    "always_called": predicted("only positives, all called so", [1, 1], [1, 1]),
    "only_predicted": predicted(
        "one class never occurs: it has no recall", ["a", "a", "b", "b"], ["a", "c", "b", "c"]
    ),
    "only_true": predicted(
        "one class is never predicted: it has no precision", ["a", "a", "b", "c"], list("abbb")
    ),
    "apart": predicted("no class occurs on both sides", ["a", "b", "a"], ["c", "d", "c"]),
    "right": predicted("all right", list("abcab"), list("abcab")),
    "one_truth": predicted("one class in truth, two predicted", list("aaaa"), list("aaba")),
    "one_guess": predicted("one class predicted for all", list("abca"), list("aaaa")),
    "one_class": predicted("one class: agreement by chance alone", list("aaa"), list("aaa")),
    "one_row": predicted("one row, wrong", ["a"], ["b"]),
    "no_rows": predicted("nothing", np.array([], "U1"), np.array([], "U1")),
    "copies": predicted(
        "whole weights", *_guesses(5, ANIMALS, 60), [Random(6).randrange(1, 9) for _ in range(60)]
    ),
    "ugly": predicted("0.1 + 0.2 as weights", *_guesses(7, ANIMALS, 60), UGLY),
    "absent": predicted(
        "weight 0 is absence: of rows, and of the one row of a class",
        list("aabbc"),
        list("abbbc"),
        [1, 0, 2.5, 1, 0],
    ),
    "weightless": predicted("every weight is 0", list("ab"), list("ab"), [0, 0]),
    "wide": predicted(
        "weights from 1e-300 to 1e300", list("abcab"), list("abcba"), [1e-300, 1e300, 1, 1e-300, 2]
    ),
    "beyond_int64": predicted(
        "sums above 2⁶³", list("abca"), list("abac"), [2**62, 2**63 - 1, 2**62, 2**61]
    ),
    "hundreds": predicted(
        "three hundred classes, most of them seen once", *_guesses(8, list(range(300)), 400)
    ),
    "prefixes": predicted(
        "words that sort by their first letters, some of them not ASCII",
        ["a", "ab", "a b", "ä", "猫", ""],
        ["ab", "ab", "a", "ä", "猫", "a"],
    ),
}


def _matrix(seed: int, count: int, classes: int, levels: int) -> list[list[float]]:
    """Rows of multiples of 1/levels, a power of two, that add up to 1."""
    dice = Random(seed)
    rows = []
    for _ in range(count):
        cuts = sorted(dice.randrange(levels + 1) for _ in range(classes - 1))
        ends = [0, *cuts, levels]
        rows.append([(b - a) / levels for a, b in pairwise(ends)])
    return rows


def _truths(seed: int, classes: list[Any], count: int) -> list[Any]:
    return [*classes, *(Random(seed * 1000 + i).choice(classes) for i in range(count - 4))]


SCORES = {
    "eighths": scored(
        "ties within a row and a column", _truths(1, ANIMALS, 40), _matrix(1, 40, 4, 8), ANIMALS
    ),
    "fine": scored("hardly a tie", _truths(2, ANIMALS, 40), _matrix(2, 40, 4, 2**40), ANIMALS),
    "unsorted": scored(
        "classes in an order of their own",
        _truths(3, ANIMALS[::-1], 40),
        _matrix(3, 40, 4, 64),
        ["cat", "ant", "dog", "bee"],
    ),
    "weighted": scored("weights", _truths(4, ANIMALS, 60), _matrix(4, 60, 4, 32), ANIMALS, UGLY),
    "missing_class": scored(
        "a class that never occurs has no area", list("aabb"), _matrix(5, 4, 3, 16), list("abc")
    ),
    "one_class": scored("no pair of classes", list("aaa"), _matrix(6, 3, 3, 16), list("abc")),
    "flat": scored("every score the same", list("abc"), [[0.25] * 4] * 3, list("abcd")),
    "certain": scored(
        "a true class of probability 0: an infinite loss, twice",
        list("abca"),
        [[1, 0, 0], [1, 0, 0], [0, 0, 1], [0, 0.5, 0.5]],
        list("abc"),
    ),
    "float32": scored(
        "float32 scores",
        _truths(7, ANIMALS, 40),
        np.array(_matrix(7, 40, 4, 16), "float32"),
        ANIMALS,
    ),
    "absent": scored(
        "weight 0 is absence", list("abcb"), _matrix(8, 4, 3, 16), list("abc"), [1, 2, 0, 1]
    ),
    "no_rows": scored("nothing", np.array([], "U1"), np.zeros((0, 3)), list("abc")),
}


# The true class first; tied with one other; tied with all; last.
RANKED = scored(
    "ranks of the true class",
    list("aaaa"),
    [[3.0, 2.0, 1.0], [2.0, 2.0, 1.0], [1.0, 1.0, 1.0], [1.0, 2.0, 3.0]],
    list("abc"),
)
LOSSES = scored(
    "ln 2, ln 4 and, twice as heavy, 0",
    list("aba"),
    [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25], [1.0, 0.0, 0.0]],
    list("abc"),
    [1, 1, 2],
)
SCORES_BY_HAND = (
    Case("top_k_accuracy(k=1)", RANKED, "1 + ½ + ⅓, of 4", Fraction(11, 24)),
    Case("top_k_accuracy()", RANKED, "1 + 1 + ⅔, of 4", Fraction(2, 3)),
    Case("top_k_accuracy(k=3)", RANKED, "all are among three", Fraction(1)),
    Case("top_k_accuracy(k=9)", RANKED, "k beyond the classes", Fraction(1)),
    Case("logloss()", LOSSES, "ln 8 / 4", Decimal(8).ln() / 4),
    Case("brier()", LOSSES, "3/8 + 7/8 + 0 + 0, of 4", Fraction(5, 16)),
    Case("auc(multi_class=ovr)", "one_class", "no pair of classes", Why("no class has a value")),
)
SIDES = predicted("classes on one side only", list("aabc"), list("axbb"))
BY_HAND = (
    Case("precision(average=macro)", SIDES, "1, ½, x 0; c has none", Fraction(1, 2)),
    Case("precision(average=macro, zero_division=0)", SIDES, "c is 0", Fraction(3, 8)),
    Case("precision(average=macro, zero_division=1)", SIDES, "c is 1", Fraction(5, 8)),
    Case("recall(average=macro)", SIDES, "½, 1, 0; x has none", Fraction(1, 2)),
    Case("kappa()", "one_truth", "no better than chance", Fraction(0)),
    Case("mcc()", "one_truth", "0/0 is not 0", Why("every row is of one class")),
    Case("mcc()", "one_guess", "0/0 is not 0", Why("every row is called the same class")),
    Case("precision(average=weighted)", "apart", "0/0", Why("the classes that count have no…")),
    Case("confusion()", "one_row", "truth down", (["a", "b"], [[0, 1], [0, 0]])),
    Case("accuracy()", "no_rows", "nothing", Why("there are no rows")),
)  # fmt: skip


# --- the oracles' side ---------------------------------------------------------------------------


def called_rows(data: Sample, options: Options) -> list[Called]:
    """The rows that have weight."""
    columns = data.columns["label"].tolist(), data.columns["prediction"].tolist(), data.weights
    return [Called(t, p, Fraction(w)) for t, p, w in zip(*columns, strict=True) if w]


class ScoredRows(NamedTuple):
    """Rows that have weight, and the classes in the order of their scores."""

    rows: list[Scored]
    classes: list[Any]


def scored_rows(data: Sample, options: Options) -> ScoredRows:
    table = zip(*(data.columns[name].tolist() for name in data.roles["score"]), strict=True)
    every = zip(data.columns["label"].tolist(), table, data.weights, strict=True)
    rows = [Scored(t, tuple(s), Fraction(w)) for t, s, w in every if w]
    return ScoredRows(rows, data.roles["classes"])


def of_scores(oracle: Callable[..., Answer]) -> Callable[..., Answer]:
    """An oracle on rows with scores: they make the prediction, where it takes no scores."""

    def answer(given: ScoredRows, **params: Any) -> Answer:
        if "classes" in signature(oracle).parameters:
            return oracle(given.rows, given.classes, **params)
        return oracle(oracles.called(given.rows, given.classes), **params)

    return answer


def details(
    spec: str, data: Sample, row: Row, result: Result, answer: Any, options: Options
) -> Answer:
    """How many classes there are, and how many have a value and count in the mean."""
    name, params = parsed(spec)
    if name in ("precision", "recall") and params == {"average": "macro"}:
        rows = called_rows(data, options)
        every = oracles.cells(rows)
        left_out = oracles.skipped(rows, getattr(oracles, f"{name}_ratio"))
        assert row.details["classes"] == len(every)
        assert row.details["classes_used"] == len(every) - left_out
    return answer  # type: ignore[no-any-return]


def fits(spec: str, data: Sample) -> bool:
    """Whether a spec without an average, which is for two classes, fits a data set."""
    sides = data.columns["label"], data.columns["prediction"]
    classes = {label for side in sides for label in side.tolist()}
    return spec not in BINARY or classes <= {0, 1} or classes <= {-1, 1}


ORACLES = functions_of(oracles) | functions_of(class_shapes)
PREDICTIONS = Family(
    name="predictions",
    data=CLASSES,
    specs=OF_CLASSES,
    rows=called_rows,
    oracles=ORACLES,
    by_hand=BY_HAND,
    fits=fits,
    details=details,
)
CLASS_SCORES = Family(
    name="class_scores",
    data=SCORES,
    specs=OF_SCORES,
    rows=scored_rows,
    oracles={name: of_scores(oracle) for name, oracle in ORACLES.items()},
    by_hand=SCORES_BY_HAND,
    roundings=ROUNDINGS,
)
