"""The checks of every page find what they are for."""

from tests.browser.checks import CONTRAST, NAMES, TOO_WIDE, filled_bands, pixels, tabbed
from tests.browser.conftest import Open

GOOD = "<!doctype html><html lang=en><meta charset=utf-8><title>t</title><h1>Heading</h1>"
FAULTS = [
    (NAMES, "<h3>Deep</h3>", "skips a level"),
    (NAMES, "<h1>Again</h1>", "not one h1"),
    (NAMES, "<input>", "no label"),
    (NAMES, "<button></button>", "no name"),
    (NAMES, "<svg role=img></svg>", "svg without a title"),
    (NAMES, "<svg><title>x</title></svg>", "svg without a role"),
    (NAMES, "<table aria-label=x><td>1</table>", "table without headers"),
    (NAMES, "<table><th scope=col>1</table>", "table without a name"),
    (NAMES, "<table aria-label=x><th>1</table>", "header without scope"),
    (NAMES, "<p id=a></p><p id=a></p>", "id used twice: a"),
    (NAMES, "<p aria-labelledby=b></p>", "aria-labelledby of nothing"),
    (NAMES, "<a href='#b'>b</a>", "link to nothing"),
    (NAMES, "<p tabindex=3>b</p>", "tabindex"),
    (CONTRAST, "<p style='color: #999'>grey on white</p>", "grey on white"),
    (CONTRAST, "<p style='opacity: .4'>faint</p>", "faint"),
    (
        CONTRAST,
        "<svg role=img><title>t</title><text y=20 fill-opacity=.3>drawn</text></svg>",
        "drawn",
    ),
    (CONTRAST, "<p style='background: #333'>black on dark</p>", "black on dark"),
    (TOO_WIDE, "<div style='width: 3000px; height: 9px'></div>", "3000px"),
]


def test_every_fault_is_found(open_page: Open) -> None:
    page = open_page(GOOD).page
    for check, fault, words in FAULTS:
        page.set_content(GOOD + fault)
        found = page.evaluate(check)
        assert words in "\n".join(found), fault
        others = [other for other in (NAMES, CONTRAST, TOO_WIDE) if other != check]
        assert [page.evaluate(other) for other in others] == [[], []], fault


def test_no_fault_is_made_up(open_page: Open) -> None:
    page = open_page(
        GOOD + "<label>Name <input></label><h2 id=a>Table</h2><table aria-labelledby=a><tr>"
        "<th scope=col>x</table><div style='overflow: auto'><div style='width: 3000px'>x</div>"
        "</div><svg role=img><title>Picture</title></svg><svg aria-hidden=true></svg>"
    ).page
    assert [page.evaluate(check) for check in (NAMES, CONTRAST, TOO_WIDE)] == [[], [], []]


def test_a_blank_band(open_page: Open) -> None:
    blank = open_page(GOOD + "<div style='height: 1500px'></div>").page
    assert filled_bands(pixels(blank)).min() == 0
    full = open_page(GOOD + "<p>words and words</p>" * 40).page
    assert filled_bands(pixels(full)).min() > 0.002


def test_tab_order(open_page: Open) -> None:
    buttons = "<button>a</button><button style='outline: none'>b</button><a href='#'>c</a>"
    reached = tabbed(open_page(GOOD + buttons).page)
    assert [each["outline"] for each in reached] == [True, False, True]
