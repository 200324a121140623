"""docs/seeds.md: every article has its section and its errors."""

from tests.paths import DOCS

PAGE = (DOCS / "seeds.md").read_text(encoding="utf-8")


def test_every_article_lists_its_errors() -> None:
    for article in ("000", "001", "002", "003", "004"):
        assert f"\n## {article} · " in PAGE
        assert f"\n### Errors in {article}\n" in PAGE
