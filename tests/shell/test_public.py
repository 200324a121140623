"""The front door: lazy, complete, and helpful about what is not there."""

import copy
import importlib.metadata
import inspect
import math
import pickle
import subprocess
import sys

import pytest

import steelyard as sy
from steelyard import errors
from steelyard.metrics import catalogue
from steelyard.metrics.parameter import REQUIRED
from steelyard.public import MODULES
from steelyard.scikit_learn import names as scikit_learn

Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]


def imported_after(code: str) -> set[str]:
    """The modules that a new interpreter has loaded after some code."""
    script = f"{code}\nimport sys\nsys.stdout.write(' '.join(sys.modules))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def test_importing_costs_nothing() -> None:
    modules = imported_after("import steelyard")
    heavy = {"numpy", "duckdb", "click", "rich", "sklearn", "scipy", "pandas", "polars", "pyarrow"}
    assert not modules & heavy
    assert {name for name in modules if name.startswith("steelyard")} == {"steelyard"}


def test_a_plain_function_needs_numpy_alone() -> None:
    modules = imported_after("import steelyard\nsteelyard.auc([0, 1], [0.1, 0.2])")
    heavy = {"duckdb", "click", "rich", "sklearn", "scipy", "pandas", "polars", "pyarrow"}
    assert "numpy" in modules
    assert not modules & heavy


def test_errors_are_a_module_before_anything_else() -> None:
    code = "from steelyard import errors, auc\nassert errors.InputError\nassert auc([0, 1], [0, 1])"
    assert "steelyard.errors" in imported_after(code)


def test_dir_lists_every_name_once() -> None:
    sy.auc(Y, S)  # what was used is not listed twice
    listed = dir(sy)
    assert len(listed) == len(set(listed))
    assert set(catalogue.functions()) <= set(listed)
    assert {"evaluate", "Result", "InputError", "UndefinedWarning", "__version__"} <= set(listed)
    assert all(hasattr(sy, name) for name in listed)


def test_dir_lists_nothing_of_the_inside() -> None:
    sy.auc(Y, S)  # loads most rooms
    public = {name for name in dir(sy) if not name.startswith("__")}
    assert public == {*MODULES, *catalogue.functions()}


def test_a_star_brings_the_public_names_and_no_other() -> None:
    for before in ("", "import steelyard\nsteelyard.auc([0, 1], [0.1, 0.2])\ndel steelyard"):
        code = f"{before}\nfrom steelyard import *\nassert auc([0, 1], [0.1, 0.2]) == 1"
        brought: dict[str, object] = {}
        exec(code, brought)
        assert brought.keys() - {"__builtins__"} == {*MODULES, *catalogue.functions()}


def test_names_are_made_once() -> None:
    assert sy.auc is sy.auc
    assert sy.errors is errors


@pytest.mark.parametrize("name", catalogue.functions())
def test_plain_functions(name: str) -> None:
    function, metrics = getattr(sy, name), catalogue.functions()[name]
    assert function.__name__ == function.__qualname__ == name
    assert function.__module__ == "steelyard"
    said = function.__doc__ or ""
    assert said.startswith((metrics[0].doc or "").partition("\n")[0].strip())
    assert all(metric.formula in said for metric in metrics)
    parameters = inspect.signature(function).parameters
    taken: dict[str, None] = {}
    for metric in metrics:
        before, after = metric.reading_keywords
        own = [parameter.name for parameter in metric.parameters]
        taken |= dict.fromkeys([*before, *own, *after])
        for parameter in metric.parameters:
            assert f"\n{parameter.name}: " in said
            assert f"{parameter.means}; {parameter.wanted}; " in " ".join(said.split())
            assert parameters[parameter.name].kind is inspect.Parameter.KEYWORD_ONLY
    if any(not each.interval.why and each.shape is None for each in metrics):
        taken |= dict.fromkeys(["cluster", "confidence"])
        assert "the\n    value is an EstimatedValue then" in said
    words = {word for metric in metrics for word in metric.argument_names}
    assert list(parameters)[:2] == ["y_true", metrics[0].argument_names[0]]
    added = [each for each in scikit_learn.keywords(name) if each not in taken]
    assert [each for each in list(parameters)[2:] if each not in words] == [*taken, *added]
    assert words <= set(parameters)
    for parameter in metrics[0].parameters:
        assert parameters[parameter.name].default == (
            inspect.Parameter.empty if parameter.default is REQUIRED else parameter.default
        )


