"""Names in any language: a font that has them is found, or one line says what to install."""

import warnings
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest
from fontTools.fontBuilder import FontBuilder
from matplotlib import font_manager
from matplotlib.figure import Figure

import steelyard as sy
from steelyard.report.charts import draw_matplotlib, fonts
from steelyard.report.charts.of_result import chart_of
from tests.shell.run import run

CITIES = ("北京", "東京", "서울", "한국어 あ")
LOG = {
    "y": [0, 1] * 4,
    "s": [0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6],
    "city": [city for city in CITIES for _ in range(2)],
}
SYSTEM_FONTS = font_manager.findSystemFonts


@pytest.fixture(autouse=True)
def only_matplotlib(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the fonts that come with matplotlib, which have no Chinese."""
    own = [f for f in font_manager.fontManager.ttflist if f.fname.startswith(mpl.get_data_path())]
    monkeypatch.setattr(font_manager.fontManager, "ttflist", own)
    monkeypatch.setattr(font_manager, "findSystemFonts", list)


def result(**options: Any) -> sy.Result:
    asked: dict[str, Any] = {"label": "y", "score": "s", "by": "city", "metrics": "auc"}
    return sy.evaluate(LOG, **asked | options)


def font_of(path: Path, family: str, signs: str) -> str:
    """A font file that has these characters, each as a square."""
    names = [".notdef", *(f"sign{place}" for place in range(len(signs)))]
    builder = FontBuilder(1000, isTTF=False)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap({ord(sign): names[n] for n, sign in enumerate(signs, 1)})
    builder.setupCFF(family.replace(" ", ""), {}, dict.fromkeys(names, _square()), {})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": family, "styleName": "Regular"})
    builder.setupOS2(usWeightClass=400)
    builder.setupPost()
    builder.save(path)
    return str(path)


def _square() -> Any:
    from fontTools.pens.t2CharStringPen import T2CharStringPen

    pen = T2CharStringPen(1000, None)
    pen.moveTo((100, 0))
    for corner in ((900, 0), (900, 800), (100, 800)):
        pen.lineTo(corner)
    pen.closePath()
    return pen.getCharString()


def test_fonts_installed_after_matplotlib_made_its_list_are_found_and_drawn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two fonts, since few have the letters of all languages."""
    files = [
        font_of(tmp_path / "a.otf", "Trial Chinese Sans", "北京東京"),
        font_of(tmp_path / "b.otf", "Trial Korean Sans", "서울한국어あ"),
    ]
    monkeypatch.setattr(font_manager, "findSystemFonts", lambda: files)
    given = Figure().subplots()  # its texts are made before our fonts are known
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for ax in (result().plot("slices", by="city"), result().plot("slices", ax=given)):
            ax.figure.savefig(tmp_path / "a.png")  # a glyph that is missing would be a warning
            shown = {text.get_text() for text in ax.get_yticklabels()}
            assert shown == {f"* {city}" for city in CITIES}  # a star: few rows
            families = ax.get_yticklabels()[0].get_fontfamily()
            assert {"Trial Chinese Sans", "Trial Korean Sans"} < set(families)


def test_without_a_font_one_line_says_what_to_install(tmp_path: Path) -> None:
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        ax = result().plot("slices")
        ax.figure.savefig(tmp_path / "a.png")
    (warning,) = heard
    assert warning.category is sy.FontWarning
    assert "apt-get install fonts-noto-cjk" in str(warning.message)
    assert "\n" not in str(warning.message)
    assert {"* □□", "* □□□ □"} == {text.get_text() for text in ax.get_yticklabels()}


def test_the_command_says_so_in_one_line(tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    lines = [",".join(map(str, line)) for line in zip(*LOG.values(), strict=True)]
    path.write_text("\n".join([",".join(LOG), *lines]), encoding="utf-8")
    roles = ("--label", "y", "--score", "s", "--by", "city", "--title", "中")
    done = run("plot", "slices", str(path), *roles, "-q", "-o", str(tmp_path / "a.svg"))
    assert done.exit_code == 0
    said = " ".join(done.stderr.split())
    assert said.startswith("steelyard: no font has these 10 characters of the picture")
    assert "中" in said
    assert said.endswith(
        "(on Debian and Ubuntu: apt-get install fonts-noto-cjk) and draw it again."
    )


def test_other_signs_get_other_advice() -> None:
    chart = chart_of(result(by=None, metrics="roc"), "roc")
    with pytest.warns(sy.FontWarning, match="this character .* 𓂀; install one that has") as heard:
        draw_matplotlib.file_of(chart, "svg", "𓂀")
    assert len(heard) == 1
    assert fonts.fitted(chart, "é ≈ −") == (chart, "é ≈ −", ())


@pytest.mark.skipif(
    not any("CJK" in path for path in SYSTEM_FONTS()),
    reason="NO FONT FOR CHINESE: apt-get install fonts-noto-cjk, to see this picture",
)
def test_an_installed_font_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(font_manager, "findSystemFonts", SYSTEM_FONTS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ax = result().plot("slices")
        ax.figure.savefig(tmp_path / "a.png")
    assert any("CJK" in family for family in ax.get_yticklabels()[0].get_fontfamily())
