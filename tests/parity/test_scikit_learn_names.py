"""Every public name of scikit-learn's metrics: ours gives its number, or why there is none."""

from typing import Any

import numpy as np
import pytest
import sklearn.metrics
from sklearn import datasets
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import steelyard
from steelyard.metrics import catalogue

sy: Any = steelyard

RNG = np.random.default_rng(21)
LABEL = RNG.integers(0, 2, 60)
SCORE = (2 * RNG.random(60) + LABEL) / 3
CALLED = (SCORE >= 0.5).astype(int)
WEIGHT = RNG.integers(1, 5, 60)
TRUTH = RNG.integers(0, 3, 60)
GUESS = np.where(RNG.random(60) < 0.6, TRUTH, RNG.integers(0, 3, 60))
MATRIX = RNG.dirichlet([1, 1, 1], 60)
NUMBER = RNG.random(60) * 10
FORECAST = NUMBER * RNG.uniform(0.5, 2, 60)
MACRO = {"average": "macro"}

# The same call of both gives the same number: positional arguments, keywords.
SAME: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = [
    ("accuracy_score", (TRUTH,), {"y_pred": GUESS}),
    ("average_precision_score", (LABEL, SCORE), {}),
    ("balanced_accuracy_score", (TRUTH,), {"y_pred": GUESS}),
    ("brier_score_loss", (LABEL, SCORE), {}),
    ("cohen_kappa_score", (TRUTH, GUESS), {}),
    ("f1_score", (LABEL, CALLED), {}),
    ("f1_score", (TRUTH, GUESS), MACRO),
    ("fbeta_score", (LABEL, CALLED), {"beta": 2}),
    ("fbeta_score", (TRUTH, GUESS), {"beta": 2, **MACRO}),
    ("log_loss", (LABEL, SCORE), {}),
    ("log_loss", (TRUTH, MATRIX), {}),
    ("matthews_corrcoef", (TRUTH,), {"y_pred": GUESS}),
    ("max_error", (NUMBER, FORECAST), {}),
    ("mean_absolute_error", (NUMBER, FORECAST), {}),
    ("mean_absolute_percentage_error", (NUMBER, FORECAST), {}),
    ("mean_pinball_loss", (NUMBER, FORECAST), {}),
    ("mean_poisson_deviance", (NUMBER, FORECAST), {}),
    ("mean_squared_error", (NUMBER, FORECAST), {}),
    ("median_absolute_error", (NUMBER, FORECAST), {}),
    ("precision_score", (LABEL, CALLED), {}),
    ("precision_score", (TRUTH, GUESS), MACRO),
    ("r2_score", (NUMBER, FORECAST), {}),
    ("recall_score", (LABEL, CALLED), {}),
    ("recall_score", (TRUTH, GUESS), MACRO),
    ("roc_auc_score", (LABEL, SCORE), {}),
    ("root_mean_squared_error", (NUMBER, FORECAST), {}),
    ("root_mean_squared_log_error", (NUMBER, FORECAST), {}),
    ("top_k_accuracy_score", (TRUTH, MATRIX), {}),
    ("top_k_accuracy_score", (TRUTH, MATRIX), {"k": 1}),
]
UNWEIGHTED = ("max_error",)

