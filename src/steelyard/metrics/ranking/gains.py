"""The gain of a grade: its parameter, and the grades that it refuses."""

from typing import Any

from steelyard import errors
from steelyard.metrics.parameter import choice
from steelyard.model import Array
from steelyard.views.lists import Lists

GAIN = choice(
    "gain",
    "linear",
    "exp2",
    means="the gain of a grade: linear is the grade itself, exp2 is 2^grade − 1",
)
LARGEST_POWER = 53  # 2**53 − 1 is a float64


def gains(lists: Lists, name: str, gain: str, k: int | None) -> Array:
    """A term of lists that adds gains; grades for which 2**grade − 1 is not exact are refused."""
    if gain == "exp2":
        invalid = beyond(lists, LARGEST_POWER)
        if invalid is not None:
            raise errors.NOT_EXP2(value=invalid)
    return lists.term(name, gain=gain, k=k)


def beyond(lists: Lists, most: int) -> Any:
    """A grade that is not a whole number, or that is above `most`; None if all are fine."""
    highest, broken = lists.term("highest").max(initial=0), lists.term("broken")
    if highest > most:
        return int(highest) if highest.is_integer() else float(highest)
    return float(broken[broken > 0].min()) if broken.any() else None
