"""Rows of the tables of many classes: predictions as classes, and a score for each class."""

from fractions import Fraction
from functools import cache
from itertools import pairwise
from random import Random
from typing import Any

import numpy as np

from steelyard.model import Array
from tests.oracles import classes as oracles
from tests.oracles.binary import rounded
from tests.oracles.classes import Called, Scored
from tests.tables.family_harness import Answer, Sample, split

AVERAGES = ("macro", "micro", "weighted")
RATIOS = ("precision", "recall", "f1")

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
    *(f"fbeta(average={average}, beta=2)" for average in AVERAGES),
    "fbeta(average=macro, beta=0.5, zero_division=0)",
)
OF_SCORES = (
    *("accuracy()", "precision(average=macro)", "recall(average=macro)", "mcc()"),
    *(f"auc(multi_class=ovr, average={average})" for average in AVERAGES),
    *(f"auc(multi_class=ovo, average={average})" for average in ("macro", "weighted")),
    *(f"top_k_accuracy(k={k})" for k in (1, 2, 3)),
    "logloss()",
)
# The loss is a sum of rounded logarithms: as in calibration. All else is exact to the bit.
ROUNDINGS = {"logloss": 4}


def predicted(why: str, truth: Any, guess: Any, weight: Any = None) -> Sample:
    columns = {"label": np.asarray(truth), "prediction": np.asarray(guess)}
    roles = {"label": "label", "prediction": "prediction"}
    if weight is not None:
        columns["weight"], roles["weight"] = np.asarray(weight), "weight"
    return Sample(why, columns, roles)


def scored(why: str, truth: Any, matrix: Any, classes: list[Any], weight: Any = None) -> Sample:
    table = np.asarray(matrix)
    columns: dict[str, Array] = {"label": np.asarray(truth)}
    columns |= {f"s{i}": table[:, i] for i in range(len(classes))}
    roles: dict[str, Any] = {
        "label": "label",
        "score": [f"s{i}" for i in range(len(classes))],
        "classes": classes,
    }
    if weight is not None:
        columns["weight"], roles["weight"] = np.asarray(weight), "weight"
    return Sample(why, columns, roles)


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
    "thousands": predicted(
        "two thousand classes, most of them seen once", *_guesses(8, list(range(2000)), 2500)
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


# --- the oracles' side ---------------------------------------------------------------------------


def weights(data: Sample) -> list[Fraction]:
    column = data.columns.get("weight")
    return [Fraction(w) for w in ([1] * len(data) if column is None else column.tolist())]


@cache
def called_rows(data: str) -> list[Called]:
    one = CLASSES[data]
    columns = one.columns["label"].tolist(), one.columns["prediction"].tolist(), weights(one)
    return [Called(t, p, w) for t, p, w in zip(*columns, strict=True) if w]


@cache
def scored_rows(data: str) -> list[Scored]:
    one = SCORES[data]
    table = [one.columns[name].tolist() for name in one.roles["score"]]
    every = zip(one.columns["label"].tolist(), zip(*table, strict=True), weights(one), strict=True)
    return [Scored(t, tuple(s), w) for t, s, w in every if w]


@cache
def answer(spec: str, data: str) -> Answer:
    name, params = split(spec)
    found: Answer = getattr(oracles, name)(called_rows(data), **params)
    return found


@cache
def answer_of_scores(spec: str, data: str) -> Answer:
    name, params = split(spec)
    classes, rows = SCORES[data].roles["classes"], scored_rows(data)
    if name in ("auc", "top_k_accuracy", "logloss"):
        found: Answer = getattr(oracles, name)(rows, classes, **params)
        return found
    called: Answer = getattr(oracles, name)(oracles.called(rows, classes), **params)
    return called


def class_values(name: str, data: str) -> dict[Any, float]:
    """Each class's value; NaN where it is 0/0."""
    ratio = getattr(oracles, f"{name}_ratio")
    values = oracles.class_values(called_rows(data), ratio)
    return {one: float("nan") if v is None else rounded(v) for one, v in values.items()}
