"""The functions of a set of kernels: each works on whole columns, once per block or range.

One file for each family; `exact` has the types of exact numbers that they share.
"""

from typing import Protocol

from steelyard.kernels.interface.curves import CurveKernels
from steelyard.kernels.interface.curves import KeyedRun as KeyedRun
from steelyard.kernels.interface.curves import Placement as Placement
from steelyard.kernels.interface.curves import Run as Run
from steelyard.kernels.interface.curves import SortedRows as SortedRows
from steelyard.kernels.interface.elementary import ElementaryKernels
from steelyard.kernels.interface.exact import DIGIT as DIGIT
from steelyard.kernels.interface.exact import MASK as MASK
from steelyard.kernels.interface.exact import Array as Array
from steelyard.kernels.interface.exact import Columns as Columns
from steelyard.kernels.interface.exact import Digits as Digits
from steelyard.kernels.interface.exact import ExactSums as ExactSums
from steelyard.kernels.interface.exact import Indices as Indices
from steelyard.kernels.interface.exact import UnsignedWords as UnsignedWords
from steelyard.kernels.interface.groups import GroupCodes as GroupCodes
from steelyard.kernels.interface.groups import GroupKernels
from steelyard.kernels.interface.groups import SortedGroups as SortedGroups
from steelyard.kernels.interface.levels import LevelBins as LevelBins
from steelyard.kernels.interface.levels import LevelCells as LevelCells
from steelyard.kernels.interface.levels import LevelHull as LevelHull
from steelyard.kernels.interface.levels import LevelKernels
from steelyard.kernels.interface.levels import LevelWalk as LevelWalk
from steelyard.kernels.interface.pairs import PairKernels
from steelyard.kernels.interface.sums import SumKernels


class Kernels(
    CurveKernels, LevelKernels, GroupKernels, SumKernels, PairKernels, ElementaryKernels, Protocol
):
    """One implementation of the hot loops."""
