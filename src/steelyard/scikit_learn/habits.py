"""Habits: what functions of scikit-learn take or return in another form than ours.

A habit takes its keywords out of the arguments, calls on, and changes the value where that is
asked for. What it cannot do it refuses, with the name of what to use.
"""

import math
import warnings
from collections.abc import Callable, Iterable, Mapping
from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors
from steelyard.metrics.class_metrics import AVERAGES, BINARY, SKIP
from steelyard.metrics.parameter import flag
from steelyard.reading.class_scores import are_classes, is_frame, is_matrix
from steelyard.request.arguments import NOT_GIVEN
from steelyard.result.shapes import ClassReport
from steelyard.sources.arrays import as_array

Y_TRUE, Y_SCORE, Y_PRED, Y_PROBA = "y_true", "y_score", "y_pred", "y_proba"
SECOND = (Y_SCORE, Y_PRED, Y_PROBA)
Given = dict[str, Any]
NORMALIZED = flag("normalize", default=True)


class Call(NamedTuple):
    """What a habit may call: the rest of its own function, or the plain function of any name."""

    name: str
    onward: Callable[[Given], Any]
    function: Callable[[str, Given], Any]


class Habit(NamedTuple):
    """One habit of scikit-learn's functions.

    apply: computes the value of some arguments, which are by name and may be changed
    keywords: what it adds to the signature, by name with the default; types: the same in the stub
    """

    apply: Callable[[Given, Call], Any]
    keywords: Mapping[str, Any] = {}
    types: Mapping[str, str] = {}


def renamed(theirs: str, ours: str, type_: str, default: Any = NOT_GIVEN) -> Habit:
    """A keyword that has another name here."""

    def apply(given: Given, call: Call) -> Any:
        value = given.pop(theirs, default)
        if value is not default:
            if ours in given:
                raise errors.repeated_argument(call.name, theirs, ours)
            given[ours] = value
        return call.onward(given)

    return Habit(apply, {theirs: default}, {theirs: type_})


def only(keyword: str, value: Any, type_: str, instead: str) -> Habit:
    """A keyword with which only one value works; instead: what to use for others."""

    def apply(given: Given, call: Call) -> Any:
        other = given.pop(keyword, value)
        if not isinstance(other, bool | Real) or other != value:
            raise errors.OTHER_WAY(
                function=call.name, keyword=keyword, value=repr(other), instead=instead
            )
        return call.onward(given)

    return Habit(apply, {keyword: value}, {keyword: type_})


# --- columns -------------------------------------------------------------------------------------


def one_column(values: Any) -> Any:
    """The values of a matrix of one column; anything else as it is."""
    if is_frame(values):
        return values[values.columns[0]] if len(values.columns) == 1 else values
    if hasattr(values, "ndim"):
        is_column = values.ndim == 2 and values.shape[1] == 1 and not hasattr(values, "toarray")
        return values[:, 0] if is_column else values
    if isinstance(values, list | tuple) and values and all(map(_is_of_one, values)):
        return [row[0] for row in values]
    return values


def _is_of_one(row: Any) -> bool:
    return isinstance(row, list | tuple | np.ndarray) and np.shape(row) == (1,)


def _number_of_columns(values: Any) -> int:
    if not is_matrix(values):
        return 1
    return len(values.columns) if is_frame(values) else len(values[0])


def _columns(given: Given, call: Call) -> Any:
    for name in (Y_TRUE, *SECOND):
        if name in given:
            given[name] = one_column(given[name])
    return call.onward(given)


def second(given: Given) -> Any:
    """The score or the prediction, under any of its names; None: it is missing."""
    return next((given[name] for name in SECOND if name in given), None)


def _distinct(values: Any) -> set[Any]:
    """The distinct values of a column; none of what is no column, which its reader refuses."""
    try:
        array = as_array(values)
        if array.ndim != 1:
            return set()
        return set((np.unique(array) if array.dtype.kind in "biuf" else array).tolist())
    except Exception:  # the object's own __array__ may raise anything
        return set()


def _whole_floats(given: Given, call: Call) -> Any:
    """Predicted classes that are floats: 0.0 and 1.0, where these are the classes of y_true."""
    if Y_SCORE in given and "threshold" not in given and "positive" not in given:
        called = _whole(given[Y_SCORE])
        known = _distinct(given[Y_TRUE]) if called else set()
        # Else whole numbers are scores at a threshold.
        if called and (len(known) > 2 or called <= known or known | called <= {0, 1}):
            given[Y_PRED] = given.pop(Y_SCORE)
    return call.onward(given)


