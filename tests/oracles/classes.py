"""Oracles of many classes: from (truth, predicted, weight), or from one score for each class.

A class's value is exact here and rounded once; an average over classes is the exact mean of those
floats. `rounded_mean` does just that, so that macro and weighted averages can be held to the bit.
"""

from collections.abc import Callable, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import combinations
from typing import Any, NamedTuple

from tests.oracles.answers import Answer, Row, Rows, Why, as_decimal, rounded, written
from tests.oracles.calibration import impossible
from tests.oracles.curves import auc_by_area
from tests.oracles.special import DIGITS, decimal, ln

Class = Any
ZERO, ONE = Fraction(0), Fraction(1)

NO_ROWS = Why("there are no rows")


class Called(NamedTuple):
    """One row: what it is, what it was called, what it counts for."""

    truth: Class
    predicted: Class
    w: Fraction = ONE


class Scored(NamedTuple):
    """One row: what it is, and a score for each class in the order of the classes."""

    truth: Class
    scores: tuple[float, ...]
    w: Fraction = ONE


def classes_of(rows: Sequence[Called]) -> list[Class]:
    """All that occur, as truth or as prediction, in order; words after numbers."""
    found = {row.truth for row in rows} | {row.predicted for row in rows}
    return sorted(found, key=lambda one: (isinstance(one, str), one))


def called(rows: Sequence[Scored], classes: Sequence[Class]) -> list[Called]:
    """The class with the highest score; of equal ones the one listed first."""
    return [Called(r.truth, classes[r.scores.index(max(r.scores))], r.w) for r in rows]


def weight(rows: Sequence[Called] | Sequence[Scored]) -> Fraction:
    return sum((row.w for row in rows), ZERO)


def confusion(
    rows: Sequence[Called], classes: Sequence[Class] | None = None
) -> list[list[Fraction]]:
    """Rows are the truth, columns what it was called."""
    place = {one: i for i, one in enumerate(classes or classes_of(rows))}
    table = [[ZERO] * len(place) for _ in place]
    for row in rows:
        table[place[row.truth]][place[row.predicted]] += row.w
    return table


# --- one class against the rest ------------------------------------------------------------------


class Cells(NamedTuple):
    """What a class comes to against all others."""

    tp: Fraction
    fp: Fraction
    fn: Fraction
    tn: Fraction

    @property
    def support(self) -> Fraction:
        return self.tp + self.fn


def cells(rows: Sequence[Called]) -> dict[Class, Cells]:
    """One-vs-rest cells, from the sums of a class's row and column and where they cross."""
    truth: dict[Class, Fraction] = {}
    guess: dict[Class, Fraction] = {}
    right: dict[Class, Fraction] = {}
    for row in rows:
        truth[row.truth] = truth.get(row.truth, ZERO) + row.w
        guess[row.predicted] = guess.get(row.predicted, ZERO) + row.w
        if row.truth == row.predicted:
            right[row.truth] = right.get(row.truth, ZERO) + row.w
    whole = weight(rows)
    found = {}
    for one in classes_of(rows):
        tp = right.get(one, ZERO)
        fp, fn = guess.get(one, ZERO) - tp, truth.get(one, ZERO) - tp
        found[one] = Cells(tp, fp, fn, whole - tp - fp - fn)
    return found


Ratio = tuple[Fraction, Fraction]


def precision_ratio(c: Cells) -> Ratio:
    return c.tp, c.tp + c.fp


def recall_ratio(c: Cells) -> Ratio:
    return c.tp, c.tp + c.fn


def f1_ratio(c: Cells) -> Ratio:
    return 2 * c.tp, 2 * c.tp + c.fp + c.fn


def accuracy_ratio(c: Cells) -> Ratio:
    return c.tp + c.tn, c.tp + c.fp + c.fn + c.tn


