"""The formats of a result by name: each is a file with a function `render`.

It takes the rows, the conventions and the shapes, and returns a text without a final line end.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from steelyard.model import Conventions, Row
from steelyard.report import csv, html, json, jsonl, markdown, text


class Render(Protocol):
    def __call__(
        self, rows: Sequence[Row], conventions: Conventions, shapes: Sequence[Row] = (), /
    ) -> str: ...


FORMATS: Mapping[str, Render] = {
    "text": text.render,
    "markdown": markdown.render,
    "html": html.render,
    "csv": csv.render,
    "json": json.render,
    "jsonl": jsonl.render,
}
