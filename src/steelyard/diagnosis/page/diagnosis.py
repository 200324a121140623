"""A diagnosis: the verdict, the lines with their evidence, the parts; as text, pages or JSON."""

import html
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from steelyard import errors
from steelyard.atomic_write import FilePath
from steelyard.diagnosis.page import words
from steelyard.diagnosis.page.facts import Answer
from steelyard.diagnosis.page.part_tables import chart_of, fitting_tables, short_table
from steelyard.diagnosis.page.trend_words import layout
from steelyard.diagnosis.parts.part_table import PartTable
from steelyard.diagnosis.trends.trend import Trend
from steelyard.phrases import listing, printable
from steelyard.report import markdown, text
from steelyard.report.fitting import LEAST, wrapped
from steelyard.report.line_table import written

SCHEMA = "steelyard.diagnosis/1"
WIDTH = 100
WATERFALL = "waterfall"


@dataclass(frozen=True)
class Cause:
    """A slice that is accused.

    slice: its values by dimension; before, after: the metric's value in it
    without: the change of the rows without it; share: of the change that is then gone
    p: of the test on clusters that the search did not see
    """

    slice: dict[str, Any]
    before: float
    after: float
    without: float
    share: float
    p: float


@dataclass(frozen=True, repr=False)
class Diagnosis:
    """What changed between two logs, where, and how sure that is.

    verdict: one sentence with its numbers; kind: the explanation in a word or two
    causes: the slices accused, none where no slice is; parts: exact fractions, by dimension
    lines: the questions on call, each with its answer and evidence
    trend: of several logs in time order, from which the two were chosen
    """

    metric: str
    before: float
    after: float
    verdict: str
    kind: str
    causes: tuple[Cause, ...]
    parts: tuple[PartTable, ...]
    lines: tuple[Answer, ...]
    notes: tuple[str, ...] = ()
    shown: int = 0  # the place of the table that text shows
    trend: Trend | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "verdict", printable(self.verdict))
        object.__setattr__(self, "notes", tuple(map(printable, self.notes)))

    def to_text(self, width: int | None = None) -> str:
        """The page for a terminal."""
        width = width or WIDTH
        found = [*wrapped(self.verdict, width, ""), ""]
        if self.trend is not None:
            found += [text.draw([layout(self.trend)], width), ""]
        space = max(len(line.question) for line in self.lines) + 2
        for line in self.lines:
            for place, answer in enumerate(line.answers):
                head = line.question if place == 0 else ""
                if line.question == "next":  # a command is copied: it stays on one line
                    found.append(f"{head:<{space}}{answer}")
                    continue
                rows = wrapped(answer, max(width - space, LEAST), "")
                found += [f"{head if n == 0 else '':<{space}}{row}" for n, row in enumerate(rows)]
        if self.parts:
            whole = short_table(self.parts[self.shown], self.metric)
            drawn = text.draw(fitting_tables(whole, width), width)
            found += ["", *wrapped(self._title(), width, ""), drawn]
        notes = [row for note in self.notes for row in wrapped(note, width, "  ")]
        return "\n".join([*found, *([""] if notes else []), *notes])

    def _title(self) -> str:
        change = words.signed(self.metric, float(self.parts[self.shown].change))
        name = words.name(self.metric)
        return f"{name} {change}: what each slice adds, by its own change and by its share"

    def to_markdown(self, path: FilePath | None = None) -> str:
        """The page in GitHub's Markdown, also written to `path` if one is given."""
        found = [f"**{markdown.escaped(self.verdict)}**"]
        if self.trend is not None:
            found.append(markdown.draw([layout(self.trend)]))
        lines = [
            (markdown.escaped(each.question), "<br>".join(map(markdown.escaped, each.answers)))
            for each in self.lines
        ]
        found.append("\n".join(["| question | answer |", "|:--|:--|", markdown.rows(lines)]))
        if self.parts:
            found.append(markdown.escaped(self._title()))
            found.append(markdown.draw([short_table(self.parts[self.shown], self.metric)]))
        notes = (markdown.escaped(note) for note in self.notes)
        return written("\n\n".join([*found, *notes]), path)

    def to_html(self, path: FilePath | None = None) -> str:
        """One page for a browser, also written to `path` if one is given.

        It has a waterfall of the parts of each dimension, and loads nothing.
        """
        from steelyard.diagnosis.page.html_page import page_of
        from steelyard.report.report_page.render import render_diagnosis

        return written(render_diagnosis(page_of(self)), path)

    def plot(
        self, kind: str = WATERFALL, *, by: str | None = None, ax: Any = None, **style: Any
    ) -> Any:
        """Draw the parts of the change with matplotlib and return the axes: `plot("waterfall")`.

        by: the dimension, that of the table in the text if not given
        ax: the axes to draw on; new ones if not given
        style: properties of matplotlib for the bars, as in `linewidth=3`
        """
        from steelyard.report.charts import draw_matplotlib

        if kind != WATERFALL:
            raise errors.NO_PICTURE_KIND(kind=kind, hint="", known=WATERFALL)
        names = [table.dimension for table in self.parts]
        if (by is not None and by not in names) or not names:
            raise errors.NOT_A_DIMENSION(by=by, known=listing(names))
        table = self.parts[self.shown if by is None else names.index(by)]
        chart = chart_of(table, self.metric)
        return draw_matplotlib.draw(chart, ax, style)

    def to_dict(self) -> dict[str, Any]:
        """Plain data; numbers that do not exist are None."""
        found = {
            "schema": SCHEMA,
            "metric": self.metric,
            "before": self.before,
            "after": self.after,
            "verdict": self.verdict,
            "kind": self.kind,
            "trend": None if self.trend is None else self.trend.to_dict(),
            "causes": [vars(cause) for cause in self.causes],
            "parts": [_table(table) for table in self.parts],
            "lines": [
                {
                    "question": each.question,
                    "answers": list(each.answers),
                    "evidence": each.evidence,
                }
                for each in self.lines
            ],
            "notes": list(self.notes),
        }
        plain: dict[str, Any] = _plain(found)
        return plain

    def to_json(self, path: FilePath | None = None, *, indent: int | None = 2) -> str:
        """Strict JSON of `to_dict`, also written to `path` if one is given."""
        return written(json.dumps(self.to_dict(), indent=indent, allow_nan=False), path)

    def __str__(self) -> str:
        return text.encodable(self.to_text())

    def __repr__(self) -> str:
        return text.encodable(self.to_text())

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.to_text())}</pre>"


def _table(table: PartTable) -> dict[str, Any]:
    return {
        "dimension": table.dimension,
        "change": float(table.change),
        "within": float(table.within),
        "mix": float(table.mix),
        "base": float(table.base),
        "slices": [
            {
                "value": each.key,
                "other": each.is_other,
                "rows": list(each.rows),
                "before": None if each.before is None else float(each.before),
                "after": None if each.after is None else float(each.after),
                "within": float(each.part.within),
                "mix": float(each.part.mix),
            }
            for each in table.slices
        ],
    }


def _plain(value: Any) -> Any:
    """Data that JSON has: no NaN, no tuples, keys as text where they are not plain."""
    if isinstance(value, dict):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(each) for each in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | bool | None) else str(value)
