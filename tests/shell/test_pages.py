"""Pages of metrics: what records say, what examples give, and that all places show the same."""

import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

import steelyard as sy
from steelyard import pages
from steelyard.metrics import catalogue
from steelyard.metrics.about import BETTER
from steelyard.metrics.count_metrics import Counts
from steelyard.report import page_markdown, page_text
from steelyard.report.page import Page
from steelyard.report.page import pages as all_pages
from steelyard.report.text import columns_of
from tests.paths import ROOT
from tests.shell.run import run
from tools import metrics_pages

PAGES = {f"{page.family}.{page.name}": page for page in all_pages()}
each_page = pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))

# What KaTeX and MathJax both know; a word that is not here may be a slip of the pen.
TEX = """
alpha beta gamma delta epsilon lambda mu pi phi psi rho sigma tau theta chi ell
frac tfrac dfrac sqrt binom overline bar hat tilde underbrace text mathrm mathbf mathbb mathcal
sum prod int max min arg log ln exp operatorname limits partial infty
lt gt le ge leq geq ne neq approx in to mid cdot cdots times pm quad qquad ldots dots cup cap
left right big Big bigl bigr Bigl Bigr lbrace rbrace lfloor rfloor lceil rceil vert lvert rvert
begin end
"""


# --- the records ----------------------------------------------------------------------------------
@each_page
def test_no_field_is_empty(page: Page) -> None:
    about = page.about
    for field in ("formula", "tex", "reading", "range", "reference", "chinese", "example"):
        text = getattr(about, field)
        assert text == text.strip() != "", field
    assert about.pitfalls
    assert all(pitfall.endswith(".") for pitfall in about.pitfalls)
    assert about.reading.endswith(".")
    assert about.better in BETTER
    assert about.seed in (None, "000", "001", "002", "003", "004")
    assert re.search(r"[\u4e00-\u9fff]", about.chinese)


@each_page
def test_tex_is_whole_and_survives_markdown(page: Page) -> None:
    tex = page.about.tex
    assert "$" not in tex
    assert "\n\n" not in tex
    depth = 0
    for sign in tex:
        depth += (sign == "{") - (sign == "}")
        assert depth >= 0, tex
    assert depth == 0, tex
    for opens, closes in ((r"\\left\b", r"\\right\b"), (r"\\begin\b", r"\\end\b")):
        count = [
            len(re.findall(re.escape(word) + r"(?![a-zA-Z])", tex)) for word in (opens, closes)
        ]
        assert count[0] == count[1], tex
    assert set(re.findall(r"\\([a-zA-Z]+)", tex)) <= set(TEX.split())
    assert "<" not in tex, "use \\lt: what follows might be read as a tag"
    # Markdown takes the backslash from before a sign.
    assert not re.search(r"\\[^a-zA-Z]", tex), "use \\lbrace, \\quad, \\text{max fpr}"


@each_page
def test_a_title_is_a_name_and_a_phrase(page: Page) -> None:
    name, colon, phrase = page.title.partition(": ")
    assert name
    assert colon
    assert phrase.endswith(".")
    # What has a field of its own is not said twice.
    assert ">>>" not in (page.metric.doc or "")
    assert page.about.reference not in (page.metric.doc or "")


@each_page
def test_every_parameter_says_what_it_does(page: Page) -> None:
    for parameter in page.metric.parameters:
        assert parameter.means, parameter.name
        assert not parameter.means.endswith("."), "a phrase"
        assert parameter.means in page.takes(parameter)


@each_page
def test_an_example_runs(page: Page) -> None:
    assert f"sy.{page.name}(" in page.about.example
    value = eval(page.about.example, {"sy": sy})
    if page.metric.shape is None and isinstance(value, float):
        assert math.isfinite(value)
    elif page.metric.shape is not None:
        assert isinstance(value, page.metric.shape)
    first, *rest = page_text.code(page.about.example, 64)
    assert eval("\n".join([first, *rest]), {"sy": sy}) is not None
    assert max(map(len, (first, *rest))) <= 64


