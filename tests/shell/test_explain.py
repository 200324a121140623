"""`sy.explain` and `steelyard explain`: which pages a name means, as text, Markdown and JSON."""

import json
import math
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import steelyard as sy
from steelyard.metrics import catalogue
from tests.shell.run import run


def test_explain_in_python() -> None:
    explained = sy.explain("gini")
    assert repr(explained) == str(explained) == explained.text()
    assert "Formula      2·AUC − 1\n" in repr(explained)
    assert "\n             0.5\n" in repr(explained)
    assert explained._repr_markdown_() == explained.markdown()
    assert not hasattr(explained, "_repr_html_")


def test_explain_takes_functions_aliases_and_several_names() -> None:
    assert sy.explain(sy.roc_auc).pages == sy.explain("auc").pages
    assert [page.name for page in sy.explain("hr", "ks").pages] == ["hit_rate", "ks"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("precision@10", ["precision_at_k"]),
        ("precision_at_k", ["precision_at_k"]),
        ("precision(0.3)", ["precision"]),
        ("recall(average=micro)@5", ["recall_at_k"]),
        ("ndcg(exp2)", ["ndcg"]),
    ],
)
def test_which_metric_is_meant(text: str, names: list[str]) -> None:
    found = sy.explain(text).pages
    assert [page.name for page in found if page.family != "multiclass"] == names


def test_a_name_of_several_metrics_shows_all() -> None:
    found = [(page.family, page.name) for page in sy.explain("precision").pages]
    assert {("binary", "precision"), ("ranking", "precision_at_k")} <= set(found)
    assert found == sorted(found)


def test_two_metrics_of_one_function_have_headings_of_their_own() -> None:
    headings = [page.heading for page in sy.explain("accuracy").pages]
    assert headings == ["accuracy (binary)", "accuracy (multiclass)"]
    ways = {page.family: (page.in_python, page.in_a_table) for page in sy.explain("auc").pages}
    scores = "steelyard eval FILE --score CAT --score DOG --classes cat,dog -m auc"
    assert ways["multiclass"] == ("sy.auc(y_true, [[...], ...])", scores)
    assert ways["curves"] == ("sy.auc(y_true, y_score)", "steelyard eval FILE -m auc")
    (mae,) = sy.explain("mae").pages
    assert mae.in_python == "sy.mae(y_true, y_pred)"
    assert mae.in_a_table == "steelyard eval FILE --prediction COLUMN -m mae"


def test_parameters_given_are_shown() -> None:
    explained = sy.explain("ndcg(gain=exp2)@10")
    assert explained.text().startswith("ndcg(exp2)@10\n─")
    squeezed = " ".join(explained.text().split())
    assert "one of linear, exp2; default linear; here exp2" in squeezed
    assert "; default none; here 10" in squeezed
    assert "| `linear`, here `exp2` |" in explained.markdown()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("gaucc", "did you mean gauc"),
        ("auc@10", "auc"),
        ("auc(3)", "takes 0 parameters"),
        ("precision(0.3)@10", "denominator"),
        ("", "name"),
        (3, "of type int"),
    ],
)
def test_what_cannot_be_explained(text: Any, said: str) -> None:
    with pytest.raises(sy.SpecError, match=re.escape(said)):
        sy.explain(text)


def test_the_page_as_data() -> None:
    (page,) = json.loads(run("explain", "gauc", "--format", "json").stdout)
    about = sy.explain("gauc").pages[0].about
    assert page["formula"] == about.formula
    assert page["tex"] == about.tex
    assert page["pitfalls"] == list(about.pitfalls)
    assert page["chinese"] == "分组 AUC"
    assert (page["seed"], page["better"], page["gives"]) == ("000", "higher", "0.7")
    of_kind = {"kind": "influence", "why": "", "rows_taken_as": "", "freedom": 1.0}
    assert page["interval"] == {**of_kind, "scale": "logit"}
    assert page["example"].startswith("sy.gauc(")
    assert page["parameters"][2] == {
        "name": "min_rows",
        "required": False,
        "default": 1,
        "wanted": "a whole number from 1",
        "means": "groups of fewer rows are left out and counted",
    }
    every = json.loads(run("explain", *catalogue.functions(), "--format", "json").stdout)
    assert {page["name"] for page in every} == {metric.function for metric in catalogue.every()}


