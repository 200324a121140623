"""Ten classes, and errors of numbers."""

import numpy as np

import steelyard as sy
from bench.operations.operation import Columns, Operation, OtherTool, values_of

CLASSES = 10
AVERAGED = ("precision", "recall", "f1", "accuracy")
AVERAGES = ("macro", "micro", "weighted")
OF_CLASSES = ["mcc", "kappa", *(f"{name}(average={a})" for name in AVERAGED for a in AVERAGES)]


def class_rows(rng: np.random.Generator, count: int) -> Columns:
    truth = rng.integers(0, CLASSES, count)
    called = np.where(rng.random(count) < 0.7, truth, rng.integers(0, CLASSES, count))
    return {"label": truth, "score": called}


def of_classes(columns: Columns) -> tuple[float, ...]:
    label, called = columns["label"], columns["score"]
    found = sy.evaluate(label=label, prediction=called, metrics=OF_CLASSES)
    return values_of(found)


def matthews(columns: Columns) -> float:
    """One of the fourteen."""
    from sklearn.metrics import matthews_corrcoef

    return float(matthews_corrcoef(columns["label"], columns["score"]))


def number_rows(rng: np.random.Generator, count: int) -> Columns:
    truth = rng.lognormal(size=count)
    return {"label": truth, "score": truth * rng.lognormal(sigma=0.3, size=count)}


def squared(columns: Columns) -> float:
    return sy.mse(columns["label"], columns["score"])


def scikit_learn_squared(columns: Columns) -> float:
    from sklearn.metrics import mean_squared_error

    return float(mean_squared_error(columns["label"], columns["score"]))


OPERATIONS = [
    Operation(
        "14 metrics of ten classes",
        class_rows,
        of_classes,
        {"scikit-learn": OtherTool(matthews, first=1)},
    ),
    Operation("mse", number_rows, squared, {"scikit-learn": OtherTool(scikit_learn_squared)}),
]
