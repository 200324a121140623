"""Oracles of the counts at a threshold."""

from decimal import localcontext
from fractions import Fraction

from tests.oracles import class_shapes
from tests.oracles.answers import (
    Answer,
    AnyAnswer,
    Rows,
    Why,
    as_decimal,
    cells,
    oracle,
    quotient,
    written,
)
from tests.oracles.classes import Called


@oracle()
def confusion(rows: Rows, threshold: float = 0.5, normalize: str | None = None) -> AnyAnswer:
    """The cells, or their shares of the true class, the called class or all; None is 0/0."""
    tp, fp, fn, tn = found = cells(rows, threshold)
    wholes = {
        "true": (tp + fn, fp + tn, tp + fn, fp + tn),
        "pred": (tp + fp, tp + fp, fn + tn, fn + tn),
        "all": (sum(found),) * 4,
    }
    if normalize is None:
        return found
    both = zip(found, wholes[normalize], strict=True)
    return tuple(cell / whole if whole else None for cell, whole in both)


@oracle()
def class_report(
    rows: Rows, threshold: float = 0.5, zero_division: str | int = "skip"
) -> AnyAnswer:
    """The report of the rows called "positive" or "negative"."""
    tp, fp, fn, tn = cells(rows, threshold)
    called = [
        *[Called("positive", "positive", tp), Called("negative", "positive", fp)],
        *[Called("positive", "negative", fn), Called("negative", "negative", tn)],
    ]
    return class_shapes.class_report(called, zero_division, ["negative", "positive"])


@oracle()
def accuracy(rows: Rows, threshold: float = 0.5) -> Answer:
    tp, fp, fn, tn = cells(rows, threshold)
    return quotient(tp + tn, tp + fp + fn + tn, "there are no rows")


@oracle()
def precision(rows: Rows, threshold: float = 0.5) -> Answer:
    tp, fp, _, _ = cells(rows, threshold)
    return quotient(tp, tp + fp, "no row is called positive")


@oracle()
def recall(rows: Rows, threshold: float = 0.5) -> Answer:
    tp, _, fn, _ = cells(rows, threshold)
    return quotient(tp, tp + fn, "there are no positives")


@oracle()
def specificity(rows: Rows, threshold: float = 0.5) -> Answer:
    _, fp, _, tn = cells(rows, threshold)
    return quotient(tn, tn + fp, "there are no negatives")


@oracle()
def fpr(rows: Rows, threshold: float = 0.5) -> Answer:
    _, fp, _, tn = cells(rows, threshold)
    return quotient(fp, fp + tn, "there are no negatives")


@oracle()
def fnr(rows: Rows, threshold: float = 0.5) -> Answer:
    tp, _, fn, _ = cells(rows, threshold)
    return quotient(fn, fn + tp, "there are no positives")


@oracle()
def npv(rows: Rows, threshold: float = 0.5) -> Answer:
    _, _, fn, tn = cells(rows, threshold)
    return quotient(tn, tn + fn, "every row is called positive")


@oracle()
def fdr(rows: Rows, threshold: float = 0.5) -> Answer:
    tp, fp, _, _ = cells(rows, threshold)
    return quotient(fp, tp + fp, "no row is called positive")


@oracle()
def f1(rows: Rows, threshold: float = 0.5) -> Answer:
    tp, fp, fn, _ = cells(rows, threshold)
    why = "there are no positives and no row is called positive"
    return quotient(2 * tp, 2 * tp + fp + fn, why)


@oracle()
def fbeta(rows: Rows, beta: float, threshold: float = 0.5) -> Answer:
    tp, fp, fn, _ = cells(rows, threshold)
    square = written(beta) * written(beta)
    if tp == 0:
        why = "there are no positives and no row is called positive"
        return Fraction(0) if fp + fn else Why(why)
    p, r = tp / (tp + fp), tp / (tp + fn)
    return (1 + square) * p * r / (square * p + r)


@oracle("positives", "negatives")
def mcc(rows: Rows, threshold: float = 0.5) -> Answer:
    tp, fp, fn, tn = cells(rows, threshold)
    if tp + fp == 0:
        return Why("no row is called positive")
    if fn + tn == 0:
        return Why("every row is called positive")
    with localcontext(prec=80):
        square = as_decimal((tp + fp) * (tp + fn) * (tn + fp) * (tn + fn))
        return as_decimal(tp * tn - fp * fn) / square.sqrt()


@oracle("positives", "negatives")
def balanced_accuracy(rows: Rows, threshold: float = 0.5) -> Answer:
    tp, fp, fn, tn = cells(rows, threshold)
    return (tp / (tp + fn) + tn / (tn + fp)) / 2


@oracle()
def prevalence(rows: Rows) -> Answer:
    return quotient(rows.P, rows.P + rows.N, "there are no rows")
