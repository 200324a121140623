"""Wrong or lost without a word: lines 1 to 11 of the list."""

import gzip
import json
import re
import tomllib
from collections.abc import Callable
from io import BytesIO, TextIOWrapper
from itertools import combinations
from math import exp, isnan, log
from pathlib import Path
from typing import Any

import duckdb
import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
from sklearn import datasets
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import steelyard
from steelyard.evaluation.saved_state import State
from tests.paths import ROOT
from tests.shell.run import run
from tests.shell.trials.rows import two_rows
from tests.sources.every_source import SOURCES
from tools.oldest import oldest

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should

NAN = float("nan")
Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]

# ---- 1. Several scores are compared on common rows ---------------------------------------------


GAPS = {
    "y": [1, 0, 1, 0, 1, 0],
    "whole": [0.9, 0.1, 0.8, 0.2, 0.3, 0.7],
    "gaps": [0.9, 0.1, 0.8, 0.2, NAN, NAN],  # equal, but not scored where `whole` is wrong
    "country": ["DE", "DE", "US", "US", "US", "US"],
}
TWO: dict[str, Any] = {"label": "y", "score": ["whole", "gaps"], "nan": "drop", "metrics": "auc"}


def test_01_equal_models_have_equal_values() -> None:
    """Before, 8 of 9 pairs in order (0.889) stood beside 4 of 4."""
    result = sy.evaluate(GAPS, **TWO, by="country")
    for score in ("whole", "gaps"):
        assert result.value("auc", score=score) == 1.0
        assert [row.n for row in result if row.score == score] == [4, 2, 2]
        assert [row.dropped for row in result if row.score == score] == [2, 0, 2]


def test_01_the_table_says_so_in_every_format() -> None:
    result = sy.evaluate(GAPS, **TWO)
    said = "a row that one score lacks is left out for all: all have the same rows"
    for text in (str(result), result.to_markdown(), result._repr_html_()):
        assert said in text
        assert "2 rows left out for missing values" in text
    assert json.loads(result.to_json())["conventions"]["rows"] == "common"


def test_01_own_rows_by_choice() -> None:
    result = sy.evaluate(GAPS, **TWO, rows="own")
    assert [result.value("auc", score=score) for score in ("whole", "gaps")] == [8 / 9, 1.0]
    assert "each score has its own rows: values may differ because the rows differ" in str(result)
    assert "rows=own" in str(result)


def test_01_nothing_is_said_where_nothing_is_missing() -> None:
    for score in ("whole", ["whole", "whole * 2"]):
        assert "rows differ" not in str(sy.evaluate(GAPS, **TWO | {"score": score}, rows="own"))
        assert "same rows" not in str(sy.evaluate(GAPS, **TWO | {"score": score}))


def test_01_predictions_have_common_rows_too() -> None:
    columns = {"y": [1.0, 2.0, 3.0], "a": [1.0, 2.0, 5.0], "b": [2.0, 2.0, None]}
    result = sy.evaluate(columns, label="y", prediction=["a", "b"], nan="drop", metrics="mae")
    assert [row.value for row in result] == [0.0, 0.5]
    assert "a row that one prediction lacks is left out for all" in str(result)


def test_01_a_row_that_was_not_retrieved_stays() -> None:
    """The first model retrieves both relevant rows, the second only one; both have two."""
    columns = {"y": [1, 0, 1], "q": [1, 1, 1], "a": [0.9, 0.8, 0.7], "b": [0.9, 0.8, None]}
    result = sy.evaluate(
        columns,
        label="y",
        score=["a", "b"],
        group="q",
        nan="drop",
        unscored="not_retrieved",
        metrics="recall@3",
    )
    assert [(row.value, row.n, row.dropped) for row in result] == [(1.0, 3, 0), (0.5, 3, 0)]


def test_01_states_merge_only_if_they_agree_on_rows() -> None:
    common, own = (sy.state(GAPS, **TWO, rows=rows) for rows in ("common", "own"))
    assert [row.dropped for row in sy.merge(common, common).result()] == [4, 4]
    with pytest.raises(sy.StateError, match="rows"):
        sy.merge(common, own)


def test_01_on_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "gaps.csv").write_text("y,a,b\n1,0.9,0.9\n0,0.1,0.1\n1,0.3,\n0,0.7,\n")
    call = ["eval", str(tmp_path / "gaps.csv"), "--label", "y", "--score", "a", "--score", "b"]
    call += ["-m", "auc", "--nan", "drop", "--format", "json"]
    values = [row["value"] for row in json.loads(run(*call).stdout)["rows"]]
    assert values == [1.0, 1.0]
    values = [row["value"] for row in json.loads(run(*call, "--rows", "own").stdout)["rows"]]
    assert values == [0.75, 1.0]


