"""Pages of metrics: records are complete, and text, Markdown and docs/metrics show all of them."""

import doctest
import math
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import steelyard as sy
from steelyard import pages
from steelyard.metrics.about import BETTER
from steelyard.metrics.count_metrics import Counts
from steelyard.report import page_markdown, page_text
from steelyard.report.fitting import width_of
from steelyard.report.page import Page
from steelyard.report.page import pages as all_pages
from tests.paths import ROOT
from tools import metrics_pages

PAGES = {f"{page.family}.{page.name}": page for page in all_pages()}
each_page = pytest.mark.parametrize("page", PAGES.values(), ids=list(PAGES))

# Commands that KaTeX and MathJax both know; others may be typing errors.
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
    # A field of its own is not repeated here.
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


@pytest.mark.parametrize(
    ("name", "phrase"),
    [
        ("calibration.copc", "from influence values, on the log scale"),
        ("calibration.logloss", "from influence values"),
        (
            "curves.lift",
            "only by bootstrap, because it depends on the density of scores at one point",
        ),
        ("regression.max_error", "none, because it is the value of one row, and moves in jumps"),
        ("curves.roc", "none, because it is more than one number"),
    ],
)
def test_how_a_metric_gets_its_interval(name: str, phrase: str) -> None:
    assert PAGES[name].interval_phrase == phrase


# --- how they are drawn ---------------------------------------------------------------------------
@each_page
def test_text_fits_80_columns_and_says_everything(page: Page) -> None:
    text = page_text.render(page, pages.gives(page))
    for line in text.split("\n"):
        formula = line.startswith("    ") and line in (page.metric.doc or "")
        assert formula or width_of(line) <= 80, line
    squeezed = " ".join(text.split())
    about = page.about
    said_of_values = (about.range, page.better, page.interval_phrase)
    for said in (about.reading, *said_of_values, about.reference, *about.pitfalls):
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
    assert f"\n| interval | {page_markdown.prose(page.interval_phrase)} |\n" in text
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
    assert max(map(width_of, lines)) <= min(max(width, 46), 100)


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


# --- docs/metrics ---------------------------------------------------------------------------------
def test_the_pages_are_current() -> None:
    for path, text in metrics_pages.texts().items():
        assert path.exists(), f"{path}: make pages writes it"
        assert path.read_text(encoding="utf-8") == text, f"{path}: make pages writes it"


@pytest.mark.parametrize(
    "path",
    sorted(metrics_pages.FOLDER.glob("*/*.md")),
    ids=lambda path: f"{path.parent.name}.{path.stem}",
)
def test_python_m_doctest_passes_on_a_page_as_it_is_written(path: Path) -> None:
    failed, tried = doctest.testfile(str(path), module_relative=False)
    assert tried >= 2
    assert not failed, "doctest printed the differences"


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
    """They run unchanged, and have pages."""
    pages = (ROOT / "CONTRIBUTING.md", ROOT / "docs" / "contributing-reference.md")
    text = "".join(page.read_text(encoding="utf-8") for page in pages)
    blocks = re.findall(r"```python\n(\"\"\".*?)```", text, re.DOTALL)
    blocks = [block for block in blocks if "METRIC = " in block]  # a preset is shown too
    made = {}
    for name, block in zip(("jaccard", "found"), blocks, strict=True):
        names: dict[str, Any] = {}
        exec(block, names)
        made[name] = replace(names["METRIC"], name=name, doc=names["__doc__"])
    assert made["jaccard"].quotient(Counts(1, 1, 1, 1, 1)) == (1, 3)
    for metric in made.values():
        page = Page(metric)
        test_no_field_is_empty(page)
        test_tex_is_whole_and_survives_markdown(page)
        test_a_title_is_a_name_and_a_phrase(page)
        assert metric.formula in page_text.render(page, "?")
