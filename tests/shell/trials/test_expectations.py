"""What people expect: lines 19 to 25 of the list."""

import inspect
import json
import random
import re
import warnings
from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pyarrow.parquet
import pytest
import sklearn.metrics

import steelyard
from steelyard import presets
from steelyard.metrics.catalogue import functions
from steelyard.report import text as text_table
from tests.parity.peers import boosted, lightgbm_says, xgboost_says
from tests.paths import ROOT
from tests.shell.run import CLICK, PCTR, ROLES, run
from tests.shell.trials.rows import RATES, SOLD

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should

NAN = float("nan")
Y, S = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]

# ---- 19. Tables that fit -----------------------------------------------------------------------


CLICKS: dict[str, Any] = {
    "y": [1, 0, 1, 0, 1, 0, 1, 1] * 4,
    "old": [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2] * 4,
    "new": [0.9, 0.2, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2] * 4,
    "user": [1, 1, 2, 2, 3, 3, 4, 4] * 4,  # user 4 never skips: 3 of 4 users have both classes
    "country": ["a country with a long name", "DE", "US", "FR"] * 8,
    "nothing": [0.0] * 32,
}
TWO_MODELS: dict[str, Any] = {"label": "y", "score": ["old", "new"], "group": "user"}


def at_80(result: Any) -> list[str]:
    """The blocks of text that a terminal of 80 characters shows: tables, their parts, notes."""
    return text_table.render(result.rows, result.conventions, width=80).split("\n\n")


def test_19_notes_name_their_score_where_scores_differ() -> None:
    result = sy.evaluate(CLICKS, **TWO_MODELS, metrics=["gauc", "ndcg", "hosmer_lemeshow"])
    notes = at_80(result)[-1].splitlines()
    assert "gauc: 3 of 4 groups, 24 of 32 rows" in notes  # once, for both
    own = [note for note in notes if note.startswith("hosmer_lemeshow")]
    assert [note.partition(":")[0] for note in own] == [
        "hosmer_lemeshow (old)",
        "hosmer_lemeshow (new)",
    ]


def test_19_two_scores_are_one_table_at_80_characters() -> None:
    table, notes = at_80(sy.evaluate(CLICKS, **TWO_MODELS))  # nine metrics and the groups
    head, _, rows, *_ = table.splitlines()
    assert head.split() == ["score", "old", "new"]
    assert rows.split() == ["rows", "32", "32"]
    assert "shown with" not in notes  # no digit is lost


def test_19_slices_with_groups_are_one_table_at_80_characters() -> None:
    metrics = ["auc", "gauc", "ndcg", "logloss"]
    total, slices, notes = at_80(sy.evaluate(CLICKS, **TWO_MODELS, metrics=metrics, by="country"))
    assert total.splitlines()[0].split()[-4:] == metrics
    assert max(map(len, [*total.splitlines(), *slices.splitlines()])) <= 80
    assert "shown with 5 decimals and without the groups of slices to fit; JSON has all" in notes


def test_19_parts_of_a_table_repeat_the_keys_and_none_has_one_column() -> None:
    blocks = at_80(sy.evaluate(CLICKS, **TWO_MODELS, by="country"))
    heads = [block.splitlines()[0].split() for block in blocks[:-1:2]]
    assert all(head[:2] == ["country", "score"] and len(head) > 3 for head in heads)
    assert [name for head in heads for name in head[2:]] == (
        [
            "rows",
            "positives",
            "auc",
            "ap",
            "ks",
            "best_f1",
            "accuracy",
            "precision",
            "recall",
            "f1",
            "gauc",
            "groups",
        ]
    )


def test_19_the_value_of_a_class_has_no_average() -> None:
    given: dict[str, Any] = {"label": list("aab"), "prediction": list("abb")}
    result = sy.evaluate(**given, metrics=["f1(micro)", "f1(weighted)"])
    assert result.classes().columns == ("class", "true", "predicted", "hits", "f1")
    assert result.classes("f1(micro)")["f1"] == [2 / 3, 2 / 3]


def test_19_a_small_p_value_is_not_shown_as_zero() -> None:
    y, sure = [0] * 4000, [0.9] * 4000  # a chi-square of 36,000: p is below 1e-7000
    shown = str(sy.evaluate(label=y, score=sure, metrics=["hosmer_lemeshow", "spiegelhalter"]))
    assert shown.count("p < 1e-323") == 2
    assert "0.000000" not in shown


def test_19_weights_of_zero_are_named_as_the_reason() -> None:
    metrics = ["auc", "ap", "copc", "precision", "recall", "mcc"]
    zero: dict[str, Any] = {"label": "y", "score": "old", "weight": "nothing", "metrics": metrics}
    result = sy.evaluate(CLICKS, **zero, by="country")
    assert {row.why for row in result} == {"there are no rows with a weight above 0"}
    none = sy.evaluate(CLICKS, **zero, where="y = 5")  # the same words, true of no rows too
    assert {row.why for row in none} == {"there are no rows with a weight above 0"}
    with pytest.warns(sy.UndefinedWarning, match="there are no rows with a weight above 0"):
        sy.precision([0, 1], [0.1, 0.2], sample_weight=[0, 0])
    with pytest.warns(sy.UndefinedWarning, match="there are no rows with a weight above 0"):
        sy.auc([0, 1], [0.1, 0.2], sample_weight=[0, 0])
    with pytest.warns(sy.UndefinedWarning, match="there are no rows"):
        sy.auc([], [])


def shops(result: Any) -> str:
    return "".join(row.slice.get("shop", "*") for row in result)


def test_19_slices_are_sorted_cut_and_filtered_and_the_total_stays() -> None:
    result = sy.evaluate(SOLD, **RATES)
    assert shops(result.select(sort="prevalence")) == "*bcad"
    assert shops(result.select(sort="prevalence asc", top=2)) == "*da"
    assert shops(result.select(sort="rows", min_rows=2)) == "*abc"
    assert result.select(top=1)["prevalence"] == result["prevalence"] == 4 / 9
    assert "2 of 4 slices are shown (sorted by rows, the first 2)" in str(
        result.select(sort="rows", top=2)
    )
    assert result.select(min_rows=2).select(top=1).conventions.selection == {
        "sort": "rows",
        "top": 1,
        "min_rows": 2,
        "slices": 4,
        "slices_shown": 1,
    }
    with pytest.raises(sy.InputError, match="there are no slices to select from"):
        sy.evaluate(SOLD, **RATES | {"by": None}).select(top=1)


def test_19_slices_without_a_value_are_last_and_scores_stay_together() -> None:
    both = RATES | {"score": ["p", "1 - p"], "metrics": ["prevalence", "recall"]}
    result = sy.evaluate(SOLD, **both).select(sort="recall asc", top=3)
    assert shops(result) == "**aabbcc" * 2  # equal values keep their order; d has none


def test_19_a_result_that_was_read_selects_the_same_slices() -> None:
    result = sy.evaluate(SOLD, **RATES)
    read = sy.Result.from_json(result.to_json())
    assert read.select(sort="prevalence", top=3) == result.select(sort="prevalence", top=3)
    chosen = result.select(min_rows=2)
    assert sy.Result.from_json(chosen.to_json()) == chosen


def test_19_the_command_line_selects_in_every_format(tmp_path: Path) -> None:
    path = str(tmp_path / "sold.csv")
    pandas.DataFrame(SOLD).to_csv(path, index=False)
    words = ["eval", path, "--label", "y", "--score", "p", "--by", "shop", "-m", "auc"]
    words += ["--sort", "prevalence asc", "--top", "1", "--min-rows", "2"]
    for form in ("table", "markdown", "json", "csv", "jsonl"):
        done = run(*words, "--format", form)
        data = json.loads(done.stdout)["conventions"]["selection"] if form == "json" else {}
        counted = (data.get("slices_shown"), data.get("slices")) == (1, 4)
        assert counted or "1 of 4 slices are shown" in done.stdout + done.stderr
        assert "prevalence" in done.stdout  # what slices are sorted by is in the table


HOURS: dict[str, Any] = {
    "y": [1, 0, 1, 0, 1, 0],
    "p": [0.9, 0.1, 0.8, 0.2, 0.3, 0.7],  # the last pair is in the wrong order
    "hour": [1, 2, 9, 10, 22, 23],
    "country": ["DE", "DE", "DE", "DE", "US", "US"],
}
HOURLY: dict[str, Any] = {"label": "y", "score": "p", "metrics": "auc"}


