"""The functions of a set of kernels: each works on whole columns, once per block or range.

One file for each family; `exact` has the types of exact numbers that they share.
"""

from typing import Protocol

from steelyard.kernels.interface.curves import Chosen as Chosen
from steelyard.kernels.interface.curves import CurveKernels
from steelyard.kernels.interface.curves import CurvePoints as CurvePoints
from steelyard.kernels.interface.curves import CurveTotals as CurveTotals
from steelyard.kernels.interface.curves import KeyedRun as KeyedRun
from steelyard.kernels.interface.curves import LineAreas as LineAreas
from steelyard.kernels.interface.curves import Placements as Placements
from steelyard.kernels.interface.curves import Run as Run
from steelyard.kernels.interface.curves import ScoreChunk as ScoreChunk
from steelyard.kernels.interface.curves import ScoreRows as ScoreRows
from steelyard.kernels.interface.curves import SortedTable as SortedTable
from steelyard.kernels.interface.curves import Upwards as Upwards
from steelyard.kernels.interface.elementary import ElementaryKernels
from steelyard.kernels.interface.exact import DIGIT as DIGIT
from steelyard.kernels.interface.exact import MASK as MASK
from steelyard.kernels.interface.exact import Array as Array
from steelyard.kernels.interface.exact import Columns as Columns
from steelyard.kernels.interface.exact import Digits as Digits
from steelyard.kernels.interface.exact import ExactSums as ExactSums
from steelyard.kernels.interface.exact import Indices as Indices
from steelyard.kernels.interface.exact import UnsignedWords as UnsignedWords
from steelyard.kernels.interface.groups import CodedKeys as CodedKeys
from steelyard.kernels.interface.groups import GroupAreas as GroupAreas
from steelyard.kernels.interface.groups import GroupedRows as GroupedRows
from steelyard.kernels.interface.groups import GroupKernels
from steelyard.kernels.interface.groups import Texts as Texts
from steelyard.kernels.interface.levels import LevelBins as LevelBins
from steelyard.kernels.interface.levels import LevelCells as LevelCells
from steelyard.kernels.interface.levels import LevelHull as LevelHull
from steelyard.kernels.interface.levels import LevelKernels
from steelyard.kernels.interface.levels import LevelWalk as LevelWalk
from steelyard.kernels.interface.lists import ListKernels
from steelyard.kernels.interface.lists import ListTerm as ListTerm
from steelyard.kernels.interface.lists import RankedLists as RankedLists
from steelyard.kernels.interface.lists import Ties as Ties
from steelyard.kernels.interface.pairs import GiniSums as GiniSums
from steelyard.kernels.interface.pairs import MiddleErrors as MiddleErrors
from steelyard.kernels.interface.pairs import OrderSums as OrderSums
from steelyard.kernels.interface.pairs import PairAreas as PairAreas
from steelyard.kernels.interface.pairs import PairKernels
from steelyard.kernels.interface.pairs import RankedPairs as RankedPairs
from steelyard.kernels.interface.pairs import RankedValues as RankedValues
from steelyard.kernels.interface.pairs import RankSums as RankSums
from steelyard.kernels.interface.plain import PlainArea as PlainArea
from steelyard.kernels.interface.plain import PlainBins as PlainBins
from steelyard.kernels.interface.plain import PlainKernels
from steelyard.kernels.interface.plain import PlainListTerms as PlainListTerms
from steelyard.kernels.interface.plain import PlainRows as PlainRows
from steelyard.kernels.interface.plain import PlainTerms as PlainTerms
from steelyard.kernels.interface.sums import BadRows as BadRows
from steelyard.kernels.interface.sums import CheckedColumn as CheckedColumn
from steelyard.kernels.interface.sums import SumKernels
from steelyard.kernels.interface.terms import RowCodes as RowCodes
from steelyard.kernels.interface.terms import RowTerm as RowTerm
from steelyard.kernels.interface.terms import TermColumns as TermColumns


class Kernels(
    CurveKernels,
    LevelKernels,
    GroupKernels,
    ListKernels,
    SumKernels,
    PairKernels,
    PlainKernels,
    ElementaryKernels,
    Protocol,
):
    """One implementation of the hot loops."""
