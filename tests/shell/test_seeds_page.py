"""docs/seeds.md leads where it says: to a page of a metric, to a heading of its own."""

import re

from tests.paths import DOCS

PAGE = (DOCS / "seeds.md").read_text(encoding="utf-8")


def test_links_to_pages() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", PAGE)
    assert len(links) > 50
    assert [link for link in links if not (DOCS / link).exists()] == []


def test_links_to_headings() -> None:
    """As GitHub makes an anchor: small letters, no signs, a hyphen for each space."""
    headings = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}
    links = re.findall(r"\]\(#([^)]+)\)", PAGE)
    assert len(links) >= 5
    assert set(links) <= anchors


def test_every_article_lists_its_errors() -> None:
    for article in ("000", "001", "002", "003", "004"):
        assert f"\n## {article} · " in PAGE
        assert f"\n### Errors in {article}\n" in PAGE