def test_19_a_slice_by_an_expression_has_a_name() -> None:
    result = sy.evaluate(HOURS, **HOURLY, by={"part": "hour // 8"})
    assert [result.value("auc", part=part) for part in (0, 1, 2)] == [1.0, 1.0, 0.0]
    assert result.conventions.by == (("part",),)
    assert "by part=hour // 8" in str(result)
    crossed = [("country", {"part": "hour // 8"}), {"late": "hour > 20"}, "country"]
    both = sy.evaluate(HOURS, **HOURLY, by=crossed, where="hour > 2")
    assert both.conventions.by == (("country", "part"), ("late",), ("country",))
    assert both.value("auc", country="US", part=2) == both.value("auc", late=True) == 0.0
    with pytest.raises(sy.InputError, match="two slicings are called 'country'"):
        sy.evaluate(HOURS, **HOURLY, by=["country", {"country": "upper(country)"}])


def test_19_names_of_slices_are_what_states_merge_by() -> None:
    other = {"when" if name == "hour" else name: values for name, values in HOURS.items()}
    left = sy.state(HOURS, **HOURLY, by={"part": "hour // 8"})
    right = sy.state(other, **HOURLY, by={"part": '"when" // 8'})
    merged = sy.merge(left, right).result()
    assert [row.n for row in merged] == [12, 4, 4, 4]
    assert sy.State.loads(left.dumps()).result() == left.result()


def test_19_names_of_slices_on_the_command_line(tmp_path: Path) -> None:
    path = str(tmp_path / "log.csv")
    pandas.DataFrame(HOURS).to_csv(path, index=False)
    words = ["eval", path, "--label", "y", "--score", "p", "-m", "auc", "--format", "json"]
    done = run(*words, "--by", "country,part=hour // 8", "--by", "country='DE'")
    by = json.loads(done.stdout)["conventions"]["by"]
    assert by == [["country", "part"], ["country='DE'"]]  # after a column's name, = compares


@pytest.mark.parametrize("ending", ["csv", "parquet", "jsonl"])
def test_19_a_slice_per_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    """Columns of the names that we use, and files of other types, change nothing."""
    monkeypatch.chdir(tmp_path)
    Path("logs").mkdir()
    rows = HOURS | {"filename": ["x"] * 6, "sy_file": ["y"] * 6, "file": ["z"] * 6}
    write = {"csv": "to_csv", "parquet": "to_parquet", "jsonl": "to_json"}[ending]
    how: dict[str, Any] = {"orient": "records", "lines": True} if ending == "jsonl" else {}
    names = [f"logs/{day}.{ending}" for day in ("mon", "tue", "[w]ed")]
    for name, stop in zip(names, (4, 6, 6), strict=True):
        frame = pandas.DataFrame(rows)[:stop]
        frame = frame.astype({"y": float}) if stop == 4 else frame  # so that types differ
        getattr(frame, write)(name, **how)
    for source in (names, "logs", f"logs/*.{ending}"):
        result = sy.evaluate(source, **HOURLY, by="filename", by_file=True)
        values = [result.value("auc", file=name) for name in names]
        assert values == [1.0, 8 / 9, 8 / 9]
        assert result.conventions.by == (("filename",), ("file",))
        assert result.value("auc", filename="x") == result["auc"]
    one = sy.evaluate(names[0], **HOURLY, by_file=True)
    assert one.value("auc", file=names[0]) == one["auc"]
    assert (
        run("eval", *names, *["--label", "y", "--score", "p", "-m", "auc", "--by-file"]).exit_code
        == 0
    )


def test_19_a_damaged_file_is_named_where_files_are_slices(folder: Path) -> None:
    Path("a.csv").write_text("y,s\n0,0.1\n1,0.2\n")
    Path("b.csv").write_text("y,s\n0,0.1\n1,0.2,3\n")
    with pytest.raises(sy.SourceError, match=r"b\.csv"):
        sy.evaluate(["a.csv", "b.csv"], label="y", score="s", metrics="auc", by_file=True)


def test_19_what_has_no_files_has_no_slice_per_file(tmp_path: Path) -> None:
    path = str(tmp_path / "log.csv")
    pandas.DataFrame(HOURS).to_csv(path, index=False)
    sources: list[dict[str, Any]] = [
        {"source": HOURS},
        {"source": HOURS | {"file": HOURS["country"]}},
        {"source": polars.DataFrame(HOURS)},
        {"source": pandas.DataFrame(HOURS)},
        {"source": path, "sql": "SELECT * FROM source"},
    ]
    for source in sources:
        with pytest.raises(sy.InputError, match="there are no files to slice by"):
            sy.evaluate(**source, **HOURLY, by_file=True)
    with pytest.raises(sy.InputError, match="two slicings are called 'file'"):
        sy.evaluate(path, **HOURLY, by="file", by_file=True)


# ---- 20. Shapes: confusion tables, curves, thresholds ------------------------------------------

FOUR, FOUR_SCORES = [0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]
ANIMALS, NAMED = ["cat", "cat", "dog", "dog", "fox"], ["cat", "dog", "dog", "dog", "cat"]


def test_20_roc_and_pr_unpack_as_scikit_learn_does() -> None:
    fpr, tpr, thresholds = sy.roc(FOUR, FOUR_SCORES)
    assert (fpr.tolist(), tpr.tolist()) == ([0, 0, 0.5, 0.5, 1], [0, 0.5, 0.5, 1, 1])
    assert thresholds.tolist() == [float("inf"), 0.8, 0.4, 0.35, 0.1]
    assert sy.roc(FOUR, FOUR_SCORES).area_error == 0
    assert (
        sy.roc(FOUR, FOUR_SCORES, points=2).area_error >= 1
    )  # that of the box around the whole curve
    precision, recall, thresholds = sy.pr(FOUR, FOUR_SCORES)
    theirs = sklearn.metrics.precision_recall_curve(FOUR, FOUR_SCORES, drop_intermediate=True)
    assert [precision.tolist(), recall.tolist(), thresholds.tolist()] == [
        column.tolist() for column in theirs
    ]


def test_20_a_matrix_gives_one_curve_a_class() -> None:
    matrix = [[0.9, 0.1, 0.0], [0.2, 0.7, 0.1], [0.3, 0.6, 0.1], [0.1, 0.2, 0.7]]
    curves = sy.roc(["a", "b", "a", "c"], matrix)
    assert list(curves) == ["a", "b", "c"]
    fpr, tpr, thresholds = curves["b"]  # 0.7 is b; 0.6, 0.2 and 0.1 are not
    assert (fpr.tolist(), tpr.tolist()) == ([0, 0, 1], [0, 1, 1])
    assert thresholds.tolist() == [float("inf"), 0.7, 0.1]
    assert sy.pr(["a", "b", "a", "c"], matrix)["b"].precision.tolist() == [0.25, 1, 1]
    for curves_of in (sy.roc, sy.pr):
        with pytest.warns(sy.UndefinedWarning, match="there are no rows"):
            assert curves_of([], numpy.zeros((0, 3)), labels=[0, 1, 2]) == {}
    given = {"label": [], "score": numpy.zeros((0, 3)), "classes": [0, 1, 2], "metrics": ["roc"]}
    nothing = sy.evaluate(**given)
    assert [(row.shape, row.why) for row in nothing.shapes] == [(None, "there are no rows")]
    assert nothing.curve("roc") == {}


def test_20_shares_of_a_confusion_table() -> None:
    table = sy.confusion(ANIMALS, y_pred=NAMED, normalize="true")
    assert table.labels == ("cat", "dog", "fox")
    assert table.matrix.tolist() == [[0.5, 0.5, 0], [0, 1, 0], [1, 0, 0]]
    called = sy.confusion(ANIMALS, y_pred=NAMED, normalize="pred").matrix
    assert called[:, 0].tolist() == [0.5, 0, 0.5]
    assert pandas.isna(called[:, 2]).all()  # nothing is called a fox: 0/0 is not 0
    assert sy.confusion(FOUR, FOUR_SCORES, threshold=0.3, normalize="all") == (0.5, 0.25, 0, 0.25)


def test_20_cells_of_one_class_against_the_rest() -> None:
    cells = sy.one_vs_rest(ANIMALS, y_pred=NAMED)
    assert [column.tolist() for column in cells[1:]] == [[1, 2, 0], [1, 1, 0], [1, 0, 1], [2, 2, 4]]
    theirs = sklearn.metrics.multilabel_confusion_matrix(ANIMALS, NAMED)
    assert cells.matrices.tolist() == theirs.tolist()


def test_20_the_report_of_classes_is_scikit_learns() -> None:
    ours = sy.class_report(ANIMALS, y_pred=NAMED, zero_division=0)
    theirs = sklearn.metrics.classification_report(
        ANIMALS, NAMED, output_dict=True, zero_division=0
    )
    lines = zip(ours.labels, ours.precision, ours.recall, ours.f1, ours.support, strict=True)
    for label, *numbers in lines:
        assert numbers == pytest.approx(list(theirs[label].values()), rel=1e-15)
    assert ours.accuracy == theirs["accuracy"]
    for mean, name in ((ours.macro, "macro avg"), (ours.weighted, "weighted avg")):
        assert list(mean) == pytest.approx(list(theirs[name].values())[:3], rel=1e-15)


