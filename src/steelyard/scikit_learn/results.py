"""Results in scikit-learn's form: a confusion matrix that is an array, a report that is a text."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from steelyard.model import Array, ClassConfusion, Confusion, Key

HEADERS = ("precision", "recall", "f1-score", "support")
ACCURACY = "accuracy"
CELLS = {"tn": (0, 0), "fp": (0, 1), "fn": (1, 0), "tp": (1, 1)}


class ConfusionArray(np.ndarray[Any, Any]):
    """The matrix of `confusion` as an array: cells by position, true classes down.

    labels: the classes of its rows and columns; of scores False and True: whether positive
    tn, fp, fn, tp: the cells of two classes
    """

    labels: tuple[Key, ...]

    def __new__(cls, labels: Sequence[Key], matrix: Any) -> "ConfusionArray":
        made = np.array(matrix).view(cls)
        made.labels = tuple(labels)
        return made

    def __array_finalize__(self, other: Any) -> None:
        labels = getattr(other, "labels", ())  # a part of the matrix has none
        self.labels = labels if self.shape == (len(labels), len(labels)) else ()

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        """What is computed of a matrix: a plain array or number."""
        return array[()] if return_scalar else np.asarray(array)

    def __reduce__(self) -> tuple[Any, ...]:
        return ConfusionArray, (self.labels, np.asarray(self))

    def __getattr__(self, name: str) -> Any:
        if name not in CELLS or self.shape != (2, 2):
            raise AttributeError(f"a matrix of shape {self.shape} has no attribute {name!r}")
        return self[CELLS[name]].item()

    @property
    def matrix(self) -> Array:
        """The cells as a plain array."""
        return np.asarray(self)


def confusion_matrix(found: Confusion | ClassConfusion) -> ConfusionArray:
    """The cells as an array; of scores [[tn, fp], [fn, tp]]."""
    if isinstance(found, ClassConfusion):
        return ConfusionArray(found.labels, found.matrix)
    cells = np.array([found.tn, found.fp, found.fn, found.tp])
    return ConfusionArray((False, True), cells.reshape(2, 2))


class ReportText(str):
    """The report of classes as a text; the columns of `class_report` are its attributes."""

    report: Any

    def __new__(cls, text: str, report: Any) -> "ReportText":
        made = super().__new__(cls, text)
        made.report = report
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return str(self), self.report

    def __getattr__(self, name: str) -> Any:
        if name not in getattr(self.__dict__.get("report"), "_fields", ()):
            raise AttributeError(f"a report of classes has no attribute {name!r}")
        return getattr(self.report, name)

    def __repr__(self) -> str:
        return str(self)


class ReportRow(NamedTuple):
    """A class or a mean; the accuracy has no precision and no recall."""

    name: str
    precision: float | None
    recall: float | None
    f1: float
    support: float

    @classmethod
    def of(cls, name: str, values: Sequence[float], support: float) -> "ReportRow":
        """The row of precision, recall and F1."""
        return cls(name, *map(float, values), support)  # type: ignore[call-arg]

    @property
    def value(self) -> Any:
        """Its numbers by name, in scikit-learn's form."""
        if self.precision is None:
            return self.f1
        return dict(zip(HEADERS, map(float, self[1:]), strict=True))  # type: ignore[arg-type]

    def line(self, width: int, digits: int) -> str:
        shown = ["" if each is None else f"{each:.{digits}f}" for each in self[1:4]]
        return _line(self.name, [*shown, str(self.support)], width)


def report_text(classes: Sequence[ReportRow], means: Sequence[ReportRow], digits: int) -> str:
    """A line for each class, and below them one for each mean."""
    width = max(digits, *(len(row.name) for row in (*classes, *means)))
    parts = [[_line("", HEADERS, width)]]
    parts += [[row.line(width, digits) for row in rows] for rows in (classes, means)]
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def _line(name: str, cells: Sequence[str], width: int) -> str:
    return f"{name:>{width}} " + "".join(f" {cell:>9}" for cell in cells)