# --- what the examples give, by hand --------------------------------------------------------------
# The cells of the first eight are TP 2, FP 2, FN 1, TN 3: 0.9 and 0.6 of the positives, 0.8 and 0.5
# of the negatives are 0.5 or more.
GIVEN: dict[str, float | Fraction] = {
    "accuracy": Fraction(5, 8),
    "precision": Fraction(2, 4),
    "recall": Fraction(2, 3),
    "specificity": Fraction(3, 5),
    "fpr": Fraction(2, 5),
    "fnr": Fraction(1, 3),
    "npv": Fraction(3, 4),
    "fdr": Fraction(2, 4),
    "f1": Fraction(4, 4 + 2 + 1),
    "fbeta": Fraction(10, 10 + 4 + 2),
    "mcc": float(Decimal(4) / Decimal(240).sqrt()),  # (6 − 2)/√(4·3·5·4)
    "prevalence": Fraction(3, 8),
    "balanced_accuracy": Fraction(1, 2),  # all positives right, all negatives wrong
    "auc": Fraction(3, 4),  # of four pairs, (0.35, 0.4) alone is in the wrong order
    "gini": Fraction(1, 2),
    "pnr": 3,
    "ks": Fraction(1, 2),
    "best_threshold": 0.8,  # TPR − FPR is ½ at 0.8 and at 0.35
    "partial_auc": Fraction(1, 4),  # TPR is ½ up to FPR ½
    "tpr_at_fpr": 1,
    "fpr_at_tpr": Fraction(1, 2),
    "ap": (1 + Fraction(2 / 3)) / 2,  # ½·1 + ½·⅔, each precision rounded once
    "best_f1": Fraction(4, 5),  # at 0.7: 2·2/(3 + 2)
    "break_even": Fraction(1, 2),
    "pr_auc": Fraction(2, 3),  # one block: precision is ⅔ throughout
    "precision_at_recall": Fraction(2, 3),
    "recall_at_precision": Fraction(1, 2),
    "capture": Fraction(1, 2),
    "lift": Fraction(5, 2),
    "gauc": Fraction(7, 10),  # ann 1 of two rows, bob ½ of three
    "uauc": Fraction(3, 4),
    "cg": 11,
    "err": 0.94140625,  # 15/16 + (1/16)·(3/16)/3
    "f1_at_k": Fraction(4, 5),
    "precision_at_k": Fraction(2, 3),
    "recall_at_k": Fraction(1, 2),
    "r_precision": Fraction(2, 3),
    "hit_rate": Fraction(1, 2),
    "map": Fraction(3, 4),  # (1 + 2/4)/2
    "mrr": Fraction(1, 2),
    "rbp": Fraction(5, 8),  # ½·(1 + ¼)
}


@pytest.mark.parametrize("name", GIVEN)
def test_what_examples_give(name: str) -> None:
    (page,) = (page for page in PAGES.values() if page.name == name and page.family in OLD)
    assert pages.gives(page) == repr(float(GIVEN[name]))


OLD = ("binary", "curves", "groups", "ranking")

# Ten digits: seeds/README.md, worked out by hand there.
DIGITS = {"dcg": 6.8611266886, "ndcg": 0.8183541905}


@pytest.mark.parametrize("name", DIGITS)
def test_the_seeds_examples(name: str) -> None:
    (page,) = (page for page in PAGES.values() if page.name == name)
    assert float(pages.gives(page)) == pytest.approx(DIGITS[name], abs=5e-11)


