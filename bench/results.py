"""`bench/RESULTS.md`: what was measured, on which machine; and the picture of it in README."""

import os
import platform
from collections.abc import Iterator, Sequence
from datetime import date
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from bench.matrix import Cell
from bench.measure import Line
from bench.worker import READ, SORTS

PAGE = Path(__file__).with_name("RESULTS.md")
PACKAGES = ("numpy", "scikit-learn", "polars", "duckdb", "catboost", "pytrec-eval-terrier", "ranx")
HEAD = """\
# What was measured

Written by `make bench` on {date}: {machine}, Python {python}, {versions}. {note}

Medians of up to five runs of each tool, in turn, on the wall clock. A time counts where the
numbers agree with ours. *np.sort* is the unit: the faster of two, with and without AVX-512.

## Ratios

| | ratio | to reach | |
|---|---:|---:|---|"""
TIMES = """
## Times

Milliseconds; the first call of a process in brackets;
extra memory at its peak, in input columns."""


def write(cells: Sequence[Cell], lines: Sequence[Line], note: str) -> None:
    PAGE.write_text("\n".join(page(cells, lines, note)) + "\n")


def machine() -> str:
    """The processor, with its family and model: virtual machines hide the rest of its name."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    pairs = (line.partition(":") for line in lines)
    facts = {name.strip(): value.strip() for name, _, value in pairs}
    name = facts.get("model name", platform.processor())
    family = [f"{key} {facts[key]}" for key in ("cpu family", "model") if key in facts]
    return ", ".join([name, *family, f"{os.cpu_count()} cores"])


def page(cells: Sequence[Cell], lines: Sequence[Line], note: str) -> Iterator[str]:
    yield HEAD.format(
        date=date.today().isoformat(),
        machine=machine(),
        python=platform.python_version(),
        versions=", ".join(map(_version, PACKAGES)),
        note=note,
    )
    for line in lines:
        limit = f"{'≥' if line.at_least else '≤'} {line.limit:g}"
        verdict = "" if line.kept else "missed"
        yield f"| {line.what} | {line.ratio:.2f} | {limit} | {verdict} |"
    yield TIMES
    yield from _tables(cells)


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return f"{name} not installed"


def _tables(cells: Sequence[Cell]) -> Iterator[str]:
    for operation in dict.fromkeys(cell.operation for cell in cells):
        mine = [cell for cell in cells if cell.operation == operation]
        sizes = list(dict.fromkeys(cell.rows for cell in mine))
        yield f"\n### {operation}\n"
        yield "| | " + " | ".join(f"{rows:,} rows" for rows in sizes) + " |"
        yield "|---|" + "---:|" * len(sizes)
        for tool in dict.fromkeys(cell.tool for cell in mine):
            found = {cell.rows: cell for cell in mine if cell.tool == tool}
            yield f"| {tool} | " + " | ".join(_text(found.get(rows)) for rows in sizes) + " |"


def _text(cell: Cell | None) -> str:
    if cell is None:
        return ""
    if cell.why:
        return cell.why if len(cell.why) < 40 else f"{cell.why[:37]}..."
    text = f"{cell.seconds * 1e3:.3g}"
    if cell.tool in (*SORTS, READ):
        return text
    memory = "" if cell.memory != cell.memory else f", {cell.memory:.1f}×"
    return f"{text} ({cell.first * 1e3:.3g}){memory}"
