"""Polars' LazyFrame: only the columns that are needed are collected."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from steelyard import errors
from steelyard.sources.blocks import Block, ColumnRequest


def is_lazy(source: Any) -> bool:
    """Whether it is a LazyFrame of Polars, known by name: Polars is not imported."""
    kind = type(source)
    return kind.__name__ == "LazyFrame" and kind.__module__.partition(".")[0] == "polars"


class LazyRows:
    """The rows of a LazyFrame, which are computed when they are read.

    limits: the threads and memory that DuckDB may use
    """

    rows: int | None = None  # not known before they are computed

    def __init__(self, frame: Any, **limits: Any) -> None:
        self.name = type(frame).__name__
        self.columns = tuple(_computed(frame.collect_schema).names())
        self._frame = frame
        self._limits = limits

    def blocks(self, wanted: Sequence[ColumnRequest], where: str | None = None) -> Iterator[Block]:
        """The rows that satisfy `where`; all columns are collected if there is SQL."""
        from steelyard.sources.duck.connection import open_table

        frame, names = self._frame, list(dict.fromkeys(each.text for each in wanted))
        if where is None and all(name in self.columns for name in names):
            frame = frame.select(names)
        with open_table(_computed(frame.collect), **self._limits) as table:
            yield from table.blocks(wanted, where)

    def close(self) -> None:
        """Nothing to close."""


def _computed(work: Callable[[], Any]) -> Any:
    """What Polars computes; it may fail in any way, and says so in a first line, with a plan after
    it."""
    try:
        return work()
    except Exception as error:
        kind, reason = type(error).__name__, str(error).strip().partition("\n")[0].rstrip(".:")
        if " " not in reason:  # older releases of Polars say no more than the name of a column
            reason = f"{kind}: {reason}" if reason else kind
        raise errors.LAZY_FAILED(reason=reason) from error