# ---- 2. A column name means one column ---------------------------------------------------------

LABELS, OTHERS, SCORES = [0, 1, 1, 0], [1, 0, 0, 1], [0.1, 0.9, 0.8, 0.3]  # auc 1, of OTHERS 0


def arrow_of(second: str) -> Any:
    """The columns y, s and a second one with the other labels."""
    columns = [pyarrow.array(each) for each in (LABELS, SCORES, OTHERS)]
    return pyarrow.Table.from_arrays(columns, names=["y", "s", second])


def parquet_of(second: str) -> str:
    pyarrow.parquet.write_table(arrow_of(second), "t.parquet")
    return "t.parquet"


def csv_of(second: str) -> str:
    rows = zip(LABELS, SCORES, OTHERS, strict=True)
    lines = [f"y,s,{second}", *(",".join(map(str, row)) for row in rows)]
    Path("t.csv").write_text("\n".join(lines), encoding="utf-8")
    return "t.csv"


def json_of(second: str) -> str:
    rows = zip(LABELS, SCORES, OTHERS, strict=True)
    lines = (f'{{"y": {y}, "s": {s}, "{second}": {other}}}' for y, s, other in rows)
    Path("t.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return "t.jsonl"


def sql_of(second: str) -> str:
    return (
        f"SELECT y, s, 1 - y AS {second} FROM (VALUES (0, .1), (1, .9), (1, .8), (0, .3)) t(y, s)"
    )


def pandas_of(second: str) -> Any:
    frame = pandas.DataFrame({"y": LABELS, "s": SCORES, "other": OTHERS})
    return frame.set_axis(["y", "s", second], axis=1)


TWO_OF_ONE_NAME: dict[str, Callable[[str], Any]] = {
    "Parquet": parquet_of,
    "Arrow": arrow_of,
    "an Arrow stream": lambda second: arrow_of(second).to_reader(),
    "pandas": pandas_of,
    "CSV": csv_of,
    "SQL": sql_of,
    "a DuckDB relation": lambda second: duckdb.sql(sql_of(second)),
}
TWO_CASES = TWO_OF_ONE_NAME | {
    "JSON": json_of,
    "Polars": lambda second: polars.from_arrow(arrow_of(second)),
    "a mapping": lambda second: {"y": LABELS, "s": SCORES, second: OTHERS},
}


def auc_of(source: Any, **roles: Any) -> float:
    """The AUC by the columns y and s, unless the roles are others."""
    value: float = sy.evaluate(source, **{"label": "y", "score": "s", "metrics": "auc"} | roles)[
        "auc"
    ]
    return value


@pytest.mark.parametrize("kind", TWO_OF_ONE_NAME)
@pytest.mark.parametrize(
    "roles",
    [
        {},
        {"label": "y = 1"},
        {"label": "s > 0.5", "where": "y = 1"},
        {"label": "s > 0.5", "by": "y"},
        {"label": "s > 0.5", "metrics": "field_ece(y)"},
    ],
)
def test_02_two_columns_of_one_name_are_refused_where_a_role_reads_them(
    kind: str, roles: dict[str, Any], folder: Path
) -> None:
    with pytest.raises(sy.SourceError, match=r"2 columns are named 'y' \(columns 1 and 3"):
        auc_of(TWO_OF_ONE_NAME[kind]("y"), **roles)


@pytest.mark.parametrize("kind", TWO_OF_ONE_NAME)
def test_02_two_columns_of_one_name_that_no_role_reads(kind: str, folder: Path) -> None:
    assert auc_of(TWO_OF_ONE_NAME[kind]("y"), label="s > 0.5") == 1


@pytest.mark.parametrize("kind", TWO_CASES)
def test_02_names_that_differ_in_case_are_two_columns(kind: str, folder: Path) -> None:
    make = TWO_CASES[kind]
    assert (auc_of(make("Y")), auc_of(make("Y"), label="Y")) == (1, 0)
    with pytest.raises(sy.SourceError, match="'y' and 'Y' are the same to SQL"):
        auc_of(make("Y"), label="Y = 1")


@pytest.mark.parametrize("kind", TWO_CASES)
def test_02_a_column_with_a_number_at_its_end_is_a_column(kind: str, folder: Path) -> None:
    make = TWO_CASES[kind]
    assert (auc_of(make("y_1")), auc_of(make("y_1"), label="y_1 + 0")) == (1, 0)


def test_02_sql_on_a_source_with_two_columns_of_one_name(folder: Path) -> None:
    with pytest.raises(sy.SourceError, match="2 columns are named 'y'"):
        auc_of(parquet_of("y"), sql="SELECT y, s FROM source")
    for start in ("", "WITH t AS (SELECT 1) ", "WITH RECURSIVE t AS (SELECT 1) "):
        twice = f"{start}SELECT y, s, 1 - y AS y FROM source"
        with pytest.raises(sy.SourceError, match="2 columns are named 'y'"):
            auc_of(parquet_of("other"), sql=twice)


def test_02_names_that_are_equal_as_text() -> None:
    for source in (
        {1: LABELS, "1": OTHERS, "s": SCORES},
        pandas_of("y").set_axis([1, "s", "1"], axis=1),
    ):
        for label in ("1", '"1" = 1'):
            with pytest.raises(sy.SourceError, match="2 columns are named '1'"):
                auc_of(source, label=label)


@pytest.mark.parametrize("key", ["y", "Y"])
@pytest.mark.parametrize("make", [parquet_of, csv_of, json_of])
def test_02_a_hive_key_that_repeats_a_column(
    make: Callable[[str], str], key: str, folder: Path
) -> None:
    name = make("other")
    target = folder / "log" / f"{key}=1" / name
    target.parent.mkdir(parents=True)
    Path(name).rename(target)
    message = rf"'y' is a column of '.*{name}', and '{key}=1' in its path is a key"
    for roles in ({}, {"label": key}, {"label": "y = 1"}, {"label": "s > 0.5", "where": "y = 1"}):
        with pytest.raises(sy.SourceError, match=message):
            auc_of("log", **roles)
    assert auc_of("log", label="s > 0.5") == 1
    assert auc_of(target, label="other") == 0


def test_02_recognised_columns_of_one_name_are_refused_by_that_name(folder: Path) -> None:
    """It said "pctr and pctr may each be the score"."""
    folder.joinpath("log.csv").write_text("click,pctr,pctr\n1,0.2,0.4\n", encoding="utf-8")
    with pytest.raises(sy.SourceError, match="2 columns are named 'pctr'"):
        sy.evaluate("log.csv", metrics="auc")
    assert "2 columns are named 'pctr'" in run("eval", "log.csv", "-m", "auc").stderr
    Path("pctr=1").mkdir()
    Path("pctr=1/log.csv").write_text("click,pctr\n1,0.2\n", encoding="utf-8")
    with pytest.raises(sy.SourceError, match=r"'pctr' is a column of .* rename the column or the"):
        sy.evaluate("pctr=1/log.csv", metrics="auc")


# ---- 3. Predicted classes: integers, booleans and text are classes, floats are scores ----------


@pytest.mark.parametrize("kind", [list, numpy.array, pandas.Series, polars.Series])
def test_03_integers_booleans_and_text_are_classes(kind: Any) -> None:
    """Of 1, 1 and 0, one positive is found: TP 1, FN 1, no false alarm."""
    assert sy.f1(kind([0, 1, 1, 0]), kind([0, 1, 0, 0])) == 2 / 3
    assert sy.f1(kind([0, 1, 1, 0]), y_pred=kind([0, 1, 0, 0])) == 2 / 3
    assert sy.f1(kind([0, 1, 1, 0]), kind([False, True, False, False])) == 2 / 3
    words = kind(["no", "yes", "yes", "no"]), kind(["no", "yes", "no", "no"])
    assert sy.f1(*words, positive="yes") == 2 / 3
    assert sy.recall(*words, positive="no") == 1.0
    assert sy.accuracy(kind([0, 1, 1, 0]), kind([0, 2, 1, 1])) == 1 / 2  # before: 2 was positive
    assert sy.specificity(kind([1, 2, 2, 1]), kind([1, 2, 1, 1]), positive=2) == 1.0


def test_03_floats_are_scores() -> None:
    assert sy.f1([0, 1, 1, 0], [0.1, 0.7, 0.4, 0.2]) == 2 / 3
    assert sy.f1([0, 1, 1, 0], [0.0, 1.0, 0.0, 0.0]) == 2 / 3
    assert sy.precision([0, 1, 1], [10, 20, 30], threshold=15) == 1.0  # a threshold is of scores
    assert sy.auc([0, 1, 1], [10, 20, 30]) == 1.0  # so is a curve


def test_03_many_classes_are_averaged_by_choice() -> None:
    y, p = [0, 1, 2, 2], [0, 1, 1, 2]
    with pytest.raises(sy.InputError, match=r"third class at row 2 .*macro, micro or weighted"):
        sy.f1(y, p)
    assert sy.f1(y, p, average="macro") == pytest.approx((1 + 2 / 3 + 2 / 3) / 3)
    assert sy.f1(y, p, average=None).tolist() == [1.0, 2 / 3, 2 / 3]
    with pytest.raises(sy.InputError, match="do not tell which one is positive"):
        sy.f1(["no", "yes"], ["no", "no"])


def test_03_tables_print_what_was_averaged(tmp_path: Path) -> None:
    rows = {"y": [0, 1, 1, 0], "p": [0, 1, 0, 0]}
    result = sy.evaluate(rows, label="y", prediction="p", metrics=["f1", "f1(macro)", "accuracy"])
    assert result.metrics == ("f1", "f1(macro)", "accuracy")
    assert result["f1"] == 2 / 3
    assert result["f1(macro)"] == pytest.approx((4 / 5 + 2 / 3) / 2)
    with pytest.raises(sy.InputError, match="third class"):
        sy.evaluate(rows | {"p": [0, 1, 2, 0]}, label="y", prediction="p", metrics="f1")
    default = sy.evaluate(label=[0, 1, 2], score=numpy.eye(3))
    assert {"precision(macro)", "recall(macro)", "f1(macro)"} <= {*default.metrics}
    csv = tmp_path / "rows.csv"
    csv.write_text("y,p\nyes,yes\nyes,no\nno,no\n")
    args = ("eval", str(csv), "--label", "y", "--prediction", "p", "-m", "f1", "--positive", "yes")
    assert "0.666667" in run(*args).stdout


def test_03_states_of_other_classes_do_not_merge() -> None:
    """0 and 1 in one file, 1 and -1 in the other: together they are three classes."""
    one, other = (sy.state(label=[1, low], prediction=[1, low], metrics="f1") for low in (0, -1))
    with pytest.raises(sy.StateError, match="the negative label is 0 in one and -1"):
        sy.merge(one, other)


def test_03_scorers_of_scikit_learn() -> None:
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
    names = iris.target_names[numpy.minimum(iris.target, 1)]  # two classes, as text
    search = GridSearchCV(
        tree, {"max_depth": [1, 2]}, scoring=make_scorer(sy.f1, positive="versicolor")
    )
    assert search.fit(iris.data, names).best_score_ == 1.0


# ---- 4. Options and values that were accepted and not used -------------------------------------


@pytest.mark.parametrize("source", ["csv", "parquet", "polars", "mapping"])
def test_04_probabilities_are_no_predicted_classes(source: str, tmp_path: Path) -> None:
    made = SOURCES[source].make({"y": [0, 1, 1, 0], "s": [0.1, 0.9, 0.4, 0.3]}, tmp_path)
    with pytest.raises(sy.InputError, match="s has 4 values with a fraction, the first at row 0"):
        sy.evaluate(made, label="y", prediction="s", metrics="accuracy")


def test_04_the_text_of_probabilities_is_no_predicted_class_either() -> None:
    with pytest.raises(sy.InputError, match="1 value with a fraction, the first at row 1"):
        sy.accuracy(["0", "1"], ["0", "0.9"])


def test_04_classes_in_a_csv_are_read_as_labels(tmp_path: Path) -> None:
    """1.0 is the class 1, as in Parquet; words stay words."""
    csv = tmp_path / "rows.csv"
    csv.write_text("y,p\n0,0.0\n1,1.0\n1,0\ncat,cat\n")
    result = sy.evaluate(str(csv), label="y", prediction="p", metrics=["accuracy", "kappa"])
    assert result["accuracy"] == 3 / 4


def test_04_a_cluster_is_never_ignored(tmp_path: Path) -> None:
    """It gives intervals, or the reason why there are none."""
    (row,) = sy.evaluate(label=[0, 1], score=[0.1, 0.9], cluster=[1, 2], metrics="auc").rows
    assert row.low is None
    why = "fewer than two clusters have rows of a class that it needs"
    assert row.details["no_interval"] == why
    csv = tmp_path / "rows.csv"
    csv.write_text("y,s,u\n0,0.1,1\n1,0.9,2\n")
    done = run("eval", str(csv), "--label", "y", "--score", "s", "--cluster", "u", "-m", "auc")
    assert done.exit_code == 0
    assert f"no interval of auc: {why}" in done.stdout


# ---- 5. The calibration intercept where the likelihood is flat ---------------------------------


@pytest.mark.parametrize("power", [3, 40, 300])
def test_05_the_intercept_is_where_tails_balance(power: int) -> None:
    """The negative and the last positive balance at e^-a each, the other positive lacks e^a·q:
    2/(1 + e^a) = 1/(1 + e^-a/odds), and for a small q 2e^-a = e^a·q, so a = ln(2/q)/2."""
    found = sy.calibration_intercept([0, 1, 1], [0.5, 10.0**-power, 0.5])
    odds = 1 / (10.0**power - 1)
    if power == 3:
        assert 2 / (1 + exp(found)) == pytest.approx(1 / (1 + exp(-found) / odds), rel=1e-12)
    else:
        assert found == pytest.approx((log(2) + power * log(10)) / 2, rel=1e-14)


@pytest.mark.parametrize("name", ["calibration_intercept", "calibration_slope"])
def test_05_weights_that_float64_cannot_compare_give_no_value(name: str) -> None:
    """The intercept would be ln(1e-400) = -921: a share of 1e-400 is 0 in float64."""
    weights = [1e-200, 1e200, 1e200, 1e200]
    with pytest.warns(sy.UndefinedWarning, match="more than 300 powers of ten apart"):
        value = getattr(sy, name)([1, 0, 0, 0], [0.5, 0.3, 0.6, 0.7], sample_weight=weights)
    assert isnan(value)


def test_05_weights_as_far_apart_as_float64_compares() -> None:
    """One score for all: the intercept is the logarithm of the weights' quotient."""
    value = sy.calibration_intercept([0, 1], [0.5, 0.5], sample_weight=[1e150, 1e-150])
    assert value == pytest.approx(-300 * log(10), rel=1e-12)


# ---- 6. A reloaded state keeps every detail ----------------------------------------------------


@pytest.mark.parametrize("weights", [[1, 1, 1, 1], [1.0, 1.0, 1.0, 1.0], [2, 1, 1, 1]])
def test_06_a_reloaded_state_gives_the_same_json(weights: list[float]) -> None:
    """Weights of 1 are as no weights; others are said to be unused, before and after."""
    columns = {"y": [1, 0, 0, 1], "s": [4, 3, 2, 1], "user": [1, 1, 2, 2], "w": weights}
    roles = {"label": "y", "score": "s", "group": "user", "weight": "w", "metrics": "ndcg@2"}
    state = sy.state(columns, **roles)
    result, reloaded = state.result(), State.loads(state.dumps()).result()
    assert result.to_json() == reloaded.to_json()
    assert ("weights" in result.rows[0].details) == (weights[0] == 2)


# ---- 7. A key has one spelling, whatever the source --------------------------------------------


def test_07_states_of_csv_and_parquet_do_not_split_a_key(folder: Path) -> None:
    """Before, `by` had 7 twice, and field_ece was 0.525 instead of 0.4."""
    Path("t.csv").write_text("y,s,h\n1,0.9,7\n0,0.3,8\n", encoding="utf-8")
    pyarrow.parquet.write_table(
        pyarrow.table({"y": [0, 1], "s": [0.5, 0.4], "h": [7, 8]}), "t.parquet"
    )
    for roles in ({"by": "h", "metrics": "auc"}, {"metrics": "field_ece(h)"}):
        text, numbers = (
            sy.state(f"t.{end}", label="y", score="s", **roles) for end in ("csv", "parquet")
        )
        with pytest.raises(sy.StateError, match=r"h has keys that are (text|numbers) in one state"):
            sy.merge(text, numbers)
    both = [
        sy.state(f"t.{end}", label="y", score="s", by="h::BIGINT") for end in ("csv", "parquet")
    ]
    rows = sy.merge(*both).result().rows
    assert {row.slice["h::BIGINT"]: row.n for row in rows if row.slice} == {7: 2, 8: 2}


def test_07_classes_of_csv_and_parquet_do_not_split(folder: Path) -> None:
    Path("t.csv").write_text("y,p\n1,1\n2,1\n", encoding="utf-8")
    pyarrow.parquet.write_table(pyarrow.table({"y": [1, 2], "p": [2, 2]}), "t.parquet")
    states = [
        sy.state(f"t.{end}", label="y", prediction="p", metrics=["accuracy", "balanced_accuracy"])
        for end in ("csv", "parquet")
    ]
    assert sy.merge(*states).result()["accuracy"] == 0.5  # of recall 1/2 and 1/2
    assert sy.merge(*states).result()["balanced_accuracy"] == 0.5


def test_07_days_and_times_are_not_one_key() -> None:
    day = {"y": [1], "s": [0.5], "k": ["2024-02-29"]}
    states = [
        sy.state(day | {"k": keys}, label="y", score="s", by="k", metrics="prevalence")
        for keys in (["2024-02-29"], ["2024-02-29 00:00:00"], ["2024-02-29T00:00:00"], ["unknown"])
    ]
    *times, text = states
    for left, right in combinations(times, 2):
        with pytest.raises(sy.StateError, match=r"k has keys that are .* name the type in both"):
            sy.merge(left, right)
    assert [len(sy.merge(each, text).result().rows) for each in times] == [3, 3, 3]


def test_07_the_advice_of_a_refused_merge_can_be_typed(tmp_path: Path) -> None:
    rows = pandas.DataFrame({"y": Y, "pctr": numpy.array(S, "f4"), "user": [7, 7, 8, 8]})
    files = [str(tmp_path / "a.csv"), str(tmp_path / "a.parquet")]
    rows.to_csv(files[0], index=False)
    rows.to_parquet(files[1])

    def merged(**options: Any) -> Any:
        return sy.merge(*(sy.state(file, label="y", **options) for file in files)).result()

    for wrong, advised in [
        ({"score": "pctr", "metrics": "auc"}, ("score", "pctr::FLOAT")),
        (
            {"score": "pctr::FLOAT", "metrics": "field_ece(user)"},
            ("metrics", 'field_ece("user::VARCHAR")'),
        ),
        (
            {"score": "pctr::FLOAT", "metrics": "gauc", "group": "user"},
            ("group", "user::VARCHAR"),
        ),
        ({"score": "pctr::FLOAT", "metrics": "auc", "by": "user"}, ("by", "user::VARCHAR")),
    ]:
        option, value = advised
        with pytest.raises(sy.StateError, match=re.escape(f"in both, as in {value}.")):
            merged(**wrong)
        assert merged(**{**wrong, option: value}).rows[0].n == 8


# ---- 8. A glob or a folder reads all that it names ---------------------------------------------


def rows_of(source: Any) -> int:
    count: int = sy.evaluate(source, label="y", score="s", metrics="auc").row("auc").n
    return count


def test_08_a_pattern_reads_files_and_folders(folder: Path) -> None:
    """Spark writes folders that are named like files, with marks and checksums in them."""
    for path in ("a.parquet", "b.parquet/part-0.parquet", "b.parquet/part-1.parquet"):
        two_rows(path)
    Path("b.parquet/_SUCCESS").touch()
    Path("b.parquet/.part-0.parquet.crc").write_text("crc", encoding="utf-8")
    assert [rows_of(pattern) for pattern in ("[ab].parquet", "*", "**", "**/*.parquet", ".")] == [
        6
    ] * 5
    Path("_temporary").mkdir()
    assert rows_of("*") == 6


def test_08_a_folder_reads_all_ways_of_packing(folder: Path) -> None:
    for path in ("log/a.csv", "log/b.csv.zst", "log/c.csv.gz"):
        two_rows(path)
    assert [rows_of(each) for each in ("log", "log/*", "log/b.csv.zst")] == [6, 6, 2]
    for path in ("lines/a.jsonl", "lines/b.jsonl.zst", "lines/c.jsonl.gz"):
        two_rows(path)
    assert rows_of("lines") == 6
    with pytest.raises(sy.SourceError, match=r"is JSON but .* is text: read files of one format"):
        rows_of(".")


def test_08_what_a_folder_skips_is_said(folder: Path) -> None:
    for path in ("log/a.parquet", "log/b.csv.bz2", "log/notes.txt"):
        two_rows(path)
    said = r"2 files are skipped.*: log/b.csv.bz2, log/notes.txt"
    for source in ("log", "lo*"):
        with pytest.warns(sy.SkippedWarning, match=said):
            assert rows_of(source) == 2
    done = run("eval", "log", "--label", "y", "--score", "s", "-m", "auc")
    assert done.exit_code == 0
    assert done.stderr.startswith("steelyard: 2 files are skipped, since no format that is read")
    assert "warn" not in done.stderr.lower()
    with pytest.raises(sy.SourceError, match=r"b.csv.bz2' cannot be read: its name ends in none"):
        rows_of("log/*")


def test_08_linked_folders_are_read_once(folder: Path) -> None:
    two_rows("elsewhere/b.parquet")
    two_rows("log/a.parquet")
    Path("log/linked").symlink_to("../elsewhere")
    Path("log/itself").symlink_to("../log")
    assert rows_of("log") == 4


@pytest.mark.parametrize(
    "source",
    [
        ["a.csv", "./a.csv"],
        ["a.csv", "a.csv"],
        ["*.csv", "a*"],
        ["a.csv", "."],
        ["a.csv", "l/a.csv"],
    ],
)
def test_08_a_file_that_is_given_twice_is_refused(source: list[str], folder: Path) -> None:
    """Its rows counted twice."""
    two_rows("a.csv")
    two_rows("b.csv")
    Path("l").symlink_to(".")
    with pytest.raises(sy.SourceError, match=r"'.*a.csv' is given twice, .* name it once\.$"):
        rows_of(source)
    assert rows_of(["a.csv", "b.csv"]) == 4


# ---- 9. Whole numbers stay whole ---------------------------------------------------------------

LARGE = 2**53  # the largest number up to which float64 holds every whole number


def large_ids() -> str:
    """Three users whose ids differ by one, of 64 bits in one file; another file has floats."""
    users = pyarrow.array([LARGE, LARGE + 1, LARGE + 2] * 2, pyarrow.int64())
    clicks = pyarrow.table(
        {"y": [1, 1, 1, 0, 0, 0], "s": [0.9, 0.5, 0.2, 0.8, 0.4, 0.1], "u": users}
    )
    pyarrow.parquet.write_table(clicks, "a.parquet")
    other = pyarrow.table({"y": [1, 0], "s": [0.6, 0.5], "u": pyarrow.array([7.0, 7.0])})
    pyarrow.parquet.write_table(other, "b.parquet")
    return "*.parquet"


def test_09_large_ids_stay_apart_where_another_file_has_floats(folder: Path) -> None:
    roles: dict[str, Any] = {"label": "y", "score": "s"}
    result = sy.evaluate(large_ids(), **roles, group="u", by="u", metrics=["gauc", "field_ece(u)"])
    assert (result["gauc"], result.row("gauc").details["groups_used"]) == (1.0, 4)
    slices = [row.slice["u"] for row in result.rows if row.metric == "gauc" and row.slice]
    assert slices == [7, LARGE, LARGE + 1, LARGE + 2]
    assert [type(key) for key in slices] == [int] * 4
    # Each user has one click of two rows; the scores add to 1.1, 1.7, 0.9 and 0.3.
    assert result["field_ece(u)"] == pytest.approx((0.1 + 0.7 + 0.1 + 0.7) / 8)
    with pytest.raises(sy.SourceError, match=r"u is BIGINT here and a float .* 9007199254740993"):
        sy.evaluate(large_ids(), label="y", score="u", metrics="auc")
    in_lists = {"y": [1, 0, 1], "s": [0.1, 0.2, 0.3], "u": [LARGE, LARGE + 1, 7.5]}
    assert len(sy.evaluate(in_lists, **roles, by="u", metrics="prevalence").rows) == 4


@pytest.mark.parametrize("type_", ["HUGEINT", "UHUGEINT", "DECIMAL(38,0)", "DECIMAL(38,2)"])
@pytest.mark.parametrize("large", [LARGE, 2**70])
def test_09_whole_scores_that_float64_does_not_hold(type_: str, large: int) -> None:
    rows = "SELECT * FROM (VALUES (0, {}::{}), (1, {}::{})) t(y, s)"
    with pytest.raises(sy.InputError, match=r"s has 1 value that float64 cannot hold .* row 1"):
        auc_of(rows.format(large, type_, large + 1, type_))
    assert auc_of(rows.format(large, type_, 2 * large, type_)) == 1


def test_09_whole_scores_in_text(folder: Path) -> None:
    path = folder / "t.csv"
    for large in (LARGE, 2**70):
        path.write_text(f"y,s\n0,{large}\n1,{large + 1}\n1,0.5\n", encoding="utf-8")
        with pytest.raises(sy.InputError, match=rf"s has 1 value that float64 .*\({large + 1}\)"):
            auc_of(path)
    path.write_text(f"y,s\n0,{LARGE}\n1,{2 * LARGE}\n1,1e300\n", encoding="utf-8")
    assert auc_of(path) == 1


def test_09_a_number_has_no_underscore(folder: Path) -> None:
    path = folder / "t.csv"
    path.write_text("y,s\n0,1_000\n1,2\n", encoding="utf-8")
    with pytest.raises(sy.InputError, match=r"not a number, the first at row 0 \('1_000'\)"):
        auc_of(path)
    with pytest.raises(sy.SourceError, match="VARCHAR"):
        auc_of(path, score="s + 0")


@pytest.mark.parametrize("end", ["{0}", "{0}{0}", '{0}""'])
@pytest.mark.parametrize(("name", "delimiter"), [("t.csv", ","), ("t.csv", ";"), ("t.tsv", "\t")])
def test_09_one_value_too_many_is_refused_even_if_it_is_empty(
    name: str, delimiter: str, end: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["y,s", f"1,0.9{end.format(',')}", "0,0.1"]
    text = "\n".join(lines).replace(",", delimiter)
    (folder / name).write_text(text, encoding="utf-8")
    message = "line 2 has 3 values where the header has 2 names"
    with pytest.raises(sy.SourceError, match=message):
        auc_of(name)
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(text.encode())))
    done = run("eval", "-", "--label", "y", "--score", "s", "-m", "auc")
    assert (done.exit_code, message in done.stderr) == (2, True)