def _whole(values: Any) -> set[float]:
    """The distinct values of a column of floats, if all of them are whole numbers."""
    if isinstance(values, list | tuple):
        found = _distinct(values)
        return (
            found
            if found
            and all(isinstance(each, float) for each in found)
            and all(each.is_integer() for each in found)
            else set()
        )
    if getattr(getattr(values, "dtype", None), "kind", "") != "f" or is_matrix(values):
        return set()
    array = np.asarray(values)
    return _distinct(array) if bool((array == np.floor(array)).all()) else set()


COLUMNS = Habit(_columns)
WHOLE_FLOATS = Habit(_whole_floats)


# --- classes and averages ------------------------------------------------------------------------


def _pos_label(given: Given, call: Call) -> Any:
    positive = given.pop("pos_label", None)
    averaged = is_matrix(given.get(Y_TRUE)) or given.get("average", BINARY) != BINARY
    # 1 is scikit-learn's default, which a call may write out although an average does not use it.
    if positive is not None and not (averaged and isinstance(positive, int) and positive == 1):
        if given.get("positive") is not None:
            raise errors.repeated_argument(call.name, "pos_label", "positive")
        given["positive"] = positive
    return call.onward(given)


def _of_one_column(given: Given, call: Call) -> Any:
    """Scores of two classes need no average, nor what many classes are compared with."""
    if not is_matrix(given.get(Y_TRUE)) and not is_matrix(given.get(Y_SCORE)):
        needless = {"average": (*AVERAGES, "samples", None), "multi_class": ("raise", "ovr", "ovo")}
        for keyword, choices in needless.items():
            value = given.get(keyword)
            if (value is None or isinstance(value, str)) and value in choices:
                given.pop(keyword, None)
    return call.onward(given)


def _two_labels(given: Given, call: Call) -> Any:
    """The labels of two classes beside one score per row: the positive class is the second."""
    labels = given.get("labels")
    if labels is not None and not is_matrix(second(given)):
        classes = _distinct(labels)
        ordered = any(all(isinstance(each, kind) for each in classes) for kind in (str, Real))
        if len(classes) == 2 and ordered and given.get("positive") is None:
            given["positive"] = max(classes)
            del given["labels"]
    return call.onward(given)


def _zero_division(given: Given, call: Call) -> Any:
    """NaN leaves a class out of means and does not warn; "warn" is 0, with a warning."""
    zero = given.get("zero_division", SKIP)
    if isinstance(zero, str) and zero == "warn":
        value = call.onward({**given, "zero_division": 0})
        # A mean leaves classes out, so that their own values are looked at.
        of_classes = given.get("average", BINARY) in ("macro", "weighted")
        how = {"zero_division": SKIP} | ({"average": None} if of_classes else {})
        found = quietly(call.onward, {**given, **how})
        ratios = found[1:4] if isinstance(found, ClassReport) else found
        if np.isnan(ratios).any():
            level = errors.caller_level()
            warnings.warn(errors.zero_for_no_value(call.name), stacklevel=level)
        return value
    if isinstance(zero, float) and math.isnan(zero):
        return quietly(call.onward, {**given, "zero_division": SKIP})
    return call.onward(given)