def test_20_a_report_of_chosen_classes() -> None:
    report = sy.class_report(ANIMALS, y_pred=NAMED, labels=["dog", "cat"])
    theirs = sklearn.metrics.classification_report(
        ANIMALS, NAMED, labels=["dog", "cat"], output_dict=True
    )
    assert report.labels == ("dog", "cat")
    assert list(report.macro) == pytest.approx(list(theirs["macro avg"].values())[:3], rel=1e-15)
    assert report.accuracy == 0.6  # of all five rows
    cells = sy.one_vs_rest(ANIMALS, y_pred=NAMED, labels=["dog", "cat"])
    theirs = sklearn.metrics.multilabel_confusion_matrix(ANIMALS, NAMED, labels=["dog", "cat"])
    assert cells.matrices.tolist() == theirs.tolist()


def test_20_the_table_of_thresholds() -> None:
    table = sy.thresholds(FOUR, FOUR_SCORES)
    assert table.thresholds.tolist() == [0.8, 0.4, 0.35, 0.1]
    assert list(zip(*(column.tolist() for column in table[1:5]), strict=True)) == [
        (1, 0, 1, 2), (1, 1, 1, 1), (2, 1, 0, 1), (2, 2, 0, 0),
    ]  # fmt: skip
    assert table.precision.tolist() == [1, 0.5, 2 / 3, 0.5]
    assert table.specificity.tolist() == [1, 0.5, 0.5, 0]


def test_20_the_threshold_beside_a_value() -> None:
    points = {
        "best_f1": 0.35,
        "ks": 0.8,
        "precision_at_recall(0.9)": 0.35,
        "recall_at_precision(0.9)": 0.8,
        "tpr_at_fpr(0)": 0.8,
        "fpr_at_tpr(0.9)": 0.35,
    }
    result = sy.evaluate(label=FOUR, score=FOUR_SCORES, metrics=list(points))
    assert {row.metric: row.details["threshold"] for row in result} == points
    assert str(result).count("at threshold 0.8") == 3
    for nothing in sy.evaluate(label=[0, 1], score=[0.9, 0.1], metrics=["tpr_at_fpr(0)", "ks"]):
        assert (nothing.value, nothing.details) == (0, {"threshold": float("inf")})
    assert sy.best_threshold([0, 1], [0.9, 0.1]) == float("inf")


def test_20_the_threshold_of_least_cost() -> None:
    """At 0.8 one positive is missed, at 0.35 one call is wrong, above all scores two are missed."""
    costs = "best_threshold(cost, fp=2, fn=3)", "best_threshold(cost, fp=9)"
    result = sy.evaluate(label=FOUR, score=FOUR_SCORES, metrics=list(costs))
    assert [(row.value, row.details) for row in result] == [
        (0.35, {"cost": 2.0}), (0.8, {"cost": 1.0})
    ]  # fmt: skip
    assert sy.best_threshold([1, 0], [0.1, 0.9], criterion="cost", fp=5, fn=1) == float("inf")
    assert sy.best_threshold([0, 0], [0.1, 0.9], criterion="cost") == float("inf")
    assert sy.best_threshold([1, 1], [0.1, 0.9], criterion="cost") == 0.1
    with pytest.raises(sy.SpecError, match="has no costs"):
        sy.best_threshold(FOUR, FOUR_SCORES, criterion="f1", fp=2)


TWO_SCORES = "y,old,new,c\n0,0.1,0.2,DE\n0,0.4,0.3,US\n1,0.35,0.9,DE\n1,0.8,0.7,US\n"


