"""Ranked lists: the rank of every row with a grade, and what a list is worth by a named term.

A list is the rows of a group by falling score (-0.0 as 0.0). Rows of grade 0 matter only by the
ranks that they take, so that answers have no entry for them. Tables and limits are those of
`groups`.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple, Protocol

from steelyard.kernels.interface.exact import Array, Columns
from steelyard.kernels.interface.groups import GroupedRows

LIST_TERMS = {
    "relevant": "how many rows of the group have a grade of `rel` or more, ranked or not: int64",
    "hits": "Σ r·m/n to rank k as a fraction, two columns of int64: the denominator is n of the "
    "block with a relevant row that k cuts, and 1 where it cuts none",
    "hits_to_relevant": "the same to the rank that `relevant` is; k is not read",
    "gain": "Σ gain to rank k",
    "discounted_gain": "Σ gain·d to rank k",
    "ideal_gain": "Σ g·d to rank k, where the grades of all rows of the group, ranked or not, fall",
    "persistence": "Σ s·p**(rank − 1) to rank k; powers by multiplication, one after the other",
    "precisions": "Σ (s·((a + 1) + j·((r − 1)/(n − 1))))/rank to rank k; a: relevant rows above "
    "the block; the row is the j-th of the block, from 0",
    "reciprocal": "Σ c/rank to rank k over the first n − r + 1 rows of the first block with a "
    "relevant row; c is r/n, times (n − j − r + 1)/(n − j) for each further row j",
    "hit": "1 where a relevant row lies above the block that k cuts; else the smaller of 1 and the "
    "Σ (b·M)/(n − j), j below the smaller of r and m, M being the larger one; b is 1, times "
    "(n − M − j)/(n − j) for each j before; 1 where r + m > n",
    "stops": "the expected 1/rank of the row where a reader stops; see kernels/numpy/lists/stops",
    "highest": "the highest grade of the group's rows, ranked or not; 0 without any",
    "broken": "the lowest grade of the group's rows that is not a whole number; 0 where all are",
}


class RankedLists(NamedTuple):
    """The lists of one table, without their rows of grade 0.

    groups, slices: as of `GroupAreas`
    rows, sizes: int64, how many rows each group has, and how many of them have a rank
    starts: int64, the first entry of each list, and the end of all
    grades: above 0, in the type of the input, by list, rank and falling grade
    above: uint32, how many rows of the list lie above the tied block of each
    tied: uint32, how many rows that block has
    judged: where the grades of unscored rows start, and the end; and these, above 0, in any order
        within a group. None where all rows have a score
    """

    groups: Array
    slices: Array | None
    rows: Array
    sizes: Array
    starts: Array
    grades: Array
    above: Array
    tied: Array
    judged: tuple[Array, Array] | None


class ListTerm(NamedTuple):
    """A term of `LIST_TERMS`; parameters that it does not mention are not read.

    k: the last rank that counts; None: all count. gain: of a grade, linear or exp2
    rel: the lowest grade of a relevant row, above 0
    p: of `persistence`; max_grade: of `stops`
    """

    name: str
    k: int | None = None
    rel: float = 1.0
    gain: str = "linear"
    p: float = 0.0
    max_grade: int = 0


Ties = Literal["expected", "optimistic", "pessimistic", "keys"]


class ListKernels(Protocol):
    """Ranked lists."""

    def rank_lists(
        self, rows: GroupedRows, unscored: Array | None, ties: Ties, keys: Array | None
    ) -> tuple[RankedLists, ...]:
        """The lists of each table: the total, and one for each column of slices.

        unscored: bool, the rows whose score has no meaning: they have no rank
        ties: expected: rows of equal score are a tied block. Otherwise each row has a rank of its
            own, and is a block; rows of equal score are by falling grade (optimistic), rising grade
            (pessimistic), or rising number in `keys` and then falling grade
        """

    def list_gains(self, lists: RankedLists, terms: Sequence[ListTerm]) -> tuple[Columns, ...]:
        """The columns of each term, with an entry for each list; one column, if nothing is said.

        A block has n rows, r of them relevant, and m to rank k; s = r/n. The gain of a row is that
        of its grade g, 2**g − 1 for exp2; of a tied row the mean of its block: a sum, by falling
        grade, over n; where all grades of a block are equal, it is theirs. d = 1/log2(rank + 1).
        Every operation is rounded once, in the order written, without a fused multiply-add; sums
        start at 0 and go down the ranks. Numbers are float64, where nothing is said.
        """