NEEDED = {"k": 2, "field": [1, 2, 1, 2]}
GROUP = {"group": [1, 2, 1, 2]}  # or group_sizes, so that the signature requires neither
ASKED = {
    "ecpm": {"bid": [1, 2, 1, 2]},
    **dict.fromkeys(("gauc", "group_values", "uauc"), GROUP),
}
MATRIX = [[1 - score, score] for score in S]


@pytest.mark.parametrize("name", catalogue.functions())
def test_the_signature_tells_the_truth(name: str) -> None:
    """A call with every default written out gives what the short call gives."""
    function, metric = getattr(sy, name), catalogue.functions()[name][0]
    parameters = inspect.signature(function).parameters.values()
    scores = bool(metric.reads == "prediction" and "y_score" in metric.argument_names)
    needed: dict[str, object] = ASKED.get(metric.function, {}) | {
        parameter.name: NEEDED.get(parameter.name, 0.5)
        for parameter in parameters
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY
        and parameter.default is inspect.Parameter.empty
    }
    defaults = {
        parameter.name: parameter.default
        for parameter in parameters
        if parameter.default is not inspect.Parameter.empty
        and parameter.kind is inspect.Parameter.KEYWORD_ONLY
    }
    second = MATRIX if scores else [1, 1, 2, 2] if metric.reads == "prediction" else S
    truth = [1, 2, 1, 2] if metric.reads == "prediction" else Y
    short, long = function(truth, second, **needed), function(truth, second, **defaults | needed)
    assert repr(short) == repr(long)


def test_functions_are_pickled_by_name() -> None:
    """As pools of processes send them: the bytes hold a name and no code."""
    for name in ("auc", "roc_auc", "evaluate"):
        function = getattr(sy, name)
        assert pickle.loads(pickle.dumps(function)) is function
        assert copy.deepcopy(function) is function


# What is not there, and the hint.
ABSENT: list[tuple[str, str]] = [
    ("rocauc", "did you mean roc_auc"),
    ("acuracy", "did you mean accuracy"),
    ("zzzzzz", "steelyard list shows every metric"),
    ("AUC", "did you mean auc"),
    ("make_scorer", "sklearn.metrics.make_scorer(sy.f1, average='macro')"),
    ("get_scorer", "make_scorer(sy.f1)"),
    ("bootstrap_ci", "cluster=... gives every metric its interval"),
    ("RocCurveDisplay", "sy.plot.roc(y_true, y_score) draws the curve"),
    ("_private", "no attribute '_private'"),
    ("a.b", "no attribute 'a.b'"),
    ("", "no attribute ''"),
]