def test_20_shapes_on_the_command_line_by_slice_and_score(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text(TWO_SCORES)
    words = ("eval", str(log), "-q", "--label", "y", "--score", "old", "--score", "new")
    done = run(*words, "--by", "c", "-m", "auc,confusion")
    assert done.stdout.count("auc") == 1
    assert "\nconfusion\nc      score  tp  fp  fn  tn\n" in done.stdout
    assert "\ntotal  old     1   0   1   2\n" in done.stdout
    assert "\nDE     new     1   0   0   1\n" in done.stdout
    for shape, line in {
        "roc": "roc,old,c,DE,0.35,0.0,1.0",
        "pr": "pr,old,c,DE,0.1,0.5,1.0",
        "thresholds": "thresholds,old,c,DE,0.35,1,0,0,1,1.0,1.0,1.0,0.0,1.0",
        "class_report": "class_report,old,c,DE,negative,,0.5,1.0,0.6666666666666666,1",
    }.items():
        printed = run(*words, "--by", "c", "-m", shape, "--format", "csv").stdout
        assert line in printed.split("\n"), printed
        data = json.loads(run(*words, "--by", "c", "-m", shape, "--format", "json").stdout)
        assert [entry["metric"] for entry in data["shapes"]] == [shape] * 6
        assert shape in run(*words, "-m", shape, "--format", "markdown").stdout


def test_20_many_classes_on_the_command_line(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("y,p\n" + "".join(f"{y},{p}\n" for y, p in zip(ANIMALS, NAMED, strict=True)))
    words = ("eval", str(log), "-q", "--label", "y", "--prediction", "p")
    table = run(*words, "-m", "confusion").stdout.split("\n")
    assert [line.split() for line in table[1:6] if "─" not in line] == [
        ["true", "cat", "dog", "fox"],
        ["cat", "1", "1", "0"],
        ["dog", "0", "2", "0"],
        ["fox", "1", "0", "0"],
    ]
    report = run(*words, "-m", "class_report(zero_division=0)").stdout
    theirs = sklearn.metrics.classification_report(
        ANIMALS, NAMED, zero_division=0, output_dict=True
    )
    for line in (*sorted(set(ANIMALS)), "macro avg", "weighted avg"):
        numbers = [f"{number:.6f}" for number in list(theirs[line].values())[:3]]
        assert "  ".join(numbers) in report, line
    cells = run(*words, "-m", "one_vs_rest", "--format", "csv").stdout
    assert 'one_vs_rest,p,"",dog,2,1,0,2' in cells


def test_20_csv_of_two_tables_is_refused_before_the_rows_are_read(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("y,s\n0,0.1\n2,0.9\n")  # a label that would be refused
    words = ("eval", str(log), "--label", "y", "--score", "s", "--format", "csv")
    done = run(*words, "-m", "auc,roc")
    assert (done.exit_code, "CSV holds one" in done.stderr) == (2, True)


def test_20_shapes_merge_and_come_back_from_json() -> None:
    shapes = ["roc", "pr", "thresholds", "confusion", "class_report", "calibration_curve"]
    rows: dict[str, Any] = {
        "y": [0, 0, 1, 1] * 3,
        "s": [0.1, 0.4, 0.35, 0.8, 0.2, 0.3, 0.7, 0.6] + [0.5] * 4,
    }
    rows |= {"c": list("xyxyxyxyxyxy"), "w": [0.5, 1, 2, 3] * 3}
    roles = {"label": "y", "score": "s", "weight": "w", "by": "c", "metrics": shapes}
    whole = sy.evaluate(rows, **roles)
    parts = [{name: column[i::3] for name, column in rows.items()} for i in range(3)]
    merged = sy.merge(*(sy.state(part, **roles) for part in parts)).result()
    assert len(whole.shapes) == 3 * len(shapes)
    assert merged.shapes == whole.shapes
    again = sy.Result.from_json(whole.to_json())
    assert again == whole
    assert again.curve("roc", c="x").fpr.tolist() == whole.curve("roc", c="x").fpr.tolist()
    assert whole.confusion(c="y") == sy.confusion(
        rows["y"][1::2], rows["s"][1::2], sample_weight=rows["w"][1::2]
    )


def test_20_a_thinned_curve_says_how_much_the_area_may_change() -> None:
    y, s = [0, 1, 1, 0, 1] * 400, [(i * 617) % 2003 for i in range(2000)]
    result = sy.evaluate(label=y, score=s, metrics=["auc", "roc(50)"])
    curve = result.curve("roc(50)")
    assert len(curve.thresholds) <= 50
    area = sklearn.metrics.auc(curve.fpr, curve.tpr)
    assert abs(area - result["auc"]) <= curve.area_error <= 0.05
    assert f"the points kept change the area by at most {curve.area_error:.2g}" in str(result)
    for threshold, x in zip(curve.thresholds, curve.fpr, strict=True):
        assert sy.fpr(y, [float(one) for one in s], threshold=min(threshold, 1e9)) == x


def test_20_a_shape_without_a_value_has_a_reason() -> None:
    result = sy.evaluate(
        {"y": [0, 1, 1], "s": [0.1, 0.9, 0.5], "c": list("abb")},
        label="y",
        score="s",
        by="c",
        metrics=["roc"],
    )
    assert [row.why for row in result.shapes] == [
        *(None, "there are no positives", "there are no negatives"),
    ]
    assert pandas.isna(result.curve("roc", c="a").fpr).all()
    assert "– there are no positives (roc): c=a" in str(result)


def test_20_shares_of_no_rows_are_nan() -> None:
    for normalize in ("true", "pred", "all"):
        found = sy.confusion(["a"], y_pred=["b"], labels=["c"], normalize=normalize)
        assert isnan(found.matrix.item()), normalize


RISING: dict[str, Any] = {"y": [0, 0, 1, 0, 1, 1, 0, 1] * 50, "s": [i / 400 for i in range(400)]}


def shapes_at_80(metric: str, **roles: Any) -> list[str]:
    result = sy.evaluate(RISING, **{"label": "y", "score": "s", **roles}, metrics=metric)
    return text_table.render((), result.conventions, result.shapes, width=80).split("\n\n")


def test_20_parts_of_a_threshold_table_repeat_the_threshold() -> None:
    first, second, _ = shapes_at_80("thresholds", score="s / 3")
    columns = [[line.split()[0] for line in part.splitlines()[3:]] for part in (first, second)]
    assert columns[0] == columns[1]
    assert second.splitlines()[1].split()[0] == "threshold"


def test_20_a_table_says_which_points_of_a_curve_it_has() -> None:
    *_, notes = shapes_at_80("roc(100)")
    kept = len(sy.roc(RISING["y"], RISING["s"], points=100).fpr)
    assert kept < len(sy.roc(RISING["y"], RISING["s"]).fpr)
    assert f"20 of the {kept} points kept are shown; CSV and JSON have the {kept}\n" in notes
    assert "; roc(points=N) keeps more" in notes.replace("\n ", "")
    assert "points are shown; CSV and JSON have all\n" in shapes_at_80("roc(1000)")[-1]
    listed = run("list", "roc").stdout
    assert "roc(points=200)" in listed  # what a table keeps


def test_20_numbers_of_one_table_have_the_same_decimals() -> None:
    table, _ = shapes_at_80("calibration_curve(bins=2)")
    assert [line.split() for line in table.splitlines()[3:]] == [
        ["0.248750", "0.500000", "200"],  # the mean of 0/400 to 199/400
        ["0.748750", "0.500000", "200"],
    ]
    assert table.splitlines()[1].startswith("predicted")
    assert table.splitlines()[3].startswith(" 0.2")  # on the right
    table, _ = shapes_at_80("confusion", weight="if(s < 0.0025, 1.5, 1)")
    assert table.splitlines()[-1].split() == ["100.00", "100.00", "100.00", "100.50"]


def test_20_a_class_that_is_called_true_is_no_key() -> None:
    given: dict[str, Any] = {"label": ["true", "a", "true"], "prediction": ["true"] * 3}
    table = str(sy.evaluate(**given, metrics="confusion")).split("\n\n")[0]
    assert table.splitlines()[1:] == [
        "true  a  true",
        "─────────────",
        "a     0     1",
        "true  0     2",
    ]


# ---- 21. Names of metrics ----------------------------------------------------------------------


@pytest.mark.parametrize("name", ["AUC", "Roc_Auc", "ROC-AUC", "ROC 曲线下面积", "roc_auc_score"])
def test_21_a_name_in_any_case_in_chinese_or_of_scikit_learn(name: str) -> None:
    assert sy.explain(name).pages == sy.explain("auc").pages
    assert sy.evaluate(label=Y, score=S, metrics=name)["auc"] == 0.75
    listed = run("list", name).stdout
    assert "AUC: the probability" in listed


def test_21_explain_recall_in_chinese() -> None:
    assert run("explain", "召回率").stdout == run("explain", "recall").stdout
    assert run("explain", "查全率").stdout == run("explain", "Recall").stdout


def test_21_names_on_the_command_line(log: str) -> None:
    done = run("eval", log, *ROLES, "-m", "AUC,召回率(0.3)", "--fail-under", "AUC=0.7")
    assert [line.split() for line in done.stdout.splitlines()[2:4]] == [
        ["auc", "0.750000"],
        ["recall(0.3)", "1.000000"],
    ]


def test_21_scikit_learns_names_are_functions() -> None:
    """Every name and its numbers are in tests/parity/test_scikit_learn_names.py."""
    assert sy.roc_auc_score(Y, S) == sy.roc_auc(Y, S) == 0.75
    assert sy.brier_score_loss([0, 1], [0.5, 0.5]) == 0.25


@pytest.mark.parametrize(
    ("name", "suggested"),
    [
        ("f2", "did you mean fbeta(2)."),
        ("recall10", "did you mean recall@10."),
        ("aucc", "did you mean auc, uauc or gauc."),
        ("zzzz", "steelyard list shows every metric."),
    ],
)
def test_21_an_unknown_metric_gets_the_nearest_few(name: str, suggested: str) -> None:
    with pytest.raises(sy.SpecError, match=re.escape(f"there is no metric {name!r}: {suggested}")):
        sy.evaluate(label=Y, score=S, metrics=name)


def test_21_several_metrics_in_one_text() -> None:
    result = sy.evaluate(label=Y, score=S, metrics="auc, ks, fbeta(2, threshold=0.3)")
    assert [row.metric for row in result] == ["auc", "ks", "fbeta(2, threshold=0.3)"]
    result = sy.evaluate(label=Y, score=S, metrics=["auc,ks", "ap"])
    assert [row.metric for row in result] == ["auc", "ks", "ap"]


def test_21_a_gate_is_of_one_metric(log: str) -> None:
    assert "cannot read the gate" in run("eval", log, *ROLES, "--fail-under", "auc,ks=0.5").stderr


def test_21_columns_of_usual_names_in_python(log: str) -> None:
    """The log has a column w: of the weights 1, 2 | 3, 4 of pairs, 3 · 2 of 21 is out of order."""
    for source, auc in ((log, 15 / 21), ({"click": CLICK, "pctr": PCTR}, 0.75)):
        result = sy.evaluate(source, metrics="auc")
        assert result["auc"] == auc
        assert "using click as label, pctr as score" in str(result)
        assert result.conventions.roles["recognised"].startswith("click as label, pctr as score")
    with pytest.raises(sy.InputError, match=r"as the label: name one with label=\.\.\.; the col"):
        sy.evaluate({"when": [1], "pctr": [0.5]})
    with pytest.raises(TypeError, match="missing 1 required keyword-only argument: 'label'"):
        sy.evaluate(score=PCTR)


def test_21_columns_that_are_named_are_not_recognised() -> None:
    """AUC 3/4 without weights; the column called weight is not read."""
    source = {"click": CLICK, "pctr": PCTR, "weight": [9, 1, 1, 1]}
    result = sy.evaluate(source, label="click", score="pctr", metrics="auc")
    assert result["auc"] == 0.75
    assert "using" not in str(result)


# ---- 22. Input that people have ----------------------------------------------------------------


def test_22_labels_choose_the_classes_to_average_over() -> None:
    """a: 1 of 2 found, 2 called; b: 2 found, 3 called; c: 1 of 2 found, 1 called."""
    y, p = list("aabbcc"), list("abbbca")
    assert sy.recall(y, p, labels=["c", "a"], average="macro") == 1 / 2
    assert sy.precision(y, p, labels=["c", "a"], average=None).tolist() == [1.0, 1 / 2]
    assert sy.precision(y, p, labels=["c", "a"], average="micro") == 2 / 3  # 2 hits of 3 calls
    assert sy.confusion(y, p, labels=["c", "a"]).matrix.tolist() == [[1, 1], [0, 1]]
    with pytest.raises(sy.InputError, match="no meaning for accuracy"):
        sy.accuracy(y, p, labels=["c", "a"])
    asked = {"label": "y", "prediction": "p", "classes": ["c", "a"]}
    state = sy.state({"y": y, "p": p}, **asked, metrics=["precision(micro)", "recall(macro)"])
    result = sy.State.loads(sy.merge(state, state).dumps()).result()
    assert (result["precision(micro)"], result["recall(macro)"]) == (2 / 3, 1 / 2)
    assert result.classes()["class"] == ["c", "a"]


def test_22_labels_on_the_command_line(tmp_path: Path) -> None:
    csv = tmp_path / "rows.csv"
    csv.write_text("y,p\n1,1\n1,2\n2,2\n2,2\n3,3\n3,1\n")
    roles = ("--label", "y", "--prediction", "p", "--classes", "3,1")
    assert "0.666667" in run("eval", str(csv), *roles, "-m", "precision(micro)").stdout


def test_22_the_brier_score_of_many_classes() -> None:
    """¼ + ¹⁄₁₆ + ¹⁄₁₆ and ¼ + ⁹⁄₁₆ + ¹⁄₁₆, then 0 twice: 5/16 on average."""
    rows = [[0.5, 0.25, 0.25], [0.5, 0.25, 0.25], [1.0, 0.0, 0.0]]
    assert sy.brier(list("aba"), rows, labels=list("abc"), sample_weight=[1, 1, 2]) == 5 / 16
    scores: dict[str, list[Any]] = {c: [row[i] for row in rows] for i, c in enumerate("abc")}
    table: dict[str, list[Any]] = {"y": list("aba"), "k": [1, 1, 2], **scores}
    asked = {"label": "y", "score": list("abc"), "classes": list("abc"), "metrics": "brier"}
    parts = [{name: column[a:b] for name, column in table.items()} for a, b in ((0, 1), (1, 3))]
    merged = sy.merge(*(sy.state(part, by="k", **asked) for part in parts)).result()
    assert merged["brier"] == sy.evaluate(table, **asked)["brier"] == (3 / 8 + 7 / 8) / 3
    assert (merged.value("brier", k=1), merged.value("brier", k=2)) == (5 / 8, 0.0)


def test_22_qrels_and_runs_as_dictionaries() -> None:
    """AP of q1: the relevant b is second of three, d is not retrieved: (1/2) / 2; q2 is perfect.

    q3 was not judged, q4 not retrieved.
    """
    qrels = {"q1": {"a": 0, "b": 1, "d": 1}, "q2": {"x": 1}, "q4": {"y": 1}}
    run = {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 0.5}, "q3": {"z": 1.0}}
    rows = sy.from_qrels(qrels, run)
    assert sy.evaluate(**rows, metrics="map")["map"] == (0.25 + 1) / 2
    complete = sy.from_qrels(qrels, run, complete=True)
    assert sy.evaluate(**complete, metrics="map")["map"] == (0.25 + 1) / 3


def test_22_qrels_and_runs_agree_with_pytrec_eval() -> None:
    import pytrec_eval

    rng = random.Random(22)
    qrels = {f"q{i}": {f"d{j}": rng.randrange(3) for j in range(30)} for i in range(9)}
    run = {
        q: {d: rng.random() for d in [*docs, "new"] if rng.random() < 0.7}
        for q, docs in qrels.items()
    }
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "ndcg_cut_10"}).evaluate(run)
    ours = sy.evaluate(**sy.from_qrels(qrels, run), preset="trec_eval", metrics="map,ndcg@10")
    for metric, name in (("map", "map"), ("ndcg@10", "ndcg_cut_10")):
        mean = sum(query[name] for query in theirs.values()) / len(theirs)
        assert ours[metric] == pytest.approx(mean, rel=1e-12)


