"""`sy.explain`: the pages of metrics, with examples that are computed when they are shown."""

import ast
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

from steelyard.report import page_markdown, page_text
from steelyard.report.page import Page, pages_of
from steelyard.report.text import printable, terminal_width

LONGEST = 64  # columns of a value that stays on one line


def explain(name: str | Callable[..., Any], *more: str | Callable[..., Any]) -> "Explanation":
    """What metrics are: formula, reading, an example, parameters, pitfalls, where they come from.

    name, more: such as "auc", "precision(0.3)", "ndcg@10", or functions such as sy.auc

    >>> explain("gini").pages[0].about.formula
    '2·AUC − 1'
    """
    asked: list[Any] = [getattr(each, "__name__", each) for each in (name, *more)]
    return Explanation(page for each in asked for page in pages_of(each))


class Explanation:
    """Pages of metrics: text where it is printed, Markdown with its formula in a notebook."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self.pages = tuple(pages)

    def __repr__(self) -> str:
        return printable(self.text(terminal_width()))

    def _repr_markdown_(self) -> str:
        """No HTML beside it: notebooks would prefer that, and not all set TeX in it."""
        return self.markdown()

    def text(self, width: int | None = None) -> str:
        """Plain text, its prose on lines of that many columns."""
        drawn = [page_text.render(page, gives(page), width=width) for page in self.pages]
        return "\n\n\n".join(drawn)

    def markdown(self) -> str:
        """Markdown, formulas in TeX between dollar signs."""
        return "\n\n".join(page_markdown.render(page, gives(page)) for page in self.pages)

    def data(self) -> list[dict[str, Any]]:
        """Everything on the pages as JSON takes it."""
        return [page.record(gives(page)) for page in self.pages]


def gives(page: Page) -> str:
    """What the example of a page gives, as Python shows it; a field a line where it is long."""
    value = _called(page.about.example)
    fields = getattr(value, "_fields", ())
    shown = repr(value)
    if not fields or len(shown) <= LONGEST:
        return shown
    name = type(value).__name__
    lines = [f"{field}={part!r}" for field, part in zip(fields, value, strict=True)]
    return f"{name}(" + f",\n{' ' * (len(name) + 1)}".join(lines) + ")"


def _called(example: str) -> Any:
    """What a call of one of our functions gives; its arguments are plain values."""
    call = ast.parse(example, mode="eval").body
    assert isinstance(call, ast.Call)
    assert isinstance(call.func, ast.Attribute)
    function = getattr(import_module("steelyard"), call.func.attr)
    read = ast.literal_eval
    named = {word.arg or "": read(word.value) for word in call.keywords}
    return function(*map(read, call.args), **named)
