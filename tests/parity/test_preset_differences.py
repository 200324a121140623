"""Where a preset still differs from its tool, and what a table, a page and explain say of it."""

import warnings
from math import isnan
from typing import Any

import numpy
import pytest
import sklearn.metrics

import steelyard
from steelyard import presets
from steelyard.metrics.catalogue import functions
from tests.parity.peers import boosted, xgboost_says
from tests.paths import ROOT

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
NAN = float("nan")


def scikit_learn_differs() -> dict[str, tuple[float, float, Any]]:
    """By metric: scikit-learn's number, ours by hand (NaN: no value), and our result."""
    ties = [[0.4, 0.4, 0.2], [0.4, 0.4, 0.2], [0.1, 0.1, 0.8]]
    preset: dict[str, Any] = {"preset": "sklearn"}
    scored = preset | {"score": ties, "classes": [0, 1, 2]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        absent = sklearn.metrics.roc_auc_score([0, 1, 1], ties, multi_class="ovr", labels=[0, 1, 2])
        return {
            "mape": (
                sklearn.metrics.mean_absolute_percentage_error([0, 1], [1, 1]),
                NAN,
                sy.evaluate(label=[0, 1], prediction=[1, 1], metrics="mape", **preset),
            ),
            "balanced_accuracy": (
                sklearn.metrics.balanced_accuracy_score([0, 0], [0, 1]),
                NAN,
                sy.evaluate(label=[0, 0], score=[0.1, 0.9], metrics="balanced_accuracy", **preset),
            ),
            "top_k_accuracy": (
                sklearn.metrics.top_k_accuracy_score([0, 0, 2], ties, k=1, labels=[0, 1, 2]),
                (0.5 + 0.5 + 1) / 3,
                sy.evaluate(label=[0, 0, 2], metrics="top_k_accuracy(1)", **scored),
            ),
            "auc": (absent, 0.5, sy.evaluate(label=[0, 1, 1], metrics="auc", **scored)),
        }


@pytest.mark.parametrize("metric", ["mape", "balanced_accuracy", "top_k_accuracy", "auc"])
def test_a_preset_says_where_it_still_differs(metric: str) -> None:
    theirs, ours, result = scikit_learn_differs()[metric]
    found = NAN if result.rows[0].value is None else result.rows[0].value
    assert found == pytest.approx(ours, nan_ok=True)
    assert found != pytest.approx(theirs, nan_ok=True)  # the difference is real
    for shown in (str(result), result.to_markdown().replace("\\", "")):
        assert f"{metric} differs from sklearn: " in shown


def test_nothing_is_said_of_metrics_that_agree() -> None:
    given: dict[str, Any] = {"label": [0, 1], "score": [0.1, 0.2], "metrics": ["auc", "f1"]}
    assert "differs from" not in str(sy.evaluate(**given))
    assert "differs from" not in str(sy.evaluate(**given | {"metrics": "f1"}, preset="sklearn"))


# Of LightGBM and XGBoost: the metric, the tool's own and its objective, labels, raw scores, our
# rows, and our number by hand (None: no value).
SURE, STEPS = {"score": [0.5, 0]}, {"score": [3, 2, 1]}
BOOSTED: list[tuple[str, str, str, str, list[Any], list[Any], dict[str, Any], float | None]] = [
    ("lightgbm", "logloss", "binary_logloss", "binary", [0, 1], [0, -99], SURE, None),
    ("xgboost", "logloss", "logloss", "binary:logistic", [0, 1], [0, -99], SURE, None),
    ("lightgbm", "accuracy", "binary_error", "binary", [1], [0], {"score": [0.5]}, 1),
    ("xgboost", "accuracy", "error", "binary:logistic", [1], [0], {"score": [0.5]}, 1),
    ("lightgbm", "mape", "mape", "regression", [0.5], [1], {"prediction": [1]}, 1),
    ("xgboost", "mape", "mape", "reg:squarederror", [0], [1], {"prediction": [1]}, None),
    # Precision is 1, 1/2 and 2/3 at the three rows: steps make (1 + 2/3)/2.
    ("xgboost", "ap", "aucpr", "binary:logistic", [1, 0, 1], [3, 2, 1], STEPS, 5 / 6),
]


@pytest.mark.parametrize(
    ("tool", "metric", "named", "objective", "label", "raw", "given", "ours"), BOOSTED
)
def test_boosting_differs_where_the_table_says(
    tool: str,
    metric: str,
    named: str,
    objective: str,
    label: list[Any],
    raw: list[Any],
    given: dict[str, Any],
    ours: float | None,
) -> None:
    theirs = boosted(tool, named, objective, numpy.array(label), numpy.array(raw))
    theirs = 1 - theirs if metric == "accuracy" else theirs
    result = sy.evaluate(label=label, **given, metrics=metric, preset=tool)
    assert result.rows[0].value == (ours if ours is None else pytest.approx(ours))
    assert theirs != pytest.approx(NAN if ours is None else ours)
    assert f"{metric} differs from {tool}: " in str(result)


def test_a_tie_at_the_top_is_an_error_in_lightgbm_alone() -> None:
    label, tied = numpy.array([0]), numpy.array([[1.0, 1.0, 0.0]])
    for tool, named, objective, error in [
        ("lightgbm", "multi_error", "multiclass", 1),
        ("xgboost", "merror", "multi:softprob", 0),
    ]:
        assert boosted(tool, named, objective, label, tied, num_class=3) == error
        given: dict[str, Any] = {"label": label, "score": tied, "classes": [0, 1, 2]}
        result = sy.evaluate(**given, metrics="accuracy", preset=tool)
        assert result["accuracy"] == 1
        assert ("a tie at the top is an error" in " ".join(str(result).split())) == (error == 1)


def test_scikit_learn_s_report_has_only_the_classes_that_occur() -> None:
    theirs = sklearn.metrics.classification_report([1, 1], [1, 1], output_dict=True)
    assert theirs["macro avg"]["recall"] == 1
    result = sy.evaluate(label=[1, 1], score=[0.9, 0.8], metrics="class_report", preset="sklearn")
    assert result.shape("class_report").macro.recall == 0.5  # the negatives' is set to 0
    assert "class_report differs from sklearn: " in str(result)


@pytest.mark.parametrize("given", [{"score": [0.1, 0.9]}, {"prediction": [0, 1]}])
def test_scikit_learn_s_shares_of_no_rows_are_0(given: dict[str, Any]) -> None:
    theirs = sklearn.metrics.confusion_matrix([0, 0], [0, 1], normalize="true")
    assert theirs.tolist() == [[0.5, 0.5], [0, 0]]
    given = {"label": [0, 0], "preset": "sklearn", **given}
    result = sy.evaluate(**given, metrics="confusion(normalize=true)")
    shape = result.shapes[0].shape
    assert all(map(isnan, (shape.fn, shape.tp) if "score" in given else shape.matrix[1]))
    assert "confusion differs from sklearn: " in str(result)
    assert "differs" not in str(sy.evaluate(**given, metrics="confusion"))


def test_xgboost_s_auc_of_a_ranking_is_within_queries() -> None:
    """Both queries are in order; across them two of all eight pairs are not."""
    label, score = [1, 0, 0, 1, 0, 0], [0.2, 0.1, 0.05, 0.9, 0.8, 0.7]
    assert xgboost_says(numpy.array(label), numpy.array(score), numpy.array([3, 3]), "auc") == 1
    result = sy.evaluate(label=label, score=score, metrics="auc", preset="xgboost")
    assert result["auc"] == 0.75
    assert "auc differs from xgboost: " in str(result)


@pytest.mark.parametrize("tool", ["lightgbm", "xgboost"])
def test_a_difference_of_query_weights_is_said_only_of_weights(tool: str) -> None:
    """The numbers of the difference are in tests/parity/test_ranking.py."""
    rows = {"y": [0, 0, 1, 0], "s": [0.2, 0.1, 0.2, 0.1], "q": [1, 1, 2, 2], "w": [2] * 4}
    given: dict[str, Any] = {"label": "y", "score": "s", "group": "q", "preset": tool}
    assert "differs" not in str(sy.evaluate(rows, **given, metrics="ndcg@1"))
    shown = str(sy.evaluate(rows, **given, metrics="ndcg(group_weight=w)@1"))
    assert f"ndcg differs from {tool}: of weighted queries" in shown


def test_trec_eval_differs_in_a_float_sum() -> None:
    """Its numbers are in tests/parity/test_trec.py; precision at a threshold has no such sum."""
    rows = {"y": [1, 0], "s": [0.2, 0.1], "q": [1, 1], "d": ["a", "b"]}
    given: dict[str, Any] = {"label": "y", "score": "s", "preset": "trec_eval"}
    shown = str(sy.evaluate(rows, **given, group="q", document="d", metrics="precision@1"))
    assert "precision differs from trec_eval: its mean is a float sum" in shown
    assert "differs" not in str(sy.evaluate(rows, **given, metrics="precision"))


def test_a_table_says_which_metrics_were_not_compared() -> None:
    rows = {"y": [1, 0], "s": [0.2, 0.1], "q": [1, 1]}
    given: dict[str, Any] = {"label": "y", "score": "s", "group": "q"}
    metrics = ["auc", "gauc", "ndcg@1", "mrr"]
    assert "not compared" not in str(sy.evaluate(rows, **given, metrics=metrics))
    result = sy.evaluate(rows, **given, metrics=metrics, preset="lightgbm")
    assert "not compared with lightgbm: gauc, mrr\n" in f"{result}\n"
    assert str(sy.Result.from_json(result.to_json())) == str(result)


def test_a_page_lists_what_each_preset_covers() -> None:
    """`make pages` writes it from the presets; tests/parity/test_presets.py proves the list."""
    page = (ROOT / "docs" / "presets.md").read_text(encoding="utf-8")
    for tool, preset in presets.every().items():
        section = page.split(f"\n## {tool}\n")[1].split("\n## ")[0]
        covered, _, alone = section.partition("Not compared: ")
        for name in {function for each in functions().values() for function in {each[0].function}}:
            assert (f"`{name}`" in alone) == (name not in preset.metrics), name
        for theirs in preset.metrics.values():
            assert all(f"`{name}`" in covered for name in theirs.split(", "))
        for found in preset.differs.values():
            assert found.where in covered.replace("\\", "")


def test_explain_says_what_presets_set() -> None:
    text = " ".join(sy.explain("map").text().split())
    assert "lightgbm (denominator=min, ties=stable, empty=1)" in text
    assert "trec_eval (ties=trec, empty=0)" in text
    assert "Presets" not in sy.explain("ks").text()
