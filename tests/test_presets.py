"""Presets: another tool's number on purpose, and its parity with that tool."""

import warnings
from typing import Any

import pytest
from sklearn import metrics as theirs

import steelyard as sy
from steelyard.model import PRESETS

ONE_CLASS = {"no positives": ([0, 0, 0], [0.1, 0.9, 0.4]), "none called": ([0, 1, 1], [0.1] * 3)}
SKLEARN = {
    "precision": lambda y, s: theirs.precision_score(y, s >= 0.5),
    "recall": lambda y, s: theirs.recall_score(y, s >= 0.5),
    "f1": lambda y, s: theirs.f1_score(y, s >= 0.5),
    "fbeta(2)": lambda y, s: theirs.fbeta_score(y, s >= 0.5, beta=2),
    "mcc": lambda y, s: theirs.matthews_corrcoef(y, s >= 0.5),
    "ap": lambda y, s: theirs.average_precision_score(y, s),
    "partial_auc(0.3)": lambda y, s: theirs.roc_auc_score(y, s, max_fpr=0.3),
}


@pytest.mark.parametrize("metric", SKLEARN)
@pytest.mark.parametrize("data", ONE_CLASS)
def test_sklearn_where_there_is_no_value(metric: str, data: str) -> None:
    import numpy as np

    y, s = map(np.array, ONE_CLASS[data])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = SKLEARN[metric](y, s)
    found = sy.evaluate(label=y, score=s, metrics=metric, preset="sklearn").rows[0]
    if found.value is None:
        assert other != other
    else:
        assert found.value == pytest.approx(other, rel=1e-12)


def test_sklearn_s_partial_area_is_standardized() -> None:
    import numpy as np

    y, s = np.array([0, 1, 0, 1, 0, 1]), np.array([0.1, 0.4, 0.35, 0.8, 0.6, 0.5])
    other = theirs.roc_auc_score(y, s, max_fpr=0.5)
    result = sy.evaluate(label=y, score=s, metrics="partial_auc(0.5)", preset="sklearn")
    assert result.rows[0].value == pytest.approx(other, rel=1e-12)
    assert result.rows[0].metric == "partial_auc(0.5)"  # the preset's defaults go without saying
    assert result.conventions.metrics["partial_auc(0.5)"]["standardize"] is True


def test_a_number_is_found_by_what_was_asked_for() -> None:
    """The rows' name lacks the preset's defaults: the one who asked did not write them."""
    y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.4, 0.35, 0.8, 0.6, 0.5]
    result = sy.evaluate(label=y, score=s, metrics="partial_auc(0.5)", preset="sklearn")
    assert result["partial_auc(0.5)"] == result["partial_auc(0.5, standardize=true)"]
    with pytest.raises(sy.SpecError, match="has no partial_auc"):
        result["partial_auc(0.5, standardize=false)"]


def test_the_reason_stays_beside_the_number() -> None:
    (row,) = sy.evaluate(label=[0, 0], score=[1, 2], metrics="auc", preset="lightgbm")
    assert (row.value, row.why, row.details) == (1.0, None, {"undefined": "there are no positives"})


def test_every_preset_names_metrics_that_exist() -> None:
    from steelyard.metrics import catalogue

    for preset in PRESETS.values():
        for name in (*preset.undefined, *preset.parameters):
            assert catalogue.find(name).function == name


def test_trec_eval_s_ties_are_those_of_every_ranking_metric() -> None:
    from steelyard.metrics import catalogue

    ranking = {m.function for m in catalogue.every() if catalogue.family(m) == "ranking"}
    assert set(PRESETS["trec_eval"].parameters) == ranking


def test_an_unknown_preset_is_refused() -> None:
    given: Any = {"label": [0, 1], "score": [0, 1], "preset": "skleran"}
    with pytest.raises(sy.InputError, match="preset='skleran' is not a choice here"):
        sy.evaluate(**given)