def test_the_command_prints_what_python_shows() -> None:
    assert run("explain", "auc").stdout == sy.explain("auc").text() + "\n"
    printed = run("explain", "auc", "ks", "--format", "markdown").stdout
    assert printed == sy.explain("auc", "ks").markdown() + "\n"


# --- step by step ---------------------------------------------------------------------------------
def last_number(text: str) -> float:
    return float(text.rpartition(" = ")[2])


def column(table: Any, name: str) -> list[str]:
    place = table.header.index(name)
    return [line[place].text for block in table.blocks for line in block]


@pytest.mark.parametrize("seed", range(8))
def test_the_pairs_of_auc_are_those_of_the_definition(seed: int) -> None:
    """The last line is `sy.auc` in every bit; each positive is compared with each negative."""
    dice = np.random.default_rng(seed)
    rows = int(dice.integers(4, 14))
    label = [1, 0, *dice.integers(0, 2, rows).tolist()]
    score = dice.integers(0, 6, len(label)) / 8
    weight = dice.integers(1, 5, len(label)) / (4 if seed % 2 else 1)
    given: dict[str, Any] = {"label": label, "score": score} | (
        {"weight": weight} if seed > 3 else {}
    )
    worked = sy.explain("auc", on=given)
    wanted = sy.auc(label, score, sample_weight=given.get("weight"))
    assert last_number(worked.text()) == worked.value == wanted
    weights = [Fraction(w) for w in given.get("weight", np.ones(len(label)))]
    every = [(y, s, w) for y, s, w in zip(label, score.tolist(), weights, strict=True)]
    down = [(s, w) for y, s, w in every if not y]
    points = [
        w * sum(v * (Fraction(s > t) + Fraction(s == t) / 2) for t, v in down)
        for y, s, w in sorted(every, key=lambda row: -row[1])
        if y
    ]
    shown = [Fraction(text) for text in column(worked.tables[0], "points") if text]
    assert sorted(shown) == sorted(points)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("spec", ["ndcg", "ndcg@3", "ndcg(exp2)@4", "ndcg(ties=pessimistic)"])
def test_the_steps_of_ndcg_add_up_to_its_value(spec: str, seed: int) -> None:
    """The last line is that of `sy.evaluate` in every bit; products add up to DCG and IDCG."""
    dice = np.random.default_rng(seed)
    grade, score = dice.integers(0, 4, 9), dice.integers(0, 5, 9) / 4
    grade[0] = 1
    rows = {"label": grade, "score": score, "query": ["q"] * 9}
    if seed % 2:
        rows["query"] = ["a"] * 4 + ["b"] * 5
    worked = sy.explain(spec, on=rows, label="label", score="score", group="query")
    result = sy.evaluate(rows, label="label", score="score", group="query", metrics=spec)
    assert last_number(worked.text()) == worked.value == result.rows[0].value
    tables = [table for table in worked.tables if table.header]
    for listed, best in zip(tables[::2], tables[1::2], strict=True):
        sums = [
            sum(float(text) for text in column(each, "gain · discount") if text != "–")
            for each in (listed, best)
        ]
        if seed % 2 == 0:
            said = re.search(r"DCG / IDCG = (\S+) / (\S+) =", worked.text())
            assert said is not None
            assert [float(each) for each in said.groups()] == pytest.approx(sums, abs=1e-4)
        for rank, discount in zip(column(best, "rank"), column(best, "discount"), strict=True):
            assert float(discount) == pytest.approx(1 / math.log2(int(rank) + 1), abs=1e-6)