# What else the pages or the docstrings before them showed, and why it is so.
Y, S = [1, 1, 0, 0], [0.9, 0.4, 0.6, 0.1]
SHOWN: list[tuple[str, Any]] = [
    ("sy.accuracy(Y, S)", 0.5),
    ("sy.f1(Y, S, threshold=0.3)", 0.8),  # 4/(4 + 1)
    ("sy.fbeta(Y, S, beta=2)", 0.5),
    ("sy.mcc([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1])", 1.0),
    ("sy.recall(Y, S, threshold=0.3)", 1.0),
    ("sy.confusion(Y, S)", (1, 1, 1, 1)),
    ("sy.confusion(Y, S, sample_weight=[1, 1, 0.5, 1])", (1, 0.5, 1, 1)),
    ("sy.accuracy([1] * 90 + [0] * 10, [0.9] * 100)", 0.9),  # seed 004
    ("sy.precision([1] * 10 + [0] * 200, [0.9] * 110 + [0.1] * 100)", 10 / 110),
    (
        "sy.precision([1] * 100, [0.9] + [0.1] * 99), sy.recall([1] * 100, [0.9] + [0.1] * 99)",
        (1, 0.01),
    ),
    ("sy.roc_auc([0, 0, 1, 1], [0.1, 0.4, 0.4, 0.8])", 0.875),  # a tie counts ½
    ("sy.partial_auc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8], max_fpr=0.5, standardize=True)", 2 / 3),
    ("sy.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).fpr.tolist()", [0.0, 0.0, 0.5, 0.5, 1.0]),
    ("sy.roc([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).tpr.tolist()", [0.0, 0.5, 0.5, 1.0, 1.0]),
    ("sy.pr([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6]).precision.tolist()", [1.0, 0.5, 2 / 3, 0.5]),
    ("sy.pr([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6]).recall.tolist()", [0.5, 0.5, 1.0, 1.0]),
    ("sy.gauc([1, 0, 0, 1], [0.9, 0.1, 0.4, 0.3], group=['ann', 'ann', 'bob', 'bob'])", 0.5),
    ("sy.ndcg([0, 1, 2], [0.3, 0.2, 0.1], k=1)", 0.0),
    ("sy.ndcg([2, 1, 0], [0.3, 0.2, 0.1])", 1.0),
    ("sy.f1_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=2)", 0.5),
    ("sy.precision_at_k([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6], k=4)", 0.5),
    ("sy.r_precision([1, 0, 1, 0], [0.9, 0.8, 0.7, 0.6])", 0.5),
    # Three rows, one relevant, no order among them: (1 + 1/log2(3) + ½)/3.
    ("round(sy.ndcg([1, 0, 0], [0.5, 0.5, 0.5]), 2)", 0.71),
    # max_grade 4: a grade of 1 satisfies one reader in sixteen.
    ("sy.err([1], [0.5])", 1 / 16),
    # Everything called positive: 2π/(1 + π) at a prevalence of π.
    ("sy.best_f1([1, 0, 0, 0], [0.5, 0.5, 0.5, 0.5])", 0.4),
    # A score that runs the wrong way.
    ("sy.ks([1, 1, 0, 0], [0.1, 0.2, 0.3, 0.4])", 0.0),
]


@pytest.mark.parametrize(("expression", "value"), SHOWN)
def test_what_else_pages_say(expression: str, value: object) -> None:
    assert eval(expression, {"sy": sy, "Y": Y, "S": S}) == value


def test_noise_has_a_ks_of_three_tenths_one_time_in_six() -> None:
    """The exact law of the one-sided statistic, two samples of 20: C(40, 14)/C(40, 20)."""
    chance = math.comb(40, 14) / math.comb(40, 20)
    assert 1 / chance == pytest.approx(6, abs=0.1)
    assert any("one time in six" in pitfall for pitfall in PAGES["curves.ks"].about.pitfalls)


# --- how they are drawn ---------------------------------------------------------------------------
@each_page
def test_text_fits_80_columns_and_says_everything(page: Page) -> None:
    text = page_text.render(page, pages.gives(page))
    for line in text.split("\n"):
        formula = line.startswith("    ") and line in (page.metric.doc or "")
        assert formula or columns_of(line) <= 80, line
    squeezed = " ".join(text.split())
    about = page.about
    for said in (about.reading, about.range, page.better, about.reference, *about.pitfalls):
        assert " ".join(said.split()) in squeezed
    for said in (about.chinese, *page.metric.aliases, page.in_python, *about.formula.split("\n")):
        assert " ".join(said.split()) in squeezed
    for parameter in page.metric.parameters:
        assert page.takes(parameter) in squeezed


@each_page
def test_markdown_says_everything(page: Page) -> None:
    text = page_markdown.render(page, pages.gives(page))
    assert f"\n$$\n{page.about.tex}\n$$\n" in text
    assert pages.gives(page) in text
    for parameter in page.metric.parameters:
        assert f"| `{parameter.name}` | {page_markdown.prose(parameter.means)} |" in text
    for pitfall in page.about.pitfalls:
        assert f"\n- {page_markdown.prose(pitfall)}\n" in text
    for line in text.split("\n"):
        if line.startswith("|"):
            cells = re.split(r"(?<!\\)\|", line)
            assert len(cells) in (4, 6), line


