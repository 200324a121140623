"""Keywords and results of scikit-learn's functions, under its names: its numbers in its form."""

import copy
import inspect
import pickle
import warnings
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn.calibration
import sklearn.metrics

import steelyard
from steelyard import errors
from steelyard.metrics import catalogue
from steelyard.scikit_learn.names import HABITS

sy: Any = steelyard

RNG = np.random.default_rng(22)
LABEL = RNG.integers(0, 2, 60)
SCORE = (2 * RNG.random(60) + LABEL) / 3
CALLED = (SCORE >= 0.5).astype(int)
WEIGHT = RNG.integers(1, 5, 60)
TRUTH = RNG.integers(0, 3, 60)
GUESS = np.where(RNG.random(60) < 0.6, TRUTH, RNG.integers(0, 3, 60))
MATRIX = RNG.dirichlet([1, 1, 1], 60)
NUMBERS = RNG.random((60, 3)) * 10
FORECASTS = NUMBERS * RNG.uniform(0.5, 2, (60, 3))
SEVERAL = RNG.integers(0, 2, (60, 4))
SEVERAL_CALLED = np.where(RNG.random((60, 4)) < 0.7, SEVERAL, 1 - SEVERAL)
# Of class 3 nothing is called, class 4 is called and never true: both have a 0/0.
RARE_TRUTH, RARE_GUESS = [0, 1, 1, 3, 3, 0], [0, 1, 0, 1, 0, 4]
MACRO, NONE = {"average": "macro"}, {"average": None}