def quietly(function: Callable[[Given], Any], given: Given) -> Any:
    """The value of a call that does not warn where there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", errors.UndefinedWarning)
        return function(given)


POS_LABEL = Habit(_pos_label, {"pos_label": None}, {"pos_label": "Any"})
OF_ONE_COLUMN = Habit(_of_one_column)
TWO_LABELS = Habit(_two_labels)
ZERO_DIVISION = Habit(_zero_division)


# --- values --------------------------------------------------------------------------------------


def _normalize(given: Given, call: Call) -> Any:
    """normalize=False: the sum over the rows, where our value is their mean."""
    if NORMALIZED.take(given.pop("normalize", True), call.name):
        return call.onward(given)
    if given.get("nan", "error") != "error":
        raise errors.OTHER_WAY(
            function=call.name, keyword="normalize", value="False", instead='it needs nan="error"'
        )
    weights, truth, called = given.get("sample_weight"), given[Y_TRUE], second(given)
    value = call.onward(dict(given))
    column = np.ones(len(truth)) if weights is None else as_array(weights)
    if call.name == "accuracy_score" and are_classes(called):
        right: Any = np.asarray(as_array(truth) == as_array(called))
        right = right.all(axis=1) if right.ndim == 2 else right
        return exact_sum(column[right.astype(bool)].tolist())
    return value * exact_sum(column.tolist())


def exact_sum(numbers: Iterable[float]) -> float:
    """The sum, rounded once; infinite where float64 does not hold it."""
    try:
        return math.fsum(numbers)
    except OverflowError:
        return math.inf


def _adjusted(given: Given, call: Call) -> Any:
    """adjusted=True: rescaled, so that 0 is chance and 1 is perfect."""
    if not flag("adjusted").take(given.pop("adjusted", False), call.name):
        return call.onward(given)
    value, classes = call.onward(dict(given)), 2
    if Y_PRED in given or are_classes(second(given)):
        columns = {Y_TRUE: given[Y_TRUE], Y_PRED: second(given), "average": None}
        columns |= {each: given[each] for each in ("sample_weight", "nan") if each in given}
        classes = int(np.count_nonzero(~np.isnan(call.function("recall", columns))))
    chance = 1 / classes if classes else math.nan
    return float((value - chance) / (1 - chance)) if classes != 1 else math.nan


def _max_fpr(given: Given, call: Call) -> Any:
    """The area up to an FPR, standardized as McClish did."""
    limit = given.pop("max_fpr", None)
    if limit is None or (not isinstance(limit, bool) and isinstance(limit, Real) and limit == 1):
        return call.onward(given)
    return call.function("partial_auc", {**given, "max_fpr": limit, "standardize": True})


def _one_score(given: Given, call: Call) -> Any:
    """Two columns may be two classes or two models: one of them is to be passed."""
    if _number_of_columns(given.get(Y_SCORE)) == 2 and not is_matrix(given.get(Y_TRUE)):
        raise errors.TWO_COLUMNS(name=Y_SCORE, function=call.name)
    return call.onward(given)


def _replaced(given: Given, call: Call) -> Any:
    """What is returned where there is no value."""
    number = given.pop("replace_undefined_by", math.nan)
    if isinstance(number, bool) or not isinstance(number, Real):
        raise errors.BAD_CHOICE(name="replace_undefined_by", value=number, choices="the numbers")
    if math.isnan(number):
        return call.onward(given)
    value = quietly(call.onward, given)
    return float(number) if math.isnan(value) else value


def _scale_by_half(given: Given, call: Call) -> Any:
    """The Brier score of two classes is half of the sum over both, that of more is the sum."""
    half, many = given.pop("scale_by_half", "auto"), _number_of_columns(second(given)) > 2
    if not isinstance(half, bool) and not (isinstance(half, str) and half == "auto"):
        raise errors.BAD_CHOICE(name="scale_by_half", value=half, choices="auto, True or False")
    value = call.onward(given)
    return value if half in ("auto", not many) else value * (0.5 if many else 2)


def _kappa_weights(given: Given, call: Call) -> Any:
    if given.get("weights", "") is None:
        del given["weights"]
    return call.onward(given)


def _weights_of_lists(given: Given, call: Call) -> Any:
    """A weight for each row of a matrix is a weight for each list."""
    weights = given.pop("sample_weight", None)
    if weights is not None:
        if not is_matrix(given.get(Y_TRUE)):
            raise errors.OTHER_WAY(
                function=call.name,
                keyword="sample_weight",
                value="...",
                instead="write group_weight=..., a weight for each row of a list",
            )
        given["group_weight"] = np.repeat(as_array(weights), np.shape(given[Y_TRUE])[1])
    return call.onward(given)


BOOL, FLOAT = "bool", "float"
NORMALIZE = Habit(_normalize, {"normalize": True}, {"normalize": BOOL})
ADJUSTED = Habit(_adjusted, {"adjusted": False}, {"adjusted": BOOL})
MAX_FPR = Habit(_max_fpr, {"max_fpr": None}, {"max_fpr": "float | None"})
ONE_SCORE = Habit(_one_score)
REPLACED = Habit(_replaced, {"replace_undefined_by": math.nan}, {"replace_undefined_by": FLOAT})
SCALE_BY_HALF = Habit(_scale_by_half, {"scale_by_half": "auto"}, {"scale_by_half": "str | bool"})
KAPPA_WEIGHTS = Habit(_kappa_weights)
WEIGHTS_OF_LISTS = Habit(
    _weights_of_lists, {"sample_weight": None}, {"sample_weight": "_Column | None"}
)
