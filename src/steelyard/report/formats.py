"""A stand-in, until there are reporters: the table alone."""

from typing import Any

FORMATS = {"table": str}


def render(result: Any, format: str, width: int | None = None) -> str:
    """A result in a format."""
    return FORMATS[format](result)
