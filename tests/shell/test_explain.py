"""`sy.explain` and `steelyard explain`: which pages a name means, as text, Markdown and JSON."""

import json
import re
from typing import Any

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
    interval = {"kind": "influence", "why": "", "rows_taken_as": "", "scale": "logit"}
    assert page["interval"] == interval
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
