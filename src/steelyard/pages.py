"""`sy.explain`: the pages of metrics, with examples that are computed when shown."""

import ast
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from steelyard.report import page_markdown, page_text
from steelyard.report.page import Page, pages_of
from steelyard.report.text import encodable, terminal_width

LONGEST = 64  # characters of a value on one line


def explain(name: str | Callable[..., Any], *more: str | Callable[..., Any]) -> "Explanation":
    """The pages of metrics: formula, meaning, an example, parameters, pitfalls, reference.

    name, more: such as "auc", "precision(0.3)", "ndcg@10", or functions such as sy.auc

    >>> explain("gini").pages[0].about.formula
    '2·AUC − 1'
    """
    names: list[Any] = [getattr(each, "__name__", each) for each in (name, *more)]
    return Explanation(page for each in names for page in pages_of(each))


class Explanation:
    """Pages of metrics: text when printed, Markdown with formulas in a notebook."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.pages = tuple(pages)

    def __repr__(self) -> str:
        return encodable(self.text(terminal_width()))

    def _repr_markdown_(self) -> str:
        """There is no HTML: notebooks would prefer it, and not all show TeX in it."""
        return self.markdown()

    def text(self, width: int | None = None) -> str:
        """Plain text, wrapped to the width."""
        drawn = [page_text.render(page, gives(page), width=width) for page in self.pages]
        return "\n\n\n".join(drawn)

    def markdown(self) -> str:
        """Markdown, formulas in TeX between dollar signs."""
        return "\n\n".join(page_markdown.render(page, gives(page)) for page in self.pages)

    def data(self) -> list[dict[str, Any]]:
        """The contents of the pages as plain data for JSON."""
        return [page.record(gives(page)) for page in self.pages]


def gives(page: Page) -> str:
    """The value of the example as Python shows it; one field per line if it is long."""
    return _shown(_evaluated(page.about.example))


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ",\n ".join(f"{key!r}: {_shown(one)}" for key, one in value.items()) + "}"
    fields = getattr(value, "_fields", ())
    shown = repr(value)
    if not fields or len(shown) <= LONGEST:
        return shown
    name = type(value).__name__
    lines = [f"{field}={part!r}" for field, part in zip(fields, value, strict=True)]
    return f"{name}(" + f",\n{' ' * (len(name) + 1)}".join(lines) + ")"


def _evaluated(example: str) -> Any:
    """The value of a call of a public function whose arguments are literals."""
    call = ast.parse(example, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Attribute)
    function = getattr(import_module("steelyard"), call.func.attr)
    keywords = {each.arg or "": ast.literal_eval(each.value) for each in call.keywords}
    return function(*map(ast.literal_eval, call.args), **keywords)