def test_09_an_empty_value_is_missing_and_empty_text_is_a_value(folder: Path) -> None:
    (folder / "t.csv").write_text('y,s,c\n1,0.9,\n0,0.1,""\n0,0.5,x\n', encoding="utf-8")
    rows = sy.evaluate("t.csv", label="y", score="s", by="c", metrics="prevalence").rows
    assert [row.slice.get("c") for row in rows] == [None, "", "x", None]
    assert [row.n for row in rows] == [3, 1, 1, 1]


# ---- 10. Damaged files are refused -------------------------------------------------------------

ZSTD = "28b52ffd0458810000792c730a302c302e310a312c302e390a9f3e2d96"


def test_10_zstd_files_with_a_checksum(folder: Path) -> None:
    """The rows y,s / 0,0.1 / 1,0.9 as `zstd --check` writes them, and with another checksum."""
    good = bytes.fromhex(ZSTD)
    Path("t.csv.zst").write_bytes(good)
    assert rows_of("t.csv.zst") == 2
    Path("t.csv.zst").write_bytes(good[:-1] + bytes([good[-1] ^ 1]))
    with pytest.raises(sy.SourceError, match=r"'t.csv.zst' cannot be read"):
        rows_of("t.csv.zst")


def gzip_of_many_rows() -> bytes:
    rows = "".join(f"{place % 2},{place / 1000}\n" for place in range(1000))
    return gzip.compress(f"y,s\n{rows}".encode())