def test_22_trec_files_as_arguments_of_evaluate(tmp_path: Path) -> None:
    """The relevant document is second of two."""
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("1 0 a 0\n1 0 b 1\n")
    run.write_text("1 Q0 a 1 2.0 t\n1 Q0 b 2 1.0 t\n")
    assert sy.evaluate(**sy.read_trec(qrels, run), metrics="mrr")["mrr"] == 0.5
    with pytest.raises(sy.InputError, match=r"sy.read_trec\(...\) reads TREC files"):
        sy.from_qrels(qrels, run)


def test_22_several_runs_beside_each_other() -> None:
    """Recall at 2 of three relevant: bm25 finds a alone, bert a and d; each has an unjudged one."""
    qrels = {"q1": {"a": 1, "b": 0, "d": 1, "e": 2}}
    runs = {"bm25": {"q1": {"b": 3, "a": 2, "x": 1}}, "bert": {"q1": {"a": 9, "d": 8, "y": 7}}}
    result = sy.evaluate(**sy.from_qrels(qrels, runs), metrics="recall@2")
    assert result.value("recall@2", score="bm25") == 1 / 3
    assert result.value("recall@2", score="bert") == 2 / 3


@pytest.mark.parametrize("complete", [False, True])
@pytest.mark.parametrize("preset", [None, "trec_eval"])
def test_22_each_run_has_the_numbers_that_it_has_alone(
    tmp_path: Path, preset: str | None, complete: bool
) -> None:
    """As dictionaries and as files; scores are tied often, and 3 of 12 documents are not judged."""
    rng = random.Random(7)
    documents = [f"d{i}" for i in range(12)]
    qrels = {f"q{i}": {d: rng.randrange(-1, 3) for d in documents[:9]} for i in range(6)}
    queries = list(qrels)[: 4 if complete else 6]
    runs = {
        name: {q: {d: rng.randrange(5) for d in rng.sample(documents, 7)} for q in queries[skip:]}
        for name, skip in (("one", 0), ("two", 1 if complete else 0), ("three", 0))
    }
    paths = {name: tmp_path / name for name in ("qrels", *runs)}
    for name, content in {"qrels": qrels, **runs}.items():
        layout = "{} 0 {} {}\n" if name == "qrels" else "{} Q0 {} 0 {} t\n"
        lines = [
            layout.format(q, d, number) for q, each in content.items() for d, number in each.items()
        ]
        paths[name].write_text("".join(lines))
    asked = {"metrics": "map,ndcg@5,precision@5,mrr,err(max_grade=2),rbp(0.8)", "preset": preset}
    judged = paths.pop("qrels")
    for together, alone in (
        (
            sy.from_qrels(qrels, runs, complete),
            [sy.from_qrels(qrels, runs[n], complete) for n in runs],
        ),
        (
            sy.read_trec(judged, paths, complete),
            [sy.read_trec(judged, paths[n], complete) for n in runs],
        ),
    ):
        result = sy.evaluate(**together, **asked)
        for name, rows in zip(runs, alone, strict=True):
            single = sy.evaluate(**rows, **asked)
            for metric in result.metrics:
                assert result.value(metric, score=name) == single[metric]


@pytest.mark.parametrize("more", [{}, {"where": "s > 0"}, {"sql": "SELECT y, s FROM source"}])
def test_22_a_lazy_frame_collects_what_is_needed(more: dict[str, str]) -> None:
    frame = polars.LazyFrame({"y": Y, "s": S, "other": [1, 2, 3, 4]})
    assert sy.evaluate(frame, label="y", score="s", metrics="auc", **more)["auc"] == 0.75
    assert sy.evaluate(frame, label="y", score="s * 2", metrics="auc")["auc"] == 0.75


def test_22_columns_of_a_lazy_frame_that_no_role_needs_are_not_computed() -> None:
    def fail(column: polars.Series) -> polars.Series:
        raise AssertionError

    costly = polars.col("y").map_batches(fail, return_dtype=polars.Int64).alias("costly")
    frame = polars.LazyFrame({"y": Y, "s": S}).with_columns(costly)
    assert sy.evaluate(frame, label="y", score="s", metrics="auc")["auc"] == 0.75


def test_22_matrices_of_labels() -> None:
    """Labels 1, 2, 3 of four rows: TP 2, 1, 0; FP 0, 1, 1; FN 0, 1, 1."""
    y = [[1, 0, 1], [1, 1, 0], [0, 1, 0], [0, 0, 0]]
    p = [[1, 0, 0], [1, 1, 0], [0, 0, 1], [0, 1, 0]]
    assert sy.f1(y, p, average=None).tolist() == [1.0, 1 / 2, 0.0]
    assert sy.f1(y, p, average="macro") == 1 / 2
    assert sy.f1(y, p, average="micro") == 6 / 10
    assert sy.f1(y, p, average="weighted") == (2 * 1 + 2 / 2 + 0) / 5  # by 2, 2 and 1 labels
    # Of the rows: 2/3, 1, 0, and 0 for the last, which has a false alarm and nothing to find.
    assert sy.f1(y, p, average="samples") == pytest.approx((2 / 3 + 1 + 0 + 0) / 4)
    assert sy.accuracy(y, p) == 1 / 4  # one row has all labels right
    assert sy.accuracy(y, p, average="micro") == 8 / 12
    with pytest.raises(sy.InputError, match="one of macro, micro, samples, weighted"):
        sy.f1(y, p)


def test_22_matrices_of_labels_with_scores() -> None:
    """The labels of the first row have ranks 1 and 3, that of the second row rank 2."""
    y, s = [[1, 0, 1], [0, 1, 0]], [[0.9, 0.5, 0.4], [0.8, 0.6, 0.1]]
    assert sy.lrap(y, s) == pytest.approx(((1 + 2 / 3) / 2 + 1 / 2) / 2)
    assert sy.ap(y, s, average="samples") == sy.lrap(y, s)
    assert sy.auc(y, s) == sy.auc(y, s, average="macro") == 1.0  # each label's own two rows
    assert sy.auc(y, s, average="micro") == 6 / 9  # 3 + 1 + 2 pairs are in order
    # A row without a label has 1 in lrap, as in scikit-learn, and is left out of a mean of ap.
    assert sy.lrap([*y, [0, 0, 0]], [*s, [0.1, 0.2, 0.3]]) == pytest.approx(
        (2 * sy.lrap(y, s) + 1) / 3
    )
    assert sy.ap([*y, [0, 0, 0]], [*s, [0.1, 0.2, 0.3]], average="samples") == sy.lrap(y, s)