# The name means the same metric; the input or the output has another form, tested below.
OTHER_FORM = {
    "classification_report": "the same text; 0/0 has no value unless asked for",
    "confusion_matrix": "the same array, with its classes",
    "dcg_score": "scikit-learn takes a list per row of a matrix, we take groups of rows",
    "ndcg_score": "likewise",
    "precision_recall_curve": "as drop_intermediate=True",
    "roc_curve": "points on a straight line are left out",
}
# scikit-learn uses the name for something else.
OTHER_MEANING = {"auc": "the area under any points (x, y); ours takes labels and scores"}
# Not a metric of labels and scores, predictions or grades.
NO_METRIC = (
    *("ConfusionMatrixDisplay", "DetCurveDisplay", "DistanceMetric", "PrecisionRecallDisplay"),
    *("PredictionErrorDisplay", "RocCurveDisplay", "check_scoring", "cluster", "get_scorer"),
    *("get_scorer_names", "make_scorer", "metric_at_thresholds", "consensus_score"),
    *("euclidean_distances", "nan_euclidean_distances", "pairwise_distances", "pairwise_kernels"),
    *("pairwise_distances_argmin", "pairwise_distances_argmin_min", "pairwise_distances_chunked"),
    # clusterings
    *("adjusted_mutual_info_score", "adjusted_rand_score", "calinski_harabasz_score"),
    *("completeness_score", "davies_bouldin_score", "fowlkes_mallows_score", "homogeneity_score"),
    *("homogeneity_completeness_v_measure", "mutual_info_score", "normalized_mutual_info_score"),
    *("pair_confusion_matrix", "rand_score", "silhouette_samples", "silhouette_score"),
    "v_measure_score",
)
# Metrics that we do not have, and what to use where there is something close.
ABSENT = {
    "class_likelihood_ratios": "tpr / fpr and fnr / specificity",
    "confusion_matrix_at_thresholds": "confusion(threshold=...)",
    "coverage_error": "",
    "d2_absolute_error_score": "",
    "d2_brier_score": "1 - brier / unc",
    "d2_log_loss_score": "rig",
    "d2_pinball_score": "",
    "d2_tweedie_score": "",
    "det_curve": "roc: fnr = 1 - tpr",
    "explained_variance_score": "r2, which counts the bias too",
    "hamming_loss": "1 - accuracy",
    "hinge_loss": "",
    "jaccard_score": "f1 / (2 - f1)",
    "label_ranking_average_precision_score": "map, where each row is a group",
    "label_ranking_loss": "",
    "mean_gamma_deviance": "",
    "mean_squared_log_error": "rmsle, squared",
    "mean_tweedie_deviance": "",
    "multilabel_confusion_matrix": "one_vs_rest, whose matrices these are",
    "precision_recall_fscore_support": "precision, recall and f1",
    "zero_one_loss": "1 - accuracy",
}


def test_every_name_of_scikit_learn_has_an_answer() -> None:
    had = {name for name, _, _ in SAME} | set(OTHER_FORM)
    not_had = {*OTHER_MEANING, *NO_METRIC, *ABSENT}
    assert had | not_had == set(sklearn.metrics.__all__)
    assert had <= set(catalogue.functions())
    assert not had & not_had
    ours = {*NO_METRIC, *ABSENT} & set(catalogue.functions())
    assert not ours, "these are metrics now: compare them above"


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(("name", "rows", "options"), SAME)
def test_the_same_call_gives_the_same_number(
    name: str, rows: tuple[Any, ...], options: dict[str, Any], weighted: bool
) -> None:
    if weighted and name not in UNWEIGHTED:
        options = {**options, "sample_weight": WEIGHT}
    theirs = getattr(sklearn.metrics, name)(*rows, **options)
    assert getattr(sy, name)(*rows, **options) == pytest.approx(theirs, rel=1e-12)


def test_confusion_matrix() -> None:
    theirs = sklearn.metrics.confusion_matrix(TRUTH, GUESS)
    assert (np.asarray(sy.confusion_matrix(TRUTH, y_pred=GUESS).matrix) == theirs).all()


@pytest.mark.parametrize("name", ["dcg_score", "ndcg_score"])
def test_ranked_lists(name: str) -> None:
    grades, scores = RNG.integers(0, 4, (5, 12)), RNG.random((5, 12))
    theirs = getattr(sklearn.metrics, name)(grades, scores, k=5)
    rows = {"group": np.repeat(np.arange(5), 12), "k": 5}
    assert getattr(sy, name)(grades.ravel(), scores.ravel(), **rows) == pytest.approx(
        theirs, rel=1e-12
    )


