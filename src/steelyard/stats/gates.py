"""Gates of a comparison: is a candidate proven worse, or shown not to be worse?"""

from collections.abc import Sequence

import numpy as np

from steelyard.comparison.rows import ComparisonRow
from steelyard.model import Floats
from steelyard.stats.corrections import holm
from steelyard.stats.student import t_two_sided


def proven_worse(
    rows: Sequence[ComparisonRow], margin: float, confidence: float
) -> list[ComparisonRow]:
    """The rows that are worse by more than the margin; p-values of several are Holm's.

    Of one row, that is an interval whose upper end is below −margin. Rows without an interval prove
    nothing.
    """
    tested = [row for row in rows if row.low is not None and row.difference is not None]
    adjusted = holm(_p_values(tested, margin))
    both = zip(tested, adjusted.tolist(), strict=True)
    return [row for row, p in both if p < 1 - confidence]


def not_shown(rows: Sequence[ComparisonRow], margin: float) -> list[ComparisonRow]:
    """The rows that are not shown to be at most as much worse as the margin.

    Those without an interval are among them: a gate without a value must not pass.
    """
    return [row for row in rows if not _is_shown(row, margin)]


def _is_shown(row: ComparisonRow, margin: float) -> bool:
    if row.low is None or row.high is None:
        return False
    return row.low > -margin or (row.low == row.high and row.low >= -margin)


def _p_values(rows: Sequence[ComparisonRow], margin: float) -> Floats:
    """Two-sided p-values of a difference of −margin; 1 where the difference is not below it."""
    gaps = np.array([(row.difference or 0.0) + margin for row in rows])
    errors = np.array([row.details["standard_error"] for row in rows])
    freedom = np.array([row.details["freedom"] for row in rows])
    with np.errstate(all="ignore"):
        p = t_two_sided(gaps / errors, freedom)
    p = np.where(errors == 0, 0.0, p)
    return np.where(gaps < 0, p, 1.0)
