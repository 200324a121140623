"""Options of reading, checked when they are given."""

from numbers import Real
from typing import Any, NamedTuple

import numpy as np

from steelyard import errors
from steelyard.model import NAN_CHOICES, ROWS_CHOICES
from steelyard.phrases import phrase

SMALLEST_CLIP = 2.0**-53  # with a smaller one, 1 - clip is 1
CLIPS = "a number from 2**-53 (1.2e-16) to below 0.5"


class Options(NamedTuple):
    """Options for rows with scores and for rows with predictions.

    nan: what to do about missing values
    rows: whether all scores have common rows, or each its own
    clip: logarithms read probabilities cut to [clip, 1 − clip]
    clips: whether the epsilon of the score's type is the clip if none is given
    """

    nan: str
    rows: str
    clip: float | None
    clips: bool

    @classmethod
    def checked(cls, nan: str, rows: str, clip: float | None, clips: bool) -> "Options":
        check_choice("nan", nan, NAN_CHOICES)
        check_choice("rows", rows, ROWS_CHOICES)
        share = checked_share("clip", clip, CLIPS, least=SMALLEST_CLIP, below=0.5)
        return cls(nan, rows, share, clips)

    @property
    def common_rows(self) -> bool:
        """Whether a row that is left out for one score is left out for all."""
        return self.nan == "drop" and self.rows == "common"

    def clip_of(self, type_: str) -> float | None:
        """The clip for probabilities of that type."""
        return float(np.finfo(type_).eps) if self.clip is None and self.clips else self.clip


def check_choice(name: str, value: Any, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise errors.BAD_CHOICE(name=phrase(name), value=value, choices=", ".join(choices))


def checked_share(
    name: str,
    value: Any,
    wanted: str,
    *,
    least: float = 0.0,
    below: float = float("inf"),
    most: float = float("inf"),
) -> float | None:
    """The value as a number above 0 and within the limits; None if it is None."""
    if value is None:
        return None
    number = isinstance(value, Real) and not isinstance(value, bool)
    share = float(value) if number and abs(value) <= 1 else float("nan")
    if not (0 < share < below and least <= share <= most):
        raise errors.OUT_OF_RANGE(name=phrase(name), value=value, wanted=wanted)
    return share
