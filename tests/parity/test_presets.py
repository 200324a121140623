"""Presets: another tool's number on purpose, and its parity with that tool."""

import ast
import re
import subprocess
import sys
import warnings
from typing import Any

import pytest
from sklearn import metrics as theirs

import steelyard as sy
from steelyard import presets
from steelyard.presets import Preset
from tests.parity import test_boosting, test_ranking, test_scikit_learn_names, test_trec
from tests.paths import ROOT

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

# Where the numbers of a preset are compared with those of the tool itself, as pytest takes it.
PARITY = {
    "lightgbm": (
        "tests/parity/test_ranking.py::test_lightgbm",
        "tests/parity/test_ranking.py::test_lightgbm_without_relevant_rows",
        "tests/parity/test_ranking.py::test_lightgbm_ties_go_by_row",
        "tests/parity/test_boosting.py::test_lightgbm_shows_1_without_positives",
    ),
    "sklearn": (
        "tests/parity/test_presets.py::test_sklearn_where_there_is_no_value",
        "tests/parity/test_presets.py::test_sklearn_s_partial_area_is_standardized",
        "tests/parity/test_ranking.py::test_sklearn_preset",
        "tests/parity/test_calibration.py::test_the_preset_has_its_losses",
        "tests/parity/test_calibration.py::test_the_preset_clips_at_the_epsilon_of_the_type",
    ),
    "trec_eval": (
        "tests/parity/test_trec.py::test_every_number_that_trec_eval_prints",
        "tests/parity/test_trec.py::test_pytrec_eval",
        "tests/parity/test_trec.py::test_float32_makes_ties",
    ),
    "xgboost": (
        "tests/parity/test_ranking.py::test_xgboost",
        "tests/parity/test_ranking.py::test_xgboost_with_a_minus",
        "tests/parity/test_ranking.py::test_xgboost_linear_gain",
        "tests/parity/test_ranking.py::test_xgboost_without_a_cut_cuts_at_32",
        "tests/parity/test_ranking.py::test_xgboost_compares_float32",
    ),
}


def test_every_preset_has_parity_cases_and_each_names_its_tool() -> None:
    assert tuple(PARITY) == presets.names()
    for tool, cases in PARITY.items():
        assert cases
        for case in cases:
            assert tool in source_of(case), case


def compared() -> dict[str, set[str]]:
    """The functions of the metrics that the parity tests compare with each tool.

    XGBoost's aucpr is not ours: the difference is tested.
    """
    from steelyard.metrics import catalogue

    boosted = [*test_boosting.BINARY, *test_boosting.CLASSES, *test_boosting.REGRESSION]
    found = {
        tool: {"ndcg", "map", *(ours for of, ours, _, _ in boosted if of == tool)}
        for tool in ("lightgbm", "xgboost")
    }
    names = [*(name for name, _, _ in test_scikit_learn_names.SAME)]
    found["sklearn"] = {
        catalogue.find(name).function for name in (*names, *test_scikit_learn_names.OTHER_FORM)
    }
    found["sklearn"] |= {catalogue.resolve(spec).metric.function for spec in SKLEARN}
    found["xgboost"] |= {"ap"}
    found["xgboost"] |= {
        catalogue.resolve(f"{ours}@5").metric.function for ours in test_ranking.XGBOOST.values()
    }
    specs = [ours.format(rel="", k=5) for ours in test_trec.OUR_NAMES.values()]
    found["trec_eval"] = {catalogue.resolve(spec).metric.function for spec in specs}
    return found


@pytest.mark.parametrize("tool", presets.names())
def test_a_preset_names_what_was_compared(tool: str) -> None:
    preset = presets.every()[tool]
    assert set(preset.metrics) == compared()[tool]
    assert {*preset.parameters, *preset.undefined} <= set(preset.metrics)
    assert {function for _, function in preset.differs} <= set(preset.metrics)


def source_of(case: str) -> str:
    """The text of a test, read and not imported: its module may want a package that is not here."""
    path, name = case.split("::")
    text = (ROOT / path).read_text(encoding="utf-8")
    tests = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return "".join(ast.get_source_segment(text, test) or "" for test in tests if test.name == name)


def test_the_page_of_rankings_has_a_row_for_every_preset_and_no_other() -> None:
    page = (ROOT / "docs" / "rankings.md").read_text(encoding="utf-8")
    table = page.split("| preset |")[1].split("\n\n")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)) == set(presets.names())


def test_a_file_is_a_preset_and_the_names_need_none_of_them() -> None:
    assert all(isinstance(preset, Preset) for preset in presets.every().values())
    code = (
        "import sys, steelyard.request.options\n"
        "from steelyard import presets\n"
        "assert 'numpy' not in sys.modules\n"
        "assert not any(f'steelyard.presets.{name}' in sys.modules for name in presets.names())\n"
        "presets.every()\n"
        "assert 'numpy' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


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


def test_the_reason_is_among_the_details() -> None:
    (row,) = sy.evaluate(label=[0, 0], score=[1, 2], metrics="auc", preset="lightgbm")
    assert (row.value, row.why, row.details) == (1.0, None, {"undefined": "there are no positives"})


def test_every_preset_names_metrics_that_exist() -> None:
    from steelyard.metrics import catalogue

    for preset in presets.every().values():
        for name in (*preset.undefined, *preset.parameters):
            assert catalogue.find(name).function == name
        assert {*preset.family_parameters} <= {metric.family for metric in catalogue.every()}


def test_an_unknown_preset_is_refused() -> None:
    given: Any = {"label": [0, 1], "score": [0, 1], "preset": "skleran"}
    with pytest.raises(sy.InputError, match="preset='skleran' is not one of the choices"):
        sy.evaluate(**given)
