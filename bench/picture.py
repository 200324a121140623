"""The picture of speed in README: time a row against the number of rows."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.matrix import Cell
from bench.worker import READ, SORTS

PICTURE = Path(__file__).with_name("speed.svg")
DRAWN = ("auc, float32, 5%", "gauc, int64 from 0", "four ranking metrics, in order")


def draw(cells: Sequence[Cell]) -> None:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "steelyard"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, len(DRAWN), figsize=(4 * len(DRAWN), 3.4))
    for axis, name in zip(axes, DRAWN, strict=True):
        _draw_operation(axis, [c for c in cells if c.operation == name and not c.why])
        axis.set_title(name, fontsize=9)
        axis.set_xlabel("rows", fontsize=8)
        axis.legend(fontsize=6)
    axes[0].set_ylabel("nanoseconds a row", fontsize=8)
    figure.tight_layout()
    figure.savefig(PICTURE, metadata={"Date": None})
    pyplot.close(figure)


def _draw_operation(axis: Any, cells: Sequence[Cell]) -> None:
    """A line for each tool; ours are bold."""
    for tool in dict.fromkeys(cell.tool for cell in cells):
        if tool in (*SORTS, READ):
            continue
        mine = [cell for cell in cells if cell.tool == tool]
        times = [cell.seconds / cell.rows * 1e9 for cell in mine]
        width = 2.5 if tool == "rust" else 1
        name = "steelyard" if tool == "rust" else tool
        axis.loglog([c.rows for c in mine], times, "-o", label=name, linewidth=width, markersize=3)
