"""Fonts of matplotlib that have the characters of a chart: names may be in any language."""

import unicodedata
import warnings
from collections.abc import Iterable
from dataclasses import replace
from importlib import import_module
from typing import Any

from steelyard import errors
from steelyard.report.charts.chart import Axis, Chart

BOX = "□"  # a character that no font has
EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")  # starts of names in Unicode


def fitted(chart: Chart, title: str = "") -> tuple[Chart, str, tuple[str, ...]]:
    """A chart and its title as fonts can draw them, and families to use beside the usual ones.

    What no font has is a box, with one warning that says what to install: matplotlib would warn
    of each character, each time that it draws.
    """
    families = import_module("matplotlib").rcParams["font.family"]
    wanted = {sign for text in (title, *_texts(chart)) for sign in text if _is_drawn(sign)}
    missing = wanted - _covered(families, wanted)
    if not missing:
        return chart, title, ()
    added = _families(missing)
    missing -= _covered(added, missing)
    if missing:
        east = any(unicodedata.name(sign, "").startswith(EAST_ASIAN) for sign in missing)
        warnings.warn(errors.no_font(missing, east_asian=east), stacklevel=errors.caller_level())
    table = dict.fromkeys(map(ord, missing), BOX)
    return _translated(chart, table), title.translate(table), added


def _texts(chart: Chart) -> Iterable[str]:
    for axis in (chart.x, chart.y):
        yield from (axis.label, *axis.names, *axis.beside)
    yield from (mark.name for mark in chart.marks)


def _is_drawn(sign: str) -> bool:
    """Whether a font must have the sign: not for spaces and what joins letters."""
    return not sign.isascii() and unicodedata.category(sign)[0] in "LMNPS"


def _translated(chart: Chart, table: dict[int, str]) -> Chart:
    def axis(of: Axis) -> Axis:
        names, beside = (tuple(t.translate(table) for t in each) for each in (of.names, of.beside))
        return replace(of, label=of.label.translate(table), names=names, beside=beside)

    marks = tuple(replace(mark, name=mark.name.translate(table)) for mark in chart.marks)
    return replace(chart, x=axis(chart.x), y=axis(chart.y), marks=marks)


# --- what is installed ----------------------------------------------------------------------------
def _families(missing: set[str]) -> tuple[str, ...]:
    """The families that have the most of these characters, and of the rest, and so on."""
    manager = import_module("matplotlib.font_manager")
    found = _best_families(manager, missing)
    if not missing <= _covered(found, missing) and _add_new_fonts(manager):
        found = _best_families(manager, missing)
    return found


def _best_families(manager: Any, missing: set[str]) -> tuple[str, ...]:
    names = {entry.name for entry in manager.fontManager.ttflist if _is_usual(entry)}
    has = {name: _covered([name], missing) for name in names}
    tail = _language(missing)
    plain = sorted(names, key=lambda n: ("Sans" not in n, "Mono" in n, not n.endswith(tail), n))
    found: list[str] = []
    left = set(missing)
    while left and has[best := max(plain, key=lambda name: len(has[name] & left))] & left:
        found.append(best)
        left -= has[best]
    return tuple(found)


def _is_usual(entry: Any) -> bool:
    """Whether a font is upright and of usual weight; not matplotlib's own of boxes for all."""
    usual = (entry.style, entry.weight, entry.stretch) == ("normal", 400, "normal")
    return usual and not entry.name.startswith("Last Resort")


def _language(signs: Iterable[str]) -> str:
    """The end of the family's name whose letters have the form that readers expect."""
    names = [unicodedata.name(sign, "") for sign in signs]
    if any(name.startswith("HANGUL") for name in names):
        return "KR"
    return "JP" if any(name.startswith(("HIRAGANA", "KATAKANA")) for name in names) else "SC"


def _add_new_fonts(manager: Any) -> bool:
    """Whether there are fonts that were installed after matplotlib made its list of them."""
    known = {entry.fname for entry in manager.fontManager.ttflist}
    new = [path for path in manager.findSystemFonts() if path not in known]
    for path in new:
        try:
            manager.fontManager.addfont(path)
        except (OSError, RuntimeError):  # damaged, or of a kind that matplotlib does not draw
            continue
    return bool(new)


def _covered(families: Iterable[str], signs: Iterable[str]) -> set[str]:
    """Those of the characters that fonts of these families have."""
    manager = import_module("matplotlib.font_manager")
    found: set[str] = set()
    for family in families:
        path = manager.findfont(manager.FontProperties(family=[family]))
        font = manager.get_font(path)
        found |= {sign for sign in signs if font.get_char_index(ord(sign))}
    return found