@pytest.mark.parametrize("width", [20, 40, 60, 100, 300])
def test_prose_is_wrapped_to_the_terminal(width: int) -> None:
    text = sy.explain("gauc").text(width)
    lines = [line for line in text.split("\n") if ">>>" not in line and "... " not in line]
    assert max(map(columns_of, lines)) <= min(max(width, 46), 100)


def test_code_keeps_its_meaning() -> None:
    example = 'sy.gauc([1, 0], [0.9, 0.1], group=["a", "a"])'
    assert page_text.code(example, 100) == [example]
    assert page_text.code(example, 30) == [
        "sy.gauc([1, 0], [0.9, 0.1],",
        '        group=["a", "a"])',
    ]
    matrix = "sy.f([1, 2], [[0.1, 0.9], [0.2, 0.8]])"
    assert page_text.code(matrix, 22) == [
        "sy.f([1, 2],",
        "     [[0.1, 0.9],",
        "      [0.2, 0.8]])",
    ]
    assert page_text.code("sy.roc([0, 1], [0, 1]).tpr", 10) == ["sy.roc([0, 1], [0, 1]).tpr"]


def test_prose_in_markdown() -> None:
    assert page_markdown.prose("a|b and `a|b` < *c*") == "a\\|b and `a|b` \\< \\*c\\*"


def test_a_value_of_several_fields_takes_a_line_each() -> None:
    assert pages.gives(PAGES["curves.roc"]).split("\n")[1] == (
        "    tpr=array([0. , 0.5, 0.5, 1. , 1. ]),"
    )
    assert pages.gives(PAGES["binary.confusion"]) == "Confusion(tp=2, fp=2, fn=1, tn=3)"


# --- sy.explain and the command -------------------------------------------------------------------
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
    assert [page.name for page in found if page.family in OLD] == names


def test_a_name_of_several_metrics_shows_all() -> None:
    found = [(page.family, page.name) for page in sy.explain("precision").pages]
    assert {("binary", "precision"), ("ranking", "precision_at_k")} <= set(found)
    assert found == sorted(found)


def test_two_metrics_of_one_function_are_told_apart() -> None:
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
    about = PAGES["groups.gauc"].about
    assert page["formula"] == about.formula
    assert page["tex"] == about.tex
    assert page["pitfalls"] == list(about.pitfalls)
    assert page["chinese"] == "分组 AUC"
    assert (page["seed"], page["better"], page["gives"]) == ("000", "higher", "0.7")
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


# --- docs/metrics ---------------------------------------------------------------------------------
def test_the_pages_are_current() -> None:
    for path, text in metrics_pages.texts().items():
        assert path.exists(), f"{path}: make pages writes it"
        assert path.read_text(encoding="utf-8") == text, f"{path}: make pages writes it anew"


def test_no_page_is_left_over() -> None:
    assert metrics_pages.stray() == set(), "make pages removes them"


def test_links_lead_somewhere() -> None:
    for path, text in metrics_pages.texts().items():
        for link in re.findall(r"\]\(([^)]+)\)", text):
            assert (path.parent / link).resolve().exists(), (path, link)


def test_a_page_links_the_metrics_that_it_speaks_of() -> None:
    texts = {
        f"{path.parent.name}.{path.stem}": text for path, text in metrics_pages.texts().items()
    }
    assert "[balanced_accuracy](../binary/balanced_accuracy.md)" in texts["binary.accuracy"]
    assert "[precision](../binary/precision.md)" in texts["ranking.precision_at_k"]
    assert "(../curves/auc.md)" not in texts["curves.auc"]


# --- CONTRIBUTING ---------------------------------------------------------------------------------
def test_the_metrics_that_contributing_shows() -> None:
    """They run as they stand, and have pages."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```python\n(\"\"\".*?)```", text, re.DOTALL)
    blocks = [block for block in blocks if "METRIC = " in block]  # a preset is shown too
    made = {}
    for block in blocks:
        names: dict[str, Any] = {}
        exec(block, names)
        made[names["METRIC"].name] = names["METRIC"]
    assert set(made) == {"jaccard", "found"}
    assert made["jaccard"].value(Counts(1, 1, 1, 1, 1)) == 1 / 3
    for metric in made.values():
        page = Page("here", metric)
        test_no_field_is_empty(page)
        test_tex_is_whole_and_survives_markdown(page)
        test_a_title_is_a_name_and_a_phrase(page)
        assert metric.about.formula in page_text.render(page, "?")