def test_10_a_damaged_gzip_file_is_refused(folder: Path) -> None:
    """A flipped bit in each byte of the data, of the checksum and of the length."""
    good = gzip_of_many_rows()
    Path("t.csv.gz").write_bytes(good)
    assert rows_of("t.csv.gz") == 1000
    for place in range(10, len(good), 37):
        damaged = bytearray(good)
        damaged[place] ^= 4
        Path("t.csv.gz").write_bytes(damaged)
        with pytest.raises(sy.SourceError, match=r"'t.csv.gz' cannot be read"):
            rows_of("t.csv.gz")
    for end in (-1, -8, -50):
        Path("t.csv.gz").write_bytes(good[:end])
        with pytest.raises(sy.SourceError, match=r"'t.csv.gz' cannot be read: it is cut short"):
            rows_of("t.csv.gz")


def test_10_a_damaged_gzip_file_among_others_and_on_stdin(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = gzip_of_many_rows()
    damaged = good[:-6] + bytes([good[-6] ^ 1]) + good[-5:]
    Path("a.csv.gz").write_bytes(good)
    Path("b.csv.gz").write_bytes(damaged)
    with pytest.raises(sy.SourceError, match=r"'b.csv.gz' cannot be read: it is damaged"):
        rows_of("*.csv.gz")
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(damaged)))
    done = run("eval", "-", "--label", "y", "--score", "s", "-m", "auc")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("steelyard: '-' cannot be read: ")