GROUPED = {"y": [1, 0, 0, 0, 1], "s": [0.9, 0.3, 0.5, 0.8, 0.6], "group": list("vwxyz")}


def test_22_group_sizes_in_functions() -> None:
    """The first list is in perfect order, the second upside down: (3 · 1 + 2 · 0) / 5.

    A size of 0 has no rows.
    """
    y, s = GROUPED["y"], GROUPED["s"]
    assert sy.gauc(y, s, group_sizes=[3, 2]) == sy.gauc(y, s, group_sizes=[3, 0, 2.0]) == 0.6
    assert sy.mrr(y, s, group_sizes=numpy.array([3, 2])) == (1 + 1 / 2) / 2
    with pytest.raises(sy.InputError, match="gauc is computed by group"):
        sy.gauc(y, s)


@pytest.mark.parametrize("frame", [dict, pandas.DataFrame, polars.DataFrame, pyarrow.table])
def test_22_group_sizes_in_tables(frame: Callable[[Any], Any]) -> None:
    """A column that is called group already stays; a condition holds after the lists are made."""
    source = frame(GROUPED)
    asked = {"label": "y", "score": "s", "group_sizes": [3, 2], "metrics": "gauc"}
    assert sy.evaluate(source, **asked)["gauc"] == 0.6
    assert sy.evaluate(source, where="s > 0.4", **asked)["gauc"] == 1 / 2
    assert sy.evaluate(source, by="\"group\" < 'y'", **asked)["gauc"] == 0.6
    assert len(getattr(source, "column_names", list(source))) == 3  # the user's frame is as it was


@pytest.mark.parametrize(("tool", "says"), [("lightgbm", lightgbm_says), ("xgboost", xgboost_says)])
def test_22_group_sizes_agree_with_other_tools(tool: str, says: Callable[..., float]) -> None:
    """A size of 0 is a third list to them, with the value 1; to us it is no list."""
    y, s = numpy.array([1, 0, 2, 0, 1, 0]), numpy.arange(6.0, 0, -1)
    asked = {"label": y, "score": s, "metrics": "ndcg@2", "preset": tool}
    ours = sy.evaluate(group_sizes=[3, 3], **asked)["ndcg@2"]
    assert says(y, s, numpy.array([3, 3]), "ndcg@2") == pytest.approx(ours, rel=1e-6)
    assert sy.evaluate(group_sizes=[3, 0, 3], **asked)["ndcg@2"] == ours
    theirs = says(y, s, numpy.array([3, 0, 3]), "ndcg@2")
    assert theirs == pytest.approx((2 * ours + 1) / 3, rel=1e-6)


@pytest.mark.parametrize(
    "y", [[[1, 0], [0]], [["a", "b"], ["c"]], [[1], [0, 1]]], ids=["matrix", "sets", "first short"]
)
def test_22_rows_of_different_lengths_are_named(y: Any) -> None:
    for call in (sy.f1, sy.auc, sy.lrap, sy.ndcg):
        with pytest.raises(sy.InputError, match=r"y_true has . values? at row 1 and . at row 0"):
            call(y, [[0.1, 0.9], [0.3, 0.2]])
    with pytest.raises(sy.InputError, match="y_score has 1 value at row 1 and 2 at row 0"):
        sy.auc([0, 1], [[0.1, 0.9], [0.3]])


def test_22_text_is_no_matrix_of_labels() -> None:
    with pytest.raises(sy.InputError, match="but numbers, one for each label, are expected"):
        sy.f1([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d"]], average="macro")


def test_22_each_row_of_a_matrix_of_grades_is_a_list() -> None:
    """scikit-learn's only form of ndcg_score."""
    grades, scores = [[3, 2, 1], [0, 1, 2]], [[0.1, 0.2, 0.3], [0.3, 0.5, 0.5]]
    for k in (None, 2):
        ours = sy.ndcg_score(grades, scores, k=k)
        assert ours == pytest.approx(sklearn.metrics.ndcg_score(grades, scores, k=k), rel=1e-12)
    assert sy.mrr([[0, 1], [1, 0]], numpy.array([[0.9, 0.1], [0.8, 0.2]])) == (1 / 2 + 1) / 2
    with pytest.raises(TypeError, match="takes 'group' only for one value per row"):
        sy.ndcg_score(grades, scores, group=[1, 2])


def test_22_a_lazy_frame_that_fails_says_why(tmp_path: Path) -> None:
    lost = polars.scan_parquet(tmp_path / "nope.parquet")
    text = polars.LazyFrame({"y": ["1", "x"], "s": [0.1, 0.2]})
    for frame, why in [
        (lost, "No such file or directory.*nope.parquet"),
        (text.select("y", "t"), '(unable to find column "t"|ColumnNotFoundError: t)'),
        (text.with_columns(polars.col("y").cast(polars.Int64)), "conversion from `str` to `i64`"),
    ]:
        with pytest.raises(sy.SourceError, match=f"^Polars cannot compute .*{why}.*made\\.$"):
            sy.evaluate(frame, label="y", score="s", metrics="auc")


def test_22_pages_say_that_matrices_of_labels_are_taken() -> None:
    for function in (sy.f1, sy.auc, sy.ap, sy.recall):
        said = " ".join(function.__doc__.split())
        assert re.search("y_true may be a matrix of 0 and 1, .* samples", said)
    with pytest.raises(sy.SpecError, match=r"'lrap': sy\.lrap is a function .* explain ap"):
        sy.explain("lrap")
    assert "help(steelyard.lrap)" in run("explain", "lrap").stderr


def test_22_float16_scores_of_labels_are_compared_as_float32() -> None:
    """0.1 as a float16 is 0.09998, which 0.1 does not call positive: one cell of two is right."""
    scores = numpy.array([[0.1, 0.05]], numpy.float16)
    assert sy.accuracy([[1, 0]], scores, threshold=0.1) == 0
    assert sy.accuracy([[1, 0]], scores, threshold=0.1, average="micro") == 0.5
    assert sy.accuracy([1, 0], scores[0], threshold=0.1) == 0.5


# ---- 23. Messages ------------------------------------------------------------------------------


def test_23_the_details_of_auc_have_the_area() -> None:
    """Three of four pairs are in the right order; weights count as copies of rows."""
    row = sy.evaluate(label=[0, 0, 1, 1], score=[0.1, 0.4, 0.35, 0.8], metrics="auc").row("auc")
    assert row.details == {"area": 3}
    weighted = sy.evaluate(label=[0, 1], score=[0.5, 0.5], weight=[3, 5], metrics="auc")
    assert weighted.row("auc").details == {"area": 7.5}  # 15 tied pairs, each half


@pytest.mark.parametrize("kind", ["csv", "parquet", "arrays"])
@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("pctr >", "cannot be read as an SQL expression"),
        ("CAST('a' || pctr AS INT) > 3", "fails on a row"),
        ("error('no')", "fails on a row"),
    ],
)
def test_23_a_bad_condition_is_blamed(
    log: str, tmp_path: Path, kind: str, where: str, said: str
) -> None:
    columns = {"click": CLICK, "pctr": PCTR}
    pyarrow.parquet.write_table(pyarrow.table(columns), tmp_path / "log.parquet")
    source = {"csv": log, "parquet": str(tmp_path / "log.parquet"), "arrays": columns}[kind]
    with pytest.raises(sy.SourceError, match=f"^{re.escape(f'where={where!r} {said}')}"):
        sy.evaluate(source, label="click", score="pctr", where=where)


def test_23_an_expression_that_fails_is_blamed_and_a_damaged_file_too(tmp_path: Path) -> None:
    with pytest.raises(sy.SourceError, match=r"CAST\('a' .* fails on a row of .*: Could not conv"):
        sy.evaluate({"y": Y, "s": S}, label="y", score="CAST('a' || s AS INT)")
    path = tmp_path / "cut.csv"
    path.write_text("y,s\n1,0.5\n0,0.1,7\n")
    with pytest.raises(sy.SourceError, match=r"cut\.csv' cannot be read: line 3"):
        sy.evaluate(str(path), label="y", score="s", where="s + 1 > 0")


def test_23_a_file_that_is_no_state_is_named(tmp_path: Path) -> None:
    path = tmp_path / "junk.sy"
    path.write_text("junk")
    with pytest.raises(
        sy.StateError, match=r"junk\.sy' cannot be loaded: these bytes are not a st"
    ):
        sy.load(path)


