"""Parameters of metrics: one record each, with its check and its help."""

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from steelyard import errors

REQUIRED: Any = object()
LARGEST = 2**63 - 1  # of a whole number without another bound
# The type of a column in the stubs: NumPy's type excludes lists with None.
COLUMN = "_Column"  # in the type stub


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a metric.

    wanted: the values that it takes, as errors print it; means: what it does, in one phrase
    read: turns a given value into the value to use, or raises TypeError or ValueError
    type: its type in the stubs
    column: whether it names a column; a plain function takes an array in its place
    choices: fixed values that it takes as well as a column
    """

    name: str
    default: Any
    wanted: str
    read: Callable[[Any], Any]
    type: str
    means: str = ""
    column: bool = False
    choices: tuple[str, ...] = ()

    def take(self, value: Any, metric: str) -> Any:
        """The value to use, or a SpecError."""
        if value is None and self.default is None:
            return None
        try:
            return self.read(value)
        except (TypeError, ValueError, ArithmeticError):
            raise errors.BAD_PARAMETER(
                metric=metric, name=self.name, wanted=self.wanted, value=value
            ) from None


def number(
    name: str,
    default: Any = REQUIRED,
    *,
    above: float = float("-inf"),
    least: float = float("-inf"),
    below: float = float("inf"),
    most: float = float("inf"),
    means: str = "",
) -> Parameter:
    """A finite number in a range that includes `least` and `most`, but not `above` and `below`."""

    def read(value: Any) -> float:
        if isinstance(value, bool) or not isinstance(value, Real):
            raise TypeError
        given = float(value) + 0.0  # -0.0 is 0.0
        if not (above < given < below and least <= given <= most):
            raise ValueError
        return given

    limits = [
        f"above {above:g}" if above != float("-inf") else "",
        f"from {least:g}" if least != float("-inf") else "",
        f"below {below:g}" if below != float("inf") else "",
        f"up to {most:g}" if most != float("inf") else "",
    ]
    wanted = " ".join(["a number", *filter(None, limits)])
    return Parameter(name, default, wanted, read, "float", means)


def choice(name: str, default: str | None, *others: str, means: str = "") -> Parameter:
    """One of some choices; the first is the default, and may be None."""
    choices = others if default is None else (default, *others)
    type_ = "str | None" if default is None else "str"

    def read(value: Any) -> str:
        if value not in choices:
            raise ValueError
        return str(value)

    return Parameter(name, default, f"one of {', '.join(choices)}", read, type_, means)


def flag(name: str, default: bool = False, *, means: str = "") -> Parameter:
    """True or false."""

    def read(value: Any) -> bool:
        if not isinstance(value, bool):
            raise TypeError
        return value

    return Parameter(name, default, "true or false", read, "bool", means)


def one_of(name: str, default: str, *numbers: float, means: str = "") -> Parameter:
    """The default, which is text, or one of some numbers."""

    def read(value: Any) -> str | float:
        if isinstance(value, bool) or value not in (default, *numbers):
            raise ValueError
        return default if value == default else float(value)

    wanted = f"one of {', '.join([default, *(f'{number:g}' for number in numbers)])}"
    return Parameter(name, default, wanted, read, "str | float", means)


def text(name: str, default: str, *, wanted: str, means: str = "") -> Parameter:
    """Any text that is not empty; what it may say is checked by the metric."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or not value:
            raise TypeError
        return value

    return Parameter(name, default, wanted, read, "str", means)


def column_or(name: str, default: str, *choices: str, means: str = "") -> Parameter:
    """One of some choices, or the name of a column."""

    def read(value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        return value

    rest = [each for each in choices if each != default]
    wanted = f"one of {', '.join([default, *rest])}, or a column"
    type_ = f"str | {COLUMN}"
    return Parameter(
        name, default, wanted, read, type_, means, column=True, choices=(default, *rest)
    )


def column(name: str, default: Any = REQUIRED, *, means: str = "") -> Parameter:
    """The name of a column, or an SQL expression."""

    def read(value: Any) -> str:
        if not isinstance(value, str) or not value:
            raise TypeError
        return value

    type_ = COLUMN if default is REQUIRED else f"{COLUMN} | None"
    return Parameter(name, default, "a column", read, type_, means, column=True)


def count(
    name: str, default: Any, *, least: int = 1, most: int | None = None, means: str = ""
) -> Parameter:
    """A whole number."""

    def read(value: Any) -> int:
        if isinstance(value, bool) or not isinstance(value, float | Integral):
            raise TypeError
        whole = int(value)
        if whole != value or not least <= whole <= (LARGEST if most is None else most):
            raise ValueError
        return whole

    type_ = "int | None" if default is None else "int"
    limit = "" if most is None else f" to {most}"
    return Parameter(name, default, f"a whole number from {least}{limit}", read, type_, means)


THRESHOLD = number("threshold", 0.5, means="rows that score at least this are called positive")
