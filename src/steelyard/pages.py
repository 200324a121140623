"""`sy.explain`: the pages of metrics, with examples that are computed when shown."""

import ast
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, overload

from steelyard import errors
from steelyard.api import state
from steelyard.evaluation.saved_state import State
from steelyard.metrics import catalogue
from steelyard.metrics.record import SCORE
from steelyard.model import Undefined, Value
from steelyard.report import page_markdown, page_text
from steelyard.report.markdown import draw as draw_markdown
from steelyard.report.page import Page, pages_of
from steelyard.report.page_text import USUAL
from steelyard.report.text import draw as draw_text
from steelyard.report.text import encodable, terminal_width
from steelyard.report.worked import STEPS

LONGEST = 64  # characters of a value on one line
ONE_LIST = "'all rows'"  # SQL: the group of every row


@overload
def explain(name: str | Callable[..., Any], *more: str | Callable[..., Any]) -> "Explanation": ...
@overload
def explain(name: str | Callable[..., Any], *, on: Any, **roles: Any) -> "WorkedExample": ...
def explain(
    name: str | Callable[..., Any],
    *more: str | Callable[..., Any],
    on: Any = None,
    **roles: Any,
) -> "Explanation | WorkedExample":
    """The pages of metrics: formula, meaning, an example, parameters, pitfalls, reference.

    name, more: such as "auc", "precision(0.3)", "ndcg@10", or functions such as sy.auc
    on: rows of your own, a file or columns: auc or ndcg is then computed step by step on them
    roles: of these rows, as in `evaluate`: label, score, group and other options

    >>> explain("gini").pages[0].about.formula
    '2·AUC − 1'
    >>> print(explain("auc", on={"label": [0, 1, 1, 0], "score": [0.1, 0.4, 0.8, 0.4]}))
    Rows from the highest score down
    score  class     won  tied  lost  points
    ────────────────────────────────────────
      0.8  positive    2     0     0       2
      0.4  positive    1     1     0     1.5
      0.4  negative
      0.1  negative
    <BLANKLINE>
    won, tied, lost: the negatives with a lower, an equal and a higher score than
      the positive; a tie is half a point
    all pairs: 3 won + 1 tied / 2 = 3.5, of 4
    auc = 3.5 / 4 = 0.875
    """
    names: list[Any] = [getattr(each, "__name__", each) for each in (name, *more)]
    if on is None and roles:
        raise errors.NEEDS_ON(names=", ".join(roles))
    if on is None:
        return Explanation(page for each in names for page in pages_of(each))
    if len(names) > 1 or "metrics" in roles:
        every = (*names, *([roles["metrics"]] if "metrics" in roles else []))
        raise errors.ONE_WORKED(metrics=", ".join(map(str, every)))
    return WorkedExample(names[0], on, roles)


def _state(on: Any, options: dict[str, Any]) -> State:
    """The state of some rows; for a ranking without a group they are one list."""
    try:
        return state(on, **options)
    except errors.InputError as error:
        if error.template is not errors.GROUP_NEEDED:
            raise
        return state(on, **{**options, "group": ONE_LIST})


class WorkedExample:
    """A metric computed step by step on some rows; value: its own, or why it has none."""

    def __init__(self, name: str, on: Any, roles: Mapping[str, Any]) -> None:
        found = catalogue.resolve(name, reads=SCORE)
        if found.metric.name not in STEPS:
            raise errors.NO_STEPS(metric=found.name, known=" and ".join(STEPS))
        state = _state(on, {**roles, "metrics": name})
        [bound] = state.plan.metrics
        [table, *others] = state.evaluation().tables
        if others:
            raise errors.ONE_LIST()
        row = state.result().rows[0]
        self.value: Value = Undefined(row.why or "") if row.value is None else row.value
        view = table.engine.exchange(table.table, bound.state_spec).whole
        self.tables = tuple(STEPS[bound.metric.name](view, bound.metric, bound.params, self.value))

    def __repr__(self) -> str:
        return encodable(self.text(terminal_width()))

    def _repr_markdown_(self) -> str:
        return self.markdown()

    def text(self, width: int | None = None) -> str:
        """Plain text: each table with its notes; the last line has the value."""
        return "\n\n".join(draw_text([each], width or USUAL) for each in self.tables)

    def markdown(self) -> str:
        """The same in Markdown."""
        return "\n\n".join(draw_markdown([each]) for each in self.tables)

    def data(self) -> dict[str, Any]:
        """The tables, their notes and the value as plain data for JSON."""
        tables = [
            {
                "title": each.title,
                "header": each.header,
                "lines": [[cell.text for cell in line] for block in each.blocks for line in block],
                "notes": each.notes,
            }
            for each in self.tables
        ]
        return {"value": self.value if isinstance(self.value, float) else None, "tables": tables}


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