def fbeta_ratio(beta: float) -> Callable[[Cells], Ratio]:
    square = written(beta) ** 2
    return lambda c: ((1 + square) * c.tp, (1 + square) * c.tp + square * c.fn + c.fp)


def class_values(
    rows: Sequence[Called], ratio: Callable[[Cells], Ratio], zero_division: str | int = "skip"
) -> dict[Class, Fraction | None]:
    """Each class's value; None is 0/0 that was left out."""
    filled = None if zero_division == "skip" else Fraction(zero_division)
    found = {}
    for one, each in cells(rows).items():
        above, below = ratio(each)
        found[one] = above / below if below else filled
    return found


def averaged(
    rows: Sequence[Called],
    ratio: Callable[[Cells], Ratio],
    average: str = "binary",
    zero_division: str | int = "skip",
    nothing: str = "",
) -> Answer:
    """By default the value of the class 1, or why it has none: `nothing`."""
    if not rows:
        return NO_ROWS
    every = cells(rows)
    if average == "binary":
        above, below = ratio(every.get(1, Cells(ZERO, ZERO, ZERO, weight(rows))))
        if below == 0:
            return Why(nothing) if zero_division == "skip" else Fraction(zero_division)
        return above / below
    if average == "micro":
        parts = [ratio(each) for each in every.values()]
        above, below = (sum(column, ZERO) for column in zip(*parts, strict=True))
        return above / below if below else NO_CLASS
    values = class_values(rows, ratio, zero_division)
    used = {one: value for one, value in values.items() if value is not None}
    counts = {one: every[one].support if average == "weighted" else ONE for one in used}
    return rounded_mean(used, counts)


def skipped(rows: Sequence[Called], ratio: Callable[[Cells], Ratio]) -> int:
    """How many classes are 0/0."""
    return sum(value is None for value in class_values(rows, ratio).values())


NONE_CALLED, ALL_CALLED = "no row is called positive", "every row is called positive"
NO_POSITIVES, NO_NEGATIVES = "there are no positives", "there are no negatives"
NOTHING_TO_FIND = "there are no positives and no row is called positive"
NO_CLASS = Why("no class has a value")
NO_SUPPORT = Why("the classes that count have no weight")


def rounded_mean(values: dict[Any, Fraction], counts: dict[Any, Fraction]) -> Answer:
    """The exact mean of the rounded values."""
    if not values:
        return NO_CLASS
    below = sum((counts[one] for one in values), ZERO)
    if below == 0:
        return NO_SUPPORT
    above = sum((counts[one] * Fraction(rounded(value)) for one, value in values.items()), ZERO)
    return above / below


def precision(rows: Sequence[Called], **how: Any) -> Answer:
    return averaged(rows, precision_ratio, nothing=NONE_CALLED, **how)


def recall(rows: Sequence[Called], **how: Any) -> Answer:
    return averaged(rows, recall_ratio, nothing=NO_POSITIVES, **how)


def f1(rows: Sequence[Called], **how: Any) -> Answer:
    return averaged(rows, f1_ratio, nothing=NOTHING_TO_FIND, **how)


def fbeta(rows: Sequence[Called], beta: float, **how: Any) -> Answer:
    return averaged(rows, fbeta_ratio(beta), nothing=NOTHING_TO_FIND, **how)


def specificity(rows: Sequence[Called], **how: Any) -> Answer:
    return averaged(rows, lambda c: (c.tn, c.tn + c.fp), nothing=NO_NEGATIVES, **how)


def fpr(rows: Sequence[Called], **how: Any) -> Answer:
    return averaged(rows, lambda c: (c.fp, c.tn + c.fp), nothing=NO_NEGATIVES, **how)


def fnr(rows: Sequence[Called], **how: Any) -> Answer:
    return averaged(rows, lambda c: (c.fn, c.fn + c.tp), nothing=NO_POSITIVES, **how)