@pytest.mark.parametrize(("name", "hint"), ABSENT)
def test_an_unknown_name_gets_a_suggestion(name: str, hint: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(sy, name)
    assert str(caught.value).startswith("module 'steelyard' has no attribute")
    assert hint in str(caught.value)
    assert not hasattr(sy, name)


def test_an_unknown_import() -> None:
    with pytest.raises(ImportError):
        exec("from steelyard import rocauc")


def test_version() -> None:
    assert sy.__version__ == importlib.metadata.version("steelyard")


def test_a_result_is_looked_up_by_any_name() -> None:
    """0.75: of the four pairs, (0.35, 0.4) alone is in the wrong order."""
    result = sy.evaluate(label=Y, score=S, metrics=["auc", "precision(0.375)", "roc_auc"])
    assert [row.metric for row in result] == ["auc", "precision(0.375)"]
    assert len(result) == 2
    assert result["auc"] == result["roc_auc"] == 0.75
    assert result["precision(threshold=0.375)"] == 0.5
    assert str(result) == repr(result)
    row = result.rows[0]
    assert (row.n, row.positives, row.negatives, row.dropped) == (4, 2, 2, 0)
    assert row.prediction_sum == row.weighted_prediction_sum == math.fsum(S)


def test_what_is_in_a_result() -> None:
    result = sy.evaluate(label=Y, score=S, metrics=["auc", "precision"])
    assert "auc" in result
    assert "roc_auc" in result
    assert "precision(0.5)" in result
    assert "precision(0.3)" not in result
    assert result.rows[0] in result
    assert 0.75 not in result


def test_one_name_is_a_list_of_one() -> None:
    assert sy.evaluate(label=Y, score=S, metrics="auc")["auc"] == 0.75


def test_no_value_is_nan_and_a_reason() -> None:
    result = sy.evaluate(label=[1, 1], score=[0.1, 0.2], metrics=["auc"])
    assert result["auc"] != result["auc"]
    assert result.rows[0].value is None
    assert result.rows[0].why == "there are no negatives"


def test_sums_beyond_float64_are_infinite() -> None:
    """Three weights of 1e308 are 3e308: more than a float64 holds, less than an error."""
    result = sy.evaluate(label=[1, 0, 1], score=[1e308, 0.0, 1e308], weight=[1e308] * 3)
    row = result.rows[0]
    assert row.weighted_positives == row.prediction_sum == float("inf")
    assert row.weighted_negatives == 1e308
    assert result["auc"] == 1.0
    cells = sy.confusion([1, 1, 1, 0], [1.0, 1.0, 1.0, 0], sample_weight=[1e308, 1e308, 0.5, 1])
    assert cells == (float("inf"), 0, 0, 1)


def test_a_misspelled_public_name_gets_the_right_one() -> None:
    for wrong, right in {"evalute": "evaluate", "daignose": "diagnose", "Resutl": "Result"}.items():
        with pytest.raises(AttributeError, match=rf"did you mean sy\.{right}$"):
            getattr(sy, wrong)


def test_an_everyday_name_gets_what_it_is_here() -> None:
    for name, meant in {
        "ctr": "prevalence",
        "error_rate": "1 - accuracy",
        "delong": "compare",
    }.items():
        with pytest.raises(AttributeError, match=meant):
            getattr(sy, name)
    for name in errors.EVERYDAY_NAMES:
        assert catalogue.spelled(name) not in catalogue.functions(), "a metric has that name"


def test_a_parameter_of_a_metric_is_no_option_of_a_table() -> None:
    for name, written in errors.PARAMETERS.items():
        assert _is_metric(written, "score") or _is_metric(written, "prediction")
        with pytest.raises(TypeError) as raised:
            sy.evaluate(label=Y, score=S, **{name: 1})  # type: ignore[arg-type]
        assert str(raised.value).endswith(f"it is written in the metric, as in {written!r}")


def _is_metric(written: str, reads: str) -> bool:
    try:
        return bool(catalogue.resolve(written, reads=reads).name)
    except errors.SpecError:
        return False


@pytest.mark.parametrize(
    ("function", "wrong", "right"),
    [
        ("auc", "sample_weights", "sample_weight"),
        ("ndcg", "groups", "group"),
        ("f1", "tresh", "threshold"),
        ("evaluate", "metric", "metrics"),
        ("evaluate", "y_true", "label"),
        ("evaluate", "y_pred", "prediction"),
        ("evaluate", "y_prob", "score"),
        ("state", "query", "group"),
        ("state", "lable", "label"),
    ],
)
def test_an_unknown_keyword_gets_the_nearest_name(function: str, wrong: str, right: str) -> None:
    said = rf"^{function}\(\) got an unexpected keyword argument '{wrong}': did you mean '{right}'$"
    call = getattr(sy, function)
    rows = {"label": Y, "score": S} if function in ("evaluate", "state") else {}
    with pytest.raises(TypeError, match=said):
        call(*([] if rows else [Y, S]), **rows, **{wrong: 1})


def test_signatures_have_no_ellipsis() -> None:
    for name in ("f1", "auc", "confusion", "mae", "evaluate"):
        assert "Ellipsis" not in str(inspect.signature(getattr(sy, name)))
    assert "y_pred=NOT_GIVEN" in str(inspect.signature(sy.f1))


@pytest.mark.parametrize(
    ("function", "theirs", "hint"),
    [
        ("f1", "pos_label", "did you mean 'positive'"),
        ("roc", "pos_label", "did you mean 'positive'"),
        ("roc", "drop_intermediate", "did you mean 'points'"),
        ("log_loss", "eps", "did you mean 'clip'"),
        ("auc", "max_fpr", "see sy.partial_auc"),
        ("recall", "k", "see sy.recall_at_k"),
    ],
)
def test_keywords_of_other_tools(function: str, theirs: str, hint: str) -> None:
    with pytest.raises(TypeError, match=f"argument '{theirs}': {hint}$"):
        getattr(sy, function)(Y, S, **{theirs: 1})
