"""Every kind of picture, and what it draws; without NumPy, which the help does not need."""

from collections.abc import Collection
from typing import NamedTuple

GROUP_VALUES = "group_values"  # of a mean over groups, which the picture shows beside them


class Kind(NamedTuple):
    """A kind of picture: the shape that it draws, numbers of its legend, and how many series.

    requested: whether a shape that was requested by name goes first: one with a threshold of its
        own does, a table of few thresholds for reading does not
    """

    shape: str
    numbers: tuple[str, ...] = ()
    single: bool = False
    requested: bool = True


KINDS = {
    "roc": Kind("roc", ("auc",)),
    "pr": Kind("pr", ("ap", "break_even")),
    "calibration": Kind("calibration_curve", ("copc",)),
    "scores": Kind("score_histogram"),
    "lift": Kind("gains", ("lift(0.1)",)),
    "gain": Kind("gains", ("capture(0.1)",)),
    "confusion": Kind("confusion", single=True),
    "groups": Kind(GROUP_VALUES),
    "threshold": Kind("thresholds", requested=False),
    "residuals": Kind("residuals", ("bias", "mae")),
    "predicted_vs_true": Kind("predicted_vs_true", single=True),
}
SLICES = "slices"  # drawn from rows of numbers
EVERY = (*KINDS, SLICES)


def drawn_name(shape: str, names: Collection[str], metrics: Collection[str]) -> str | None:
    """The printed name of the shape to draw, with any parameters; None if there is none.

    names: the shapes that can be drawn; metrics: those of the request

    >>> drawn_name("roc", ["roc", "roc(50)", "pr"], ["auc", "roc(50)"])
    'roc(50)'
    """
    first = all(kind.requested for kind in KINDS.values() if kind.shape == shape)
    known = [name for name in names if name.partition("(")[0] == shape]
    return min(known, key=lambda name: (name in metrics) != first, default=None)
