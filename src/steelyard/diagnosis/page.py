"""A diagnosis: the verdict, the lines with their evidence, the parts; as text, Markdown or JSON."""

import html
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from steelyard.atomic_write import FilePath
from steelyard.diagnosis import words
from steelyard.diagnosis.lines import Answer
from steelyard.diagnosis.parts import PartTable, SlicePart
from steelyard.report import markdown, text
from steelyard.report.fitting import wrapped
from steelyard.report.line_table import written

SCHEMA = "steelyard.diagnosis/1"
WIDTH = 100
SHOWN_AS = {"ne": "logloss"}  # a slice's part of NE is that of its loss, over one entropy for all
SHOWN = 10  # slices of the table that text shows


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

    def to_text(self, width: int = WIDTH) -> str:
        """The page for a terminal."""
        found = [*wrapped(self.verdict, width, ""), ""]
        space = max(len(line.question) for line in self.lines) + 2
        for line in self.lines:
            for place, answer in enumerate(line.answers):
                head = line.question if place == 0 else ""
                if line.question == "next":  # a command is copied: it stays on one line
                    found.append(f"{head:<{space}}{answer}")
                    continue
                rows = list(wrapped(answer, width - space, ""))
                found += [f"{head if n == 0 else '':<{space}}{row}" for n, row in enumerate(rows)]
        if self.parts:
            found += ["", *self._title(), text.grid(self._grid(), left=(0,))]
        return "\n".join([*found, *([""] if self.notes else []), *self.notes])

    def _title(self) -> list[str]:
        change = words.signed(self.metric, float(self.parts[self.shown].change))
        name = words.name(self.metric)
        return [f"{name} {change}: what each slice adds, by its own change and by its share"]

    def _grid(self) -> list[tuple[str, ...]]:
        table, metric = self.parts[self.shown], self.metric
        slices = sorted(table.slices, key=lambda each: -abs(each.part.total))
        name = SHOWN_AS.get(metric, words.name(metric))
        cells: list[tuple[str, ...]] = [
            (table.dimension, "rows before", "after", name, "after", "own", "mix")
        ]
        cells += [_cells(metric, each) for each in slices[:SHOWN]]
        rest = slices[SHOWN:]
        if rest:
            own, mix = (float(sum(getattr(e.part, n) for e in rest)) for n in ("within", "mix"))
            numbers = words.signed(metric, own), words.signed(metric, mix)
            cells.append((f"{len(rest)} more", "", "", "", "", *numbers))
        return cells

    def to_markdown(self) -> str:
        """The page in GitHub's Markdown."""
        found = [f"**{markdown.escaped(self.verdict)}**", "| question | answer |\n|:--|:--|"]
        for line in self.lines:
            answer = "<br>".join(markdown.escaped(each) for each in line.answers)
            found[-1] += f"\n| {markdown.escaped(line.question)} | {answer} |"
        if self.parts:
            head, *cells = self._grid()
            found.append(markdown.escaped(self._title()[0]))
            rows = [head, (":--", *["--:"] * (len(head) - 1)), *cells]
            escaped = (map(markdown.escaped, row) if row is not rows[1] else row for row in rows)
            found.append("\n".join(f"| {' | '.join(row)} |" for row in escaped))
        return "\n\n".join([*found, *(markdown.escaped(note) for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Plain data; numbers that do not exist are None."""
        found = {
            "schema": SCHEMA,
            "metric": self.metric,
            "before": self.before,
            "after": self.after,
            "verdict": self.verdict,
            "kind": self.kind,
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


def _cells(metric: str, each: SlicePart) -> tuple[str, ...]:
    values = [None if v is None else float(v) for v in (each.before, each.after)]
    return (
        words.key(each.key),
        *(f"{rows:,}" for rows in each.rows),
        *(words.value(metric, v) for v in values),
        words.signed(metric, float(each.part.within)),
        words.signed(metric, float(each.part.mix)),
    )


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