def npv(rows: Sequence[Called], **how: Any) -> Answer:
    return averaged(rows, lambda c: (c.tn, c.tn + c.fn), nothing=ALL_CALLED, **how)


def fdr(rows: Sequence[Called], **how: Any) -> Answer:
    return averaged(rows, lambda c: (c.fp, c.fp + c.tp), nothing=NONE_CALLED, **how)


def accuracy(rows: Sequence[Called], average: str | None = None, **how: Any) -> Answer:
    """The share of rows that are right; with an average, that of one class against the rest."""
    if average is not None:
        return averaged(rows, accuracy_ratio, average, **how)
    if not rows:
        return NO_ROWS
    return weight([row for row in rows if row.truth == row.predicted]) / weight(rows)


def balanced_accuracy(rows: Sequence[Called]) -> Answer:
    """The mean recall of the classes that there are; one that was only predicted has none."""
    return averaged(rows, recall_ratio, "macro")


# --- agreement -----------------------------------------------------------------------------------

ONE_TRUTH = Why("every row is of one class")
ONE_CALL = Why("every row is called the same class")


def mcc(rows: Sequence[Called]) -> Answer:
    """Gorodkin's R_K: the correlation of truth and prediction as indicator vectors."""
    if not rows:
        return NO_ROWS
    every, s = cells(rows), weight(rows)
    c = sum((each.tp for each in every.values()), ZERO)
    t = [each.tp + each.fn for each in every.values()]
    p = [each.tp + each.fp for each in every.values()]
    above = c * s - sum((x * y for x, y in zip(t, p, strict=True)), ZERO)
    vary_t, vary_p = (s * s - sum((x * x for x in each), ZERO) for each in (t, p))
    if vary_t == 0:
        return ONE_TRUTH
    if vary_p == 0:
        return ONE_CALL
    with localcontext(prec=80):
        return as_decimal(above) / as_decimal(vary_t * vary_p).sqrt()


NO_CHANCE = Why("every row is of one class and called so")


def kappa(rows: Sequence[Called], weights: str | None = None) -> Answer:
    """1 − disagreement seen over disagreement by chance; classes in order, for the weights."""
    if not rows:
        return NO_ROWS
    if weights is None or weights == "none":
        every, whole = cells(rows), weight(rows)
        agreed = sum((each.tp for each in every.values()), ZERO) / whole
        chances = (each.support * (each.tp + each.fp) for each in every.values())
        chance = sum(chances, ZERO) / (whole * whole)
        return (agreed - chance) / (1 - chance) if chance != 1 else NO_CHANCE
    place = {one: i for i, one in enumerate(classes_of(rows))}
    power = {"linear": 1, "quadratic": 2}[weights]
    seen = sum((r.w * abs(place[r.truth] - place[r.predicted]) ** power for r in rows), ZERO)
    sides = [(each.support, each.tp + each.fp) for each in cells(rows).values()]
    expected = by_chance(sides, power) / weight(rows)
    return 1 - seen / expected if expected else NO_CHANCE


def by_chance(sides: Sequence[tuple[Fraction, Fraction]], power: int) -> Fraction:
    """Σ |i − j|^power · t_i · g_j without going through all pairs of thousands of classes.

    |i − j| counts the steps from i to j, each of which has weight on either side of it;
    (i − j)² is i² − 2ij + j².
    """
    truth, guess = (sum(column, ZERO) for column in zip(*sides, strict=True))
    if power == 2:
        t1, g1 = (sum((i * side[s] for i, side in enumerate(sides)), ZERO) for s in (0, 1))
        t2, g2 = (sum((i * i * side[s] for i, side in enumerate(sides)), ZERO) for s in (0, 1))
        return t2 * guess - 2 * t1 * g1 + truth * g2
    found = t = g = ZERO
    for here in sides:
        t, g = t + here[0], g + here[1]
        found += t * (guess - g) + g * (truth - t)
    return found


# --- a score for each class ----------------------------------------------------------------------