# The same call of both gives the same numbers: name, positional arguments, keywords.
SAME: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("accuracy_score", (TRUTH, GUESS), {"normalize": False}),
    ("accuracy_score", (SEVERAL, SEVERAL_CALLED), {"normalize": False}),
    ("accuracy_score", (LABEL, CALLED.astype(float)), {}),
    ("accuracy_score", (TRUTH[:, None], GUESS.tolist()), {}),
    ("average_precision_score", (LABEL, SCORE), {"pos_label": 0}),
    ("average_precision_score", (LABEL, SCORE[:, None]), {"average": "samples"}),
    ("balanced_accuracy_score", (TRUTH, GUESS), {"adjusted": True}),
    ("balanced_accuracy_score", (LABEL, CALLED), {"adjusted": True}),
    ("brier_score_loss", (LABEL, SCORE), {"scale_by_half": False}),
    ("brier_score_loss", (TRUTH, MATRIX), {"scale_by_half": True}),
    ("brier_score_loss", (LABEL, np.column_stack([1 - SCORE, SCORE])), {"scale_by_half": True}),
    ("brier_score_loss", (LABEL, np.column_stack([1 - SCORE, SCORE])), {"scale_by_half": False}),
    ("brier_score_loss", (LABEL, SCORE), {"pos_label": 0}),
    ("cohen_kappa_score", (TRUTH, GUESS), {"weights": None}),
    ("cohen_kappa_score", ([1, 1], [1, 1]), {"replace_undefined_by": 0.25}),
    ("dcg_score", (SEVERAL + 1, SEVERAL_CALLED), {"log_base": 2, "ignore_ties": False}),
    ("f1_score", (TRUTH, GUESS), {"pos_label": 1, **MACRO}),
    ("f1_score", (LABEL, CALLED), {"pos_label": 0}),
    ("f1_score", (LABEL, CALLED.astype(float)), {"zero_division": 0}),
    ("f1_score", (RARE_TRUTH, RARE_GUESS), {"zero_division": np.nan, **NONE}),
    ("f1_score", (RARE_TRUTH, RARE_GUESS), {"zero_division": np.nan, **MACRO}),
    ("fbeta_score", (RARE_TRUTH, RARE_GUESS), {"zero_division": 1, "beta": 2, **MACRO}),
    ("precision_score", (RARE_TRUTH, RARE_GUESS), {"zero_division": np.nan, **MACRO}),
    ("precision_score", ([0, 1], [0, 0]), {"zero_division": np.nan}),
    ("recall_score", (RARE_TRUTH, RARE_GUESS), {"zero_division": np.nan, "average": "weighted"}),
    ("log_loss", (TRUTH, MATRIX), {"normalize": False}),
    ("log_loss", (LABEL, SCORE), {"normalize": False, "labels": [0, 1]}),
    ("log_loss", (np.array(["no", "yes"])[LABEL], SCORE), {"labels": ["yes", "no"]}),
    ("matthews_corrcoef", (TRUTH, GUESS.astype(float)), {}),
    ("max_error", (NUMBERS[:, :1], FORECASTS[:, 0]), {}),
    ("mean_pinball_loss", (NUMBERS, FORECASTS), {"alpha": 0.25}),
    ("mean_poisson_deviance", (NUMBERS[:, :1], FORECASTS[:, :1]), {}),
    ("mean_squared_error", (NUMBERS, FORECASTS), {"multioutput": [1, 2, 0.5]}),
    ("ndcg_score", (SEVERAL + 1, SEVERAL_CALLED), {"ignore_ties": False, "k": 3}),
    ("r2_score", (NUMBERS, FORECASTS), {"multioutput": "variance_weighted"}),
    ("r2_score", (NUMBERS, FORECASTS), {"force_finite": False}),
    ("roc_auc_score", (LABEL, SCORE), {"max_fpr": 0.3}),
    ("roc_auc_score", (LABEL, SCORE), {"max_fpr": 1}),
    ("roc_auc_score", (LABEL, SCORE), {"multi_class": "raise", "average": "samples"}),
    ("top_k_accuracy_score", (TRUTH, MATRIX), {"normalize": False}),
    *(
        (name, (NUMBERS, FORECASTS), {"multioutput": how})
        for name in (
            *("mean_absolute_error", "mean_absolute_percentage_error", "mean_squared_error"),
            *("median_absolute_error", "r2_score", "root_mean_squared_error"),
            "root_mean_squared_log_error",
        )
        for how in ("uniform_average", "raw_values")
    ),
]
UNWEIGHTED = ("max_error",)


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("name", "rows", "options"), SAME)
def test_the_same_call_gives_the_same_numbers(
    name: str, rows: tuple[Any, ...], options: dict[str, Any], weighted: bool
) -> None:
    if weighted and name not in UNWEIGHTED:
        options = {**options, "sample_weight": WEIGHT[: len(rows[0])]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's own, of a single class
        theirs = getattr(sklearn.metrics, name)(*rows, **options)
    ours = getattr(sy, name)(*rows, **options)
    assert np.shape(ours) == np.shape(theirs)
    assert ours == pytest.approx(theirs, rel=1e-12, nan_ok=True)


def test_habits_are_those_of_names_that_both_have() -> None:
    both = set(sklearn.metrics.__all__) & set(catalogue.functions())
    assert set(HABITS) == both - {"auc"}  # scikit-learn's takes points of a curve


def test_every_keyword_of_scikit_learn_is_known() -> None:
    """It works, or the error names what to use instead."""
    for name in HABITS:
        theirs, ours = (
            set(inspect.signature(getattr(module, name)).parameters)
            for module in (sklearn.metrics, sy)
        )
        assert theirs - {"y1", "y2"} <= ours, name


# --- the confusion matrix ------------------------------------------------------------------------


def test_a_confusion_matrix_is_an_array() -> None:
    matrix: Any = sy.confusion_matrix(LABEL, CALLED)
    theirs = sklearn.metrics.confusion_matrix(LABEL, CALLED)
    assert issubclass(type(matrix), np.ndarray)
    assert np.asarray(matrix).tolist() == matrix.matrix.tolist() == theirs.tolist()
    assert (matrix[0][0], matrix[0, 1], matrix[1][0]) == (theirs[0][0], theirs[0, 1], theirs[1][0])
    tn, fp, fn, tp = matrix.ravel()
    assert [tn, fp, fn, tp] == theirs.ravel().tolist()
    assert (matrix.tn, matrix.fp, matrix.fn, matrix.tp) == (tn, fp, fn, tp)
    assert matrix.sum() == 60
    assert type(matrix.sum()) is np.int64
    assert type(matrix / 2) is np.ndarray
    assert matrix.labels == (0, 1)


@pytest.mark.parametrize("normalize", [None, "true", "pred", "all"])
@pytest.mark.parametrize(
    "columns",
    [
        (LABEL, CALLED.astype(float)),
        (TRUTH, GUESS.astype(np.float32)),
        (TRUTH.tolist(), GUESS.astype(float).tolist()),
        (2 * LABEL - 1, 2.0 * CALLED - 1),
        (pd.Series(TRUTH), pd.Series(GUESS).astype(float)),
        ([1, 1, 1], [0.0, 1.0, 1.0]),
        (TRUTH[:, None], GUESS[:, None]),
    ],
)
def test_predictions_that_are_floats_are_classes(columns: tuple[Any, Any], normalize: Any) -> None:
    theirs = sklearn.metrics.confusion_matrix(*columns, normalize=normalize)
    ours = sy.confusion_matrix(*columns, normalize=normalize)
    # A class without rows has no shares here, and 0 there.
    assert np.nan_to_num(ours) == pytest.approx(theirs, rel=1e-12)


def test_a_confusion_matrix_of_scores() -> None:
    """Scores are called positive at a threshold, which scikit-learn does not do."""
    theirs = sklearn.metrics.confusion_matrix(LABEL, SCORE >= 0.4)
    ours = sy.confusion_matrix(LABEL, SCORE, threshold=0.4)
    assert ours.tolist() == theirs.tolist()
    assert ours.tp == sy.confusion(LABEL, SCORE, threshold=0.4).tp
    assert ours.labels == (False, True)
    # Whole numbers that are no classes of y_true stay scores.
    assert sy.confusion_matrix([0, 1, 1], [-2.0, 3.0, -1.0]).tolist() == [[1, 0], [1, 1]]


def test_a_confusion_matrix_is_copied_with_its_classes() -> None:
    matrix = sy.confusion_matrix(["b", "a"], ["a", "a"], labels=["b", "a"])
    assert matrix.tolist() == [[0, 1], [0, 1]]
    for made in (copy.deepcopy(matrix), pickle.loads(pickle.dumps(matrix))):
        assert made.labels == ("b", "a")
        assert made.tolist() == matrix.tolist()
    assert matrix[0].labels == ()
    with pytest.raises(AttributeError, match="has no attribute 'tp'"):
        sy.confusion_matrix(TRUTH, GUESS).tp  # noqa: B018


# --- reports -------------------------------------------------------------------------------------

REPORTS: list[tuple[tuple[Any, Any], dict[str, Any]]] = [
    ((TRUTH, GUESS), {}),
    ((TRUTH, GUESS), {"digits": 4, "target_names": ["cat", "a long name of a class", "eel"]}),
    ((TRUTH, GUESS), {"labels": [2, 0]}),
    ((TRUTH, GUESS), {"labels": [2, 0, 1], "sample_weight": WEIGHT + 0.5}),
    ((RARE_TRUTH, RARE_GUESS), {"zero_division": 0}),
    ((RARE_TRUTH, RARE_GUESS), {"zero_division": 1}),
    ((RARE_TRUTH, RARE_GUESS), {"zero_division": np.nan}),
    ((SEVERAL, SEVERAL_CALLED), {}),
    ((SEVERAL, SEVERAL_CALLED), {"target_names": list("abcd"), "sample_weight": WEIGHT + 0.5}),
    ((LABEL, CALLED.astype(float)), {"zero_division": 0}),
]


@pytest.mark.parametrize(("columns", "options"), REPORTS)
def test_a_report_is_the_text_of_scikit_learn(columns: Any, options: dict[str, Any]) -> None:
    options = {"zero_division": 0, **options}  # rows without a label have a 0/0 in samples
    theirs = sklearn.metrics.classification_report(*columns, **options)
    ours = sy.classification_report(*columns, **options)
    assert repr(ours) == str(ours) == ours
    assert isinstance(ours, str)
    assert ours == theirs


@pytest.mark.parametrize(("columns", "options"), REPORTS)
def test_a_report_as_a_dictionary(columns: Any, options: dict[str, Any]) -> None:
    options = {"zero_division": 0, "output_dict": True, **options}
    theirs = sklearn.metrics.classification_report(*columns, **options)
    ours = sy.classification_report(*columns, **options)
    assert list(ours) == list(theirs)
    for name, row in theirs.items():
        assert ours[name] == pytest.approx(row, rel=1e-12, nan_ok=True)


def test_a_report_has_the_columns_of_class_report() -> None:
    text = sy.classification_report(RARE_TRUTH, RARE_GUESS)
    columns = sy.class_report(RARE_TRUTH, RARE_GUESS)
    assert text.labels == columns.labels
    assert text.macro == columns.macro
    assert "nan" in text  # 0/0 has no value unless asked for
    assert pickle.loads(pickle.dumps(text)).accuracy == text.accuracy == columns.accuracy
    with pytest.raises(AttributeError, match="has no attribute 'macros'"):
        text.macros  # noqa: B018


def test_a_report_that_cannot_be_named() -> None:
    for names in (["a", "a", "b"], ["accuracy", "b", "c"]):
        with pytest.raises(errors.InputError, match=r"target_names has '(a|accuracy)' twice"):
            sy.classification_report(TRUTH, GUESS, target_names=names, output_dict=True)
    with pytest.raises(errors.SpecError, match="digits"):
        sy.classification_report(TRUTH, GUESS, digits=-1)


# --- values that do not exist --------------------------------------------------------------------


@pytest.mark.parametrize("average", ["binary", "macro", "micro", None])
def test_zero_division_warn_is_zero_with_a_warning(average: str | None) -> None:
    truth, guess = ([0, 1], [0, 0]) if average == "binary" else (RARE_TRUTH, RARE_GUESS)
    options = {"average": average, "zero_division": "warn"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        theirs = sklearn.metrics.precision_score(truth, guess, **options)
    if average == "micro":  # which exists
        assert sy.precision_score(truth, guess, **options) == pytest.approx(theirs, rel=1e-12)
        return
    with pytest.warns(sy.UndefinedWarning, match="0/0") as caught:
        ours = sy.precision_score(truth, guess, **options)
    assert ours == pytest.approx(theirs, rel=1e-12)
    assert [each.filename for each in caught] == [__file__]


def test_zero_division_nan_does_not_warn() -> None:
    """pytest makes a warning an error; without the keyword there is one."""
    assert np.isnan(sy.precision_score([0, 1], [0, 0], zero_division=np.nan))
    with pytest.warns(sy.UndefinedWarning, match="precision has no value") as caught:
        assert np.isnan(sy.precision_score([0, 1], [0, 0]))
    assert [each.filename for each in caught] == [__file__]


# --- what is refused -----------------------------------------------------------------------------

TWO_MODELS = np.column_stack([SCORE, RNG.random(60)])
REFUSED: list[tuple[str, dict[str, Any], type[Exception], str]] = [
    ("roc_auc_score", {"y_score": TWO_MODELS}, errors.InputError, "two columns"),
    ("roc_auc_score", {"y_score": MATRIX[:, :2]}, errors.InputError, "two columns"),
    ("auc", {"y_score": TWO_MODELS}, errors.InputError, "two models"),
    ("auc", {"y_score": TWO_MODELS.tolist()}, errors.InputError, "two models"),
    (
        "auc",
        {"y_score": pd.DataFrame(TWO_MODELS, columns=["old", "new"])},
        errors.InputError,
        "two",
    ),
    ("accuracy_score", {"y_score": TWO_MODELS}, errors.InputError, "two models"),
    ("top_k_accuracy_score", {"y_score": TWO_MODELS}, errors.InputError, "two models"),
    ("roc_curve", {"y_score": TWO_MODELS}, errors.InputError, "two models"),
    ("average_precision_score", {"y_score": TWO_MODELS}, errors.InputError, "one is expected"),
    ("mean_squared_error", {"y_pred": SCORE, "squared": False}, TypeError, "root_mean_squared"),
    ("roc_curve", {"y_score": SCORE, "drop_intermediate": False}, errors.SpecError, "corners"),
    ("roc_auc_score", {"y_pred": SCORE}, TypeError, "did you mean 'y_score'"),
    ("gauc", {"y_pred": SCORE}, TypeError, "did you mean 'y_score'"),
    ("mae", {"y_score": SCORE}, TypeError, "did you mean 'y_pred'"),
    ("calibration_curve", {"y_score": SCORE, "n_bins": 5}, TypeError, "did you mean 'bins'"),
    ("calibration_curve", {"y_score": SCORE, "strategy": 5}, TypeError, "did you mean 'kind'"),
    ("balanced_accuracy", {"y_score": SCORE, "adjusted": True}, TypeError, "see sy.balanced_acc"),
    ("accuracy", {"y_score": SCORE, "normalize": False}, TypeError, "see sy.accuracy_score"),
    ("mse", {"y_pred": SCORE, "multioutput": "x"}, TypeError, "see sy.mean_squared_error"),
    ("mean_squared_error", {"y_pred": SCORE, "multioutput": "x"}, errors.InputError, "raw_values"),
    ("f1_score", {"y_pred": CALLED, "pos_label": 1, "positive": 1}, TypeError, "mean the same"),
    ("log_loss", {"y_pred": SCORE, "y_score": SCORE}, TypeError, "mean the same"),
    ("r2_score", {"y_pred": SCORE, "force_finite": True}, errors.SpecError, "NaN"),
]


@pytest.mark.parametrize(("name", "options", "error", "hint"), REFUSED)
def test_refused(name: str, options: dict[str, Any], error: type[Exception], hint: str) -> None:
    with pytest.raises(error, match=hint):
        getattr(sy, name)(LABEL, **options)


def test_two_columns_that_are_classes_have_a_value() -> None:
    """Probabilities of two classes, or classes that are named."""
    both = np.column_stack([1 - SCORE, SCORE])
    assert sy.auc(LABEL, both) == pytest.approx(sy.auc(LABEL, SCORE), rel=1e-12)
    assert sy.auc(LABEL, 5 * both, labels=[0, 1]) == sy.auc(LABEL, both)
    assert sy.auc(LABEL, pd.DataFrame(5 * both, columns=[0, 1])) == sy.auc(LABEL, both)


@pytest.mark.parametrize("name", errors.SCIKIT_LEARN_NAMES)
def test_names_that_are_not_here(name: str) -> None:
    assert hasattr(sklearn.metrics, name) or hasattr(sklearn.calibration, name)
    with pytest.raises(AttributeError) as caught:
        getattr(sy, name)
    assert errors.SCIKIT_LEARN_NAMES[name] in str(caught.value)


HOSTILE: list[Any] = [
    *(None, 5, "text", object(), [], [[]], [[1], [2, 3]], [[1], [[2]]], [1, "a", None], {"a": 1}),
    *(np.array(1.0), np.zeros((2, 2, 2)), np.array([1j, 2]), [float("inf"), 1.0], [{}, {}]),
    *(pd.DataFrame(), pd.DataFrame({"a": [1, 2]}), np.array([], float), np.zeros((0, 1))),
]


@pytest.mark.filterwarnings("ignore::steelyard.UndefinedWarning")
@pytest.mark.parametrize("name", HABITS)
def test_nothing_else_escapes(name: str) -> None:
    """Columns that are none, and wrong values of each keyword: our errors, and no crash."""
    function = getattr(sy, name)
    keywords = [key for habit in HABITS[name] for key in habit.keywords]
    needed = {"beta": 2} if name == "fbeta_score" else {}
    options = ("sample_weight", "labels", "average", "zero_division")
    escaped: list[str] = []
    for value in HOSTILE:
        calls: list[tuple[Any, Any]] = [
            ((value, [0, 1]), {}),
            (([0, 1], value), {}),
            ((value, value), {}),
        ]
        calls += [(([0, 1], [0, 1]), {key: value}) for key in (*keywords, *options)]
        for columns, keyword in calls:
            try:
                function(*columns, **needed, **keyword)
            except errors.SteelyardError:
                continue
            except TypeError as error:  # of a wrong call
                escaped += [] if str(error).startswith(f"{name}() ") else [str(error)]
    assert escaped == []


@pytest.mark.parametrize(
    ("right", "weights", "wanted"),
    [
        ([True] * 13, None, 13.0),
        ([True, True, False], [2**53 - 4, 2, 1], 2.0**53 - 2),  # by hand, as all of these
        ([True, True, False], [1e16, 1.5, 1e16], 1e16 + 2),
        ([True, False, True], [1e308, 1.0, 0.35e308], 1.35e308),
        ([True, True, False], [1.7e308, 1.7e308, 1.0], float("inf")),
    ],
)
def test_the_weight_of_right_rows_is_exact(
    right: list[bool], weights: list[float] | None, wanted: float
) -> None:
    label = np.arange(len(right)) % 2
    called = np.where(right, label, 1 - label)
    assert sy.accuracy_score(label, called, normalize=False, sample_weight=weights) == wanted


def test_the_support_of_labels_has_no_order() -> None:
    """Sums of rows in two orders differ in NumPy, and the sums of the report do not."""
    dice = np.random.default_rng(5)
    labels = dice.integers(0, 2, (200, 3))
    weights = dice.lognormal(0, 20, 200)
    reports = [
        sy.classification_report(
            labels[order], labels[order], sample_weight=weights[order], output_dict=True
        )
        for order in (np.arange(200), np.arange(200)[::-1])
    ]
    assert reports[0] == reports[1]
    exact = [float(sum(map(Fraction, weights[column == 1].tolist()))) for column in labels.T]
    assert [reports[0][name]["support"] for name in "012"] == exact


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("accuracy_score", {"y_pred": CALLED, "normalize": False}),
        ("balanced_accuracy_score", {"y_pred": CALLED, "adjusted": True}),
        ("mean_squared_error", {"y_pred": SCORE, "multioutput": "raw_values"}),
    ],
)
def test_what_is_no_metric_of_ours_has_no_interval(name: str, options: dict[str, Any]) -> None:
    with pytest.raises(errors.SteelyardError, match="no interval"):
        getattr(sy, name)(LABEL, **options, cluster=np.arange(len(LABEL)) // 2)


def test_an_adjusted_accuracy_leaves_out_what_is_missing() -> None:
    label = np.array([0, 1, np.nan, 1, 0])
    called = np.array([0.0, 1, 1, 1, 0])
    assert sy.balanced_accuracy_score(label, called, adjusted=True, nan="drop") == 1
