"""Every kind of picture, and what it draws; without NumPy, which the help does not need."""

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