def test_10_gzip_files_in_one_are_all_checked(folder: Path) -> None:
    """`cat a.gz b.gz` is a gzip file."""
    head, rest = gzip.compress(b"y,s\n0,0.1\n1,0.9\n"), gzip.compress(b"0,0.2\n1,0.8\n")
    Path("t.csv.gz").write_bytes(head + rest)
    assert rows_of("t.csv.gz") == 4
    Path("t.csv.gz").write_bytes(head + rest[:-6] + bytes([rest[-6] ^ 1]) + rest[-5:])
    with pytest.raises(sy.SourceError, match=r"it is damaged"):
        rows_of("t.csv.gz")


# ---- 11. The oldest allowed dependencies -------------------------------------------------------


def test_11_masked_times_are_missing_in_sql_too() -> None:
    """With DuckDB 1.5 a masked time was a slice, so that 2.0 is the oldest release allowed."""
    times = numpy.array(["2024-02-29T12", "2024-03-01T12"], "M8[s]")
    columns = {"y": [0, 1], "s": [0.1, 0.9], "t": numpy.ma.masked_array(times, [False, True])}
    for where in (None, "s > 0"):
        result = sy.evaluate(
            columns, label="y", score="s", by="t", where=where, metrics="prevalence"
        )
        slices = [row.slice["t"] for row in result.rows if row.slice]
        assert slices == ["2024-02-29 12:00:00", None]


def test_11_the_oldest_releases_are_tested() -> None:
    """`make test-oldest` pins the lower bounds of pyproject.toml; test-all includes it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    pins = list(oldest(project["project"]["dependencies"]))
    names = ["numpy", "duckdb", "nanoarrow", "click", "jinja2"]
    assert [pin.partition("==")[0] for pin in pins] == names
    assert "duckdb==2" in pins
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    recipe = makefile.partition("\ntest-all:")[2].partition("\n\n")[0]
    assert "test-oldest" in recipe.partition("\n")[2]
