"""The way in: the README is short, the index lists every page, and links lead somewhere."""

import re
from pathlib import Path

import pytest

from steelyard.metrics import catalogue
from tests.paths import DOCS, ROOT

README = ROOT / "README.md"
INDEX = DOCS / "README.md"
WRITTEN = [README, ROOT / "CHANGELOG.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))]


def anchors(text: str) -> set[str]:
    """As GitHub makes them: small letters, no signs, a hyphen for each space."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings}


def test_the_readme_is_short_and_does_not_boast() -> None:
    text = README.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 200
    assert "AUC, NDCG, calibration and a hundred more" in text
    assert len(list(catalogue.every())) > 102


def test_the_index_lists_every_page_once_and_says_what_it_is() -> None:
    rows = re.findall(r"^\| \[(\S+)\]\((\S+)\) \| (.+) \|$", INDEX.read_text("utf-8"), re.MULTILINE)
    pages = {page.name for page in DOCS.glob("*.md") if page != INDEX}
    folders = {f"{page.parent.name}/README.md" for page in DOCS.glob("*/README.md")}
    assert sorted(link for _, link, _ in rows) == sorted(pages | folders | {"../CONTRIBUTING.md"})
    assert all(link.endswith(name) and len(words) > 15 for name, link, words in rows)


@pytest.mark.parametrize("page", WRITTEN, ids=lambda page: page.name)
def test_links_lead_to_files_and_headings(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    links = re.findall(r"\]\((?!https?:)([^)\s]+)\)|<img [^>]*src=\"([^\"]+)\"", text)
    for link in (first or second for first, second in links):
        path, _, heading = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        if heading:
            assert heading in anchors(target.read_text(encoding="utf-8")), link
