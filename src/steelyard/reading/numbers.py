"""Checks of columns of numbers: finite scores, weights of zero or more, whole counts."""

from collections.abc import Sequence

import numpy as np

from steelyard import errors, kernels
from steelyard.kernels.interface import CheckedColumn
from steelyard.model import Array, Floats
from steelyard.reading.row_numbers import KeptRows, bad_dtype

NEAR = 1e-3  # how far a sum of probabilities may be from 1: sums of float16 reach that far


def score(name: str, array: Array, rows: KeptRows, type_: str | None = None) -> Array:
    """Scores as float32 if they are float16 or float32, else as float64; none is rounded.

    type_: the type to convert them to, which may round
    """
    return checked_score(name, array, rows, type_)[0]


def checked_score(
    name: str, array: Array, rows: KeptRows, type_: str | None = None
) -> tuple[Array, CheckedColumn]:
    """The same, with the ends of the column."""
    if array.dtype.kind not in "biuf":
        raise bad_dtype(name, array, rows, "numbers")
    if array.dtype in (np.float16, np.float32):
        scores: Array = array.astype(np.float32, copy=False)
    else:
        with np.errstate(over="ignore"):  # a long double beyond float64 is reported below
            scores = array.astype(np.float64, copy=False)
        inexact = _inexact(array, scores)
        if len(inexact):
            raise errors.INEXACT_SCORE(
                name=name,
                count=len(inexact),
                position=rows.number(int(inexact[0])),
                value=str(array[inexact[0]]),
            )
    if type_ is not None:
        with np.errstate(over="ignore"):  # beyond float32 is reported as infinite
            scores = scores.astype(type_, copy=False)
    return scores, _checked(name, scores, rows)


def _checked(name: str, array: Array, rows: KeptRows, *checks: str) -> CheckedColumn:
    """The checks of a column, none of whose numbers may be infinite."""
    infinite, *others = (found := kernels.active().check_column(array, ("finite", *checks))).bad
    if infinite.rows:
        raise errors.INFINITE(name=name, **rows.where(infinite))
    return found._replace(bad=tuple(others))


def _inexact(array: Array, scores: Array) -> Array:
    """The rows that float64 cannot hold exactly: wide integers and extended floats only."""
    if array.dtype.kind == "f" and array.dtype.itemsize > 8:
        return np.flatnonzero((scores != array) & np.isfinite(array))
    if array.dtype.kind == "f" or array.dtype.itemsize < 8:
        return np.zeros(0, np.intp)
    wide = np.flatnonzero((array > 2**53) | (array < -(2**53)))
    return wide[[int(scores[i]) != int(array[i]) for i in wide]] if len(wide) else wide


def weight(name: str, array: Array, rows: KeptRows) -> Array:
    """Weights of zero or more: float32 or float64 unchanged, integers as uint32 where they fit."""
    return checked_weight(name, array, rows)[0]


def checked_weight(name: str, array: Array, rows: KeptRows) -> tuple[Array, CheckedColumn]:
    """The same, with the ends of the column."""
    if array.dtype.kind not in "biuf":
        raise bad_dtype(name, array, rows, "numbers")
    if array.dtype.kind == "f" and array.dtype.itemsize not in (4, 8):
        array = score(name, array, rows)
    found = _checked(name, array, rows, "not_negative")
    if found.bad[0].rows:
        raise errors.NEGATIVE_WEIGHT(name=name, **rows.where(found.bad[0], array))
    if array.dtype.kind != "f" and found.largest < 2**32:
        array = array.astype(np.uint32, copy=False)  # half the memory, and the faster sort
    return array, found


def amount(name: str, array: Array, rows: KeptRows) -> Floats:
    """Bids or revenue: finite float64 of zero or more."""
    amounts, found = checked_score(name, array, rows)
    if found.least < 0:
        (bad,) = kernels.active().check_column(amounts, ("not_negative",)).bad
        raise errors.NEGATIVE_AMOUNT(name=name, **rows.where(bad, array))
    return amounts.astype(np.float64, copy=False)


def check_probability(
    name: str, scores: Array, rows: KeptRows, *, of_classes: bool = False
) -> None:
    """Refuses scores outside 0 to 1."""
    _, largest, (bad,) = kernels.active().check_column(scores, ("probability",))
    if not bad.rows:
        return
    hint = "these have values below 0"
    if largest > 1:
        logit = name if name.isidentifier() else f"({name})"
        way = "the softmax of each row" if of_classes else f"1 / (1 + exp(-{logit}))"
        hint = f"if these are logits, {way} makes them so"
    raise errors.NOT_PROBABILITY(name=name, **rows.where(bad, scores), hint=hint)


def check_sums(name: str, columns: Sequence[Array], rows: KeptRows) -> None:
    """Refuses rows whose probabilities, added from left to right in float64, do not give 1."""
    sums = np.zeros(len(columns[0]))
    for column in columns:
        sums += column
    bad = np.abs(sums - 1.0) > NEAR
    if bad.any():
        value = f"{sums[bad.argmax()]:.6g}"
        raise errors.PROBABILITY_SUM(name=name, **rows.where(bad), value=value)


def whole(name: str, array: Array, rows: KeptRows) -> Array:
    """Counts as int64: whole numbers of zero or more."""
    if array.dtype.kind not in "biuf":
        raise bad_dtype(name, array, rows, "whole numbers")
    (bad,) = kernels.active().check_column(array, ("count",)).bad
    if bad.rows:
        raise errors.NOT_WHOLE(name=name, **rows.where(bad, array))
    return array.astype(np.int64)
