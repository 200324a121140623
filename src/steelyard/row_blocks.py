"""Parts of rows that the cache can hold."""

from collections.abc import Iterator

BLOCK = 1 << 16  # rows: columns of half a megabyte


def blocks(start: int, end: int, size: int = BLOCK) -> Iterator[slice]:
    """From start to end, so many rows at a time."""
    return (slice(here, min(here + size, end)) for here in range(start, end, size))
