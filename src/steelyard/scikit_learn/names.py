"""The functions of scikit-learn whose names are ours too, and the habits of each."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from steelyard.scikit_learn.habits import (
    ADJUSTED,
    COLUMNS,
    KAPPA_WEIGHTS,
    MAX_FPR,
    NORMALIZE,
    OF_ONE_COLUMN,
    ONE_SCORE,
    POS_LABEL,
    REPLACED,
    SCALE_BY_HALF,
    TWO_LABELS,
    WEIGHTS_OF_LISTS,
    WHOLE_FLOATS,
    ZERO_DIVISION,
    Call,
    Given,
    Habit,
    only,
    renamed,
)
from steelyard.scikit_learn.outputs import MATRIX, MULTIOUTPUT, REPORT

RATIO = (COLUMNS, WHOLE_FLOATS, POS_LABEL, ZERO_DIVISION)
NUMBERS = (COLUMNS, MULTIOUTPUT)
CORNERS = only("drop_intermediate", True, "bool", "its corners draw the same line")
CURVE = (COLUMNS, POS_LABEL, CORNERS)
TIES = only("ignore_ties", False, "bool", 'write ties="stable"')

# Each habit sees what those before it left.
HABITS: Mapping[str, tuple[Habit, ...]] = {
    "accuracy_score": (COLUMNS, WHOLE_FLOATS, NORMALIZE),
    "average_precision_score": (COLUMNS, OF_ONE_COLUMN, POS_LABEL),
    "balanced_accuracy_score": (COLUMNS, WHOLE_FLOATS, ADJUSTED),
    "brier_score_loss": (COLUMNS, POS_LABEL, TWO_LABELS, SCALE_BY_HALF),
    "classification_report": (COLUMNS, WHOLE_FLOATS, REPORT, ZERO_DIVISION),
    "cohen_kappa_score": (COLUMNS, KAPPA_WEIGHTS, REPLACED),
    "confusion_matrix": (COLUMNS, WHOLE_FLOATS, MATRIX),
    "dcg_score": (TIES, only("log_base", 2, "float", "its logarithm has base 2"), WEIGHTS_OF_LISTS),
    "f1_score": RATIO,
    "fbeta_score": RATIO,
    "log_loss": (COLUMNS, renamed("y_pred", "y_score", "_Column"), TWO_LABELS, NORMALIZE),
    "matthews_corrcoef": (COLUMNS, WHOLE_FLOATS),
    "max_error": (COLUMNS,),
    "mean_absolute_error": NUMBERS,
    "mean_absolute_percentage_error": NUMBERS,
    "mean_pinball_loss": (COLUMNS, renamed("alpha", "q", "float", 0.5), MULTIOUTPUT),
    "mean_poisson_deviance": (COLUMNS,),
    "mean_squared_error": NUMBERS,
    "median_absolute_error": NUMBERS,
    "ndcg_score": (TIES, WEIGHTS_OF_LISTS),
    "precision_recall_curve": CURVE,
    "precision_score": RATIO,
    "r2_score": (
        COLUMNS,
        only("force_finite", False, "bool", "it is NaN where all truths are equal"),
        MULTIOUTPUT,
    ),
    "recall_score": RATIO,
    "roc_auc_score": (COLUMNS, ONE_SCORE, OF_ONE_COLUMN, TWO_LABELS, MAX_FPR),
    "roc_curve": CURVE,
    "root_mean_squared_error": NUMBERS,
    "root_mean_squared_log_error": NUMBERS,
    "top_k_accuracy_score": (COLUMNS, NORMALIZE),
}


def keywords(name: str) -> dict[str, Any]:
    """The keywords that habits add to the function of a name, with their defaults."""
    return {key: value for habit in HABITS.get(name, ()) for key, value in habit.keywords.items()}


def types(name: str) -> dict[str, str]:
    """The types of these keywords in the stub."""
    return {key: type_ for habit in HABITS.get(name, ()) for key, type_ in habit.types.items()}


def called(name: str, given: Given, function: Callable[[str, Given], Any]) -> Any:
    """The value of the function of a name; function: calls the plain function of any name."""

    def other(name: str, given: Given) -> Any:
        return called(name, given, function)

    onward = partial(function, name)
    for habit in reversed(HABITS.get(name, ())):
        onward = partial(_apply, habit, Call(name, onward, other))
    return onward(given)


def _apply(habit: Habit, call: Call, given: Given) -> Any:
    return habit.apply(given, call)