@pytest.mark.parametrize("name", ["roc_curve", "precision_recall_curve"])
def test_curves(name: str) -> None:
    """Our corners are points of theirs; theirs, on lines between ours, have the same area."""
    ours = getattr(sy, name)(LABEL, SCORE)
    theirs = getattr(sklearn.metrics, name)(LABEL, SCORE, drop_intermediate=False)
    points = set(zip(*(column[: len(theirs[2])] for column in theirs), strict=True))
    assert set(zip(*(column[: len(ours[2])] for column in ours), strict=True)) <= points
    if name == "roc_curve":
        area = sklearn.metrics.auc(*ours[:2])
        assert area == pytest.approx(sklearn.metrics.auc(*theirs[:2]), rel=1e-12)
    else:
        assert {*ours[1]} == {*theirs[1]}  # a point for each recall


@pytest.mark.parametrize("weight", [None, WEIGHT])
def test_classification_report(weight: Any) -> None:
    options = {"zero_division": 0, "sample_weight": weight}
    ours = sy.classification_report(TRUTH, y_pred=GUESS, **options)
    theirs = sklearn.metrics.classification_report(TRUTH, GUESS, output_dict=True, **options)
    columns = (ours.precision, ours.recall, ours.f1, ours.support)
    for label, *numbers in zip(ours.labels, *columns, strict=True):
        assert numbers == pytest.approx(list(theirs[str(label)].values()), rel=1e-12)
    assert ours.accuracy == pytest.approx(theirs["accuracy"], rel=1e-12)
    for mean, name in ((ours.macro, "macro avg"), (ours.weighted, "weighted avg")):
        assert list(mean) == pytest.approx(list(theirs[name].values())[:3], rel=1e-12)


def test_multilabel_confusion_matrix() -> None:
    theirs = sklearn.metrics.multilabel_confusion_matrix(TRUTH, GUESS, sample_weight=WEIGHT)
    ours = sy.one_vs_rest(TRUTH, y_pred=GUESS, sample_weight=WEIGHT).matrices
    assert ours == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("normalize", ["true", "pred", "all"])
def test_shares_of_a_confusion_matrix(normalize: str) -> None:
    theirs = sklearn.metrics.confusion_matrix(TRUTH, GUESS, normalize=normalize)
    ours = sy.confusion(TRUTH, y_pred=GUESS, normalize=normalize).matrix
    assert ours == pytest.approx(theirs, rel=1e-12)


def test_a_curve_of_each_class() -> None:
    """The curve of a class is that of its score against all other classes."""
    for label, curve in sy.roc(TRUTH, MATRIX).items():
        x, y, _ = sklearn.metrics.roc_curve(label == TRUTH, MATRIX[:, label])
        assert sklearn.metrics.auc(curve.fpr, curve.tpr) == pytest.approx(
            sklearn.metrics.auc(x, y), rel=1e-12
        )
    for label, points in sy.pr(TRUTH, MATRIX).items():
        theirs = sklearn.metrics.precision_recall_curve(
            label == TRUTH, MATRIX[:, label], drop_intermediate=True
        )
        assert [column.tolist() for column in points] == [column.tolist() for column in theirs]


def test_scorers_of_scikit_learn() -> None:
    iris = datasets.load_iris()
    tree = DecisionTreeClassifier(random_state=0)
    for ours, theirs in (
        (make_scorer(sy.f1, average="macro"), "f1_macro"),
        (make_scorer(sy.accuracy), "accuracy"),
        (make_scorer(sy.recall, average="weighted"), "recall_weighted"),
        (make_scorer(sy.mcc), "matthews_corrcoef"),
    ):
        found = cross_val_score(tree, iris.data, iris.target, scoring=ours)
        assert found == pytest.approx(cross_val_score(tree, iris.data, iris.target, scoring=theirs))
    names = iris.target_names[np.minimum(iris.target, 1)]  # two classes, as text
    search = GridSearchCV(
        tree, {"max_depth": [1, 2]}, scoring=make_scorer(sy.f1, positive="versicolor")
    )
    assert search.fit(iris.data, names).best_score_ == 1.0
