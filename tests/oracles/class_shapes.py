"""Oracles of what many classes have beside numbers: tables, reports and curves."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tests.oracles import curves
from tests.oracles.answers import AnyAnswer, Row, Rows, Why
from tests.oracles.classes import (
    ONE,
    ZERO,
    Called,
    Cells,
    Class,
    Scored,
    cells,
    classes_of,
    f1_ratio,
    precision_ratio,
    recall_ratio,
    rounded_mean,
    weight,
)
from tests.oracles.classes import confusion as matrix_of

RATIOS = (precision_ratio, recall_ratio, f1_ratio)


def confusion(rows: Sequence[Called], normalize: str | None = None) -> AnyAnswer:
    """The classes in order, and the matrix or its shares; None is 0/0."""
    matrix, across = matrix_of(rows), range(len(classes_of(rows)))
    if normalize is None:
        return classes_of(rows), matrix
    columns = [sum((line[j] for line in matrix), ZERO) for j in across]
    wholes = {
        "true": [[sum(line, ZERO)] * len(line) for line in matrix],
        "pred": [columns for _ in matrix],
        "all": [[weight(rows)] * len(line) for line in matrix],
    }[normalize]
    shares = [[_share(matrix[i][j], wholes[i][j]) for j in across] for i in across]
    return classes_of(rows), shares


def _share(part: Fraction, whole: Fraction) -> Fraction | None:
    return part / whole if whole else None


def one_vs_rest(rows: Sequence[Called]) -> AnyAnswer:
    """The four cells of each class, column by column."""
    found = cells(rows)
    return [list(found), *([each[cell] for each in found.values()] for cell in range(4))]


def class_report(
    rows: Sequence[Called],
    zero_division: str | int = "skip",
    labels: Sequence[Class] | None = None,
) -> AnyAnswer:
    """Classes, three ratios, support, accuracy and two means; None is 0/0."""
    found = cells(rows)
    every = {one: found.get(one, Cells(ZERO, ZERO, ZERO, ZERO)) for one in labels or found}
    filled = None if zero_division == "skip" else Fraction(zero_division)
    values = []
    for ratio in RATIOS:
        quotients = {one: ratio(each) for one, each in every.items()}
        values.append({one: a / b if b else filled for one, (a, b) in quotients.items()})
    support = {one: each.support for one, each in every.items()}
    whole = sum(support.values(), ZERO)
    accuracy = sum((each.tp for each in every.values()), ZERO) / whole if whole else None
    means = [
        tuple(_mean(column, counts) for column in values)
        for counts in (dict.fromkeys(every, ONE), support)
    ]
    listed = [list(column.values()) for column in values]
    return [list(every), *listed, list(support.values()), accuracy, *means]


def _mean(values: dict[Class, Fraction | None], counts: dict[Class, Fraction]) -> Any:
    mean = rounded_mean({one: v for one, v in values.items() if v is not None}, counts)
    return None if isinstance(mean, Why) else mean


def roc(rows: Sequence[Scored], classes: Sequence[Class]) -> AnyAnswer:
    """The curve of each class; one point of None where there are no rows on both sides."""
    return _curves(curves.roc, rows, classes)


def pr(rows: Sequence[Scored], classes: Sequence[Class]) -> AnyAnswer:
    return _curves(curves.pr, rows, classes)


def _curves(curve: Any, rows: Sequence[Scored], classes: Sequence[Class]) -> AnyAnswer:
    if not rows:
        return Why("there are no rows")
    found: list[Any] = []
    for i, one in enumerate(classes):
        binary = Rows(tuple(Row(row.truth == one, row.scores[i], row.w) for row in rows))
        points = curve(binary)
        found.append((one, [(None,) * 3] if isinstance(points, Why) else points))
    return found
