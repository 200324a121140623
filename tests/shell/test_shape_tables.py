"""Shapes in a result: how they are printed, merged and read back."""

import json
from pathlib import Path
from typing import Any

import pandas
import sklearn.metrics

import steelyard
from steelyard.report import text as text_table
from tests.shell.run import run

sy: Any = steelyard  # the stubs refuse what some tests pass, as they should
TWO_SCORES = "y,old,new,c\n0,0.1,0.2,DE\n0,0.4,0.3,US\n1,0.35,0.9,DE\n1,0.8,0.7,US\n"


def test_shapes_on_the_command_line_by_slice_and_score(tmp_path: Path) -> None:
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


ANIMALS, NAMED = ["cat", "cat", "dog", "dog", "fox"], ["cat", "dog", "dog", "dog", "cat"]


def test_many_classes_on_the_command_line(tmp_path: Path) -> None:
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


def test_csv_of_two_tables_is_refused_before_the_rows_are_read(tmp_path: Path) -> None:
    log = tmp_path / "log.csv"
    log.write_text("y,s\n0,0.1\n2,0.9\n")  # a label that would be refused
    words = ("eval", str(log), "--label", "y", "--score", "s", "--format", "csv")
    done = run(*words, "-m", "auc,roc")
    assert (done.exit_code, "CSV holds one" in done.stderr) == (2, True)


def test_shapes_merge_and_come_back_from_json() -> None:
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


def test_a_thinned_curve_says_how_much_the_area_may_change() -> None:
    y, s = [0, 1, 1, 0, 1] * 400, [(i * 617) % 2003 for i in range(2000)]
    result = sy.evaluate(label=y, score=s, metrics=["auc", "roc(50)"])
    curve = result.curve("roc(50)")
    assert len(curve.thresholds) <= 50
    area = sklearn.metrics.auc(curve.fpr, curve.tpr)
    assert abs(area - result["auc"]) <= curve.area_error <= 0.05
    assert f"the points kept change the area by at most {curve.area_error:.2g}" in str(result)
    for threshold, x in zip(curve.thresholds, curve.fpr, strict=True):
        assert sy.fpr(y, [float(one) for one in s], threshold=min(threshold, 1e9)) == x


def test_a_shape_without_a_value_has_a_reason() -> None:
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


RISING: dict[str, Any] = {"y": [0, 0, 1, 0, 1, 1, 0, 1] * 50, "s": [i / 400 for i in range(400)]}


def shapes_at_80(metric: str, **roles: Any) -> list[str]:
    result = sy.evaluate(RISING, **{"label": "y", "score": "s", **roles}, metrics=metric)
    return text_table.render((), result.conventions, result.shapes, width=80).split("\n\n")


def test_parts_of_a_threshold_table_repeat_the_threshold() -> None:
    first, second, _ = shapes_at_80("thresholds", score="s / 3")
    columns = [[line.split()[0] for line in part.splitlines()[3:]] for part in (first, second)]
    assert columns[0] == columns[1]
    assert second.splitlines()[1].split()[0] == "threshold"


def test_a_table_says_which_points_of_a_curve_it_has() -> None:
    *_, notes = shapes_at_80("roc(100)")
    kept = len(sy.roc(RISING["y"], RISING["s"], points=100).fpr)
    assert kept < len(sy.roc(RISING["y"], RISING["s"]).fpr)
    assert f"20 of the {kept} points kept are shown; CSV and JSON have the {kept}\n" in notes
    assert "; roc(points=N) keeps more" in notes.replace("\n ", "")
    assert "points are shown; CSV and JSON have all\n" in shapes_at_80("roc(1000)")[-1]
    listed = run("list", "roc").stdout
    assert "roc(points=200)" in listed  # what a table keeps


def test_numbers_of_one_table_have_the_same_decimals() -> None:
    table, _ = shapes_at_80("calibration_curve(bins=2)")
    assert [line.split() for line in table.splitlines()[3:]] == [
        ["0.248750", "0.500000", "200"],  # the mean of 0/400 to 199/400
        ["0.748750", "0.500000", "200"],
    ]
    assert table.splitlines()[1].startswith("predicted")
    assert table.splitlines()[3].startswith(" 0.2")  # on the right
    table, _ = shapes_at_80("confusion", weight="if(s < 0.0025, 1.5, 1)")
    assert table.splitlines()[-1].split() == ["100.00", "100.00", "100.00", "100.50"]


def test_a_class_that_is_called_true_is_no_key() -> None:
    given: dict[str, Any] = {"label": ["true", "a", "true"], "prediction": ["true"] * 3}
    table = str(sy.evaluate(**given, metrics="confusion")).split("\n\n")[0]
    assert table.splitlines()[1:] == [
        "true  a  true",
        "─────────────",
        "a     0     1",
        "true  0     2",
    ]