def test_23_none_is_not_an_array() -> None:
    with pytest.raises(sy.InputError, match=r"^y_score cannot be read as an array \(it is None\)"):
        sy.auc(Y, None)
    with pytest.raises(sy.InputError, match=r"^y_true cannot be read as an array \(it is None\)"):
        sy.mae(None, S)


def test_23_several_scores_are_given_by_name() -> None:
    scores = [S, [-score for score in S]]
    with pytest.raises(sy.InputError, match=r"2 rows of 4 values, but label has 4 rows.*score=\{"):
        sy.evaluate(label=Y, score=scores, metrics="auc")
    result = sy.evaluate(label=Y, score=dict(zip("ab", scores, strict=True)), metrics="auc")
    assert (result.value("auc", score="a"), result.value("auc", score="b")) == (0.75, 0.25)


def test_23_an_option_of_one_value_is_given_once(log: str) -> None:
    done = run("eval", log, "--label", "click", "--label", "w", "--score", "pctr")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith("steelyard: --label is given 2 times: give it once.")
    assert run("eval", log, *ROLES, "--score", "w", "-m", "auc", "-m", "ks").exit_code == 0


def test_23_what_drops_infinities_is_said_and_drops_them() -> None:
    score = [0.1, 0.4, 0.35, float("inf")]
    with pytest.raises(sy.InputError, match=r"out with where='isfinite\(score\)'.*np\.isfinite"):
        sy.evaluate(label=Y, score=score, metrics="auc", nan="drop")
    result = sy.evaluate(label=Y, score=score, metrics="auc", where="isfinite(score)")
    assert result["auc"] == 0.5  # 0.35 is above 0.1 and below 0.4


@pytest.mark.parametrize(
    ("function", "wrong", "right"),
    [
        ("auc", "sample_weights", "sample_weight"),
        ("ndcg", "groups", "group"),
        ("f1", "tresh", "threshold"),
        ("evaluate", "metric", "metrics"),
        ("state", "lable", "label"),
    ],
)
def test_23_an_unknown_keyword_gets_the_nearest_name(function: str, wrong: str, right: str) -> None:
    said = rf"^{function}\(\) got an unexpected keyword argument '{wrong}': did you mean '{right}'$"
    call = getattr(sy, function)
    rows = {"label": Y, "score": S} if function in ("evaluate", "state") else {}
    with pytest.raises(TypeError, match=said):
        call(*([] if rows else [Y, S]), **rows, **{wrong: 1})


def test_23_signatures_have_no_ellipsis() -> None:
    for name in ("f1", "auc", "confusion", "mae", "evaluate"):
        assert "Ellipsis" not in str(inspect.signature(getattr(sy, name)))
    assert "y_pred=NOT_GIVEN" in str(inspect.signature(sy.f1))


@pytest.mark.parametrize("metric", ["auc", "gauc"])
def test_23_grades_beside_a_binary_metric(metric: str) -> None:
    """The advice is one that works: with grades of 1 and more as positive there are two classes."""
    rows = {"grade": [0, 1, 2, 0], "s": [0.1, 0.4, 0.35, 0.8], "query": [1, 1, 2, 2]}
    roles = {"score": "s", "group": "query"}
    with pytest.raises(sy.InputError, match=r"1 grade .*row 2 \(2\).*grade >= 1 as the label\.$"):
        sy.evaluate(rows, label="grade", **roles, metrics=["ndcg", metric])
    assert sy.evaluate(rows, label="grade >= 1", **roles, metrics=metric)[metric] == 0.5


def test_23_a_result_is_read_from_its_path(tmp_path: Path) -> None:
    result = sy.evaluate(label=Y, score=S, metrics="auc")
    path = tmp_path / "now.json"
    path.write_text(result.to_json())
    for given in (path, str(path), result.to_json(), result.to_json().encode()):
        assert sy.Result.from_json(given) == result
    with pytest.raises(sy.SourceError, match=r"there is no file '.*none\.json'"):
        sy.Result.from_json(str(tmp_path / "none.json"))
    path.write_text("{}")
    with pytest.raises(sy.SourceError, match=r"now\.json' cannot be read"):
        sy.Result.from_json(path)


def test_23_the_names_of_several_files_are_recorded(log: str, tmp_path: Path) -> None:
    more = tmp_path / "more.csv"
    more.write_text(Path(log).read_text())
    result = sy.evaluate([log, more], label="click", score="pctr", metrics="auc")
    assert result.conventions.roles["source"] == f"{log}, {more}"


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
def test_23_keywords_of_other_tools(function: str, theirs: str, hint: str) -> None:
    with pytest.raises(TypeError, match=f"argument '{theirs}': {hint}$"):
        getattr(sy, function)(Y, S, **{theirs: 1})


def test_23_an_average_that_changes_nothing_is_taken() -> None:
    """scikit-learn's default of roc_auc_score is macro, that of f1_score is binary."""
    for average in ("macro", "micro", "weighted"):
        assert sy.auc(Y, S, average=average) == 3 / 4  # of four pairs, one is out of order
    called = [0, 0, 0, 1]  # from 0.5 on: one of two found, no false alarm
    for value in (S, called, numpy.array(called, float)):
        assert sy.f1(Y, value, average="binary") == 2 / 3
    assert sy.f1(Y, y_score=S, average="binary", threshold=0.35) == 4 / 5
    # Whole floats are classes still: 2 of 1 and 2 is found once, with one false alarm.
    assert sy.f1([1, 2, 1], [1.0, 2.0, 2.0], average="binary", positive=2) == 2 / 3
    with pytest.raises(sy.InputError, match="one score per class, but one value per row is given"):
        sy.auc(Y, S, average="macro", multi_class="ovo")


def test_23_weights_of_label_matrices_are_the_reason() -> None:
    weightless: dict[str, Any] = {"sample_weight": [0]}
    with pytest.warns(sy.UndefinedWarning, match="there are no rows with a weight above 0"):
        sy.lrap([[1, 0]], [[0.5, 0.1]], **weightless)
    for average in ("macro", "samples", "weighted"):
        with pytest.warns(sy.UndefinedWarning, match="there are no rows with a weight above 0"):
            sy.f1([[1, 0]], [[0.5, 0.1]], average=average, **weightless)


def test_23_shells_and_features_are_named(folder: Path) -> None:
    said = run("completion", "tcsh").stderr
    assert "invalid value for 'SHELL': 'tcsh' is not one of 'bash', 'zsh', 'fish'" in said
    folder.joinpath("test.txt").write_text("1 qid:1 7:0.5\n", encoding="utf-8")
    said = run("letor", "test.txt", "--score", "99").stderr
    assert said == "steelyard: there is no feature '99' in 'test.txt': the features are 7.\n"


def test_23_the_command_line_names_its_own_options(folder: Path) -> None:
    pandas.DataFrame(SOLD).to_csv("sold.csv", index=False)
    words = ["eval", "sold.csv", "--label", "y", "--score", "p", "-m", "prevalence"]
    said = run(*words, "--top", "2").stderr
    assert "leave out --sort" in said
    assert "--min-rows" in said
    assert "--confidence SHARE needs --cluster COLUMN" in run(*words, "--confidence", "0.9").stderr
    for option, value in (("--fail-under", "confusion=3"), ("--sort", "confusion")):
        said = run(*words, "--by", "shop", option, value).stderr
        assert "name a metric that is one, such as auc" in said


def test_23_what_is_shown_of_slices_is_said_in_words() -> None:
    result = sy.evaluate(SOLD, **RATES)
    all_ = str(result.select(sort="rows descending"))
    assert all_.endswith("\nslices are sorted by rows")
    assert str(result.select(top=4)).endswith("\nslices are sorted by rows")
    assert "slices are" not in str(result.select(min_rows=1))
    some = str(result.select(sort="rows ASCENDING", top=1, min_rows=2))
    assert (
        "1 of 4 slices are shown (sorted by rows asc, each of 2 rows or more, the first 1)" in some
    )


# ---- 24. What a preset covers ------------------------------------------------------------------


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
def test_24_a_preset_says_where_it_still_differs(metric: str) -> None:
    theirs, ours, result = scikit_learn_differs()[metric]
    found = NAN if result.rows[0].value is None else result.rows[0].value
    assert found == pytest.approx(ours, nan_ok=True)
    assert found != pytest.approx(theirs, nan_ok=True)  # the difference is real
    for shown in (str(result), result.to_markdown().replace("\\", "")):
        assert f"{metric} differs from sklearn: " in shown


