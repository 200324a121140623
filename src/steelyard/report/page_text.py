"""The page of a metric as plain text: for a terminal, for `help()`, for a pipe."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from textwrap import wrap as wrap_text

from steelyard.report.page import Page

USUAL, WIDEST, NARROWEST = 80, 100, 40  # columns: longer lines are hard to read
LABEL = 13  # width of the labels in front of paragraphs
wrap = partial(wrap_text, break_on_hyphens=False, break_long_words=False)
SEED = "article {seed} of the five that this project grew from"


def render(page: Page, gives: str, *, width: int | None = None) -> str:
    """The page, wrapped to the width; `gives`: the value of the example."""
    width = min(max(width or USUAL, NARROWEST), WIDEST)
    blocks = [
        [page.heading, "─" * len(page.heading), *wrap(page.title, width)],
        _labelled("Formula", page.about.formula.split("\n"), width),
        _labelled("Reading", [page.about.reading], width),
        [line for label, text in _about_values(page) for line in _labelled(label, [text], width)],
        _example(page, gives, width),
        *(_paragraph(note, width) for note in page.notes),
        _listed("Parameters", _parameters(page, width)),
        _listed("Pitfalls", (line for each in page.about.pitfalls for line in _item(each, width))),
        [line for label, text in _facts(page) for line in _labelled(label, [text], width)],
        [line for label, text in _ways(page) for line in _labelled(label, [text], width)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def brief(page: Page) -> str:
    """The page for `help()`; nothing is computed, so that functions are made quickly."""
    parameters = [
        line
        for each in page.metric.parameters
        for line in wrap(f"{each.name}: {page.takes(each)}", WIDEST, subsequent_indent="    ")
    ]
    parts = [
        page.title,
        page.about.formula,
        "\n".join(wrap(page.about.reading, WIDEST)),
        *page.notes,
        "\n".join(parameters),
        "\n".join(["For example", *(f"    {line}" for line in code(page.about.example, WIDEST))]),
        f'sy.explain("{page.name}") shows its value, pitfalls and the reference.',
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def code(example: str, width: int) -> list[str]:
    """An expression, wrapped to the width between the arguments of a call.

    >>> code("sy.auc([0, 1], [0.1, 0.2], nan='drop')", 20)
    ['sy.auc([0, 1],', '       [0.1, 0.2],', "       nan='drop')"]
    """
    call = ast.parse(example, mode="eval").body
    if len(example) <= width or not isinstance(call, ast.Call):
        return example.split("\n")
    head = f"{ast.get_source_segment(example, call.func)}("
    return _flow(head, [*call.args, *call.keywords], ")", example, width)


def _flow(head: str, parts: Sequence[ast.AST], tail: str, example: str, width: int) -> list[str]:
    """The parts of a call or a list, as many on a line as fit."""
    lines, line = [], head
    for place, part in enumerate(parts):
        ending = tail if place == len(parts) - 1 else ","
        word = f"{ast.get_source_segment(example, part)}{ending}"
        if len(line) > len(head):
            line += " "
            if len(line + word) > width:
                lines.append(line.rstrip())
                line = " " * len(head)
        if len(line + word) > width and isinstance(part, ast.List):
            *whole, line = _flow(f"{line}[", part.elts, f"]{ending}", example, width)
            lines += whole
        else:
            line += word
    return [*lines, line]


def _labelled(label: str, texts: Iterable[str], width: int) -> list[str]:
    """A paragraph for each text, after a label."""
    lines = [line for text in texts for line in wrap(text, width - LABEL)]
    return [f"{label if place == 0 else '':<{LABEL}}{line}" for place, line in enumerate(lines)]


def _example(page: Page, gives: str, width: int) -> list[str]:
    first, *rest = code(page.about.example, width - LABEL - 4)
    lines = [f">>> {first}", *(f"... {line}" for line in rest), *gives.split("\n")]
    return [f"{'' if place else 'Example':<{LABEL}}{line}" for place, line in enumerate(lines)]


def _paragraph(note: str, width: int) -> list[str]:
    """A note; an indented one, such as a formula, keeps its lines."""
    return note.split("\n") if note.startswith(" ") else wrap(note, width)


def _listed(label: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return [label, *found] if found else []


def _parameters(page: Page, width: int) -> Iterator[str]:
    longest = max((len(each.name) for each in page.metric.parameters), default=0)
    for each in page.metric.parameters:
        yield from wrap(
            page.takes(each),
            width,
            initial_indent=f"  {each.name:<{longest}}  ",
            subsequent_indent=" " * (longest + 4),
        )


def _item(text: str, width: int) -> list[str]:
    return wrap(text, width, initial_indent="  · ", subsequent_indent="    ")


def _about_values(page: Page) -> Iterator[tuple[str, str]]:
    yield "Range", f"{page.about.range}; {page.better}"
    yield "Interval", page.interval_phrase


def _facts(page: Page) -> Iterator[tuple[str, str]]:
    if page.metric.aliases:
        yield "Also called", ", ".join(page.metric.aliases)
    yield "In Chinese", page.about.chinese
    if page.presets:
        yield "Presets", page.presets
    yield "Reference", page.about.reference
    if page.about.seed:
        yield "Seed", SEED.format(seed=page.about.seed)


def _ways(page: Page) -> Iterator[tuple[str, str]]:
    yield "In Python", page.in_python
    yield "In a table", page.in_a_table
