"""The compiled kernels, and the NumPy kernels for what they do not have or decline.

One file for each family that has compiled kernels, as in the interface.
"""

# Its functions are those that it imports for others, so none is used here:
# ruff: noqa: F401, F403
# mypy: implicit-reexport

from steelyard.kernels.numpy import *
from steelyard.kernels.rust.curves import curve_points
from steelyard.kernels.rust.elementary import exp, log, log_chance, log_complement
from steelyard.kernels.rust.sums import add_terms, bin_codes, check_column, sums_by_code
