"""The page of a metric in Markdown, its formula in TeX: for notebooks and `docs/metrics/`."""

import re
from collections.abc import Iterator

from steelyard.metrics.parameter import REQUIRED
from steelyard.report.markdown import escaped, rows
from steelyard.report.page import Page
from steelyard.report.page_text import SEED, code
from steelyard.spec import written

WIDTH = 88  # columns of a block of code
PARAMETERS = ("name", "what it does", "takes", "default")
CODE = re.compile(r"(`[^`]+`)")


def render(page: Page, gives: str) -> str:
    """The page; `gives`: the value of the example."""
    return "\n\n".join(filter(None, _parts(page, gives)))


def prose(text: str) -> str:
    """A sentence in which Markdown changes nothing except `code`."""
    parts = CODE.split(text)
    return "".join(part if CODE.fullmatch(part) else escaped(part) for part in parts)


def _parts(page: Page, gives: str) -> Iterator[str]:
    yield f"# {escaped(page.heading)}"
    yield prose(page.title)
    yield f"$$\n{page.about.tex}\n$$"
    yield _indented(page.about.formula)
    yield prose(page.about.reading)
    yield rows([("", ""), ("---", "---"), *_facts(page)])
    yield "## Example"
    first, *rest = code(page.about.example, WIDTH)
    lines = [">>> import steelyard as sy", f">>> {first}", *(f"... {line}" for line in rest)]
    if "\n" in gives:  # Python shows it on one line
        lines[-1] += "  # doctest: +NORMALIZE_WHITESPACE"
    # A line before the fence, or `python -m doctest` would take it for a part of the value.
    yield "\n".join(["```python", *lines, gives, "", "```"])
    yield from (note if note.startswith(" ") else prose(note) for note in page.notes)
    if page.metric.parameters:
        yield "## Parameters"
        yield rows([PARAMETERS, ["---"] * len(PARAMETERS), *_parameters(page)])
    yield "## Pitfalls"
    yield "\n".join(f"- {prose(each)}" for each in page.about.pitfalls)
    yield "## How to request it"
    ways = [page.in_python, page.in_a_table]
    yield _indented("\n".join(ways))
    yield "## Reference"
    yield prose(page.about.reference)
    if page.about.seed:
        yield f"Seed: {SEED.format(seed=page.about.seed)}."


def _facts(page: Page) -> Iterator[tuple[str, str]]:
    yield "range", prose(page.about.range)
    yield "better", page.about.better
    yield "interval", prose(page.interval_phrase)
    if page.metric.aliases:
        yield "also called", ", ".join(f"`{name}`" for name in page.metric.aliases)
    yield "in Chinese", page.about.chinese
    if page.presets:
        yield "presets", prose(page.presets)
    yield "family", page.family


def _parameters(page: Page) -> Iterator[tuple[str, str, str, str]]:
    for each in page.metric.parameters:
        default = "required" if each.default is REQUIRED else f"`{written(each.default)}`"
        if page.bound and page.bound.params[each.name] != each.default:
            default += f", here `{written(page.bound.params[each.name])}`"
        yield f"`{each.name}`", prose(each.means), prose(each.wanted), default


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
