"""The NumPy kernels: readable, and the specification of every other set.

The tools are NumPy's SIMD sort (10 million float32 in 0.08 s, where an argsort takes 1 s), binary
search with sorted needles, and digits that keep every sum and product inside int64.
"""

from steelyard.kernels.coded import sums_by_code
from steelyard.kernels.elementary import exp, log, log_chance, log_complement
from steelyard.kernels.exact import (
    dot,
    dot_groups,
    exact_dot,
    exact_sum,
    integers,
    lowest_bit,
    shift,
    sum_groups,
    to_digits,
    total,
)
from steelyard.kernels.grouping import number_groups, order_ties, sort_groups
from steelyard.kernels.inversions import inversions
from steelyard.kernels.sorting import (
    collapse,
    cumulative,
    place,
    sort_rows,
    split,
    weight_before,
    weight_between,
)

__all__ = [
    "collapse",
    "cumulative",
    "dot",
    "dot_groups",
    "exact_dot",
    "exact_sum",
    "exp",
    "integers",
    "inversions",
    "log",
    "log_chance",
    "log_complement",
    "lowest_bit",
    "number_groups",
    "order_ties",
    "place",
    "shift",
    "sort_groups",
    "sort_rows",
    "split",
    "sum_groups",
    "sums_by_code",
    "to_digits",
    "total",
    "weight_before",
    "weight_between",
]
