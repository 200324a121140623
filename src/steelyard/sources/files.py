"""The roles of a file's columns, which a user gives by name."""

import os
from typing import Any

from steelyard import errors
from steelyard.model import Array, Label
from steelyard.sources import duckdb


def columns(source: str | os.PathLike[str], **roles: Any) -> list[Array | None]:
    """The column of each role, in the order given; None where there is no weight."""
    if not isinstance(source, str | os.PathLike):
        raise errors.NOT_A_FILE(type=type(source).__name__)
    for role, name in roles.items():
        if not isinstance(name, str) and not (role == "weight" and name is None):
            raise errors.NOT_A_NAME(role=role, type=type(name).__name__)
    taken = [name for name in roles.values() if name is not None]
    found = duckdb.read(source, taken, numbers={roles["score"], roles["weight"]})
    return [None if name is None else found[name] for name in roles.values()]


def as_written(positive: Label, label: Array) -> Label:
    """A word for a label in a file, as the type that its column turned out to have."""
    if not isinstance(positive, str):
        return positive
    if label.dtype.kind == "b":
        return {"true": True, "false": False}.get(positive.lower(), positive)
    for number in (int, float):
        try:
            return number(positive) if label.dtype.kind in "iuf" else positive
        except ValueError:
            continue
    return positive
