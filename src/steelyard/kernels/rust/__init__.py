"""The compiled kernels, and the NumPy kernels for what they do not have or decline.

One file for each family that has compiled kernels, as in the interface.
"""

# Its functions are those that it imports for others, so none is used here:
# ruff: noqa: F401, F403
# mypy: implicit-reexport

from steelyard.kernels.numpy import *
from steelyard.kernels.rust.curve_terms import curve_most, curve_sums
from steelyard.kernels.rust.curves import curve_points
from steelyard.kernels.rust.elementary import exp, log, log_chance, log_complement
from steelyard.kernels.rust.groups import group_areas
from steelyard.kernels.rust.keys import bring_together, code_keys, group_ends, rank_keys
from steelyard.kernels.rust.levels import level_bins, level_cells, level_hull, level_sums
from steelyard.kernels.rust.lists import list_gains, rank_lists
from steelyard.kernels.rust.pairs import order_sums, pair_areas
from steelyard.kernels.rust.placements import line_areas, placements
from steelyard.kernels.rust.plain import (
    plain_area,
    plain_group_areas,
    plain_level_bins,
    plain_list_terms,
    plain_rows,
    plain_terms,
)
from steelyard.kernels.rust.score_sorting import next_above, sort_scores
from steelyard.kernels.rust.sums import add_terms, bin_codes, check_column, lowest_bit, sums_by_code
