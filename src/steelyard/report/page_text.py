"""A metric's page as plain text: for a terminal, for `help()`, for a pipe."""

import ast
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from textwrap import wrap as wrap_text

from steelyard.report.page import Page

USUAL, WIDEST, NARROWEST = 80, 100, 40  # columns: longer lines are hard to read
LABEL = 13  # of the words in front of a paragraph
wrap = partial(wrap_text, break_on_hyphens=False, break_long_words=False)
SEED = "article {seed} of the five that this project grew from"


def render(page: Page, gives: str, *, width: int | None = None) -> str:
    """The page, its prose on lines that fit; `gives`: what the example gives."""
    room = min(max(width or USUAL, NARROWEST), WIDEST)
    blocks = [
        [page.heading, "─" * len(page.heading), *wrap(page.title, room)],
        _labelled("Formula", page.about.formula.split("\n"), room),
        _labelled("Reading", [page.about.reading], room),
        _labelled("Range", [f"{page.about.range}; {page.better}"], room),
        _example(page, gives, room),
        *(_paragraph(note, room) for note in page.notes),
        _listed("Parameters", _parameters(page, room)),
        _listed("Pitfalls", (line for each in page.about.pitfalls for line in _item(each, room))),
        [line for label, text in _facts(page) for line in _labelled(label, [text], room)],
        [line for label, text in _ways(page) for line in _labelled(label, [text], room)],
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def brief(page: Page) -> str:
    """What `help()` shows of it: nothing is computed, since functions are made in a moment."""
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
        f'sy.explain("{page.name}") shows what that gives, pitfalls and where it comes from.',
    ]
    return "\n\n".join(filter(None, parts)) + "\n"


def code(example: str, width: int) -> list[str]:
    """An expression on lines that fit: arguments of a call that do not go to the next.

    >>> code("sy.auc([0, 1], [0.1, 0.2], nan='drop')", 20)
    ['sy.auc([0, 1],', '       [0.1, 0.2],', "       nan='drop')"]
    """
    call = ast.parse(example, mode="eval").body
    if len(example) <= width or not isinstance(call, ast.Call):
        return example.split("\n")
    head = f"{ast.get_source_segment(example, call.func)}("
    return _flow(head, [*call.args, *call.keywords], ")", example, width)


def _flow(head: str, parts: Sequence[ast.AST], tail: str, example: str, width: int) -> list[str]:
    """The parts of a call or of a list, as many on a line as fit."""
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


def _labelled(label: str, texts: Iterable[str], room: int) -> list[str]:
    """A paragraph for each text, beside a word."""
    lines = [line for text in texts for line in wrap(text, room - LABEL)]
    return [f"{label if place == 0 else '':<{LABEL}}{line}" for place, line in enumerate(lines)]


def _example(page: Page, gives: str, room: int) -> list[str]:
    first, *rest = code(page.about.example, room - LABEL - 4)
    lines = [f">>> {first}", *(f"... {line}" for line in rest), *gives.split("\n")]
    return [f"{'' if place else 'Example':<{LABEL}}{line}" for place, line in enumerate(lines)]


def _paragraph(note: str, room: int) -> list[str]:
    """A note; one that is set in, such as a formula, keeps its lines."""
    return note.split("\n") if note.startswith(" ") else wrap(note, room)


def _listed(label: str, lines: Iterable[str]) -> list[str]:
    found = list(lines)
    return [label, *found] if found else []


def _parameters(page: Page, room: int) -> Iterator[str]:
    longest = max((len(each.name) for each in page.metric.parameters), default=0)
    for each in page.metric.parameters:
        yield from wrap(
            page.takes(each),
            room,
            initial_indent=f"  {each.name:<{longest}}  ",
            subsequent_indent=" " * (longest + 4),
        )


def _item(text: str, room: int) -> list[str]:
    return wrap(text, room, initial_indent="  · ", subsequent_indent="    ")


def _facts(page: Page) -> Iterator[tuple[str, str]]:
    if page.metric.aliases:
        yield "Also called", ", ".join(page.metric.aliases)
    yield "In Chinese", page.about.chinese
    yield "Reference", page.about.reference
    if page.about.seed:
        yield "Seed", SEED.format(seed=page.about.seed)


def _ways(page: Page) -> Iterator[tuple[str, str]]:
    yield "In Python", page.in_python
    if page.in_a_table:
        yield "In a table", page.in_a_table
