from collections.abc import Sequence

from steelyard.kernels.rust.columns import PointColumns
from steelyard.model import Array

class Points:
    tied: bool

    def __len__(self) -> int: ...
    def fill(
        self, starts: Array, scores: Array, amounts: tuple[Array, Array, Array], threads: int
    ) -> None: ...

def curve_points(
    chunks: Sequence[tuple[Array | None, Array, Array, Array | None]],
    slices: int,
    unit: int,
    points: bool,
    threads: int,
) -> tuple[bytes, Points | None] | None: ...
def curve_sums(points: PointColumns, term: str, sums: Array, threads: int) -> bool: ...
def curve_most(
    points: PointColumns,
    measure: str,
    factors: tuple[Array, Array],
    chosen: tuple[Array, Array, Array],
    threads: int,
) -> None: ...
def elementary(
    function: str, values: Array, happened: Array | None, result: Array, threads: int
) -> None: ...