def test_one_list_needs_no_group_and_ties_are_explained() -> None:
    """Seed 001; its digits are worked out by hand in seeds/README.md."""
    worked = sy.explain(
        sy.ndcg, on={"label": [3, 2, 3, 0, 1, 2], "score": [0.6, 0.5, 0.5, 0.3, 0.2, 0.1]}
    )
    assert worked.value == sy.ndcg([3, 2, 3, 0, 1, 2], [0.6, 0.5, 0.5, 0.3, 0.2, 0.1])
    assert column(worked.tables[0], "gain") == ["3", "2.5", "2.5", "0", "1", "2"]
    assert "rows of equal score may be in any order" in " ".join(worked.text().split())
    rows = {"label": [3, 2, 3, 0, 1, 2, 3, 0], "score": [8, 7, 6, 5, 4, 3, 2, 1]}
    seed = sy.explain("ndcg@6", on=rows)
    assert seed.value == pytest.approx(0.8183541905, abs=5e-11)
    assert "any order" not in seed.text()
    assert seed._repr_markdown_() == seed.markdown()
    assert seed.markdown().endswith(f"= {seed.value!r}")


def test_a_long_list_shows_its_first_rows_and_counts_all() -> None:
    rows: dict[str, Any] = {"label": [1, 0] * 60, "score": np.arange(120) / 7}
    for metric, wanted in (("auc", sy.auc), ("ndcg", sy.ndcg)):
        worked = sy.explain(metric, on=rows)
        assert len(column(worked.tables[0], "score")) == 50
        assert "the first 50 of 120 rows are shown; all of them count" in worked.text()
        assert last_number(worked.text()) == wanted(rows["label"], rows["score"])
    many = sy.explain("ndcg", on=rows | {"q": np.arange(120) // 20}, group="q")
    assert "the first 2 of 6 lists are shown; all of them count" in many.text()


def test_what_has_no_value_says_why() -> None:
    assert (
        sy.explain("auc", on={"label": [1, 1], "score": [0.1, 0.2]})
        .text()
        .endswith("auc = 0 / 0: no value, there are no negatives")
    )


def test_the_command_works_on_a_file(tmp_path: Path) -> None:
    path = tmp_path / "list.csv"
    path.write_text("click,mine\n1,0.9\n0,0.7\n1,0.7\n0,0.1\n", encoding="utf-8")
    done = run("explain", "auc", "--on", str(path), "--score", "mine")
    assert done.stderr == "using click as label\n"
    assert done.stdout.endswith("auc = 3.5 / 4 = 0.875\n")
    found = json.loads(
        run("explain", "ndcg", "--on", str(path), "--score", "mine", "--format", "json").stdout
    )
    assert found["value"] == sy.ndcg([1, 0, 1, 0], [0.9, 0.7, 0.7, 0.1])
    assert found["tables"][0]["lines"][1][:4] == ["2", "0.7", "1", "0.5"]
    refused = run("explain", "auc", "--score", "mine")
    assert (refused.exit_code, "need --on" in refused.stderr) == (2, True)
    assert "name one with --score" in run("explain", "auc", "--on", str(path)).stderr


def test_a_list_without_relevant_rows_says_so() -> None:
    worked = sy.explain("ndcg(empty=1)", on={"label": [0, 0], "score": [0.1, 0.2]})
    assert worked.text().endswith("ndcg = no row is relevant, and empty=1.0 = 1.0")


def test_products_of_large_weights_are_written_short() -> None:
    rows = {"label": [0, 1, 0, 1], "score": [1, 2, 3, 4], "w": [1e304, 1e304, 3e304, 1e304]}
    text = sy.explain("auc", on=rows, weight="w").text()
    assert "8.000000e+608" in text  # (10³⁰⁴ + 3·10³⁰⁴)·(10³⁰⁴ + 10³⁰⁴)
    assert max(map(len, text.splitlines())) <= 80


def test_a_group_may_be_none_and_metrics_are_named_once() -> None:
    rows: dict[str, Any] = {"label": [0, 1], "score": [1, 2]}
    assert sy.explain("ndcg", on=rows, group=None).value == sy.ndcg([0, 1], [1, 2])
    with pytest.raises(sy.SteelyardError, match="one metric is shown step by step"):
        sy.explain("auc", on=rows, metrics="auc")
