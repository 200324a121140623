"""Plain rows by the compiled kernels."""

from steelyard.kernels import _rust
from steelyard.kernels.interface import Array, PlainArea, PlainRows


def plain_rows(labels: Array, scores: Array) -> PlainRows | None:
    """What readers check of rows of two classes."""
    found = _rust.plain_rows(labels, scores)
    return None if found is None else PlainRows(*found)


def plain_area(labels: Array, scores: Array) -> PlainArea | None:
    """The same checks, and the area."""
    found = _rust.plain_area(labels, scores)
    return None if found is None else PlainArea(*found)
