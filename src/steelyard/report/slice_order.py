"""Which slices are worse than others, and which are too small for their numbers to mean much."""

FEW_ROWS, FEW_OF_A_CLASS = 100, 10  # the numbers of a smaller slice are mostly chance


def small_text(*, classes: bool) -> str:
    """What makes a slice small; classes: whether rows are positive or negative."""
    few = f", or {FEW_OF_A_CLASS} positives or negatives" if classes else ""
    return f"fewer than {FEW_ROWS} rows{few}"


def badness(value: float, better: str) -> float:
    """How bad a value is: larger is worse. 0.5 and 2 are equally far from 1.

    better: as in the record of a metric; what depends is ordered as if higher were better

    >>> badness(0.5, "nearer 1") == badness(2.0, "nearer 1"), badness(-3.0, "nearer 0")
    (True, 3.0)
    """
    if better == "lower":
        return value
    if better == "nearer 0":
        return abs(value)
    if better == "nearer 1":
        return max(value, 1 / value) if value > 0 else float("inf")
    return -value


def worst_first(value: float | None, *, small: bool, better: str) -> tuple[bool, bool, float]:
    """A key to sort slices by: the worst first, then small ones, then those without a value."""
    return value is None, small, 0.0 if value is None else -badness(value, better)


def is_small(rows: int, positives: int | None = None, negatives: int | None = None) -> bool:
    """Whether a slice has few rows, or few of one class; None: there are no classes."""
    few = (count is not None and count < FEW_OF_A_CLASS for count in (positives, negatives))
    return rows < FEW_ROWS or any(few)