def one_vs_rest(rows: Sequence[Scored], classes: Sequence[Class]) -> dict[Class, Fraction | None]:
    """Each class's AUC; None where it has no rows or all of them."""
    found: dict[Class, Fraction | None] = {}
    for i, one in enumerate(classes):
        found[one] = _auc([(row.truth == one, row.scores[i], row.w) for row in rows])
    return found


def _auc(rows: Sequence[tuple[bool, float, Fraction]]) -> Fraction | None:
    every = Rows(tuple(Row(*row) for row in rows))
    return auc_by_area(every) if every.P and every.N else None


def one_vs_one(
    rows: Sequence[Scored], classes: Sequence[Class]
) -> dict[tuple[Class, Class], Fraction | None]:
    """Hand and Till: a pair's two AUCs, each by its own class's score, and their mean."""
    found: dict[tuple[Class, Class], Fraction | None] = {}
    for (i, a), (j, b) in combinations(enumerate(classes), 2):
        pair = [row for row in rows if row.truth in (a, b)]
        up = _auc([(row.truth == a, row.scores[i], row.w) for row in pair])
        down = _auc([(row.truth == b, row.scores[j], row.w) for row in pair])
        found[a, b] = None if up is None or down is None else (up + down) / 2
    return found


def auc(
    rows: Sequence[Scored],
    classes: Sequence[Class],
    multi_class: str = "ovr",
    average: str = "macro",
) -> Answer:
    if not rows:
        return NO_ROWS
    if average == "micro":
        pairs = [(row, i) for row in rows for i in range(len(classes))]
        pooled = _auc([(row.truth == classes[i], row.scores[i], row.w) for row, i in pairs])
        return NO_CLASS if pooled is None else pooled
    support = {one: weight([row for row in rows if row.truth == one]) for one in classes}
    values: dict[Any, Fraction | None]
    counts: dict[Any, Fraction]
    if multi_class == "ovr":
        values, counts = dict(one_vs_rest(rows, classes)), dict(support)
    else:
        values = dict(one_vs_one(rows, classes))
        counts = {pair: support[pair[0]] + support[pair[1]] for pair in values}
    used = {one: value for one, value in values.items() if value is not None}
    if average == "macro":
        counts = dict.fromkeys(used, ONE)
    return rounded_mean(used, counts)


def top_k_accuracy(rows: Sequence[Scored], classes: Sequence[Class], k: int = 2) -> Answer:
    """How often the true class is among the k highest, over all orders of tied classes."""
    if not rows:
        return NO_ROWS
    found = ZERO
    for row in rows:
        mine = row.scores[classes.index(row.truth)]
        above = sum(score > mine for score in row.scores)
        tied = row.scores.count(mine)
        found += row.w * min(max(Fraction(k - above, tied), ZERO), ONE)
    return found / weight(rows)


def brier(rows: Sequence[Scored], classes: Sequence[Class]) -> Answer:
    """The mean over rows of the squared distance to the true corner; of two classes, half."""
    if not rows:
        return NO_ROWS
    above = ZERO
    for row in rows:
        for one, score in zip(classes, row.scores, strict=True):
            above += row.w * (Fraction(score) - (one == row.truth)) ** 2
    return above / weight(rows) / (2 if len(classes) == 2 else 1)


def logloss(rows: Sequence[Scored], classes: Sequence[Class], clip: float | None = None) -> Answer:
    if not rows:
        return NO_ROWS
    low, high = (0.0, 1.0) if clip is None else (clip, 1.0 - clip)
    said = [min(max(row.scores[classes.index(row.truth)], low), high) for row in rows]
    if 0.0 in said:
        return impossible(said.count(0.0))
    with localcontext(prec=DIGITS):
        parts = [decimal(row.w) * -ln(Fraction(p)) for row, p in zip(rows, said, strict=True)]
        return sum(parts, Decimal(0)) / decimal(weight(rows))
