"""The NumPy kernels: readable, and the specification of every other set of kernels.

They build on NumPy's SIMD sort (10 million float32 in 0.08 s, where an argsort takes 1 s), binary
search for sorted values, and digits that keep every sum and product within int64.
"""

# Its functions are those that it imports for others, so none is used here:
# ruff: noqa: F401
# mypy: implicit-reexport

from steelyard.kernels.numpy.coded import exact_sums_of, sums_by_code
from steelyard.kernels.numpy.elementary import exp, log, log_chance, log_complement
from steelyard.kernels.numpy.exact import (
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
from steelyard.kernels.numpy.grouping import number_groups, order_ties, sort_groups
from steelyard.kernels.numpy.inversions import inversions
from steelyard.kernels.numpy.keyed import dot_by_slice, place_keyed, sort_keyed, sum_between
from steelyard.kernels.numpy.levels.bins import level_bins
from steelyard.kernels.numpy.levels.cells import level_cells
from steelyard.kernels.numpy.levels.hull import level_hull
from steelyard.kernels.numpy.levels.sums import level_sums
from steelyard.kernels.numpy.levels.walk import level_walk
from steelyard.kernels.numpy.logarithm import (
    atanh_tail,
    log2_counts,
    log_one_plus,
    one_minus_log1p_ratio,
)
from steelyard.kernels.numpy.numbering import distinct, ranked
from steelyard.kernels.numpy.segments import sums_between
from steelyard.kernels.numpy.sorting import (
    bring_together,
    collapse,
    cumulative,
    place,
    sort_rows,
    split,
    weight_before,
    weight_between,
)