def test_24_nothing_is_said_of_metrics_that_agree() -> None:
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
def test_24_boosting_differs_where_the_table_says(
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


def test_24_a_tie_at_the_top_is_an_error_in_lightgbm_alone() -> None:
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


def test_24_scikit_learn_s_report_has_only_the_classes_that_occur() -> None:
    theirs = sklearn.metrics.classification_report([1, 1], [1, 1], output_dict=True)
    assert theirs["macro avg"]["recall"] == 1
    result = sy.evaluate(label=[1, 1], score=[0.9, 0.8], metrics="class_report", preset="sklearn")
    assert result.shape("class_report").macro.recall == 0.5  # the negatives' is set to 0
    assert "class_report differs from sklearn: " in str(result)


@pytest.mark.parametrize("given", [{"score": [0.1, 0.9]}, {"prediction": [0, 1]}])
def test_24_scikit_learn_s_shares_of_no_rows_are_0(given: dict[str, Any]) -> None:
    theirs = sklearn.metrics.confusion_matrix([0, 0], [0, 1], normalize="true")
    assert theirs.tolist() == [[0.5, 0.5], [0, 0]]
    given = {"label": [0, 0], "preset": "sklearn", **given}
    result = sy.evaluate(**given, metrics="confusion(normalize=true)")
    shape = result.shapes[0].shape
    assert all(map(isnan, (shape.fn, shape.tp) if "score" in given else shape.matrix[1]))
    assert "confusion differs from sklearn: " in str(result)
    assert "differs" not in str(sy.evaluate(**given, metrics="confusion"))


def test_24_xgboost_s_auc_of_a_ranking_is_within_queries() -> None:
    """Both queries are in order; across them two of all eight pairs are not."""
    label, score = [1, 0, 0, 1, 0, 0], [0.2, 0.1, 0.05, 0.9, 0.8, 0.7]
    assert xgboost_says(numpy.array(label), numpy.array(score), numpy.array([3, 3]), "auc") == 1
    result = sy.evaluate(label=label, score=score, metrics="auc", preset="xgboost")
    assert result["auc"] == 0.75
    assert "auc differs from xgboost: " in str(result)


@pytest.mark.parametrize("tool", ["lightgbm", "xgboost"])
def test_24_a_difference_of_query_weights_is_said_only_of_weights(tool: str) -> None:
    """The numbers of the difference are in tests/parity/test_ranking.py."""
    rows = {"y": [0, 0, 1, 0], "s": [0.2, 0.1, 0.2, 0.1], "q": [1, 1, 2, 2], "w": [2] * 4}
    given: dict[str, Any] = {"label": "y", "score": "s", "group": "q", "preset": tool}
    assert "differs" not in str(sy.evaluate(rows, **given, metrics="ndcg@1"))
    shown = str(sy.evaluate(rows, **given, metrics="ndcg(group_weight=w)@1"))
    assert f"ndcg differs from {tool}: of weighted queries" in shown


def test_24_trec_eval_differs_in_a_float_sum() -> None:
    """Its numbers are in tests/parity/test_trec.py; precision at a threshold has no such sum."""
    rows = {"y": [1, 0], "s": [0.2, 0.1], "q": [1, 1], "d": ["a", "b"]}
    given: dict[str, Any] = {"label": "y", "score": "s", "preset": "trec_eval"}
    shown = str(sy.evaluate(rows, **given, group="q", document="d", metrics="precision@1"))
    assert "precision differs from trec_eval: its mean is a float sum" in shown
    assert "differs" not in str(sy.evaluate(rows, **given, metrics="precision"))


def test_24_a_table_says_which_metrics_were_not_compared() -> None:
    rows = {"y": [1, 0], "s": [0.2, 0.1], "q": [1, 1]}
    given: dict[str, Any] = {"label": "y", "score": "s", "group": "q"}
    metrics = ["auc", "gauc", "ndcg@1", "mrr"]
    assert "not compared" not in str(sy.evaluate(rows, **given, metrics=metrics))
    result = sy.evaluate(rows, **given, metrics=metrics, preset="lightgbm")
    assert "not compared with lightgbm: gauc, mrr\n" in f"{result}\n"
    assert str(sy.Result.from_json(result.to_json())) == str(result)


def test_24_a_page_lists_what_each_preset_covers() -> None:
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


def test_24_explain_says_what_presets_set() -> None:
    text = " ".join(sy.explain("map").text().split())
    assert "lightgbm (denominator=min, ties=stable, empty=1)" in text
    assert "trec_eval (ties=trec, empty=0)" in text
    assert "Presets" not in sy.explain("ks").text()


TREC_QRELS = "1 0 a 1\n1 0 b 0\n2 0 a 0\n2 0 b 1\n"
TREC_RUN = "1 Q0 a 1 9 mine\n1 Q0 b 2 8 mine\n2 Q0 a 1 9 mine\n2 Q0 b 2 8 mine\n"


@pytest.fixture
def trec_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The relevant document of query 1 is first, that of query 2 second: mrr is 1 and 1/2."""
    (tmp_path / "qrels").write_text(TREC_QRELS)
    (tmp_path / "run").write_text(TREC_RUN)
    (tmp_path / "best").write_text(TREC_RUN.replace("2 Q0 b 2 8", "2 Q0 b 1 10"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("trec_files")
class Test24Trec:
    @pytest.mark.parametrize("ending", ["json", "csv", "md", "jsonl", "txt"])
    def test_24_trec_writes_a_file_in_the_format_of_its_ending(self, ending: str) -> None:
        done = run("trec", "qrels", "run", "-m", "recip_rank", "-o", f"now.{ending}")
        assert (done.exit_code, done.stdout) == (0, "")
        text = Path(f"now.{ending}").read_text()
        if ending == "txt":  # trec_eval's lines
            assert text == "recip_rank            \tall\t0.7500\n"
        elif ending == "json":
            assert sy.Result.from_json(text)["mrr"] == 0.75
        else:
            assert "mrr" in text
            assert "0.75" in text

    def test_24_trec_has_a_score_per_run_and_a_slice_per_query(self) -> None:
        done = run("trec", "qrels", "run", "best", "-q", "-m", "mrr", "--format", "json")
        result = sy.Result.from_json(done.stdout)
        assert result.scores == ("mine", "best")  # the second run has the same tag
        assert (result.value("mrr", score="mine"), result.value("mrr", score="best")) == (0.75, 1)
        assert result.value("mrr", score="mine", query="2") == 0.5
        assert result.conventions.preset == "trec_eval"

    @pytest.mark.parametrize("name", ["mrr", "recip_rank"])
    def test_24_trec_gates_by_either_name(self, name: str) -> None:
        done = run("trec", "qrels", "run", "best", "-m", "map", "--fail-under", f"{name}=0.8")
        assert done.exit_code == 1
        assert done.stderr.splitlines() == ["steelyard: mrr of mine is 0.75, which is under 0.8."]
        assert "recip_rank            \tall\t0.7500" in done.stdout  # added, as in eval
        assert run("trec", "qrels", "best", "--fail-under", f"{name}=0.8").exit_code == 0
        assert run("trec", "qrels", "best", "--fail-over", f"{name}=0.8").exit_code == 1

    def test_24_a_gate_of_trec_has_the_lowest_relevant_grade(self) -> None:
        done = run("trec", "qrels", "run", "-l", "2", "--fail-under", "recip_rank=0.5", "-m", "map")
        assert "mrr(2) of mine is 0.0, which is under 0.5" in done.stderr
        assert "recip_rank            \tall\t0.0000" in done.stdout

    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (("--format", "csv", "-m", "num_ret"), "only --format trec has counts"),
            (("--fail-under", "P=0.5"), "cannot read the gate 'P=0.5'"),  # nine cuts
            (("--fail-under", "num_ret=1"), "there is no metric 'num_ret'"),
            (("-o", "run"), "the rows are read from it"),
            (("-o", "now.xls"), "now.xls"),
        ],
    )
    def test_24_trec_refuses_before_it_reads(self, words: tuple[str, ...], said: str) -> None:
        done = run("trec", "qrels", "run", *words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert said in done.stderr


# ---- 25. Coming from another tool --------------------------------------------------------------


def test_25_a_page_for_those_who_come_from_another_tool() -> None:
    """Its calls are run by test_coming_from.py."""
    page = ROOT / "docs" / "coming-from.md"
    text = page.read_text(encoding="utf-8")
    for tool in [
        "scikit-learn",
        "ranx",
        "ir_measures",
        "pytrec_eval",
        "torchmetrics",
        "TFMA",
        "Spark",
    ]:
        assert re.search(f"^## .*{tool}", text, re.MULTILINE), tool


def test_25_precision_recall_curve_drops_what_the_page_says() -> None:
    y, s = [0, 1, 0, 0, 0, 1, 1, 0], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8]
    theirs = sklearn.metrics.precision_recall_curve(y, s, drop_intermediate=True)
    whole = sklearn.metrics.precision_recall_curve(y, s)
    ours = sy.precision_recall_curve(y, s)
    assert ours.thresholds.tolist() == theirs[2].tolist()
    assert len(ours.thresholds) < len(whole[2])
    page = (ROOT / "docs" / "coming-from.md").read_text(encoding="utf-8")
    assert "with `drop_intermediate=True`, which is not its default" in page
